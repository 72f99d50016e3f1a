/* SPDX-License-Identifier: Apache-2.0 */
/*
 * redact_spool - an unlinked temporary file whose bytes on disk are encrypted with a key that only
 * this process holds, so that a killed run or a copied disk leaves no plain text.
 *
 * Written from the beginning, once; begun anew it has another key.
 */
#ifndef OPLEDGER_CLIENT_REDACT_SPOOL_H
#define OPLEDGER_CLIENT_REDACT_SPOOL_H

#include <stdint.h>

#include <opledger/crypto.h>

#define SPOOL_BLOCK ((size_t)256 << 10)

struct redact_spool {
    bool open;
    int fd;
    struct opl_key key;
    uint64_t size;   /* bytes written so far */
    uint8_t *tail;   /* the block that is not full yet; its bytes are not on disk */
    uint8_t *block;  /* the block last read, decrypted */
    uint64_t cached; /* its number + 1 */
};

OPL_MUST_CHECK bool redact_spool_open(struct redact_spool *spool, struct opl_err *err);
void redact_spool_close(struct redact_spool *spool); /* accepts one that was never opened */

/* Forgets what was written. */
OPL_MUST_CHECK bool redact_spool_reset(struct redact_spool *spool, struct opl_err *err);

/* OPL_E_STORAGE when the disk is full. */
OPL_MUST_CHECK bool redact_spool_write(struct redact_spool *spool, const void *bytes, size_t len,
                                       struct opl_err *err);
OPL_MUST_CHECK bool redact_spool_read(struct redact_spool *spool, uint64_t at, void *bytes,
                                      size_t len, struct opl_err *err);

#endif
