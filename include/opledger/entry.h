/* SPDX-License-Identifier: Apache-2.0 */
/*
 * entry - what is written, before and after it has its place in the log (CONTRACT sections 2, 3).
 *
 * A *draft* is one request checked against the kinds table alone: no state, no I/O, so it is made
 * on any thread and by the client too. Finishing a draft gives the canonical bytes of the log. An
 * *entry* is what those bytes say.
 */
#ifndef OPLEDGER_ENTRY_H
#define OPLEDGER_ENTRY_H

#include <opledger/buf.h>
#include <opledger/kinds.h>
#include <opledger/seal.h>

#define OPL_ENTRY_MAX 65535         /* canonical bytes: the limit of a tlog-tiles entry */
#define OPL_REQUEST_MAX (512 << 10) /* one entry as sent */
#define OPL_BATCH_LINES 10000
#define OPL_BATCH_MAX (16 << 20)
#define OPL_DRAFT_TEXTS 8

struct opl_draft {
    const struct opl_kind *kind;
    char on[OPL_ID_SIZE]; /* "" when absent; "#3" names line 3 of the same batch */
    int64_t observed_at;  /* -1 when absent */
    json_t *body;         /* owned; seals in place, times normalised */
    char *body_text;      /* owned; its canonical form */
    bool has_line_refs;   /* some id in it, or `on`, is a "#3" */
    struct opl_sealed texts[OPL_DRAFT_TEXTS];
    size_t text_count;
};

/*
 * Checks {"kind","on"?,"observed_at"?,"body"} against the kinds table: types, limits, grammars,
 * unknown and missing fields. Strings in sealed fields are sealed, with a salt drawn here or given
 * as {"text","salt"}. `now` judges observed_at (at most 5 minutes ahead).
 * OPL_E_INVALID or OPL_E_MALFORMED with the pointer of the field. On failure *draft is empty.
 */
OPL_MUST_CHECK bool opl_draft_parse(const json_t *request, int64_t now, struct opl_draft *draft,
                                    struct opl_err *err);

void opl_draft_close(struct opl_draft *draft);

/* Replaces every "#n" by ids[n - 1] ("" = that line created nothing: OPL_E_INVALID). */
OPL_MUST_CHECK bool opl_draft_resolve(struct opl_draft *draft, const char (*ids)[OPL_ID_SIZE],
                                      size_t count, struct opl_err *err);

/* What only the log can say of an entry. */
struct opl_place {
    const char *actor;
    const char *id; /* NULL when the kind creates nothing */
    int64_t prev;   /* -1 when there is none */
    int64_t at;
};

/* Appends the canonical bytes; OPL_E_TOO_LARGE past OPL_ENTRY_MAX. */
OPL_MUST_CHECK bool opl_draft_finish(const struct opl_draft *draft, const struct opl_place *place,
                                     struct opl_buf *bytes, struct opl_err *err);

struct opl_entry {
    uint64_t seq;
    const struct opl_kind *kind; /* NULL: a kind this version does not know, opaque */
    json_t *root;                /* owned; the strings below point into it */
    const char *kind_name;
    const char *actor;
    const char *id; /* NULL when absent */
    const char *on; /* NULL when absent */
    json_t *body;   /* borrowed from root */
    int64_t prev;   /* -1 when absent */
    int64_t at;
    int64_t observed_at; /* -1 when absent */
};

/*
 * Reads the bytes of a log entry. They must be canonical and have exactly the keys of an entry;
 * the body is checked only for a kind that is known. OPL_E_VERIFY otherwise.
 */
OPL_MUST_CHECK bool opl_entry_parse(const char *bytes, size_t len, uint64_t seq,
                                    struct opl_entry *entry, struct opl_err *err);
void opl_entry_close(struct opl_entry *entry);

#endif
