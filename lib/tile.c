/* SPDX-License-Identifier: Apache-2.0 */
#include <opledger/tile.h>

#define DIGITS "0123456789"
#define GROUP_DIGITS 3
#define LEVEL_BITS 8
#define INDEX_MAX ((uint64_t)1 << 60) /* more tiles than any tree has; keeps sums in range */

static bool take(const char **text, const char *prefix)
{
    size_t len = strlen(prefix);

    if (strncmp(*text, prefix, len) != 0)
        return false;
    *text += len;
    return true;
}

/* A decimal number of at most three digits without leading zeros. */
static bool take_number(const char **text, unsigned *out)
{
    size_t digits = strspn(*text, DIGITS);
    unsigned value = 0;

    if (digits == 0 || digits > 3 || (digits > 1 && **text == '0'))
        return false;
    for (; digits > 0; digits--)
        value = value * 10 + (unsigned)(*(*text)++ - '0');
    *out = value;
    return true;
}

static bool take_group(const char **text, uint64_t *index)
{
    unsigned value = 0;

    if (strspn(*text, DIGITS) != GROUP_DIGITS)
        return false;
    for (int i = 0; i < GROUP_DIGITS; i++)
        value = value * 10 + (unsigned)(*(*text)++ - '0');
    if (*index > INDEX_MAX / 1000)
        return false;
    *index = *index * 1000 + value;
    return true;
}

/* x001/x234/067; a first group of x000 would be a leading zero. */
static bool take_index(const char **text, uint64_t *index)
{
    *index = 0;
    while (take(text, "x")) {
        if (!take_group(text, index) || !take(text, "/") || *index == 0)
            return false;
    }
    return take_group(text, index);
}

static bool take_tile(const char **text, struct opl_tile *tile)
{
    if (!take(text, "tile/"))
        return false;
    tile->entries = take(text, "entries/");
    tile->width = OPL_TILE_WIDTH;
    if (!tile->entries && (!take_number(text, &tile->level) || !take(text, "/")))
        return false;
    if (!take_index(text, &tile->index))
        return false;
    if (take(text, ".p/"))
        return take_number(text, &tile->width) && tile->width >= 1 && tile->width < OPL_TILE_WIDTH;
    return true;
}

bool opl_tile_parse(const char *path, struct opl_tile *out, struct opl_err *err)
{
    struct opl_tile tile = {0};
    const char *text = path;

    if (!take_tile(&text, &tile) || *text != '\0' || tile.level > OPL_TILE_LEVEL_MAX)
        return opl_fail(err, OPL_E_NOT_FOUND, "\"%.80s\" names no tile", path);
    *out = tile;
    return true;
}

void opl_tile_format(const struct opl_tile *tile, char out[static OPL_TILE_PATH_SIZE])
{
    char index[40], *at = index + sizeof index - 4;
    uint64_t left = tile->index;
    int len;

    (void)snprintf(at, 4, "%03u", (unsigned)(left % 1000));
    for (left /= 1000; left > 0; left /= 1000) {
        char group[6];

        (void)snprintf(group, sizeof group, "x%03u/", (unsigned)(left % 1000));
        at -= 5;
        memcpy(at, group, 5);
    }
    if (tile->entries)
        len = snprintf(out, OPL_TILE_PATH_SIZE, "tile/entries/%s", at);
    else
        len = snprintf(out, OPL_TILE_PATH_SIZE, "tile/%u/%s", tile->level, at);
    if (tile->width < OPL_TILE_WIDTH && len > 0)
        (void)snprintf(out + len, OPL_TILE_PATH_SIZE - (size_t)len, ".p/%u", tile->width);
}

unsigned opl_tile_width(unsigned level, uint64_t index, uint64_t size)
{
    uint64_t nodes = level * LEVEL_BITS < 64 ? size >> level * LEVEL_BITS : 0;
    uint64_t full = nodes / OPL_TILE_WIDTH;

    if (index < full)
        return OPL_TILE_WIDTH;
    return index == full ? (unsigned)(nodes % OPL_TILE_WIDTH) : 0;
}

bool opl_bundle_add(struct opl_buf *bundle, const void *entry, size_t len, struct opl_err *err)
{
    if (len > OPL_BUNDLE_ENTRY_MAX)
        return opl_fail(err, OPL_E_TOO_LARGE, "an entry of %zu bytes; a bundle takes %d", len,
                        OPL_BUNDLE_ENTRY_MAX);
    opl_buf_u16(bundle, (uint16_t)len);
    opl_buf_add(bundle, entry, len);
    return opl_buf_ok(bundle, err);
}

bool opl_bundle_next(struct opl_bundle *bundle, struct opl_err *err)
{
    size_t len;

    if (bundle->left == 0)
        return false;
    if (bundle->left < 2)
        return opl_fail(err, OPL_E_MALFORMED, "the bundle ends inside a length");
    len = (size_t)(uint8_t)bundle->bytes[0] << 8 | (uint8_t)bundle->bytes[1];
    if (len > bundle->left - 2)
        return opl_fail(err, OPL_E_MALFORMED, "the bundle ends inside an entry");
    bundle->entry = bundle->bytes + 2;
    bundle->len = len;
    bundle->bytes += 2 + len;
    bundle->left -= 2 + len;
    return true;
}
