/* SPDX-License-Identifier: Apache-2.0 */
/*
 * map - from the hash of a key to positions in an array of the caller's, who compares the keys.
 *
 * Open addressing with linear probing, at most half full; nothing is ever taken out.
 */
#ifndef OPLEDGER_LIB_MAP_H
#define OPLEDGER_LIB_MAP_H

#include <stdint.h>

#include <opledger/err.h>

struct opl_map_slot {
    uint64_t hash;
    size_t position; /* plus one; 0: free */
};

struct opl_map {
    struct opl_map_slot *slots;
    size_t size; /* a power of two, or 0 */
    size_t count;
};

/* Where a walk over the positions of one hash stands; starts as {hash, 0}. */
struct opl_map_walk {
    uint64_t hash;
    size_t step;
};

/* FNV-1a, 64 bits. */
uint64_t opl_map_hash(const void *key, size_t len);

OPL_MUST_CHECK bool opl_map_add(struct opl_map *map, uint64_t hash, size_t position,
                                struct opl_err *err);

/* The next position filed under the hash; false when there is none left. */
bool opl_map_next(const struct opl_map *map, struct opl_map_walk *walk, size_t *position);

OPL_MUST_CHECK bool opl_map_copy(struct opl_map *to, const struct opl_map *from,
                                 struct opl_err *err);
void opl_map_close(struct opl_map *map);

#endif
