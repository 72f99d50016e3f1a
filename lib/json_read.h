/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json_read - the fast way through documents in the plain form that programs write.
 *
 * It decides nothing on its own: what it does not take, right or wrong, jansson reads instead and
 * says what is the matter. What it does take, jansson reads the same (tests/fuzz/fuzz_json_read.c).
 */
#ifndef OPLEDGER_LIB_JSON_READ_H
#define OPLEDGER_LIB_JSON_READ_H

#include <jansson.h>

#include <stddef.h>

/* A new reference to the object or array, within all limits of json.h; NULL: ask jansson. */
json_t *opl_json_read(const char *text, size_t len);

/* Bytes from `at` that are printable ASCII other than '"' and '\\': JSON writes them as they are.
 */
size_t opl_json_plain_run(const char *at, size_t len);

#endif
