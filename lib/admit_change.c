/* SPDX-License-Identifier: Apache-2.0 */
/* A change's manifest: stored, readable, of the target and size that the entry says. */
#include "admit_private.h"

#include <opledger/encode.h>
#include <opledger/json.h>
#include <opledger/manifest.h>

static const char manifest_field[] = "/body/manifest";

/* The new bytes and the base bytes: whoever reviews reads them, whoever reverts needs them. */
static bool check_files(struct opl_case *ctx, const struct opl_manifest *manifest,
                        struct opl_err *err)
{
    for (size_t i = 0; i < manifest->file_count; i++) {
        const struct opl_manifest_file *file = &manifest->files[i];

        if (file->next.present && !opl_case_blob(ctx, manifest_field, &file->next.sha256, err))
            return false;
        if (file->base.present && !opl_case_blob(ctx, manifest_field, &file->base.sha256, err))
            return false;
    }
    return true;
}

static bool check_manifest(struct opl_case *ctx, const struct opl_manifest *manifest,
                           const char *target, struct opl_err *err)
{
    int64_t files = opl_json_int(ctx->body, "files", -1);

    if (target == NULL || strcmp(manifest->target, target) != 0)
        return opl_fail_at(err, OPL_E_INVALID, manifest_field,
                           "the manifest's target is %s, the change's is %s", manifest->target,
                           target == NULL ? "none" : target);
    if (files < 0 || (uint64_t)files != manifest->file_count)
        return opl_fail_at(err, OPL_E_INVALID, "/body/files", "the manifest names %zu files",
                           manifest->file_count);
    return check_files(ctx, manifest, err);
}

static bool read_manifest(struct opl_case *ctx, const struct opl_hash *digest,
                          struct opl_manifest *manifest, struct opl_err *err)
{
    const char *text;
    size_t len;
    struct opl_err why = {0};

    if (!opl_world_document(ctx->world, digest, &text, &len, err))
        return false;
    if (text == NULL)
        return opl_fail_at(err, OPL_E_INVALID, manifest_field, "the manifest is not stored");
    return opl_manifest_parse(text, len, manifest, &why) ||
           opl_fail_at(err, why.code == OPL_E_NOMEM ? OPL_E_NOMEM : OPL_E_INVALID, manifest_field,
                       "the manifest: %.200s %.200s", why.field, why.text);
}

static bool check_version(struct opl_case *ctx, const char *target, struct opl_err *err)
{
    OPL_CLEANUP(opl_manifest_close) struct opl_manifest manifest = {0};
    const char *text = opl_case_str(ctx, "manifest");
    struct opl_hash digest;

    if (text == NULL || !opl_hash_from_digest(text, &digest, NULL))
        return opl_fail_at(err, OPL_E_INVALID, manifest_field, "is no digest");
    return opl_case_blob(ctx, manifest_field, &digest, err) &&
           read_manifest(ctx, &digest, &manifest, err) &&
           check_manifest(ctx, &manifest, target, err);
}

bool opl_admit_proposal(struct opl_case *ctx, struct opl_err *err)
{
    return check_version(ctx, opl_case_str(ctx, "target"), err) &&
           opl_case_blob_field(ctx, "call_off_plan_sha256", err);
}

bool opl_admit_revision(struct opl_case *ctx, struct opl_err *err)
{
    const struct opl_fact *proposal = opl_fold_creation(ctx->on);

    if (proposal == NULL)
        return opl_fail(err, OPL_E_LOG, "%s has no beginning", ctx->on->id);
    if (!opl_case_is_own(ctx, proposal->actor))
        return opl_fail_at(err, OPL_E_FORBIDDEN, "/on", "%s is %s's: the proposer revises it",
                           ctx->on->id, proposal->actor);
    return check_version(ctx, opl_json_str(proposal->body, "target"), err);
}
