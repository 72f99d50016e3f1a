/* SPDX-License-Identifier: Apache-2.0 */
/*
 * note - C2SP signed notes: text, a blank line, and signature lines; and the keys that sign them.
 *
 * Signatures by unknown keys are skipped; one bad signature by a known key spoils the note.
 */
#ifndef OPLEDGER_NOTE_H
#define OPLEDGER_NOTE_H

#include <opledger/buf.h>
#include <opledger/crypto.h>

#define OPL_NOTE_MAX 65536 /* bytes */
#define OPL_NOTE_SIGNATURES 100
#define OPL_NOTE_NAME_SIZE 256 /* of a key, with its NUL */
#define OPL_VKEY_SIZE 320

enum opl_note_type {
    OPL_NOTE_ED25519 = 1,
    OPL_NOTE_COSIGNATURE = 4 /* cosignature/v1: a witness's, with its time */
};

struct opl_vkey {
    char name[OPL_NOTE_NAME_SIZE];
    uint32_t id;
    enum opl_note_type type;
    struct opl_sign_public key;
};

/* Whether a key may be called so: 1 to 255 bytes of UTF-8 without spaces, controls and +. */
bool opl_note_is_name(const char *name, size_t len);

/* Names the key and works its id out. OPL_E_INVALID when the name cannot stand in a note. */
OPL_MUST_CHECK bool opl_vkey_make(const char *name, enum opl_note_type type,
                                  const struct opl_sign_public *key, struct opl_vkey *out,
                                  struct opl_err *err);

/* `name+hex8(id)+base64(type||key)`; OPL_E_INVALID, also when the id is not that of the key. */
OPL_MUST_CHECK bool opl_vkey_parse(const char *text, struct opl_vkey *out, struct opl_err *err);
void opl_vkey_format(const struct opl_vkey *vkey, char out[static OPL_VKEY_SIZE]);
bool opl_vkey_equal(const struct opl_vkey *a, const struct opl_vkey *b);

struct opl_note { /* borrows the bytes it was parsed from */
    const char *text;
    size_t text_len; /* with its final newline: what is signed */
    const char *signatures;
    size_t signatures_len;
};

/* Splits and checks the form of text and every signature line; OPL_E_MALFORMED. */
OPL_MUST_CHECK bool opl_note_parse(const char *bytes, size_t len, struct opl_note *out,
                                   struct opl_err *err);

/*
 * OPL_E_SIGNATURE unless the key signed the note, and each of its signatures is good. *time_s (may
 * be NULL) is the time of a cosignature, otherwise 0.
 */
OPL_MUST_CHECK bool opl_note_verify(const struct opl_note *note, const struct opl_vkey *vkey,
                                    uint64_t *time_s, struct opl_err *err);

/* Appends text, blank line and the Ed25519 signature of `seed` under `name`. */
OPL_MUST_CHECK bool opl_note_sign(const char *text, size_t len, const char *name,
                                  const struct opl_sign_seed *seed, struct opl_buf *out,
                                  struct opl_err *err);

#endif
