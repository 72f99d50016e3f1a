/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tile - paths, widths and entry bundles of C2SP tlog-tiles (tile height 8).
 *
 * A hash tile (level, index) holds the nodes (8 * level, 256 * index + i); a bundle holds up to 256
 * entries, each with a 16-bit big-endian length before it.
 */
#ifndef OPLEDGER_TILE_H
#define OPLEDGER_TILE_H

#include <opledger/buf.h>

#define OPL_TILE_WIDTH 256
#define OPL_TILE_LEVEL_MAX 63
#define OPL_TILE_PATH_SIZE 64 /* the longest path with its NUL */
#define OPL_BUNDLE_ENTRY_MAX 65535

struct opl_tile {
    bool entries;   /* an entry bundle; level is 0 then */
    unsigned level; /* 0 to OPL_TILE_LEVEL_MAX */
    uint64_t index;
    unsigned width; /* 1 to 256; less than 256 is a partial tile */
};

/* `tile/<L>/<N>[.p/<W>]` or `tile/entries/<N>[.p/<W>]`; OPL_E_NOT_FOUND for any other text. */
OPL_MUST_CHECK bool opl_tile_parse(const char *path, struct opl_tile *out, struct opl_err *err);
void opl_tile_format(const struct opl_tile *tile, char out[static OPL_TILE_PATH_SIZE]);

/* How many hashes or entries tile (level, index) has in a tree of `size`: 0 to 256. */
unsigned opl_tile_width(unsigned level, uint64_t index, uint64_t size);

/* OPL_E_TOO_LARGE when the entry is longer than a bundle can say. */
OPL_MUST_CHECK bool opl_bundle_add(struct opl_buf *bundle, const void *entry, size_t len,
                                   struct opl_err *err);

struct opl_bundle { /* a walk through one, from `{.bytes = b, .left = n}` */
    const char *bytes;
    size_t left;
    const char *entry; /* the entry that opl_bundle_next found, borrowed */
    size_t len;
};

/* True with the next entry. False at the end, or with OPL_E_MALFORMED where bytes are missing. */
bool opl_bundle_next(struct opl_bundle *bundle, struct opl_err *err);

#endif
