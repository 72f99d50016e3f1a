/* SPDX-License-Identifier: Apache-2.0 */
/*
 * buf - a growing byte buffer with a maximum and sticky failure.
 *
 * Appends need no checks: the first that would pass the maximum, or that finds no memory, marks the
 * buffer as failed and all later ones do nothing. opl_buf_ok() is asked once, when the bytes are
 * used. The bytes are always followed by a NUL that `len` does not count.
 */
#ifndef OPLEDGER_BUF_H
#define OPLEDGER_BUF_H

#include <stdarg.h>
#include <stdint.h>

#include <opledger/err.h>

struct opl_buf {
    char *data; /* NULL while empty */
    size_t len;
    size_t size; /* allocated */
    size_t max;  /* most bytes it may ever hold; 0 means OPL_BUF_MAX */
    bool failed;
    bool no_memory; /* why it failed: memory, not the maximum */
};

#define OPL_BUF_MAX ((size_t)1 << 30)

/* An empty buffer of at most max bytes. `= {0}` is an empty buffer of at most OPL_BUF_MAX. */
#define OPL_BUF_INIT(max_bytes)                                                                    \
    {                                                                                              \
        .max = (max_bytes)                                                                         \
    }

void opl_buf_add(struct opl_buf *buf, const void *bytes, size_t len);
void opl_buf_str(struct opl_buf *buf, const char *text);
void opl_buf_chr(struct opl_buf *buf, char byte);
void opl_buf_fmt(struct opl_buf *buf, const char *fmt, ...) OPL_PRINTF(2, 3);
void opl_buf_vfmt(struct opl_buf *buf, const char *fmt, va_list args) OPL_PRINTF(2, 0);

/* Big-endian integers, as SSH, TLS and tlog-tiles write them. */
void opl_buf_u16(struct opl_buf *buf, uint16_t value);
void opl_buf_u32(struct opl_buf *buf, uint32_t value);
void opl_buf_u64(struct opl_buf *buf, uint64_t value);

/* Room for len more bytes; the caller fills them and raises buf->len. NULL on failure. */
char *opl_buf_reserve(struct opl_buf *buf, size_t len);

/* Forgets the bytes, keeps the memory. */
void opl_buf_reset(struct opl_buf *buf);

/* The text so far, "" when empty; borrowed until the next append. */
const char *opl_buf_text(const struct opl_buf *buf);

/* OPL_E_TOO_LARGE or OPL_E_NOMEM when an append failed. */
OPL_MUST_CHECK bool opl_buf_ok(const struct opl_buf *buf, struct opl_err *err);

/* The NUL-terminated bytes for the caller to free(); the buffer is empty again. NULL if failed. */
char *opl_buf_take(struct opl_buf *buf);

/* Frees; accepts an empty one. Is its own cleanup function. */
void opl_buf_close(struct opl_buf *buf);

/* The same, wiping the bytes first. (Growing always wipes what it leaves behind.) */
void opl_buf_wipe(struct opl_buf *buf);

#endif
