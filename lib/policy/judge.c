/* SPDX-License-Identifier: Apache-2.0 */
#include "judge.h"

#include <inttypes.h>

#include <opledger/encode.h>
#include <opledger/json.h>

#include "policy_fields.h"

bool fact_is(const struct opl_fact *fact, const char *kind)
{
    return fact->kind && strcmp(fact->kind->name, kind) == 0;
}

/* A document that must be there for anybody to be allowed anything. */
static bool need_document(struct judge *judge, const struct opl_hash *sha256, const char *what,
                          const char **text, size_t *len, struct opl_err *err)
{
    char digest[OPL_DIGEST_SIZE];

    if (!opl_world_document(judge->world, sha256, text, len, err))
        return false;
    if (*text)
        return true;
    opl_hash_digest(sha256, digest);
    return opl_fail(err, OPL_E_UNAVAILABLE, "%s %s is not there to be judged", what, digest);
}

static bool open_change(struct judge *judge, struct opl_err *err)
{
    const char *id = judge->input->change;
    const struct opl_fold *change;

    if (!opl_world_find(judge->world, id, &change, err))
        return false;
    if (!change || change->prefix != OPL_ID_CHG)
        return opl_fail(err, OPL_E_NOT_FOUND, "there is no change %.32s", id);
    judge->change = change;
    judge->proposal = opl_fold_creation(change);
    judge->proposer = opl_change_proposer(change);
    judge->in_force = opl_change_version(change);
    judge->hypotheses = opl_change_hypotheses(change);
    return (judge->proposal && judge->proposer && judge->in_force) ||
           opl_fail(err, OPL_E_LOG, "%.32s has no proposal in the log", id);
}

static bool open_manifest(struct judge *judge, struct opl_err *err)
{
    const char *digest = opl_change_manifest(judge->change);
    struct opl_err why = {0};
    const char *text;
    size_t len;

    if (!digest || !opl_hash_from_digest(digest, &judge->manifest_digest, NULL))
        return opl_fail(err, OPL_E_LOG, "%s names no manifest", judge->change->id);
    if (!need_document(judge, &judge->manifest_digest, "manifest", &text, &len, err))
        return false;
    if (!opl_manifest_parse(text, len, &judge->manifest, &why))
        return opl_fail(err, OPL_E_UNAVAILABLE, "the manifest of %s cannot be read: %s",
                        judge->change->id, why.text);
    return opl_manifest_base(&judge->manifest, &judge->base, err);
}

static bool read_policy(struct judge *judge, const struct opl_adopted *adopted,
                        struct opl_gate_policy *policy, struct opl_err *err)
{
    struct opl_err why = {0};
    const char *text;
    size_t len;

    if (!need_document(judge, &adopted->sha256, "gate policy", &text, &len, err))
        return false;
    if (!opl_gate_policy_parse(text, len, policy, &why))
        return opl_fail(err, OPL_E_UNAVAILABLE, "gate policy %s cannot be read: %s %s",
                        adopted->name, why.field, why.text);
    if (strcmp(policy->name, adopted->name) == 0)
        return true;
    opl_gate_policy_close(policy);
    return opl_fail(err, OPL_E_UNAVAILABLE, "gate policy %s was adopted under another name",
                    adopted->name);
}

static bool applies(const struct judge *judge, const struct opl_gate_policy *policy)
{
    const json_t *body = judge->proposal->body;

    return opl_gate_policy_applies(policy, opl_json_str(body, "class"),
                                   opl_json_str(body, "target"), &judge->manifest);
}

/* Keeps the policy when it applies; `named` grows beside it, for the digest. */
static bool consider(struct judge *judge, const struct opl_adopted *adopted,
                     struct opl_named_hash *named, struct opl_err *err)
{
    struct opl_gate_policy policy = {0};
    struct opl_named_hash *name = &named[judge->policy_count];

    if (!read_policy(judge, adopted, &policy, err))
        return false;
    if (!applies(judge, &policy)) {
        opl_gate_policy_close(&policy);
        return true;
    }
    (void)snprintf(name->name, sizeof name->name, "%s", adopted->name);
    name->sha256 = adopted->sha256;
    judge->policies[judge->policy_count++] = policy;
    return true;
}

static int by_name(const void *a, const void *b)
{
    const struct opl_gate_policy *left = a;
    const struct opl_gate_policy *right = b;

    return strcmp(left->name, right->name);
}

static size_t count_adopted(const struct opl_registry *registry)
{
    size_t count = 0;

    while (opl_registry_policy_at(registry, count))
        count++;
    return count;
}

/* The models policy in force; should several names have been adopted, the newest. */
static const struct opl_adopted *find_models(const struct opl_registry *registry)
{
    const struct opl_adopted *newest = NULL;
    const struct opl_adopted *adopted;

    for (size_t i = 0; (adopted = opl_registry_policy_at(registry, i)); i++) {
        if (strcmp(adopted->what, "models") == 0 && (!newest || adopted->seq > newest->seq))
            newest = adopted;
    }
    return newest;
}

static bool open_policies(struct judge *judge, const struct opl_registry *registry,
                          struct opl_named_hash *named, struct opl_err *err)
{
    const struct opl_adopted *models = find_models(registry);
    const struct opl_adopted *adopted;

    for (size_t i = 0; (adopted = opl_registry_policy_at(registry, i)); i++) {
        if (strcmp(adopted->what, "gate") == 0 && !consider(judge, adopted, named, err))
            return false;
    }
    if (judge->policy_count > 1)
        qsort(judge->policies, judge->policy_count, sizeof *judge->policies, by_name);
    return opl_policies_digest("gate", models ? &models->sha256 : NULL, named, judge->policy_count,
                               &judge->policy, err);
}

/* Without them nothing is known to be of another family: only the requirements that ask suffer. */
static bool open_models(struct judge *judge, const struct opl_registry *registry,
                        struct opl_err *err)
{
    const struct opl_adopted *adopted = find_models(registry);
    struct opl_err why = {0};
    const char *text;
    size_t len;

    (void)snprintf(judge->why_no_models, sizeof judge->why_no_models, "%s",
                   "no models policy is adopted");
    if (!adopted)
        return true;
    if (!opl_world_document(judge->world, &adopted->sha256, &text, &len, err))
        return false;
    if (text)
        judge->models = families_parse(text, len, &why);
    (void)snprintf(judge->why_no_models, sizeof judge->why_no_models,
                   "the models policy of entry %" PRIu64 " cannot be read", adopted->seq);
    return true;
}

bool judge_open(struct judge *judge, struct opl_world *world, const struct opl_gate_input *input,
                struct opl_err *err)
{
    const struct opl_registry *registry = opl_world_registry(world);
    size_t adopted = count_adopted(registry);
    struct opl_named_hash *named;
    bool ok;

    *judge = (struct judge){.world = world, .input = input, .below = UINT64_MAX};
    if (!open_change(judge, err) || !open_manifest(judge, err) ||
        !open_models(judge, registry, err))
        return false;
    named = calloc(adopted + 1, sizeof *named);
    judge->policies = calloc(adopted + 1, sizeof *judge->policies);
    ok = named && judge->policies ? open_policies(judge, registry, named, err)
                                  : opl_fail(err, OPL_E_NOMEM, "no memory for policies");
    free(named);
    return ok;
}

void judge_close(struct judge *judge)
{
    for (size_t i = 0; i < judge->policy_count; i++)
        opl_gate_policy_close(&judge->policies[i]);
    free(judge->policies);
    opl_manifest_close(&judge->manifest);
    families_free(judge->models);
    *judge = (struct judge){0};
}

bool judge_hypothesis(struct judge *judge, size_t i, const struct opl_fold **hyp,
                      struct opl_err *err)
{
    const char *id = json_string_value(json_array_get(judge->hypotheses, i));

    *hyp = NULL;
    if (i >= json_array_size(judge->hypotheses))
        return true;
    if (!id || !opl_world_find(judge->world, id, hyp, err))
        return opl_fail(err, OPL_E_LOG, "%s names a hypothesis that is none", judge->change->id);
    return *hyp || opl_fail(err, OPL_E_LOG, "%.32s is not in the log", id);
}

static bool allows_none(const struct opl_gate_policy *policy)
{
    for (size_t i = 0; i < policy->require_count; i++) {
        if (policy->require[i].kind == OPL_REQ_hypothesis &&
            policy_has_word(policy->require[i].options, "status", "none"))
            return true;
    }
    return false;
}

bool judge_has_hypotheses(const struct judge *judge, struct opl_requirement *row)
{
    if (json_array_size(judge->hypotheses) > 0)
        return true;
    row_say(row, "the change rests on no hypothesis");
    if (allows_none(judge->judging))
        row->status = OPL_NOT_APPLICABLE;
    else
        row_lacks(row, "opledger change revise %s --hypothesis HYP", judge->change->id);
    return false;
}

const struct opl_fact *judge_confirmable(const struct opl_fold *hyp, const struct opl_seqs *facts)
{
    for (size_t i = facts->count; i > 0; i--) {
        const struct opl_fact *fact = opl_fold_fact(hyp, facts->seq[i - 1]);

        if (fact && json_array_size(json_object_get(fact->body, "evidence")) > 0)
            return fact;
    }
    return NULL;
}

struct opl_hyp_view judge_view(const struct judge *judge, const json_t *options)
{
    return (struct opl_hyp_view){.proposer = judge->proposer,
                                 .positive_below = judge->below,
                                 .signed_by = opl_json_str(options, "signed")};
}

bool judge_same_person(const struct judge *judge, const char *a, const char *b)
{
    const struct opl_registry *registry = opl_world_registry(judge->world);
    const char *left = opl_registry_person(registry, a);
    const char *right = opl_registry_person(registry, b);

    /* somebody unknown could be anybody, the proposer included */
    return !left || !right || strcmp(left, right) == 0;
}
