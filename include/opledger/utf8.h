/* SPDX-License-Identifier: Apache-2.0 */
/*
 * utf8 - one step of strict UTF-8 decoding (RFC 3629).
 *
 * Overlong forms, surrogates and values above U+10FFFF are refused.
 */
#ifndef OPLEDGER_UTF8_H
#define OPLEDGER_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of the character at text, 1 to 4, with its value in *point; 0 when there is none. */
size_t opl_utf8_next(const char *text, size_t len, uint32_t *point);

#endif
