/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every draft goes through the same checks in the same order, who before what; then through those
 * of its own kind, by the table below.
 */
#include "admit_private.h"

#include <opledger/encode.h>
#include <opledger/json.h>

#include "array.h"

/* What an entry of this kind would do is built in a later version. */
static bool check_later(struct opl_case *ctx, struct opl_err *err)
{
    if ((ctx->kind->flags & OPL_KIND_LATER) == 0)
        return true;
    opl_fail_at(err, OPL_E_WRONG_STATE, "/kind",
                "not built yet: this version does not act on %s, so it does not record it either",
                ctx->kind->name);
    return opl_hint(err, "record it as incident.noted for now");
}

static bool check_kind(struct opl_case *ctx, struct opl_err *err)
{
    static const struct {
        const char *kind;
        opl_admit_fn check;
    } rows[] = {
        {"incident.noted",      opl_admit_note            },
        {"hypothesis.recorded", opl_admit_prompt          },
        {"verdict.recorded",    opl_admit_prompt          },
        {"hypothesis.closed",   opl_admit_closing         },
        {"evidence.attached",   opl_admit_attachment      },
        {"fact.withdrawn",      opl_admit_withdrawal      },
        {"confirmation.signed", opl_admit_confirmation    },
        {"approval.signed",     opl_admit_approval        },
        {"approval.revoked",    opl_admit_approval_revoked},
        {"change.proposed",     opl_admit_proposal        },
        {"change.revised",      opl_admit_revision        },
        {"change.started",      opl_admit_start           },
        {"change.finished",     opl_admit_finish          },
        {"egress.recorded",     opl_admit_egress          },
        {"principal.enrolled",  opl_admit_enrolment       },
        {"principal.changed",   opl_admit_roles           },
        {"principal.revoked",   opl_admit_leaving         },
        {"key.added",           opl_admit_key             },
        {"key.revoked",         opl_admit_key_revoked     },
        {"token.created",       opl_admit_token           },
        {"token.revoked",       opl_admit_token_revoked   },
        {"policy.adopted",      opl_admit_policy          },
        {"bootstrap.closed",    opl_admit_bootstrap       },
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].kind, ctx->kind->name) == 0)
            return rows[i].check(ctx, err);
    }
    return true;
}

static const opl_admit_fn checks[] = {
    opl_admit_writer, check_later,        opl_admit_parent, opl_admit_state,
    opl_admit_ids,    opl_admit_evidence, check_kind,       opl_admit_admin,
};

const char *opl_case_str(const struct opl_case *ctx, const char *field)
{
    return opl_json_str(ctx->body, field);
}

bool opl_case_is_own(const struct opl_case *ctx, const char *principal)
{
    return opl_registry_same_person(ctx->registry, ctx->writer->principal, principal);
}

bool opl_case_fact(struct opl_case *ctx, const char *field, const struct opl_fact **fact,
                   struct opl_err *err)
{
    int64_t seq = opl_json_int(ctx->body, field, -1);
    char pointer[64];

    *fact = seq < 0 || (uint64_t)seq >= ctx->seq ? NULL : opl_fold_fact(ctx->on, (uint64_t)seq);
    if (*fact != NULL)
        return true;
    (void)snprintf(pointer, sizeof pointer, "/body/%s", field);
    return opl_fail_at(err, OPL_E_INVALID, pointer, "entry %lld is no fact of %s", (long long)seq,
                       ctx->on->id);
}

static bool keep_blob(struct opl_admission *out, const struct opl_hash *sha256, struct opl_err *err)
{
    struct opl_hash *items =
        opl_array_room(out->blobs, out->blob_count, &out->blob_size, sizeof *items, err);

    if (items == NULL)
        return false;
    out->blobs = items;
    items[out->blob_count++] = *sha256;
    return true;
}

bool opl_case_blob(struct opl_case *ctx, const char *field, const struct opl_hash *sha256,
                   struct opl_err *err)
{
    bool stored = false;
    char hex[OPL_HEX_SIZE];

    if (!ctx->env->has_blob(ctx->env->ctx, sha256, &stored, err))
        return false;
    if (stored)
        return keep_blob(ctx->out, sha256, err);
    opl_hash_hex(sha256, hex);
    opl_fail_at(err, OPL_E_INVALID, field, "no blob %s is stored", hex);
    return opl_hint(err, "PUT /v1/blobs/%s first", hex);
}

bool opl_case_blob_field(struct opl_case *ctx, const char *name, struct opl_err *err)
{
    const char *text = opl_case_str(ctx, name);
    struct opl_hash sha256;
    char pointer[64];

    if (text == NULL)
        return true;
    (void)snprintf(pointer, sizeof pointer, "/body/%s", name);
    if (!opl_hash_from_hex(text, &sha256, NULL))
        return opl_fail_at(err, OPL_E_INVALID, pointer, "is no SHA-256");
    return opl_case_blob(ctx, pointer, &sha256, err);
}

bool opl_case_statement(struct opl_case *ctx, struct opl_statement *statement, struct opl_err *err)
{
    const char *text = opl_case_str(ctx, "statement"), *sshsig = opl_case_str(ctx, "sshsig");
    const struct opl_person_key *key;

    if (text == NULL || sshsig == NULL)
        return opl_fail_at(err, OPL_E_INVALID, text == NULL ? "/body/statement" : "/body/sshsig",
                           "is missing");
    if (!opl_statement_check(ctx->registry, ctx->env, text, sshsig, ctx->kind->statement, ctx->now,
                             statement, &key, err)) {
        if (err != NULL && err->field[0] != '\0')
            opl_err_prefix(err, "/body");
        return false;
    }
    memcpy(ctx->out->nonce, statement->nonce, sizeof ctx->out->nonce);
    return true;
}

void opl_admission_close(struct opl_admission *admission)
{
    free(admission->blobs);
    *admission = (struct opl_admission){.prev = -1};
}

bool opl_admit(struct opl_world *world, const struct opl_admit_env *env,
               const struct opl_writer *writer, const struct opl_draft *draft, uint64_t seq,
               int64_t now, struct opl_admission *out, struct opl_err *err)
{
    struct opl_case ctx = {
        .world = world,
        .registry = opl_world_registry(world),
        .env = env,
        .writer = writer,
        .draft = draft,
        .kind = draft->kind,
        .body = draft->body,
        .seq = seq,
        .now = now,
        .out = out,
    };

    *out = (struct opl_admission){.prev = -1, .creates = draft->kind->creates};
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        if (!checks[i](&ctx, err)) {
            opl_admission_close(out);
            return false;
        }
    }
    if (ctx.on != NULL)
        out->prev = (int64_t)ctx.on->last_seq;
    return true;
}
