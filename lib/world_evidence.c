/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where evidence may have been attached so that an entry can name it. Looks at what is nearest
 * first: the subject and its incident; an incident's many hypotheses only when it is not there, and
 * then, if the source can say where it was attached, only at those that are held after that.
 */
#include "world_private.h"

#include <opledger/encode.h>

struct look {
    struct opl_world *world;
    const char *digest;
    uint64_t below;
    bool found;
};

static bool in_subject(struct look *look, const char *id, const struct opl_fold **fold,
                       struct opl_err *err)
{
    if (!opl_world_find(look->world, id, fold, err))
        return false;
    if (*fold != NULL)
        look->found |= opl_fold_has_evidence(*fold, look->digest, look->below);
    return true;
}

static bool creates_hypothesis(const struct opl_fact *fact)
{
    return fact->kind != NULL && fact->kind->creates == OPL_ID_HYP;
}

static bool bring_in(struct look *look, const char *incident, struct opl_err *err)
{
    const struct opl_source *source = &look->world->source;
    struct opl_hash sha256;

    if (source->evidence == NULL || (!opl_hash_from_digest(look->digest, &sha256, NULL) &&
                                     !opl_hash_from_hex(look->digest, &sha256, NULL)))
        return true;
    return source->evidence(source->ctx, &sha256, incident, look->world, err);
}

static bool in_child(struct look *look, const char *id, struct opl_err *err)
{
    const struct opl_fold *child;

    if (look->world->source.evidence == NULL)
        return in_subject(look, id, &child, err);
    child = opl_world_held(look->world, id);
    if (child != NULL)
        look->found |= opl_fold_has_evidence(child, look->digest, look->below);
    return true;
}

static bool in_children(struct look *look, const struct opl_fold *incident, struct opl_err *err)
{
    if (!bring_in(look, incident->id, err))
        return false;
    for (size_t i = 0; !look->found && i < incident->fact_count; i++) {
        const struct opl_fact *fact = &incident->facts[i];

        if (creates_hypothesis(fact) && !in_child(look, fact->id, err))
            return false;
    }
    return true;
}

static bool in_incident(struct look *look, const char *id, struct opl_err *err)
{
    const struct opl_fold *incident;

    if (look->found || id[0] == '\0')
        return true;
    if (!in_subject(look, id, &incident, err))
        return false;
    return incident == NULL || look->found || in_children(look, incident, err);
}

static bool in_incidents_of_hypotheses(struct look *look, const struct opl_fold *change,
                                       struct opl_err *err)
{
    const json_t *hypotheses = opl_change_hypotheses(change);

    for (size_t i = 0; !look->found && i < json_array_size(hypotheses); i++) {
        const char *id = json_string_value(json_array_get(hypotheses, i));
        const struct opl_fold *hypothesis;

        if (id == NULL)
            continue;
        if (!in_subject(look, id, &hypothesis, err))
            return false;
        if (hypothesis != NULL && !in_incident(look, hypothesis->on, err))
            return false;
    }
    return true;
}

bool opl_world_has_evidence(struct opl_world *world, const struct opl_fold *fold,
                            const char *digest, uint64_t below, bool *yes, struct opl_err *err)
{
    struct look look = {world, digest, below, opl_fold_has_evidence(fold, digest, below)};
    const char *incident = fold->prefix == OPL_ID_INC ? fold->id : fold->on;

    *yes = false;
    if (!in_incident(&look, incident, err))
        return false;
    if (fold->prefix == OPL_ID_CHG && !in_incidents_of_hypotheses(&look, fold, err))
        return false;
    *yes = look.found;
    return true;
}
