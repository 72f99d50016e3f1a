/* SPDX-License-Identifier: Apache-2.0 */
#include "explain_hypothesis.h"

#include <opledger/hypothesis.h>
#include <opledger/json.h>
#include <opledger/time.h>

#include "client.h"
#include "entry_print.h"
#include "subject.h"
#include "world_view.h"

#define HOUR_S 3600
#define DAY_S 86400

/* Kinds that say something of a hypothesis, with the word of the body that says it. */
static const char *const speaking[][2] = {
    {"verdict.recorded",      "verdict"},
    {"vendor.updated",        "state"  },
    {"reproduction.recorded", "outcome"},
    {"hypothesis.closed",     "how"    },
};

static const char *word_of(const struct opl_entry *entry)
{
    for (size_t i = 0; i < sizeof(speaking) / sizeof(speaking[0]); i++)
        if (strcmp(entry->kind_name, speaking[i][0]) == 0)
            return opl_json_str(entry->body, speaking[i][1]);
    return NULL;
}

static void add_age(struct opl_buf *out, int64_t at)
{
    int64_t age = (opl_time_now() - at) / OPL_SECOND;

    if (age >= 2 * DAY_S)
        opl_buf_fmt(out, "%lld days ago", (long long)(age / DAY_S));
    else if (age >= 2 * HOUR_S)
        opl_buf_fmt(out, "%lld hours ago", (long long)(age / HOUR_S));
    else
        opl_buf_fmt(out, "%lld minutes ago", (long long)(age / 60));
}

static size_t evidence_count(const struct opl_entry *entry)
{
    return json_array_size(json_object_get(entry->body, "evidence"));
}

static void add_model(struct opl_buf *out, const json_t *body)
{
    opl_buf_str(out, "by ");
    entry_value(out, json_object_get(body, "model"));
    if (opl_json_str(body, "mode") != NULL)
        opl_buf_fmt(out, " (%s)", opl_json_str(body, "mode"));
    opl_buf_str(out, ", ");
}

/* Persons are compared: an agent of the proposer is the proposer. */
static void add_recorder(const struct explain_page *page, const char *actor, struct opl_buf *out)
{
    const struct opl_registry *registry = opl_world_registry(page->world);

    opl_buf_fmt(out, "recorded by %s%s", actor,
                opl_registry_same_person(registry, actor, page->proposer) ? " (the proposer)" : "");
}

static void add_claim(const struct explain_page *page, struct opl_buf *out,
                      const struct subject_entry *first)
{
    const char *claim = subject_text(first, "/body/claim");

    opl_buf_str(out, "    by ");
    entry_value(out, json_object_get(first->entry.body, "model"));
    opl_buf_str(out, ", ");
    add_recorder(page, first->entry.actor, out);
    opl_buf_fmt(out, ", evidence %zu\n", evidence_count(&first->entry));
    if (claim != NULL)
        output_recorded(out, claim, strlen(claim), OUTPUT_BLOCK);
    else
        opl_buf_str(out, "    | [erased]\n");
}

static void add_fact(const struct explain_page *page, struct opl_buf *out,
                     const struct subject_entry *fact)
{
    const struct opl_entry *entry = &fact->entry;
    const char *word = word_of(entry);
    const char *rationale = subject_text(fact, "/body/rationale");

    if (word == NULL)
        return;
    opl_buf_fmt(out, "    %llu %s: %s, ", (unsigned long long)entry->seq, entry->kind_name, word);
    if (json_object_get(entry->body, "model") != NULL)
        add_model(out, entry->body);
    add_recorder(page, entry->actor, out);
    opl_buf_fmt(out, ", evidence %zu, ", evidence_count(entry));
    add_age(out, entry->at);
    opl_buf_chr(out, '\n');
    if (rationale != NULL)
        output_recorded(out, rationale, strlen(rationale), OUTPUT_BLOCK);
}

static bool is_dissent(const struct opl_entry *entry)
{
    const char *verdict = opl_json_str(entry->body, "verdict");

    return strcmp(entry->kind_name, "verdict.recorded") == 0 && verdict != NULL &&
           strcmp(verdict, "disagrees") == 0;
}

/* Blocked, or a model or person speaks against it. */
static bool is_disputed(const struct subject *subject, const char *status)
{
    for (int s = OPL_HYP_WITHDRAWN; s <= OPL_HYP_UNCONFIRMED; s++)
        if (opl_hyp_status_blocks(s) && strcmp(opl_hyp_status_name(s), status) == 0)
            return true;
    for (size_t i = 0; i < subject->count; i++)
        if (is_dissent(&subject->entries[i].entry))
            return true;
    return false;
}

static bool add_unaccounted(struct opl_world *world, const char *id, struct opl_buf *out,
                            struct opl_err *err)
{
    bool accounted;

    if (!world_view_accounted(world, id, &accounted, err))
        return false;
    if (!accounted)
        opl_buf_str(out, "    egress unaccounted: no record of what its prompt took out\n");
    return true;
}

bool explain_hypothesis(const struct explain_page *page, const char *id, enum explain_when when,
                        size_t *shown, struct opl_err *err)
{
    OPL_CLEANUP(subject_close) struct subject subject = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    const char *status = NULL;

    if (!world_view_status(page->world, id, &status, err) ||
        !subject_load(page->client, id, &subject, err))
        return false;
    if (subject.count == 0)
        return opl_fail(err, OPL_E_VERIFY, "%s has no entries", id);
    if (when == EXPLAIN_IF_DISPUTED && !is_disputed(&subject, status))
        return true;
    opl_buf_fmt(&text, "  %s: %s, ", id, status);
    add_age(&text, subject.entries[0].entry.at);
    opl_buf_chr(&text, '\n');
    add_claim(page, &text, &subject.entries[0]);
    if (!add_unaccounted(page->world, id, &text, err))
        return false;
    for (size_t i = 1; i < subject.count; i++)
        add_fact(page, &text, &subject.entries[i]);
    output_text(&page->client->out, &text);
    ++*shown;
    return opl_buf_ok(&text, err);
}
