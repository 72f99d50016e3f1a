/* SPDX-License-Identifier: Apache-2.0 */
#include "approvals.h"

#include <inttypes.h>

#include <opledger/encode.h>
#include <opledger/json.h>
#include <opledger/sshkey.h>

typedef void (*check_fn)(struct candidate *candidate, const struct judge *judge);

static bool is_token_key(const struct opl_person_key *key)
{
    struct opl_sshkey parsed;

    return key->hardware_seen && opl_sshkey_parse(key->line, &parsed, NULL) &&
           parsed.type == OPL_SSHKEY_SK_ED25519;
}

/* The role without its prefix, as policies write it; NULL when it is none. */
static const char *role_name(const char *role)
{
    if (role && strncmp(role, ROLE_PREFIX, strlen(ROLE_PREFIX)) == 0)
        role += strlen(ROLE_PREFIX);
    return role && opl_is_principal(role) ? role : NULL;
}

static void check_statement(struct candidate *candidate, const struct judge *judge)
{
    const char *text = candidate->shown.statement;

    (void)judge;
    if (!text || !candidate->shown.sshsig ||
        !opl_statement_parse(text, strlen(text), &candidate->statement, NULL))
        candidate_refuse(candidate, "its Statement cannot be read");
    else if (strcmp(candidate->statement.type->type, "opledger/approval") != 0)
        candidate_refuse(candidate, "its Statement is no approval");
    else if (strcmp(candidate->statement.signer, candidate->fact->actor) != 0)
        candidate_refuse(candidate, "its Statement names another signer");
}

static void check_signature(struct candidate *candidate, const struct judge *judge)
{
    const struct opl_registry *registry = opl_world_registry(judge->world);
    const struct opl_person_key *key;
    char fingerprint[64];

    if (!opl_statement_verify(&candidate->statement, candidate->shown.statement,
                              candidate->shown.sshsig, fingerprint, NULL)) {
        candidate_refuse(candidate, "its signature does not verify");
        return;
    }
    key = opl_registry_key(registry, fingerprint);
    if (!key || strcmp(key->principal, candidate->fact->actor) != 0)
        candidate_refuse(candidate, "its key is not enrolled for its signer");
    else if (!opl_registry_key_valid(registry, key, judge->input->now))
        candidate_refuse(candidate, "its key is revoked or out of its dates");
    else
        candidate->hardware = is_token_key(key);
}

static void check_role(struct candidate *candidate, const struct judge *judge)
{
    const struct opl_principal *signer =
        opl_registry_principal(opl_world_registry(judge->world), candidate->fact->actor);
    const char *role = role_name(opl_json_str(candidate->statement.about, "role"));
    const char *recorded = role_name(opl_json_str(candidate->fact->body, "role"));
    char full[sizeof ROLE_PREFIX + 65];

    if (!role || !recorded || strcmp(role, recorded) != 0) {
        candidate_refuse(candidate, "its Statement names another role");
        return;
    }
    (void)snprintf(candidate->shown.role, sizeof candidate->shown.role, "%s", role);
    (void)snprintf(full, sizeof full, ROLE_PREFIX "%s", role);
    if (!signer || signer->revoked || signer->class != OPL_CLASS_PERSON ||
        !opl_principal_has_role(signer, full))
        candidate_refuse(candidate, "its signer does not hold the role %s now", role);
}

static void check_time(struct candidate *candidate, const struct judge *judge)
{
    if (candidate->statement.expires <= judge->input->now)
        candidate_refuse(candidate, "it has expired");
}

/* The proposer may revise what others then approve, never approve it. */
static void check_person(struct candidate *candidate, const struct judge *judge)
{
    candidate->person =
        opl_registry_person(opl_world_registry(judge->world), candidate->fact->actor);
    if (!candidate->person || judge_same_person(judge, candidate->fact->actor, judge->proposer) ||
        judge_same_person(judge, candidate->fact->actor, judge->in_force->actor))
        candidate_refuse(candidate, "signed by the proposer of the change");
}

static void check_use(struct candidate *candidate, const struct judge *judge)
{
    for (size_t i = 0; i < judge->change->fact_count; i++) {
        const struct opl_fact *fact = &judge->change->facts[i];

        if (fact_is(fact, "approval.revoked") &&
            opl_json_int(fact->body, "approval", -1) == (int64_t)candidate->shown.seq)
            candidate_refuse(candidate, "revoked by entry %" PRIu64, fact->seq);
        if (fact_is(fact, "change.started") && fact->seq > candidate->shown.seq)
            candidate_refuse(candidate, "spent by the apply of entry %" PRIu64, fact->seq);
    }
}

static bool names_digest(const json_t *about, const char *key, const struct opl_hash *wanted)
{
    const char *text = opl_json_str(about, key);
    struct opl_hash found;

    return text && opl_hash_from_digest(text, &found, NULL) && opl_hash_equal(&found, wanted);
}

static void check_about(struct candidate *candidate, const struct judge *judge)
{
    const json_t *about = candidate->statement.about;
    const char *change = opl_json_str(about, "change");

    if (!change || strcmp(change, judge->change->id) != 0)
        candidate_refuse(candidate, "it is about another change");
    else if (!names_digest(about, "manifest", &judge->manifest_digest))
        candidate_refuse(candidate, "it is over another manifest: the change was revised");
    else if (!names_digest(about, "base", &judge->base))
        candidate_refuse(candidate, "it is over another base");
    else if (!names_digest(about, "policy", &judge->policy))
        candidate_refuse(candidate, "another policy is in force since");
}

static void check_log(struct candidate *candidate, const struct judge *judge)
{
    const struct opl_head *log = &candidate->statement.log;

    if (judge->input->origin && strcmp(judge->input->origin, log->origin) != 0)
        candidate_refuse(candidate, "signed in another epoch of the log");
    else if (log->size > candidate->shown.seq)
        candidate_refuse(candidate, "names a log longer than the one it stands in");
}

static const check_fn checks[] = {
    check_statement, check_signature, check_role,  check_person,
    check_time,      check_use,       check_about, check_log,
};

void candidate_refuse(struct candidate *candidate, const char *fmt, ...)
{
    va_list args;

    if (candidate->shown.why_not[0] != '\0')
        return;
    va_start(args, fmt);
    (void)vsnprintf(candidate->shown.why_not, sizeof candidate->shown.why_not, fmt, args);
    va_end(args);
}

void approvals_check(struct candidate *candidate, struct judge *judge)
{
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        if (candidate->shown.why_not[0] == '\0')
            checks[i](candidate, judge);
    }
}
