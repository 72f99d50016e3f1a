/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lexer - makes the decoded view of a window of whole lines, and the spans that the format alone
 * says must go: payloads of binary protocols, and what cluster users wrote. These are not decoded.
 */
#ifndef OPLEDGER_LIB_REDACT_LEXER_H
#define OPLEDGER_LIB_REDACT_LEXER_H

#include "descriptor.h"
#include "span.h"
#include "view.h"

/* A part of a stream that this window saw: read or written through one descriptor. */
struct lexer_piece {
    uint32_t pid, fd;
    uint32_t from, to; /* the string's content in the window */
    bool write, ended; /* ended: by a newline or NUL, so nothing continues it */
};

#define LEXER_PIECES 8192 /* of one window; those beyond are searched one by one only */

struct lexer {
    unsigned classes;   /* OPL_RULES_BITs that are masked */
    size_t builtins;    /* rule index of the first builtin */
    uint64_t truncated; /* strings that the trace cut */
    struct descriptors descriptors;
    struct lexer_piece *pieces;
    size_t piece_count;
    struct view *view;
    struct view *hidden; /* or NULL: what is masked whole, decoded, to learn its secrets */
    struct spans *spans;
    const char *raw;
    size_t copied; /* up to here the window is in the view */
    bool left_out; /* the line before is not: see lexer_strace.c */
};

void lexer_close(struct lexer *lexer);

/* The same for every format: fills view and spans from one window. */
typedef void (*lexer_fn)(struct lexer *lexer, const char *raw, size_t len);

void lexer_strace(struct lexer *lexer, const char *raw, size_t len);
void lexer_plain(struct lexer *lexer, const char *raw, size_t len);

/* Puts the escapes of the lines in [from, to) into the view, decoded, after the lines themselves.
 */
void lexer_plain_lines(struct lexer *lexer, const char *raw, size_t from, size_t to);

/* What the first bytes of an input look like. */
enum opl_format lexer_guess(const char *bytes, size_t len);

/* Whether the line begins as strace's do: pid, time, call. */
bool lexer_is_strace_line(const char *line, size_t len);

/* Masks the lines in [from, to) that are no text. */
void lexer_mask_binary(struct lexer *lexer, size_t from, size_t to);

void lexer_mask(struct lexer *lexer, enum builtin rule, size_t from, size_t to);

#endif
