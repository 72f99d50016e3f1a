/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cross-check: enough other models looked at the same and agree at least partly.
 *
 * A model never checks itself, whatever version of it served. With `family: other` only a model of
 * another known family counts, and each family counts once: models that are not independent of each
 * other are one voice. One standing disagreement, whoever recorded it, outweighs all of them.
 */
#include "requirement.h"

#include <inttypes.h>
#include <strings.h>

#include <opledger/json.h>

#define VOICES_MAX 32 /* = the most that a policy may ask for */

/* The models that one record names: the one asked and, where another answered, the one served. */
struct speaker {
    struct opl_model asked;
    struct opl_model served; /* name "" when the record does not say */
};

struct check {
    struct judge *judge;
    const json_t *options;
    const struct opl_fold *hyp;
    struct speaker author;
    const json_t *evidence; /* of the hypothesis */
    const char *voices[VOICES_MAX];
    size_t voice_count;
    char notes[256]; /* why verdicts do not count */
    struct opl_requirement *row;
};

static void read_speaker(const json_t *body, struct speaker *speaker)
{
    const json_t *model = json_object_get(body, "model");
    const char *provider = opl_json_str(model, "provider");
    const char *name = opl_json_str(model, "name");
    const char *served = opl_json_str(model, "served");

    *speaker = (struct speaker){0};
    (void)snprintf(speaker->asked.provider, sizeof speaker->asked.provider, "%s",
                   provider ? provider : "");
    (void)snprintf(speaker->asked.name, sizeof speaker->asked.name, "%s", name ? name : "");
    speaker->served = speaker->asked;
    (void)snprintf(speaker->served.name, sizeof speaker->served.name, "%s", served ? served : "");
}

/* One model behind two providers, or under a reseller's path, is still one model. */
static bool is_same_name(const char *a, const char *b)
{
    const char *left = strrchr(a, '/');
    const char *right = strrchr(b, '/');

    return a[0] && b[0] && strcasecmp(left ? left + 1 : a, right ? right + 1 : b) == 0;
}

static bool is_same_model(const struct speaker *a, const struct speaker *b)
{
    return is_same_name(a->asked.name, b->asked.name) ||
           is_same_name(a->asked.name, b->served.name) ||
           is_same_name(a->served.name, b->asked.name) ||
           is_same_name(a->served.name, b->served.name);
}

static const char *family_of(const struct check *check, const struct opl_model *model)
{
    return families_of(check->judge->models, model);
}

/* The one family that asked and served model share, NULL when that is not known. */
static const char *family_of_speaker(const struct check *check, const struct speaker *speaker)
{
    const char *asked = family_of(check, &speaker->asked);
    const char *served = speaker->served.name[0] ? family_of(check, &speaker->served) : asked;

    return asked && served && strcmp(asked, served) == 0 ? asked : NULL;
}

static bool contains_all(const json_t *set, const json_t *of)
{
    for (size_t i = 0; i < json_array_size(of); i++) {
        bool found = false;

        for (size_t j = 0; !found && j < json_array_size(set); j++)
            found = json_equal(json_array_get(set, j), json_array_get(of, i)) == 1;
        if (!found)
            return false;
    }
    return true;
}

static bool is_same_evidence(const json_t *a, const json_t *b)
{
    return json_array_size(a) > 0 && json_array_size(b) > 0 && contains_all(a, b) &&
           contains_all(b, a);
}

static bool asks_same_evidence(const struct check *check)
{
    return policy_has_word(check->options, "evidence", "same");
}

/* Why a verdict does not count, NULL when nothing of its content speaks against it. */
static const char *why_not(const struct check *check, const struct opl_fact *fact,
                           const struct speaker *speaker)
{
    const char *mode = opl_json_str(fact->body, "mode");

    if (fact->seq >= check->judge->below)
        return "came later";
    if (fact->withdrawn_by != OPL_NO_SEQ)
        return "was withdrawn";
    if (is_same_model(&check->author, speaker))
        return "is by the model that guessed";
    if (policy_has_word(check->options, "mode", "blind") && (!mode || strcmp(mode, "blind") != 0))
        return "is not blind";
    if (asks_same_evidence(check) && json_array_size(check->evidence) == 0)
        return "has nothing to compare, the hypothesis names no evidence";
    if (asks_same_evidence(check) &&
        !is_same_evidence(check->evidence, json_object_get(fact->body, "evidence")))
        return "saw other evidence";
    return NULL;
}

static const char *why_not_independent(const struct check *check, const char *family)
{
    const char *author = family_of_speaker(check, &check->author);

    if (!author)
        return "cannot be independent, the family of the model that guessed is not known";
    if (!family)
        return "is by a model of unknown family";
    return strcmp(author, family) == 0 ? "is by a model of the same family" : NULL;
}

/* A voice counts once; beyond the maximum nothing more is needed. */
static void add_voice(struct check *check, const char *voice)
{
    for (size_t i = 0; i < check->voice_count; i++) {
        if (is_same_name(check->voices[i], voice))
            return;
    }
    if (check->voice_count < VOICES_MAX)
        check->voices[check->voice_count++] = voice;
}

static bool is_signed_as_asked(struct check *check, const struct opl_fact *fact, const char **why,
                               struct opl_err *err)
{
    struct opl_hyp_view view = judge_view(check->judge, check->options);
    bool counts = true;

    if (!view.signed_by)
        return true;
    if (!opl_fact_counts(check->judge->world, check->hyp, fact, &view, &counts, err))
        return false;
    if (!counts)
        *why = "is not signed as this policy asks";
    return true;
}

/* It counts all the same, and whoever reads the row should know. */
static void note_proposer(struct check *check, const struct opl_fact *fact)
{
    if (judge_same_person(check->judge, fact->actor, check->judge->proposer))
        text_add(check->notes, sizeof check->notes, "%s%" PRIu64 " recorded by the proposer",
                 check->notes[0] ? "; " : "", fact->seq);
}

static bool weigh_support(struct check *check, const struct opl_fact *fact, struct opl_err *err)
{
    bool by_family = policy_has_word(check->options, "family", "other");
    struct speaker speaker;
    const char *voice, *why;

    read_speaker(fact->body, &speaker);
    voice = by_family ? family_of_speaker(check, &speaker)
                      : opl_json_str(json_object_get(fact->body, "model"), "name");
    why = why_not(check, fact, &speaker);
    if (!why && by_family)
        why = why_not_independent(check, voice);
    if (!why && !is_signed_as_asked(check, fact, &why, err))
        return false;
    if (why || !voice) {
        text_add(check->notes, sizeof check->notes, "%s%" PRIu64 " %s", check->notes[0] ? "; " : "",
                 fact->seq, why ? why : "names no model");
        return true;
    }
    opl_seqs_add(&check->row->for_, fact->seq);
    note_proposer(check, fact);
    add_voice(check, voice);
    return true;
}

static bool weigh(struct check *check, const struct opl_fact *fact, bool *disagrees,
                  struct opl_err *err)
{
    const char *verdict = opl_json_str(fact->body, "verdict");

    if (!fact_is(fact, "verdict.recorded") || !verdict)
        return true;
    if (strcmp(verdict, "agrees") == 0 || strcmp(verdict, "partly") == 0)
        return weigh_support(check, fact, err);
    if (strcmp(verdict, "disagrees") == 0) {
        opl_seqs_add(&check->row->against, fact->seq);
        text_add(check->notes, sizeof check->notes, "%s%" PRIu64 " disagrees",
                 check->notes[0] ? "; " : "", fact->seq);
        *disagrees = true;
    }
    return true;
}

/* No verdict can be on the same evidence as a hypothesis that names none. */
static void say_next(const struct check *check, bool disagrees)
{
    const char *hyp = check->hyp->id;

    if (disagrees)
        row_lacks(check->row, "opledger hypothesis show %s", hyp);
    else if (asks_same_evidence(check) && json_array_size(check->evidence) == 0)
        row_lacks(check->row,
                  "opledger hypothesis record %s --refines %s --claim T --model M --prompt-file F "
                  "--evidence F",
                  check->hyp->on, hyp);
    else
        row_lacks(check->row,
                  "opledger verdict record %s --model M --mode blind --verdict V --rationale T "
                  "--prompt-file F --evidence F",
                  hyp);
}

/* What counts as one, by the options; then what was counted, and why the rest was not. */
static void say_count(const struct check *check, int64_t min)
{
    static const struct {
        const char *key;
        const char *word;
        const char *text;
    } conditions[] = {
        {"mode",     "blind", ", blind"               },
        {"family",   "other", ", by another family"   },
        {"evidence", "same",  ", on the same evidence"},
    };

    row_say(check->row, "%s%s has %zu of %" PRId64 " verdicts that agree at least partly",
            check->row->detail[0] ? "; " : "", check->hyp->id, check->voice_count, min);
    for (size_t i = 0; i < sizeof conditions / sizeof conditions[0]; i++) {
        if (policy_has_word(check->options, conditions[i].key, conditions[i].word))
            row_say(check->row, "%s", conditions[i].text);
    }
    if (check->notes[0] != '\0')
        row_say(check->row, " (%s)", check->notes);
}

static bool judge_one(struct check *check, struct opl_err *err)
{
    const struct opl_fact *guess = opl_fold_creation(check->hyp);
    int64_t min = policy_number(check->options, "min", 1);
    bool disagrees = false;

    if (!guess)
        return opl_fail(err, OPL_E_LOG, "%s has no beginning in the log", check->hyp->id);
    read_speaker(guess->body, &check->author);
    check->evidence = json_object_get(guess->body, "evidence");
    for (size_t i = 0; i < check->hyp->fact_count; i++) {
        if (!weigh(check, &check->hyp->facts[i], &disagrees, err))
            return false;
    }
    say_count(check, min);
    if (disagrees || (int64_t)check->voice_count < min)
        say_next(check, disagrees);
    return true;
}

bool require_cross_check(struct judge *judge, const json_t *options, struct opl_requirement *row,
                         struct opl_err *err)
{
    if (!judge_has_hypotheses(judge, row))
        return true;
    if (!judge->models && json_object_get(options, "family")) {
        row->status = OPL_ERROR;
        row_say(row, "%s, so no model is known to be independent", judge->why_no_models);
        (void)snprintf(row->next, sizeof row->next, "opledger policy adopt FILE");
        return true;
    }
    for (size_t i = 0; i < json_array_size(judge->hypotheses); i++) {
        struct check check = {.judge = judge, .options = options, .row = row};

        if (!judge_hypothesis(judge, i, &check.hyp, err) || !judge_one(&check, err))
            return false;
    }
    return true;
}
