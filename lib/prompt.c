/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a prompt is accounted for: an egress of the incident sent exactly its bytes, or the entry
 * names the egresses whose text it contained (CONTRACT section 6).
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

bool opl_prompt_accounted(struct opl_world *world, const struct opl_fold *hyp,
                          const struct opl_fact *fact, bool *accounted, struct opl_err *err)
{
    const char *prompt = opl_json_str(fact->body, "prompt_sha256");
    const struct opl_fold *incident;

    *accounted = false;
    if (prompt == NULL)
        return true; /* unavailable: nothing can account for it */
    *accounted =
        json_array_size(json_object_get(fact->body, "egress")) > 0 || sent_from(hyp, prompt);
    if (*accounted || hyp->on[0] == '\0')
        return true;
    if (!opl_world_find(world, hyp->on, &incident, err))
        return false;
    *accounted = incident != NULL && sent_from(incident, prompt);
    return true;
}
