/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When a positive fact counts (CONTRACT section 3): it stands, it has evidence, and it is more than
 * one person's word. Signatures are verified again here, since whoever folds the log need not trust
 * whoever wrote it.
 */
#include <opledger/hypothesis.h>

#include <opledger/json.h>
#include <opledger/sshkey.h>
#include <opledger/statement.h>

struct meaning {
    const char *kind;
    const char *field; /* NULL: whatever it says */
    const char *words; /* separated by | */
};

static const struct meaning positives[] = {
    {"verdict.recorded",      "verdict", "agrees|partly"},
    {"reproduction.recorded", "outcome", "reproduced"   },
    {"vendor.updated",        "state",   "confirmed"    },
    {"testrun.recorded",      "outcome", "passed"       },
    {"rehearsal.recorded",    "outcome", "passed"       },
    {"evidence.attached",     NULL,      NULL           },
};

/* A vendor's word is taken back by the vendor, with the state "withdrawn". */
static const struct meaning withdrawables[] = {
    {"verdict.recorded",      "verdict", "agrees|partly"},
    {"reproduction.recorded", "outcome", "reproduced"   },
    {"testrun.recorded",      "outcome", "passed"       },
    {"rehearsal.recorded",    "outcome", "passed"       },
    {"confirmation.signed",   NULL,      NULL           },
    {"evidence.attached",     NULL,      NULL           },
};

static bool means(const struct opl_fact *fact, const struct meaning *rows, size_t count)
{
    for (size_t i = 0; fact->kind != NULL && i < count; i++) {
        const char *word;

        if (strcmp(fact->kind->name, rows[i].kind) != 0)
            continue;
        word = rows[i].field == NULL ? NULL : opl_json_str(fact->body, rows[i].field);
        return rows[i].field == NULL ||
               (word != NULL && opl_is_word(rows[i].words, word, strlen(word)));
    }
    return false;
}

bool opl_fact_is_positive(const struct opl_fact *fact)
{
    return means(fact, positives, sizeof positives / sizeof *positives);
}

bool opl_fact_is_withdrawable(const struct opl_fact *fact)
{
    return means(fact, withdrawables, sizeof withdrawables / sizeof *withdrawables);
}

static bool is_kind(const struct opl_fact *fact, const char *name)
{
    return fact->kind != NULL && strcmp(fact->kind->name, name) == 0;
}

static bool is_token_key(const struct opl_person_key *key)
{
    struct opl_sshkey parsed;

    return key->hardware_seen && opl_sshkey_parse(key->line, &parsed, NULL) &&
           parsed.type == OPL_SSHKEY_SK_ED25519;
}

/* What the Statement must say, whatever admission has let through. */
static bool fits(const struct opl_statement *statement, const struct opl_fact *confirmation)
{
    int64_t fact = opl_json_int(confirmation->body, "fact", -1);

    return strcmp(statement->type->type, "opledger/confirmation") == 0 &&
           strcmp(statement->signer, confirmation->actor) == 0 && fact >= 0 &&
           opl_json_int(statement->about, "fact", -1) == fact &&
           (uint64_t)fact < statement->log.size;
}

static bool verifies(const struct opl_registry *registry, const struct opl_statement *statement,
                     const struct opl_fact *confirmation, bool *touched)
{
    const char *text = opl_json_str(confirmation->body, "statement");
    const char *sshsig = opl_json_str(confirmation->body, "sshsig");
    const struct opl_person_key *key;
    char fingerprint[64];

    if (sshsig == NULL || !opl_statement_verify(statement, text, sshsig, fingerprint, NULL))
        return false;
    key = opl_registry_key(registry, fingerprint);
    if (key == NULL || strcmp(key->principal, confirmation->actor) != 0 ||
        !opl_registry_key_valid(registry, key, confirmation->at))
        return false;
    *touched = is_token_key(key);
    return true;
}

bool opl_confirmation_holds(struct opl_world *world, const struct opl_fold *fold,
                            const struct opl_fact *confirmation, bool *touched)
{
    OPL_CLEANUP(opl_statement_close) struct opl_statement statement = {0};
    const struct opl_registry *registry = opl_world_registry(world);
    const char *text = opl_json_str(confirmation->body, "statement");
    int64_t seq = opl_json_int(confirmation->body, "fact", -1);
    const struct opl_fact *fact = seq < 0 ? NULL : opl_fold_fact(fold, (uint64_t)seq);

    *touched = false;
    return is_kind(confirmation, "confirmation.signed") &&
           confirmation->withdrawn_by == OPL_NO_SEQ && fact != NULL && text != NULL &&
           !opl_registry_same_person(registry, fact->actor, confirmation->actor) &&
           opl_statement_parse(text, strlen(text), &statement, NULL) &&
           fits(&statement, confirmation) && verifies(registry, &statement, confirmation, touched);
}

/* Whether a second person, who is not the proposer either, has signed the fact. */
bool opl_fact_is_second_signed(struct opl_world *world, const struct opl_fold *fold,
                               const struct opl_fact *fact, const struct opl_hyp_view *view)
{
    bool asks_touch = view->signed_by != NULL && strcmp(view->signed_by, "touch") == 0;

    for (size_t i = 0; i < fold->fact_count; i++) {
        const struct opl_fact *other = &fold->facts[i];
        bool touched;

        if (other->seq >= view->positive_below)
            break;
        if (!is_kind(other, "confirmation.signed") ||
            opl_json_int(other->body, "fact", -1) != (int64_t)fact->seq)
            continue;
        if (view->proposer != NULL &&
            opl_registry_same_person(opl_world_registry(world), other->actor, view->proposer))
            continue;
        if (opl_confirmation_holds(world, fold, other, &touched) && (touched || !asks_touch))
            return true;
    }
    return false;
}

/* Evidence may have been withdrawn since; one piece that stands is enough. */
static bool has_evidence(struct opl_world *world, const struct opl_fold *fold,
                         const struct opl_fact *fact, bool *yes, struct opl_err *err)
{
    const json_t *evidence = json_object_get(fact->body, "evidence");

    *yes = false;
    if (is_kind(fact, "evidence.attached")) {
        const char *sha256 = opl_json_str(fact->body, "sha256");

        *yes = sha256 != NULL && opl_fold_has_evidence(fold, sha256, fact->seq + 1);
        return true;
    }
    for (size_t i = 0; !*yes && i < json_array_size(evidence); i++) {
        const char *digest = json_string_value(json_array_get(evidence, i));

        if (digest != NULL && !opl_world_has_evidence(world, fold, digest, fact->seq, yes, err))
            return false;
    }
    return true;
}

bool opl_fact_counts(struct opl_world *world, const struct opl_fold *fold,
                     const struct opl_fact *fact, const struct opl_hyp_view *view, bool *counts,
                     struct opl_err *err)
{
    bool needs_second =
        view->signed_by != NULL ||
        (view->proposer != NULL &&
         opl_registry_same_person(opl_world_registry(world), fact->actor, view->proposer));

    *counts = false;
    if (fact->withdrawn_by != OPL_NO_SEQ || fact->seq >= view->positive_below ||
        !opl_fact_is_positive(fact))
        return true;
    if (!has_evidence(world, fold, fact, counts, err))
        return false;
    *counts = *counts && (!needs_second || opl_fact_is_second_signed(world, fold, fact, view));
    return true;
}
