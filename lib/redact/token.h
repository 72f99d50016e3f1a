/* SPDX-License-Identifier: Apache-2.0 */
/*
 * token - what stands in the output where something was: `KIND_` and fourteen letters.
 *
 * Twelve letters from a keyed hash and two that check them, consonants only: of fixed length, no
 * word, no number, needs no escape anywhere. A token is known by its shape, without the key, so a
 * second pass and the server leave it alone.
 */
#ifndef OPLEDGER_LIB_REDACT_TOKEN_H
#define OPLEDGER_LIB_REDACT_TOKEN_H

#include <stdint.h>

#include <opledger/buf.h>
#include <opledger/crypto.h>

enum token_kind {
    TOKEN_SECRET,
    TOKEN_PAYLOAD,
    TOKEN_TEXT,
    TOKEN_USER,
    TOKEN_UID,
    TOKEN_GROUP,
    TOKEN_HOST,
    TOKEN_DOMAIN,
    TOKEN_NET,
    TOKEN_IP,
    TOKEN_HW,
    TOKEN_ID,
    TOKEN_SITE
};

#define TOKEN_KINDS 13
#define TOKEN_LETTERS 14
#define TOKEN_MAX 24 /* the longest, with its NUL */

const char *token_kind_name(enum token_kind kind);

/* The token of a value; the same value in another `space` (at most 32 bytes) has another. */
void token_make(const struct opl_key *key, enum token_kind kind, const char *space,
                const void *value, size_t len, char out[static TOKEN_MAX]);

/* Length of the token that text begins with; 0 for none. */
size_t token_at(const char *text, size_t len);

/* Whether the text holds a token, and besides tokens only digits, ranges and punctuation. */
bool token_only(const char *text, size_t len);

#endif
