/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verify_report - what was looked at, what was not, and what is wrong.
 */
#include "verify.h"

#include <inttypes.h>

#include <opledger/json.h>

#include "client.h"

#define EXIT_WRONG 4

/* One row per thing that is counted: a name for scripts, words for people. */
static const struct row {
    size_t offset;
    const char *name;
    const char *words;
    bool covered;
} rows[] = {
    {offsetof(struct verify_counts, entries),           "entries",
     "entries: canonical form, leaf, place in the tree, chain, time, number",                                         true },
    {offsetof(struct verify_counts, heads),             "heads",
     "heads that the log key signed are prefixes of it",                                                              true },
    {offsetof(struct verify_counts, receipts),          "receipts",          "receipts of this client",               true },
    {offsetof(struct verify_counts, texts),             "texts",             "texts under their seals",               true },
    {offsetof(struct verify_counts, blobs),             "blobs",             "blobs under their digests",             true },
    {offsetof(struct verify_counts, statements),        "statements",
     "signatures of people, and the heads that they name",                                                            true },
    {offsetof(struct verify_counts, decisions),         "decisions",
     "decisions of the gate, judged again at their place",                                                            true },
    {offsetof(struct verify_counts, subjects),          "subjects",          "subjects as lists and pages show them",
     true                                                                                                                  },
    {offsetof(struct verify_counts, tiles),             "tiles",             "hash tiles",                            true },
    {offsetof(struct verify_counts, blobs_hidden),      "blobs_hidden",      "blobs that you may not read",
     false                                                                                                                 },
    {offsetof(struct verify_counts, decisions_skipped), "decisions_skipped",
     "decisions that rest on such blobs",                                                                             false},
    {offsetof(struct verify_counts, erased),            "erased",            "texts that were erased",                false},
    {offsetof(struct verify_counts, opaque),            "opaque",
     "entries of kinds that this version does not know",                                                              false},
    {offsetof(struct verify_counts, subjects_skipped),  "subjects_skipped",
     "subjects, because the log grew meanwhile, or people and keys changed since",                                    false},
    {offsetof(struct verify_counts, receipts_unread),   "receipts_unread",
     "lines of this client's memory that are no receipts",                                                            false},
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

static uint64_t count_of(const struct verify *verify, const struct row *row)
{
    uint64_t count;

    memcpy(&count, (const char *)&verify->counts + row->offset, sizeof(count));
    return count;
}

static void print_rows(const struct verify *verify, bool covered)
{
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].covered == covered && count_of(verify, &rows[i]) > 0)
            output_line(&verify->client->out, "  %" PRIu64 " %s", count_of(verify, &rows[i]),
                        rows[i].words);
}

static json_t *rows_json(const struct verify *verify, bool covered)
{
    json_t *object = json_object();

    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].covered == covered)
            json_object_set_new(object, rows[i].name,
                                json_integer((json_int_t)count_of(verify, &rows[i])));
    return object;
}

static json_t *wrong_json(const struct verify_finding *wrong)
{
    json_t *object;

    if (!wrong->found)
        return json_null();
    object = json_pack("{s:s, s:I}", "reason", wrong->reason, "good_to", (json_int_t)wrong->good);
    if (wrong->entry == VERIFY_NO_ENTRY) {
        json_object_set_new(object, "what", json_string(wrong->what));
        return object;
    }
    json_object_set_new(object, "entry", json_integer((json_int_t)wrong->entry));
    if (wrong->last > wrong->entry)
        json_object_set_new(object, "last", json_integer((json_int_t)wrong->last));
    return object;
}

static void last_line(const struct verify *verify)
{
    const struct verify_finding *wrong = &verify->wrong;
    struct output *out = &verify->client->out;
    OPL_CLEANUP(opl_buf_close) struct opl_buf reason = {0};

    output_recorded(&reason, wrong->reason, strlen(wrong->reason), OUTPUT_INLINE);
    if (!wrong->found)
        output_line(out, "log verify: %" PRIu64 " entries good (exit 0)", verify->head.size);
    else if (wrong->entry == VERIFY_NO_ENTRY)
        output_line(out, "log verify: %s is wrong: %s (exit 4)", wrong->what,
                    opl_buf_text(&reason));
    else if (wrong->last > wrong->entry)
        output_line(out,
                    "log verify: entry %" PRIu64 ", or one up to %" PRIu64 ", is wrong: %s (exit "
                    "4)",
                    wrong->entry, wrong->last, opl_buf_text(&reason));
    else
        output_line(out, "log verify: entry %" PRIu64 " is wrong: %s (exit 4)", wrong->entry,
                    opl_buf_text(&reason));
}

bool verify_report(const struct verify *verify, struct opl_err *err)
{
    struct output *out = &verify->client->out;
    OPL_CLEANUP(opl_json_freep) json_t *value = NULL;

    output_line(out, "%s of %" PRIu64 " entries, signed by the log key %08x", verify->head.origin,
                verify->head.size, (unsigned)verify->vkey.id);
    output_line(out, "covered:");
    print_rows(verify, true);
    output_line(out, "not covered:");
    print_rows(verify, false);
    output_line(out, "  what lists are sorted and filtered by, and who may read what");
    output_line(out, "  no independent witness has signed this log");
    if (verify->wrong.found)
        output_line(out, "all is well up to size %" PRIu64, verify->wrong.good);
    last_line(verify);
    verify->client->exit_status = verify->wrong.found ? EXIT_WRONG : 0;
    value =
        json_pack("{s:s, s:s, s:I, s:o, s:o, s:o}", "tier", "deep", "origin", verify->head.origin,
                  "size", (json_int_t)verify->head.size, "covered", rows_json(verify, true),
                  "not_covered", rows_json(verify, false), "wrong", wrong_json(&verify->wrong));
    return value == NULL ? opl_fail(err, OPL_E_NOMEM, "no memory for a report")
                         : output_json(out, value, err);
}
