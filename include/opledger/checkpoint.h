/* SPDX-License-Identifier: Apache-2.0 */
/*
 * checkpoint - C2SP tlog-checkpoint: which tree a log says it is, as a signed note.
 *
 * The note's key is named by the origin. Extension lines are read over; we write none.
 */
#ifndef OPLEDGER_CHECKPOINT_H
#define OPLEDGER_CHECKPOINT_H

#include <opledger/note.h>

/* A log's head as others name it. */
struct opl_head {
    char origin[256];
    uint64_t size;
    struct opl_hash root;
};

/* Appends the body: origin, size, root, one per line. */
OPL_MUST_CHECK bool opl_checkpoint_format(const struct opl_head *head, struct opl_buf *out,
                                          struct opl_err *err);
OPL_MUST_CHECK bool opl_checkpoint_parse(const char *body, size_t len, struct opl_head *out,
                                         struct opl_err *err);

/* Appends the signed note. */
OPL_MUST_CHECK bool opl_checkpoint_sign(const struct opl_head *head,
                                        const struct opl_sign_seed *seed, struct opl_buf *note,
                                        struct opl_err *err);

/*
 * Verifies the note with the log's key and says what it states. OPL_E_SIGNATURE: the key did not
 * sign it; OPL_E_MALFORMED: no checkpoint; OPL_E_VERIFY: another log's.
 */
OPL_MUST_CHECK bool opl_checkpoint_open(const char *note, size_t len, const struct opl_vkey *vkey,
                                        struct opl_head *out, struct opl_err *err);

#endif
