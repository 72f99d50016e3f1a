/* SPDX-License-Identifier: Apache-2.0 */
/* admit_private - one draft before admission, and the checks that it goes through. */
#ifndef OPLEDGER_LIB_ADMIT_PRIVATE_H
#define OPLEDGER_LIB_ADMIT_PRIVATE_H

#include <opledger/admit.h>

struct opl_case {
    struct opl_world *world;
    const struct opl_registry *registry;
    const struct opl_admit_env *env;
    const struct opl_writer *writer;
    const struct opl_principal *principal; /* who writes; NULL: the service itself */
    const struct opl_draft *draft;
    const struct opl_kind *kind; /* of the draft */
    const json_t *body;          /* of the draft */
    const struct opl_fold *on;   /* NULL when it is about nothing */
    uint64_t seq;
    int64_t now;
    struct opl_admission *out;
};

typedef bool (*opl_admit_fn)(struct opl_case *ctx, struct opl_err *err);

/* Helpers. */
const char *opl_case_str(const struct opl_case *ctx, const char *field); /* of the body, or NULL */
bool opl_case_is_own(const struct opl_case *ctx, const char *principal); /* by person */

/* The earlier entry that an integer field names, on the same subject; OPL_E_INVALID. */
OPL_MUST_CHECK bool opl_case_fact(struct opl_case *ctx, const char *field,
                                  const struct opl_fact **fact, struct opl_err *err);

/* A blob that must be stored, and that the entry keeps; `field` is a JSON pointer. */
OPL_MUST_CHECK bool opl_case_blob(struct opl_case *ctx, const char *field,
                                  const struct opl_hash *sha256, struct opl_err *err);
OPL_MUST_CHECK bool opl_case_blob_field(struct opl_case *ctx, const char *name,
                                        struct opl_err *err); /* optional: absent is fine */

/* Checks the Statement in the body, of the kind's type, and claims its nonce; to be closed. */
OPL_MUST_CHECK bool opl_case_statement(struct opl_case *ctx, struct opl_statement *statement,
                                       struct opl_err *err);

/* Whose draft this is and whether they may write it: admit_writer.c. */
bool opl_admit_writer(struct opl_case *ctx, struct opl_err *err);

/* What it is about and what it names: admit_refs.c. */
bool opl_admit_parent(struct opl_case *ctx, struct opl_err *err);
bool opl_admit_state(struct opl_case *ctx, struct opl_err *err);
bool opl_admit_ids(struct opl_case *ctx, struct opl_err *err);
bool opl_admit_evidence(struct opl_case *ctx, struct opl_err *err);

/* Incidents, hypotheses, facts and who signs them: admit_fact.c. */
bool opl_admit_note(struct opl_case *ctx, struct opl_err *err);
bool opl_admit_closing(struct opl_case *ctx, struct opl_err *err);
bool opl_admit_attachment(struct opl_case *ctx, struct opl_err *err);
bool opl_admit_withdrawal(struct opl_case *ctx, struct opl_err *err);

/* What people sign: admit_signed.c. */
bool opl_admit_confirmation(struct opl_case *ctx, struct opl_err *err);
bool opl_admit_approval(struct opl_case *ctx, struct opl_err *err);
bool opl_admit_approval_revoked(struct opl_case *ctx, struct opl_err *err);

/* Changes: admit_change.c, admit_apply.c. */
bool opl_admit_proposal(struct opl_case *ctx, struct opl_err *err);
bool opl_admit_revision(struct opl_case *ctx, struct opl_err *err);
bool opl_admit_start(struct opl_case *ctx, struct opl_err *err);
bool opl_admit_finish(struct opl_case *ctx, struct opl_err *err);

/* What left the site: admit_egress.c. */
bool opl_admit_egress(struct opl_case *ctx, struct opl_err *err);
bool opl_admit_prompt(struct opl_case *ctx, struct opl_err *err); /* the egresses it names */

/* Administration: admit_admin.c (second signature), admit_people.c, admit_token.c. */
bool opl_admit_admin(struct opl_case *ctx, struct opl_err *err);
bool opl_admit_enrolment(struct opl_case *ctx, struct opl_err *err);
bool opl_admit_roles(struct opl_case *ctx, struct opl_err *err);
bool opl_admit_leaving(struct opl_case *ctx, struct opl_err *err);
bool opl_admit_key(struct opl_case *ctx, struct opl_err *err);
bool opl_admit_key_revoked(struct opl_case *ctx, struct opl_err *err);
bool opl_admit_token(struct opl_case *ctx, struct opl_err *err);
bool opl_admit_token_revoked(struct opl_case *ctx, struct opl_err *err);
bool opl_admit_policy(struct opl_case *ctx, struct opl_err *err);
bool opl_admit_bootstrap(struct opl_case *ctx, struct opl_err *err);

#endif
