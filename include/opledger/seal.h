/* SPDX-License-Identifier: Apache-2.0 */
/*
 * seal - free text stands in the log as a salted digest, so that it can be erased without harm.
 *
 * sealed = SHA-256(32-byte random salt || UTF-8 text), written {"sealed":"sha256:<hex>"}.
 */
#ifndef OPLEDGER_SEAL_H
#define OPLEDGER_SEAL_H

#include <jansson.h>

#include <opledger/crypto.h>

struct opl_salt {
    uint8_t b[32];
};

/* One text kept beside an entry. */
struct opl_sealed {
    char field[80]; /* JSON pointer into the entry, e.g. "/body/claim" */
    struct opl_salt salt;
    char *text; /* owned; UTF-8 without NUL */
    size_t len;
};

void opl_seal_hash(const struct opl_salt *salt, const char *text, size_t len, struct opl_hash *out);

/* New reference {"sealed":"sha256:..."}; NULL: no memory. */
json_t *opl_seal_json(const struct opl_hash *hash);

/* The digest in such an object; false, without an error, when it is none. */
bool opl_seal_read(const json_t *value, struct opl_hash *out);

#endif
