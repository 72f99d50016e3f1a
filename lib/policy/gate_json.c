/* SPDX-License-Identifier: Apache-2.0 */
#include <opledger/gate.h>

#include <opledger/encode.h>

static json_t *digest_json(const struct opl_hash *hash)
{
    char text[OPL_DIGEST_SIZE];

    opl_hash_digest(hash, text);
    return json_string(text);
}

/* Appends and tells whether all is well: a reply with a row missing would look like another. */
static bool add(json_t *list, json_t *item)
{
    return item && json_array_append_new(list, item) == 0;
}

static json_t *seqs_json(const struct opl_seqs *seqs)
{
    json_t *list = json_array();

    for (size_t i = 0; i < seqs->count; i++) {
        if (!add(list, json_integer((json_int_t)seqs->seq[i]))) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* The empty text is no command and no policy. */
static json_t *text_json(const char *text)
{
    return text[0] != '\0' ? json_string(text) : json_null();
}

static json_t *requirement_json(const struct opl_requirement *row)
{
    return json_pack("{s:s, s:o, s:s, s:o, s:o, s:s, s:o}", "name", opl_requirement_name(row->kind),
                     "policy", text_json(row->policy), "status",
                     opl_requirement_status_name(row->status), "for", seqs_json(&row->for_),
                     "against", seqs_json(&row->against), "detail", row->detail, "next",
                     text_json(row->next));
}

static bool add_requirements(json_t *list, const struct opl_gate_result *result)
{
    for (size_t i = 0; i < result->require_count; i++) {
        if (!add(list, requirement_json(&result->require[i])))
            return false;
    }
    return true;
}

static bool add_approvals(json_t *counted, json_t *others, const struct opl_gate_result *result)
{
    for (size_t i = 0; i < result->approval_count; i++) {
        const struct opl_approval *one = &result->approvals[i];
        bool ok = one->counts
                      ? add(counted, json_pack("{s:s, s:s}", "statement", one->statement, "sshsig",
                                               one->sshsig))
                      : add(others, json_pack("{s:I, s:o, s:s}", "seq", (json_int_t)one->seq,
                                              "role", text_json(one->role), "why", one->why_not));

        if (!ok)
            return false;
    }
    return true;
}

json_t *opl_gate_result_json(const struct opl_gate_result *result)
{
    json_t *rows = json_array();
    json_t *counted = json_array();
    json_t *others = json_array();
    bool ok = add_requirements(rows, result) && add_approvals(counted, others, result);
    json_t *reply =
        json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:s}", "outcome",
                  opl_gate_outcome_name(result->outcome), "manifest",
                  digest_json(&result->manifest), "base", digest_json(&result->base), "policy",
                  digest_json(&result->policy), "requirements", rows, "approvals", counted,
                  "not_counted", others, "bootstrap", result->bootstrap_closed ? "closed" : "open");

    if (ok)
        return reply;
    json_decref(reply);
    return NULL;
}

json_t *opl_gate_result_statuses(const struct opl_gate_result *result)
{
    json_t *list = json_array();

    for (size_t i = 0; i < result->require_count; i++) {
        const struct opl_requirement *row = &result->require[i];

        if (!add(list, json_pack("{s:s, s:s}", "name", opl_requirement_name(row->kind), "status",
                                 opl_requirement_status_name(row->status)))) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}
