/* SPDX-License-Identifier: Apache-2.0 */
/*
 * models - policies/models.yaml: which models are kin, and which destinations may receive what.
 *
 * A destination that is not listed here may receive nothing.
 */
#ifndef OPLEDGER_MODELS_H
#define OPLEDGER_MODELS_H

#include <jansson.h>

#include <opledger/name.h>

struct opl_models;

enum opl_context { OPL_CONTEXT_INCIDENT, OPL_CONTEXT_OWN, OPL_CONTEXT_SHARED };

/* One destination; borrowed from its models. */
struct opl_destination {
    const char *name;
    const char *owner; /* who answers for it */
    bool hosted;
    unsigned unmasked; /* OPL_RULES_BITs that may pass; never secret */
    enum opl_context context;
    int64_t until;        /* the end of the day that the policy names */
    const json_t *models; /* globs */
    const json_t *endpoints;
    const json_t *sources;
};

/* NULL on failure: OPL_E_CONFIG with the pointer of what is wrong. */
OPL_MUST_CHECK struct opl_models *opl_models_new(const char *yaml, size_t len, struct opl_err *err);
void opl_models_free(struct opl_models *models);
void opl_models_freep(struct opl_models **models);

/* The shipped one. */
OPL_MUST_CHECK struct opl_models *opl_models_builtin(struct opl_err *err);
const char *opl_models_builtin_text(size_t *len);

/* The family of a model, borrowed; NULL when no family, or more than one, claims it. */
const char *opl_models_family(const struct opl_models *models, const struct opl_model *model);

/* OPL_E_WRONG_STATE, which is exit 1, when there is none of that name. */
OPL_MUST_CHECK const struct opl_destination *
opl_models_destination(const struct opl_models *models, const char *name, struct opl_err *err);

/*
 * Whether a destination may receive something from a source ("strace") at a time, for a model
 * (PROVIDER/NAME, or NULL). OPL_E_WRONG_STATE names the owner.
 */
OPL_MUST_CHECK bool opl_destination_check(const struct opl_destination *destination,
                                          const struct opl_model *model, const char *source,
                                          int64_t now, struct opl_err *err);

#endif
