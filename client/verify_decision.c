/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verify_decision - each decision of the gate judged again, at its own place in the log.
 */
#include "verify.h"

#include <opledger/encode.h>
#include <opledger/gate.h>
#include <opledger/json.h>

static void free_result(struct opl_gate_result **result)
{
    free(*result);
}

static bool says(const struct opl_entry *entry, const char *name, const char *want)
{
    const char *have = opl_json_str(entry->body, name);

    return have != NULL && strcmp(have, want) == 0;
}

static const char *difference(const struct opl_entry *entry, const struct opl_gate_result *result)
{
    OPL_CLEANUP(opl_json_freep) json_t *statuses = opl_gate_result_statuses(result);
    char policy[OPL_DIGEST_SIZE];

    opl_hash_digest(&result->policy, policy);
    if (!says(entry, "outcome", opl_gate_outcome_name(result->outcome)))
        return "outcome";
    if (!says(entry, "policy", policy))
        return "policies";
    return json_equal(statuses, json_object_get(entry->body, "requirements")) ? NULL
                                                                              : "requirements";
}

static bool judge(struct verify *verify, const struct opl_entry *entry,
                  struct opl_gate_result *result, struct opl_err *err)
{
    const char *manifest = opl_json_str(entry->body, "manifest");
    const char *base = opl_json_str(entry->body, "base");
    struct opl_hash manifest_sha256, base_sha256;
    const struct opl_gate_input input = {.change = entry->on,
                                         .manifest = &manifest_sha256,
                                         .base = &base_sha256,
                                         .origin = verify->head.origin,
                                         .size = entry->seq,
                                         .now = entry->at};

    if (entry->on == NULL || manifest == NULL || base == NULL)
        return opl_fail(err, OPL_E_VERIFY, "it is a decision about nothing");
    return opl_hash_from_digest(manifest, &manifest_sha256, err) &&
           opl_hash_from_digest(base, &base_sha256, err) &&
           opl_gate_evaluate(verify->world, &input, result, err);
}

bool verify_decision(struct verify *verify, const struct opl_entry *entry, struct opl_err *err)
{
    OPL_CLEANUP(free_result) struct opl_gate_result *result = NULL;
    const char *differs = NULL;
    struct opl_err why = {0};
    bool judged;

    if (strcmp(entry->kind_name, "gate.decided") != 0)
        return true;
    result = calloc(1, sizeof(*result));
    if (result == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a decision");
    verify->document_hidden = false;
    judged = judge(verify, entry, result, &why);
    if (judged)
        differs = difference(entry, result);
    if (verify->document_hidden) { /* judged without all that the gate saw: says nothing */
        verify->counts.decisions_skipped++;
        return true;
    }
    if (!judged &&
        (why.code == OPL_E_NOMEM || why.code == OPL_E_UNAVAILABLE || why.code == OPL_E_TIMED_OUT))
        return opl_fail(err, why.code, "%s", why.text);
    if (!judged)
        verify_wrong(verify, entry->seq, "the gate could not have decided this: %s", why.text);
    else if (differs != NULL)
        verify_wrong(verify, entry->seq,
                     "the gate decides otherwise by the entries before it: its %s differ, it is %s",
                     differs, opl_gate_outcome_name(result->outcome));
    verify->counts.decisions++;
    return true;
}
