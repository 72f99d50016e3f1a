/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The facts about one subject, in log order, and the state that follows from them.
 *
 * Notes and model calls are counted and not kept, so that a bulk import of them costs the same for
 * the first and the millionth. Facts that created something else (an incident's hypotheses) are
 * kept and never walked while such an entry is applied or admitted: evidence has a list of its own.
 */
#include "world_private.h"

#include <opledger/encode.h>
#include <opledger/json.h>
#include <opledger/time.h>

#include "array.h"

/* What nobody can have measured. */
#define EMPTY_SHA256 "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

static bool is_kind(const struct opl_kind *kind, const char *name)
{
    return kind != NULL && strcmp(kind->name, name) == 0;
}

static enum opl_state finished_state(const json_t *body)
{
    static const struct {
        const char *outcome;
        enum opl_state state;
    } outcomes[] = {
        {"applied",    OPL_S_APPLIED   },
        {"failed",     OPL_S_FAILED    },
        {"called-off", OPL_S_CALLED_OFF},
        {"reverted",   OPL_S_REVERTED  },
        {"unknown",    OPL_S_UNKNOWN   },
    };

    const char *outcome = opl_json_str(body, "outcome");

    for (size_t i = 0; outcome != NULL && i < sizeof outcomes / sizeof *outcomes; i++) {
        if (strcmp(outcomes[i].outcome, outcome) == 0)
            return outcomes[i].state;
    }
    return OPL_S_UNKNOWN;
}

static enum opl_state next_state(enum opl_state state, const struct opl_entry *entry)
{
    static const struct {
        const char *kind;
        enum opl_state state;
    } moves[] = {
        {"incident.closed",   OPL_S_CLOSED },
        {"incident.reopened", OPL_S_OPEN   },
        {"hypothesis.closed", OPL_S_CLOSED },
        {"override.reviewed", OPL_S_CLOSED },
        {"change.started",    OPL_S_STARTED},
    };

    if (is_kind(entry->kind, "change.finished"))
        return finished_state(entry->body);
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        if (is_kind(entry->kind, moves[i].kind))
            return moves[i].state;
    }
    return state;
}

bool opl_fold_create(struct opl_fold *fold, const struct opl_entry *entry, struct opl_err *err)
{
    *fold = (struct opl_fold){.created = entry->seq, .last_seq = entry->seq};
    if (!opl_id_parse(entry->id, &fold->prefix, &fold->number))
        return opl_fail(err, OPL_E_LOG, "entry %llu creates \"%s\", which is no id",
                        (unsigned long long)entry->seq, entry->id);
    opl_id_format(fold->prefix, fold->number, fold->id);
    (void)snprintf(fold->on, sizeof fold->on, "%s", entry->on == NULL ? "" : entry->on);
    fold->state = fold->prefix == OPL_ID_CHG ? OPL_S_PROPOSED : OPL_S_OPEN;
    return true;
}

static void close_fact(struct opl_fact *fact)
{
    free(fact->actor);
    json_decref(fact->body);
}

void opl_fold_close(struct opl_fold *fold)
{
    for (size_t i = 0; i < fold->fact_count; i++)
        close_fact(&fold->facts[i]);
    free(fold->facts);
    free(fold->notes);
    free(fold->evidence);
    *fold = (struct opl_fold){0};
}

static bool add_note(struct opl_fold *fold, uint64_t seq, struct opl_err *err)
{
    uint64_t *items =
        opl_array_room(fold->notes, fold->note_count, &fold->note_size, sizeof *items, err);

    if (items == NULL)
        return false;
    fold->notes = items;
    items[fold->note_count++] = seq;
    return true;
}

static bool add_evidence(struct opl_fold *fold, size_t position, struct opl_err *err)
{
    size_t *items = opl_array_room(fold->evidence, fold->evidence_count, &fold->evidence_size,
                                   sizeof *items, err);

    if (items == NULL)
        return false;
    fold->evidence = items;
    items[fold->evidence_count++] = position;
    return true;
}

static void withdraw(struct opl_fold *fold, const struct opl_entry *entry)
{
    int64_t seq = opl_json_int(entry->body, "fact", -1);
    struct opl_fact *fact = seq < 0 ? NULL : (struct opl_fact *)opl_fold_fact(fold, (uint64_t)seq);

    if (fact != NULL && fact->withdrawn_by == OPL_NO_SEQ)
        fact->withdrawn_by = entry->seq;
}

static bool add_fact(struct opl_fold *fold, const struct opl_entry *entry, struct opl_err *err)
{
    struct opl_fact *items =
        opl_array_room(fold->facts, fold->fact_count, &fold->fact_size, sizeof *items, err);
    struct opl_fact *fact;

    if (items == NULL)
        return false;
    fold->facts = items;
    fact = &items[fold->fact_count];
    *fact = (struct opl_fact){.seq = entry->seq,
                              .withdrawn_by = OPL_NO_SEQ,
                              .kind = entry->kind,
                              .actor = strdup(entry->actor),
                              .at = entry->at};
    if (fact->actor == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a fact");
    (void)snprintf(fact->id, sizeof fact->id, "%s", entry->id == NULL ? "" : entry->id);
    (void)snprintf(fact->on, sizeof fact->on, "%s", entry->on == NULL ? "" : entry->on);
    fact->body = json_incref(entry->body);
    fold->fact_count++;
    return true;
}

/* A model call about an incident leaves nothing there; its own fold keeps it. */
static bool is_counted_only(const struct opl_fold *fold, const struct opl_entry *entry)
{
    return is_kind(entry->kind, "modelcall.recorded") && fold->prefix != OPL_ID_CALL;
}

static bool keep(struct opl_fold *fold, const struct opl_entry *entry, struct opl_err *err)
{
    if (is_kind(entry->kind, "incident.noted"))
        return add_note(fold, entry->seq, err);
    if (is_counted_only(fold, entry))
        return true;
    if (!add_fact(fold, entry, err))
        return false;
    if (is_kind(entry->kind, "evidence.attached"))
        return add_evidence(fold, fold->fact_count - 1, err);
    if (is_kind(entry->kind, "fact.withdrawn"))
        withdraw(fold, entry);
    return true;
}

bool opl_fold_add(struct opl_fold *fold, const struct opl_entry *entry, struct opl_err *err)
{
    if (entry->kind != NULL && !keep(fold, entry, err))
        return false;
    fold->state = next_state(fold->state, entry);
    fold->last_seq = entry->seq;
    return true;
}

enum opl_state opl_fold_state(const struct opl_fold *fold, int64_t now)
{
    int64_t deadline;

    if (fold->state != OPL_S_STARTED)
        return fold->state;
    for (size_t i = fold->fact_count; i-- > 0;) {
        const struct opl_fact *fact = &fold->facts[i];
        const char *text = opl_json_str(fact->body, "deadline");

        if (!is_kind(fact->kind, "change.started"))
            continue;
        if (text != NULL && opl_time_parse(text, &deadline, NULL) && now >= deadline)
            return OPL_S_UNKNOWN;
        break;
    }
    return OPL_S_STARTED;
}

const struct opl_fact *opl_fold_fact(const struct opl_fold *fold, uint64_t seq)
{
    size_t low = 0, high = fold->fact_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (fold->facts[middle].seq < seq)
            low = middle + 1;
        else
            high = middle;
    }
    return low < fold->fact_count && fold->facts[low].seq == seq ? &fold->facts[low] : NULL;
}

bool opl_fold_has_note(const struct opl_fold *fold, uint64_t seq)
{
    size_t low = 0, high = fold->note_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (fold->notes[middle] < seq)
            low = middle + 1;
        else
            high = middle;
    }
    return low < fold->note_count && fold->notes[low] == seq;
}

const struct opl_fact *opl_fold_creation(const struct opl_fold *fold)
{
    return opl_fold_fact(fold, fold->created);
}

const struct opl_fact *opl_change_version(const struct opl_fold *change)
{
    for (size_t i = change->fact_count; i-- > 0;) {
        if (is_kind(change->facts[i].kind, "change.revised"))
            return &change->facts[i];
    }
    return opl_fold_creation(change);
}

const char *opl_change_manifest(const struct opl_fold *change)
{
    const struct opl_fact *version = opl_change_version(change);

    return version == NULL ? NULL : opl_json_str(version->body, "manifest");
}

const json_t *opl_change_hypotheses(const struct opl_fold *change)
{
    const struct opl_fact *version = opl_change_version(change);

    return version == NULL ? NULL : json_object_get(version->body, "hypotheses");
}

const char *opl_change_proposer(const struct opl_fold *change)
{
    const struct opl_fact *creation = opl_fold_creation(change);

    return creation == NULL ? NULL : creation->actor;
}

static bool is_standing_evidence(const struct opl_fact *fact, const char *hex)
{
    const char *sha256 = opl_json_str(fact->body, "sha256");

    return fact->withdrawn_by == OPL_NO_SEQ && sha256 != NULL && strcmp(sha256, hex) == 0 &&
           strcmp(sha256, EMPTY_SHA256) != 0 && opl_json_int(fact->body, "size", 0) > 0;
}

bool opl_fold_has_evidence(const struct opl_fold *fold, const char *digest, uint64_t below)
{
    static const char prefix[] = "sha256:";
    const char *hex = digest;

    if (strncmp(digest, prefix, sizeof prefix - 1) == 0)
        hex += sizeof prefix - 1;
    for (size_t i = 0; i < fold->evidence_count; i++) {
        const struct opl_fact *fact = &fold->facts[fold->evidence[i]];

        if (fact->seq >= below)
            return false;
        if (is_standing_evidence(fact, hex))
            return true;
    }
    return false;
}
