/* SPDX-License-Identifier: Apache-2.0 */
/* zstd - whole chunks, compressed and back; what comes back is bounded before it is made. */
#ifndef OPLEDGER_ZSTD_H
#define OPLEDGER_ZSTD_H

#include <opledger/buf.h>

#define OPL_CHUNK_SIZE ((size_t)1 << 20) /* of a stored blob, before compression */

/* Appends the compressed form. */
OPL_MUST_CHECK bool opl_zstd_compress(const void *bytes, size_t len, int level, struct opl_buf *out,
                                      struct opl_err *err);

/* Appends the original, at most max bytes; OPL_E_MALFORMED when it is no single whole frame,
 * OPL_E_TOO_LARGE when it says, or turns out, to be larger. */
OPL_MUST_CHECK bool opl_zstd_decompress(const void *bytes, size_t len, size_t max,
                                        struct opl_buf *out, struct opl_err *err);

#endif
