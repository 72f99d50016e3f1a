/* SPDX-License-Identifier: Apache-2.0 */
/*
 * anchors - a set of expressions or literals compiled with Vectorscan in block mode, without start
 * of match: it tells which one ended where, fast; the rest is for the confirmation.
 */
#ifndef OPLEDGER_LIB_REDACT_ANCHORS_H
#define OPLEDGER_LIB_REDACT_ANCHORS_H

#include <stdint.h>

#include <opledger/err.h>

struct anchors;

/*
 * Anchors without a literal to go by slow down all that is compiled with them: they are compiled
 * apart. Set 0 is for the others.
 */
#define ANCHOR_SETS 4

/* What is compiled together. */
struct anchor {
    const char *text; /* expression, or bytes when len > 0 */
    size_t len;
    bool caseless; /* of literals */
    unsigned id;
    unsigned set; /* of expressions: which are compiled together, below ANCHOR_SETS */
};

OPL_MUST_CHECK struct anchors *anchors_new(const struct anchor *list, size_t count,
                                           struct opl_err *err);
void anchors_free(struct anchors *anchors);

/* Widest match of one expression; OPL_E_INVALID when it has no bound or does not compile. */
OPL_MUST_CHECK bool anchors_width(const char *expression, unsigned *width, struct opl_err *err);

/* Memory that one thread needs to scan, for any number of sets. */
struct anchor_scratch {
    void *scratch;
};

OPL_MUST_CHECK bool anchors_scratch(struct anchor_scratch *scratch, const struct anchors *anchors,
                                    struct opl_err *err);
void anchors_scratch_close(struct anchor_scratch *scratch);

/* Called for each end of each match; false stops the scan. */
typedef bool (*anchor_fn)(void *ctx, unsigned id, size_t end);

/* OPL_E_INTERNAL when the engine fails: then nothing is known about the bytes. */
OPL_MUST_CHECK bool anchors_scan(const struct anchors *anchors, struct anchor_scratch *scratch,
                                 const char *bytes, size_t len, anchor_fn found, void *ctx,
                                 struct opl_err *err);

const char *anchors_engine(void); /* its version */

#endif
