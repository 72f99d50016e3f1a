/* SPDX-License-Identifier: Apache-2.0 */
#include "map.h"

#define FIRST_SIZE 16

uint64_t opl_map_hash(const void *key, size_t len)
{
    const unsigned char *bytes = key;
    uint64_t hash = 0xcbf29ce484222325;

    for (size_t i = 0; i < len; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3;
    return hash ^ (hash >> 29);
}

static void place(struct opl_map *map, uint64_t hash, size_t position)
{
    size_t at = hash & (map->size - 1);

    while (map->slots[at].position != 0)
        at = (at + 1) & (map->size - 1);
    map->slots[at] = (struct opl_map_slot){hash, position + 1};
    map->count++;
}

static bool grow(struct opl_map *map, struct opl_err *err)
{
    struct opl_map larger = {.size = map->size == 0 ? FIRST_SIZE : map->size * 2};

    larger.slots = calloc(larger.size, sizeof *larger.slots);
    if (larger.slots == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for an index of %zu", larger.size);
    for (size_t i = 0; i < map->size; i++) {
        if (map->slots[i].position != 0)
            place(&larger, map->slots[i].hash, map->slots[i].position - 1);
    }
    opl_map_close(map);
    *map = larger;
    return true;
}

bool opl_map_add(struct opl_map *map, uint64_t hash, size_t position, struct opl_err *err)
{
    if (map->count * 2 >= map->size && !grow(map, err))
        return false;
    place(map, hash, position);
    return true;
}

bool opl_map_next(const struct opl_map *map, struct opl_map_walk *walk, size_t *position)
{
    while (walk->step < map->size) {
        const struct opl_map_slot *slot = &map->slots[(walk->hash + walk->step) & (map->size - 1)];

        if (slot->position == 0)
            return false;
        walk->step++;
        if (slot->hash == walk->hash) {
            *position = slot->position - 1;
            return true;
        }
    }
    return false;
}

bool opl_map_copy(struct opl_map *to, const struct opl_map *from, struct opl_err *err)
{
    *to = (struct opl_map){0};
    if (from->size == 0)
        return true;
    to->slots = calloc(from->size, sizeof *to->slots);
    if (to->slots == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for an index of %zu", from->size);
    memcpy(to->slots, from->slots, from->size * sizeof *to->slots);
    to->size = from->size;
    to->count = from->count;
    return true;
}

void opl_map_close(struct opl_map *map)
{
    free(map->slots);
    *map = (struct opl_map){0};
}
