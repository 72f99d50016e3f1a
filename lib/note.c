/* SPDX-License-Identifier: Apache-2.0 */
/*
 * C2SP signed-note v1. A signature line is "— NAME BASE64" with an em dash; the base64 holds a
 * 4-byte key id and the signature. The text ends at the last blank line.
 */
#include <opledger/note.h>

#include <opledger/encode.h>
#include <opledger/name.h>

#define DASH "\xe2\x80\x94 "
#define DASH_LEN 4
#define ID_LEN 4
#define TIME_LEN 8
#define BLOB_MAX 8192 /* an ML-DSA signature of others is about 2.4 kB */
#define COSIGNATURE "cosignature/v1\ntime %llu\n"

struct line {
    const char *name;
    size_t name_len;
    uint8_t blob[BLOB_MAX];
    size_t blob_len;
};

/* Cuts the line at *left off it; false at the end or when no newline ends it. */
static bool next_line(const char **at, size_t *left, const char **line, size_t *len)
{
    const char *newline = *left > 0 ? memchr(*at, '\n', *left) : NULL;

    if (newline == NULL)
        return false;
    *line = *at;
    *len = (size_t)(newline - *at);
    *left -= *len + 1;
    *at = newline + 1;
    return true;
}

static bool read_line(const char *text, size_t len, struct line *out, struct opl_err *err)
{
    const char *name = text + DASH_LEN, *space;

    if (len <= DASH_LEN || memcmp(text, DASH, DASH_LEN) != 0)
        return opl_fail(err, OPL_E_MALFORMED, "a signature line starts with an em dash");
    space = memchr(name, ' ', len - DASH_LEN);
    if (space == NULL || !opl_note_is_name(name, (size_t)(space - name)))
        return opl_fail(err, OPL_E_MALFORMED, "a signature line names its key");
    out->name = name;
    out->name_len = (size_t)(space - name);
    if (!opl_base64_decode(space + 1, len - (size_t)(space + 1 - text), out->blob, BLOB_MAX,
                           &out->blob_len, err))
        return false;
    if (out->blob_len <= ID_LEN)
        return opl_fail(err, OPL_E_MALFORMED, "a signature line holds no signature");
    return true;
}

/* The last blank line; false when there is none with a text before it. */
static bool split(const char *bytes, size_t len, struct opl_note *out)
{
    for (size_t i = len; i-- > 1;) {
        if (bytes[i] != '\n' || bytes[i - 1] != '\n')
            continue;
        *out = (struct opl_note){bytes, i, bytes + i + 1, len - i - 1};
        return true;
    }
    return false;
}

static bool has_control(const char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if ((unsigned char)bytes[i] < 0x20 && bytes[i] != '\n')
            return true;
    }
    return false;
}

static bool check_signatures(const struct opl_note *note, struct opl_err *err)
{
    const char *at = note->signatures, *text = NULL;
    size_t left = note->signatures_len, len = 0, count = 0;
    struct line line = {.name = ""};

    for (; next_line(&at, &left, &text, &len); count++) {
        if (count == OPL_NOTE_SIGNATURES)
            return opl_fail(err, OPL_E_MALFORMED, "more than %d signatures", OPL_NOTE_SIGNATURES);
        if (!read_line(text, len, &line, err))
            return false;
    }
    if (count == 0 || left != 0)
        return opl_fail(err, OPL_E_MALFORMED, "a note ends in whole signature lines");
    return true;
}

bool opl_note_parse(const char *bytes, size_t len, struct opl_note *out, struct opl_err *err)
{
    struct opl_note note;

    if (len > OPL_NOTE_MAX)
        return opl_fail(err, OPL_E_MALFORMED, "a note is at most %d bytes", OPL_NOTE_MAX);
    if (!opl_is_utf8(bytes, len) || has_control(bytes, len))
        return opl_fail(err, OPL_E_MALFORMED, "a note is UTF-8 text without control characters");
    if (!split(bytes, len, &note))
        return opl_fail(err, OPL_E_MALFORMED, "no blank line before the signatures");
    if (!check_signatures(&note, err))
        return false;
    *out = note;
    return true;
}

static uint64_t big_endian(const uint8_t *bytes, size_t len)
{
    uint64_t value = 0;

    for (size_t i = 0; i < len; i++)
        value = value << 8 | bytes[i];
    return value;
}

static bool is_by(const struct line *line, const struct opl_vkey *vkey)
{
    return strlen(vkey->name) == line->name_len &&
           memcmp(vkey->name, line->name, line->name_len) == 0 &&
           big_endian(line->blob, ID_LEN) == vkey->id;
}

static bool verify_plain(const struct opl_note *note, const struct line *line,
                         const struct opl_vkey *vkey)
{
    struct opl_signature sig;

    if (line->blob_len != ID_LEN + sizeof sig.b)
        return false;
    memcpy(sig.b, line->blob + ID_LEN, sizeof sig.b);
    return opl_sign_verify(&vkey->key, note->text, note->text_len, &sig);
}

/* C2SP tlog-cosignature v1: the time stands before the signature and is signed with the text. */
static bool verify_cosignature(const struct opl_note *note, const struct line *line,
                               const struct opl_vkey *vkey, uint64_t *time_s)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf message = {0};
    struct opl_signature sig;

    if (line->blob_len != ID_LEN + TIME_LEN + sizeof sig.b)
        return false;
    memcpy(sig.b, line->blob + ID_LEN + TIME_LEN, sizeof sig.b);
    *time_s = big_endian(line->blob + ID_LEN, TIME_LEN);
    opl_buf_fmt(&message, COSIGNATURE, (unsigned long long)*time_s);
    opl_buf_add(&message, note->text, note->text_len);
    return *time_s != 0 && *time_s <= INT64_MAX && !message.failed &&
           opl_sign_verify(&vkey->key, message.data, message.len, &sig);
}

static bool verify_line(const struct opl_note *note, const struct line *line,
                        const struct opl_vkey *vkey, uint64_t *time_s)
{
    return vkey->type == OPL_NOTE_COSIGNATURE ? verify_cosignature(note, line, vkey, time_s)
                                              : verify_plain(note, line, vkey);
}

bool opl_note_verify(const struct opl_note *note, const struct opl_vkey *vkey, uint64_t *time_s,
                     struct opl_err *err)
{
    const char *at = note->signatures, *text = NULL;
    size_t left = note->signatures_len, len = 0, found = 0;
    uint64_t signed_at = 0;
    struct line line = {.name = ""};

    while (next_line(&at, &left, &text, &len)) {
        if (!read_line(text, len, &line, err))
            return false;
        if (!is_by(&line, vkey))
            continue;
        if (!verify_line(note, &line, vkey, &signed_at))
            return opl_fail(err, OPL_E_SIGNATURE, "the signature of %s does not verify",
                            vkey->name);
        found++;
    }
    if (found == 0)
        return opl_fail(err, OPL_E_SIGNATURE, "no signature by key %s+%08x", vkey->name, vkey->id);
    if (time_s != NULL)
        *time_s = signed_at;
    return true;
}

bool opl_note_sign(const char *text, size_t len, const char *name, const struct opl_sign_seed *seed,
                   struct opl_buf *out, struct opl_err *err)
{
    uint8_t blob[ID_LEN + sizeof(struct opl_signature)];
    struct opl_sign_public key;
    struct opl_signature sig;
    struct opl_vkey vkey;

    if (len == 0 || text[len - 1] != '\n' || !opl_is_utf8(text, len) || has_control(text, len))
        return opl_fail(err, OPL_E_INVALID, "a note's text is UTF-8 lines, the last one ended");
    opl_sign_public_from_seed(seed, &key);
    if (!opl_vkey_make(name, OPL_NOTE_ED25519, &key, &vkey, err))
        return false;
    opl_sign(seed, text, len, &sig);
    for (size_t i = 0; i < ID_LEN; i++)
        blob[i] = (uint8_t)(vkey.id >> (24 - 8 * i));
    memcpy(blob + ID_LEN, sig.b, sizeof sig.b);
    opl_buf_add(out, text, len);
    opl_buf_fmt(out, "\n" DASH "%s ", name);
    opl_buf_base64(out, blob, sizeof blob);
    opl_buf_chr(out, '\n');
    return opl_buf_ok(out, err);
}
