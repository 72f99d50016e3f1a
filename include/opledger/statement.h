/* SPDX-License-Identifier: Apache-2.0 */
/*
 * statement - what a person signs (CONTRACT section 4).
 *
 * A Statement is canonical JSON plus one LF, at most 8 KiB; in bodies and replies it stands without
 * the LF. Type and namespace belong together. It contains the checkpoint that the signer had
 * verified, so that every signature is a witness of the log.
 */
#ifndef OPLEDGER_STATEMENT_H
#define OPLEDGER_STATEMENT_H

#include <jansson.h>

#include <opledger/buf.h>
#include <opledger/checkpoint.h>
#include <opledger/crypto.h>
#include <opledger/kinds.h>
#include <opledger/time.h>

#define OPL_STATEMENT_MAX 8192
#define OPL_NONCE_SIZE 33              /* 32 hexadecimal digits and NUL */
#define OPL_OVERRIDE_OFFLINE_MAX 14400 /* seconds that an override without a change may last */

/* Draws 32 hexadecimal digits. */
void opl_nonce_draw(char out[static OPL_NONCE_SIZE]);

/* One row per type: type, namespace, default and longest life in seconds. */
struct opl_statement_type {
    const char *type;
    const char *ssh_namespace;
    int64_t default_life;
    int64_t max_life;
    const struct opl_field *about; /* what `about` says; ends with a NULL name */
};

extern const struct opl_statement_type opl_statement_types[]; /* ends with a NULL type */

const struct opl_statement_type *opl_statement_type_find(const char *type);

struct opl_statement {
    json_t *root; /* owned; `about` and `signer` point into it */
    const struct opl_statement_type *type;
    const char *signer;
    json_t *about;
    int64_t issued;
    int64_t expires;
    struct opl_head log;
    char nonce[OPL_NONCE_SIZE];
};

/*
 * Reads the JSON without its LF; it must be canonical and complete, of a known type, and live no
 * longer than that type may. OPL_E_INVALID otherwise.
 */
OPL_MUST_CHECK bool opl_statement_parse(const char *text, size_t len, struct opl_statement *out,
                                        struct opl_err *err);
void opl_statement_close(struct opl_statement *statement);

/* What a new Statement says; about is borrowed. Times are microseconds, as everywhere. */
struct opl_statement_draft {
    const char *type;
    const char *signer;
    json_t *about;
    const struct opl_head *log;
    int64_t issued;
    int64_t expires;
    const char *nonce; /* NULL: one is drawn */
};

/* Appends the canonical JSON, without the LF. */
OPL_MUST_CHECK bool opl_statement_build(const struct opl_statement_draft *draft,
                                        struct opl_buf *out, struct opl_err *err);

/*
 * Verifies base64 `sshsig` over the statement text plus LF, in the namespace of its type, and says
 * which key made it, as "SHA256:..." . OPL_E_SIGNATURE.
 */
OPL_MUST_CHECK bool opl_statement_verify(const struct opl_statement *statement, const char *text,
                                         const char *sshsig, char fingerprint[static 64],
                                         struct opl_err *err);

/* {origin, root, size} as JSON, both ways. */
json_t *opl_head_json(const struct opl_head *head);
OPL_MUST_CHECK bool opl_head_read(const json_t *value, struct opl_head *head, struct opl_err *err);

#endif
