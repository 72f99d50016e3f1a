/* SPDX-License-Identifier: Apache-2.0 */
/*
 * candidate - the lines of a window that may say a name. Few do, and printable text stands
 * undecoded in nearly all escaped strings: the anchors of the learning rules find those lines in
 * the raw window. Lines with bytes in hexadecimal, or with tabs and quotes that are escaped, count
 * too, since they may hide an anchor.
 */
#ifndef OPLEDGER_LIB_REDACT_CANDIDATE_H
#define OPLEDGER_LIB_REDACT_CANDIDATE_H

#include <opledger/redact.h>

#include "scan.h"
#include "view.h"

struct candidate_line {
    size_t from, to; /* without its newline */
};

struct candidates {
    struct candidate_line *lines;
    size_t count, size;
    const char *bytes;
    size_t len;
    bool failed; /* no memory */
};

void candidates_close(struct candidates *candidates);

/* Puts the candidates of [bytes, bytes + len) into the view, decoded, in their order. */
OPL_MUST_CHECK bool candidates_view(struct candidates *candidates, struct scanner *scanner,
                                    enum opl_format format, struct view *view, struct opl_err *err);

#endif
