/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which held hypotheses were replaced by which. The closing stands with the one that is closed, so
 * that its successor alone does not know of it.
 */
#include "world_private.h"

#include <opledger/json.h>

#include "array.h"

const struct opl_fold *opl_world_replaced(const struct opl_world *world, const char *by, size_t *at)
{
    while (*at < world->replaced_count) {
        const struct opl_replaced *replaced = &world->replaced[(*at)++];

        if (strcmp(replaced->by, by) == 0)
            return replaced->fold;
    }
    return NULL;
}

bool opl_world_add_replaced(struct opl_world *world, const struct opl_fold *fold,
                            const struct opl_entry *closing, struct opl_err *err)
{
    const char *by = opl_json_str(closing->body, "by");
    struct opl_replaced *items;

    if (by == NULL)
        return true;
    items = opl_array_room(world->replaced, world->replaced_count, &world->replaced_size,
                           sizeof *items, err);
    if (items == NULL)
        return false;
    world->replaced = items;
    items[world->replaced_count++] = (struct opl_replaced){by, fold};
    return true;
}

void opl_world_drop_replaced(struct opl_world *world, const struct opl_fold *fold)
{
    size_t kept = 0;

    for (size_t i = 0; i < world->replaced_count; i++) {
        if (world->replaced[i].fold != fold)
            world->replaced[kept++] = world->replaced[i];
    }
    world->replaced_count = kept;
}
