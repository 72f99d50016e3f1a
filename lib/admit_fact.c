/* SPDX-License-Identifier: Apache-2.0 */
/* Notes, closings, attachments and withdrawals. */
#include "admit_private.h"

#include <opledger/encode.h>
#include <opledger/hypothesis.h>
#include <opledger/json.h>

bool opl_admit_note(struct opl_case *ctx, struct opl_err *err)
{
    int64_t corrects = opl_json_int(ctx->body, "corrects", -1);

    if (corrects < 0 || opl_fold_has_note(ctx->on, (uint64_t)corrects))
        return true;
    return opl_fail_at(err, OPL_E_INVALID, "/body/corrects", "entry %lld is no note of %s",
                       (long long)corrects, ctx->on->id);
}

/* What stands against a hypothesis is looked for within its incident, so a successor is there. */
bool opl_admit_closing(struct opl_case *ctx, struct opl_err *err)
{
    const char *by = opl_case_str(ctx, "by");
    const struct opl_fold *successor;

    if (by == NULL)
        return true;
    if (strcmp(by, ctx->on->id) == 0)
        return opl_fail_at(err, OPL_E_INVALID, "/body/by", "%s cannot take its own place", by);
    if (!opl_world_find(ctx->world, by, &successor, err))
        return false;
    if (successor != NULL && strcmp(successor->on, ctx->on->on) == 0)
        return true;
    opl_fail_at(err, OPL_E_INVALID, "/body/by", "%s belongs to another incident than %s", by,
                ctx->on->id);
    return opl_hint(err, "record it in %s too, with --refines %s", ctx->on->on, by);
}

/* Empty bytes prove nothing, so their number must be true. */
bool opl_admit_attachment(struct opl_case *ctx, struct opl_err *err)
{
    int64_t size = opl_json_int(ctx->body, "size", -1);
    struct opl_hash sha256;
    bool yes = false;

    if (!opl_case_blob_field(ctx, "sha256", err) ||
        !opl_hash_from_hex(opl_case_str(ctx, "sha256"), &sha256, err) ||
        !ctx->env->blob_is(ctx->env->ctx, &sha256, (uint64_t)size, &yes, err))
        return false;
    if (yes)
        return true;
    opl_fail_at(err, OPL_E_INVALID, "/body/size", "the blob does not have %lld bytes",
                (long long)size);
    return opl_hint(err, "wc -c < FILE");
}

static bool check_withdrawer(struct opl_case *ctx, const struct opl_fact *fact, struct opl_err *err)
{
    bool reviews = ctx->principal != NULL && ctx->principal->class == OPL_CLASS_PERSON &&
                   opl_writer_may(ctx->registry, ctx->writer, "reviewer");

    return reviews || opl_case_is_own(ctx, fact->actor) ||
           opl_fail_at(err, OPL_E_FORBIDDEN, "/body/fact",
                       "entry %llu is %s's: its author or a reviewer may withdraw it",
                       (unsigned long long)fact->seq, fact->actor);
}

bool opl_admit_withdrawal(struct opl_case *ctx, struct opl_err *err)
{
    const struct opl_fact *fact;

    if (!opl_case_fact(ctx, "fact", &fact, err))
        return false;
    if (!opl_fact_is_withdrawable(fact))
        return opl_fail_at(err, OPL_E_INVALID, "/body/fact",
                           "entry %llu is no positive fact that can be withdrawn",
                           (unsigned long long)fact->seq);
    if (fact->withdrawn_by != OPL_NO_SEQ)
        return opl_fail_at(err, OPL_E_WRONG_STATE, "/body/fact",
                           "entry %llu was withdrawn by entry %llu", (unsigned long long)fact->seq,
                           (unsigned long long)fact->withdrawn_by);
    return check_withdrawer(ctx, fact, err);
}
