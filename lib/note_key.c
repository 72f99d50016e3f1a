/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of signed notes: `name+hex8(id)+base64(type||key)`, with the id bound to name and key. */
#include <opledger/note.h>

#include <opledger/encode.h>
#include <opledger/utf8.h>

#define ID_DIGITS 8

/* Unicode's White_Space; a name that held any could not be told from the rest of its line. */
static bool is_space(uint32_t point)
{
    static const struct {
        uint32_t first, last;
    } spaces[] = {
        {0x09,   0x0d  },
        {0x20,   0x20  },
        {0x85,   0x85  },
        {0xa0,   0xa0  },
        {0x1680, 0x1680},
        {0x2000, 0x200a},
        {0x2028, 0x2029},
        {0x202f, 0x202f},
        {0x205f, 0x205f},
        {0x3000, 0x3000},
    };

    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        if (point >= spaces[i].first && point <= spaces[i].last)
            return true;
    }
    return false;
}

bool opl_note_is_name(const char *name, size_t len)
{
    uint32_t point = 0;
    size_t step;

    if (len == 0 || len >= OPL_NOTE_NAME_SIZE)
        return false;
    for (; len > 0; name += step, len -= step) {
        step = opl_utf8_next(name, len, &point);
        if (step == 0 || point < 0x20 || point == '+' || is_space(point))
            return false;
    }
    return true;
}

/* The first four bytes of SHA-256(name || LF || type || key). */
static uint32_t key_id(const struct opl_vkey *vkey)
{
    uint8_t tail[2 + sizeof vkey->key.b] = {'\n', (uint8_t)vkey->type};
    struct opl_hash hash;

    memcpy(tail + 2, vkey->key.b, sizeof vkey->key.b);
    opl_sha256_pair(vkey->name, strlen(vkey->name), tail, sizeof tail, &hash);
    return (uint32_t)hash.b[0] << 24 | (uint32_t)hash.b[1] << 16 | (uint32_t)hash.b[2] << 8 |
           hash.b[3];
}

bool opl_vkey_make(const char *name, enum opl_note_type type, const struct opl_sign_public *key,
                   struct opl_vkey *out, struct opl_err *err)
{
    struct opl_vkey vkey = {.type = type, .key = *key};

    if (!opl_note_is_name(name, strlen(name)))
        return opl_fail(err, OPL_E_INVALID,
                        "the name of a key is 1 to %d bytes without spaces, controls or +",
                        OPL_NOTE_NAME_SIZE - 1);
    memcpy(vkey.name, name, strlen(name) + 1);
    vkey.id = key_id(&vkey);
    *out = vkey;
    return true;
}

static bool read_key(const char *text, struct opl_vkey *out, struct opl_err *err)
{
    uint8_t bytes[1 + sizeof out->key.b];
    size_t len = 0;

    if (!opl_base64_decode(text, strlen(text), bytes, sizeof bytes, &len, NULL) ||
        len != sizeof bytes)
        return opl_fail(err, OPL_E_INVALID, "a log's key holds a type and 32 bytes in base64");
    if (bytes[0] != OPL_NOTE_ED25519 && bytes[0] != OPL_NOTE_COSIGNATURE)
        return opl_fail(err, OPL_E_INVALID, "key type %u is neither Ed25519 nor its cosignature",
                        bytes[0]);
    out->type = (enum opl_note_type)bytes[0];
    memcpy(out->key.b, bytes + 1, sizeof out->key.b);
    return true;
}

/* base64 may hold a + too: only the first two separate. */
static bool split(const char *text, char name[static OPL_NOTE_NAME_SIZE], char *id,
                  const char **key)
{
    const char *first = strchr(text, '+');
    const char *second = first != NULL ? strchr(first + 1, '+') : NULL;

    if (second == NULL || (size_t)(first - text) >= OPL_NOTE_NAME_SIZE ||
        second - first - 1 != ID_DIGITS)
        return false;
    memcpy(name, text, (size_t)(first - text));
    name[first - text] = '\0';
    memcpy(id, first + 1, ID_DIGITS);
    id[ID_DIGITS] = '\0';
    *key = second + 1;
    return true;
}

bool opl_vkey_parse(const char *text, struct opl_vkey *out, struct opl_err *err)
{
    char name[OPL_NOTE_NAME_SIZE], id[ID_DIGITS + 1], want[ID_DIGITS + 1];
    const char *key;
    struct opl_vkey vkey = {0};

    if (!split(text, name, id, &key))
        return opl_fail(err, OPL_E_INVALID, "a log's key is NAME+ID+KEY, its id 8 digits");
    if (!read_key(key, &vkey, err) || !opl_vkey_make(name, vkey.type, &vkey.key, &vkey, err))
        return false;
    (void)snprintf(want, sizeof want, "%08x", vkey.id);
    if (strcmp(id, want) != 0)
        return opl_fail(err, OPL_E_INVALID, "the id of this key is %s, not %s", want, id);
    *out = vkey;
    return true;
}

void opl_vkey_format(const struct opl_vkey *vkey, char out[static OPL_VKEY_SIZE])
{
    uint8_t bytes[1 + sizeof vkey->key.b] = {(uint8_t)vkey->type};
    char key[OPL_BASE64_SIZE(sizeof bytes)];

    memcpy(bytes + 1, vkey->key.b, sizeof vkey->key.b);
    opl_base64_encode(bytes, sizeof bytes, key);
    (void)snprintf(out, OPL_VKEY_SIZE, "%s+%08x+%s", vkey->name, vkey->id, key);
}

bool opl_vkey_equal(const struct opl_vkey *a, const struct opl_vkey *b)
{
    return a->id == b->id && a->type == b->type && strcmp(a->name, b->name) == 0 &&
           memcmp(a->key.b, b->key.b, sizeof a->key.b) == 0;
}
