/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Confirmations and approvals. Only what can never become true is refused here; an approval that is
 * overtaken, or the proposer's own, is recorded, and the gate says why it does not count.
 */
#include "admit_private.h"

#include <opledger/encode.h>
#include <opledger/hypothesis.h>
#include <opledger/json.h>

static const char statement_field[] = "/body/statement";

static bool check_signer(struct opl_case *ctx, const struct opl_statement *statement,
                         struct opl_err *err)
{
    return strcmp(statement->signer, ctx->writer->principal) == 0 ||
           opl_fail_at(err, OPL_E_SIGNATURE, statement_field,
                       "the Statement is %s's, and %s writes it", statement->signer,
                       ctx->writer->principal);
}

static bool about_is(const struct opl_statement *statement, const char *key, const char *wanted)
{
    const char *value = opl_json_str(statement->about, key);

    return value != NULL && wanted != NULL && strcmp(value, wanted) == 0;
}

static bool check_about_fact(struct opl_case *ctx, const struct opl_statement *statement,
                             const struct opl_fact *fact, struct opl_err *err)
{
    if (opl_json_int(statement->about, "fact", -1) != opl_json_int(ctx->body, "fact", -2))
        return opl_fail_at(err, OPL_E_INVALID, statement_field,
                           "the Statement is about another fact");
    return fact->seq < statement->log.size ||
           opl_fail_at(err, OPL_E_INVALID, statement_field,
                       "the log that the signer saw, of %llu entries, does not hold entry %llu",
                       (unsigned long long)statement->log.size, (unsigned long long)fact->seq);
}

bool opl_admit_confirmation(struct opl_case *ctx, struct opl_err *err)
{
    OPL_CLEANUP(opl_statement_close) struct opl_statement statement = {0};
    const struct opl_fact *fact;

    if (!opl_case_fact(ctx, "fact", &fact, err))
        return false;
    if (!opl_fact_is_positive(fact) || fact->withdrawn_by != OPL_NO_SEQ)
        return opl_fail_at(err, OPL_E_INVALID, "/body/fact",
                           "entry %llu is no positive fact that stands",
                           (unsigned long long)fact->seq);
    if (opl_case_is_own(ctx, fact->actor))
        return opl_fail_at(err, OPL_E_FORBIDDEN, "/body/fact",
                           "entry %llu is your own: another person confirms it",
                           (unsigned long long)fact->seq);
    return opl_case_statement(ctx, &statement, err) && check_signer(ctx, &statement, err) &&
           check_about_fact(ctx, &statement, fact, err);
}

static bool check_digests(const struct opl_statement *statement, struct opl_err *err)
{
    static const char *const keys[] = {"manifest", "base", "policy"};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *digest = opl_json_str(statement->about, keys[i]);
        struct opl_hash hash;

        if (digest == NULL || !opl_hash_from_digest(digest, &hash, NULL))
            return opl_fail_at(err, OPL_E_INVALID, statement_field,
                               "the Statement's %s is no digest", keys[i]);
    }
    return true;
}

/* Which manifest, base and policy were signed is for the gate to compare, each time it is asked. */
static bool check_about_approval(struct opl_case *ctx, const struct opl_statement *statement,
                                 struct opl_err *err)
{
    if (!about_is(statement, "change", ctx->on->id))
        return opl_fail_at(err, OPL_E_INVALID, statement_field,
                           "the Statement is about another change");
    if (!about_is(statement, "role", opl_case_str(ctx, "role")))
        return opl_fail_at(err, OPL_E_INVALID, statement_field,
                           "the Statement is given in another role");
    return check_digests(statement, err);
}

static bool check_approver(struct opl_case *ctx, struct opl_err *err)
{
    const char *name = opl_case_str(ctx, "role");
    char role[80];

    (void)snprintf(role, sizeof role, "approver.%s", name);
    if (opl_writer_may(ctx->registry, ctx->writer, role))
        return true;
    opl_fail_at(err, OPL_E_FORBIDDEN, "/body/role", "%s does not hold the role %s here",
                ctx->writer->principal, role);
    return opl_hint(err, "opledger whoami");
}

bool opl_admit_approval(struct opl_case *ctx, struct opl_err *err)
{
    OPL_CLEANUP(opl_statement_close) struct opl_statement statement = {0};

    return check_approver(ctx, err) && opl_case_statement(ctx, &statement, err) &&
           check_signer(ctx, &statement, err) && check_about_approval(ctx, &statement, err);
}

bool opl_admit_approval_revoked(struct opl_case *ctx, struct opl_err *err)
{
    const struct opl_fact *fact;

    if (!opl_case_fact(ctx, "approval", &fact, err))
        return false;
    if (strcmp(fact->kind->name, "approval.signed") != 0)
        return opl_fail_at(err, OPL_E_INVALID, "/body/approval", "entry %llu is no approval",
                           (unsigned long long)fact->seq);
    return strcmp(fact->actor, ctx->writer->principal) == 0 ||
           opl_fail_at(err, OPL_E_FORBIDDEN, "/body/approval", "entry %llu is %s's approval",
                       (unsigned long long)fact->seq, fact->actor);
}
