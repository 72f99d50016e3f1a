/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a prompt is accounted for: an egress of the incident sent exactly its bytes, or the entry
 * names the egresses whose text it contained (CONTRACT section 6), all of them sent, and of the
 * same incident: what left for another one says nothing about this text.
 */
#include <opledger/hypothesis.h>

#include <opledger/json.h>

static bool was_sent(const struct opl_fact *fact, const char *prompt)
{
    const char *sent = opl_json_str(fact->body, "sent_sha256");
    const char *outcome = opl_json_str(fact->body, "outcome");

    return fact->kind != NULL && fact->kind->creates == OPL_ID_EGR && sent != NULL &&
           outcome != NULL && strcmp(outcome, "sent") == 0 && strcmp(sent, prompt) == 0;
}

static bool sent_from(const struct opl_fold *fold, const char *prompt)
{
    for (size_t i = 0; i < fold->fact_count; i++) {
        if (was_sent(&fold->facts[i], prompt))
            return true;
    }
    return false;
}

bool opl_egress_within(struct opl_world *world, const struct opl_fold *egress, const char *incident,
                       bool *yes, struct opl_err *err)
{
    const struct opl_fold *hyp = NULL;

    *yes = incident[0] != '\0' && strcmp(egress->on, incident) == 0;
    if (*yes || incident[0] == '\0' || egress->on[0] == '\0')
        return true;
    if (!opl_world_find(world, egress->on, &hyp, err))
        return false;
    *yes = hyp != NULL && hyp->prefix == OPL_ID_HYP && strcmp(hyp->on, incident) == 0;
    return true;
}

static bool named_was_sent(struct opl_world *world, const char *id, const char *incident, bool *yes,
                           struct opl_err *err)
{
    const struct opl_fold *egress = NULL;
    const char *outcome;

    *yes = false;
    if (id == NULL)
        return true;
    if (!opl_world_find(world, id, &egress, err))
        return false;
    if (egress == NULL || egress->prefix != OPL_ID_EGR || egress->fact_count == 0)
        return true;
    outcome = opl_json_str(opl_fold_creation(egress)->body, "outcome");
    if (outcome == NULL || strcmp(outcome, "sent") != 0)
        return true;
    return opl_egress_within(world, egress, incident, yes, err);
}

static bool named_were_sent(struct opl_world *world, const json_t *egress, const char *incident,
                            bool *yes, struct opl_err *err)
{
    *yes = json_array_size(egress) > 0;
    for (size_t i = 0; *yes && i < json_array_size(egress); i++) {
        if (!named_was_sent(world, json_string_value(json_array_get(egress, i)), incident, yes,
                            err))
            return false;
    }
    return true;
}

bool opl_prompt_accounted(struct opl_world *world, const struct opl_fold *hyp,
                          const struct opl_fact *fact, bool *accounted, struct opl_err *err)
{
    const char *prompt = opl_json_str(fact->body, "prompt_sha256");
    const struct opl_fold *incident;

    *accounted = false;
    if (prompt == NULL)
        return true; /* unavailable: nothing can account for it */
    if (!named_were_sent(world, json_object_get(fact->body, "egress"), hyp->on, accounted, err))
        return false;
    *accounted = *accounted || sent_from(hyp, prompt);
    if (*accounted || hyp->on[0] == '\0')
        return true;
    if (!opl_world_find(world, hyp->on, &incident, err))
        return false;
    *accounted = incident != NULL && sent_from(incident, prompt);
    return true;
}
