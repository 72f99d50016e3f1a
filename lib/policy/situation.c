/* SPDX-License-Identifier: Apache-2.0 */
#include "situation.h"

#include <opledger/gate.h>
#include <opledger/json.h>
#include <opledger/yaml.h>

#include "policy_fields.h"

#define MODELS                                                                                     \
    "families:\n"                                                                                  \
    "  - {name: first, match: [\"first/**\"]}\n"                                                   \
    "  - {name: second, match: [\"second/**\"]}\n"

static const struct policy_field file_fields[] = {
    POLICY_WORD("v", POLICY_REQUIRED, "1"),
    POLICY_FIELD("policy", NAME, POLICY_REQUIRED),
    POLICY_FIELD("situations", SEQUENCE, POLICY_REQUIRED),
    POLICY_END,
};

static const struct policy_field situation_fields[] = {
    POLICY_FIELD("name", TEXT, POLICY_REQUIRED),
    POLICY_WORD("expect", POLICY_REQUIRED, "allowed|denied|not-applicable"),
    POLICY_FIELD("unmet", TEXT, POLICY_LIST),
    POLICY_WORD("class", 0, "config|upgrade|script"),
    POLICY_FIELD("target", TEXT, 0),
    POLICY_FIELD("path", TEXT, 0),
    POLICY_WORD("hypothesis", 0, "named|none"),
    POLICY_FIELD("facts", TEXT, POLICY_LIST),
    POLICY_END,
};

static const char *given(const json_t *told, const char *key, const char *otherwise)
{
    const char *text = opl_json_str(told, key);

    return text ? text : otherwise;
}

/* ["recorder","approver.slurm",...]: whoever approves here holds every role that is asked for. */
static void approver_roles(const struct opl_gate_policy *policy, struct opl_buf *out)
{
    opl_buf_str(out, "['recorder'");
    for (size_t i = 0; i < policy->require_count; i++) {
        const json_t *roles = json_object_get(policy->require[i].options, "roles");

        for (size_t r = 0; r < json_array_size(roles); r++)
            opl_buf_fmt(out, ",'approver.%s'", json_string_value(json_array_get(roles, r)));
    }
    opl_buf_chr(out, ']');
}

static bool tell_people(struct situation *situation, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf roles = {0};
    struct scene *scene = &situation->scene;
    const char *approver;

    approver_roles(situation->policy, &roles);
    approver = opl_buf_text(&roles);
    return scene_tell(scene, OPL_SELF, "principal.enrolled", NULL,
                      "{'name':'admin','class':'person','roles':['admin','recorder']}", err) &&
           scene_enrol(scene, "alice", approver, err) &&
           scene_enrol(scene, "bob", "['recorder']", err) &&
           scene_enrol(scene, "carol", approver, err) &&
           scene_enrol(scene, "dave", approver, err) &&
           scene_tell(scene, OPL_SELF, "principal.enrolled", NULL,
                      "{'name':'copilot','class':'agent','owner':'alice','roles':['recorder'],"
                      "'model':{'provider':'first','name':'sibling'}}",
                      err);
}

static bool tell_policies(struct situation *situation, const char *yaml, size_t len,
                          struct opl_err *err)
{
    struct scene *scene = &situation->scene;

    return scene_adopt(scene, "models", "models", MODELS, sizeof MODELS - 1, err) &&
           scene_adopt(scene, "gate", situation->policy->name, yaml, len, err);
}

static bool tell_hypothesis(struct scene *scene, struct opl_err *err)
{
    return scene_tell(scene, "alice", "incident.opened", NULL,
                      "{'title':{'sealed':'$1'},'severity':'medium'}", err) &&
           scene_tell(
               scene, "alice", "evidence.attached", "inc-1",
               "{'sha256':"
               "'1111111111111111111111111111111111111111111111111111111111111111',"
               "'size':9,'media_type':'text/plain','name':{'sealed':'$1'},'source':'strace'}",
               err) &&
           scene_tell(scene, "alice", "evidence.attached", "inc-1",
                      "{'sha256':"
                      "'2222222222222222222222222222222222222222222222222222222222222222',"
                      "'size':9,'media_type':'text/plain','name':{'sealed':'$1'},'source':'log'}",
                      err) &&
           scene_tell(scene, "alice", "hypothesis.recorded", "inc-1",
                      "{'claim':{'sealed':'$1'},'model':{'provider':'first','name':'guesser'},"
                      "'prompt_unavailable':{'sealed':'$1'},'evidence':['$1']}",
                      err);
}

static bool tell_change(struct situation *situation, const json_t *told, struct opl_err *err)
{
    struct scene *scene = &situation->scene;
    const char *target = given(told, "target", "elsewhere/other");
    bool rests = strcmp(given(told, "hypothesis", "named"), "named") == 0;
    char manifest[72];
    json_t *body;

    if (!scene_manifest(scene, target, given(told, "path", "/nowhere"), manifest, err))
        return false;
    body =
        json_pack("{s:{s:s}, s:s, s:s, s:s, s:i, s:o, s:s}", "title", "sealed", SCENE_EVIDENCE,
                  "class", given(told, "class", "config"), "target", target, "manifest", manifest,
                  "files", 1, "hypotheses", rests ? json_pack("[s]", "hyp-1") : json_array(),
                  "running_version", "25.11.1");
    return scene_add(scene, "alice", "change.proposed", "inc-1", body, err);
}

static bool tell_facts(struct situation *situation, const json_t *told, struct opl_err *err)
{
    const json_t *facts = json_object_get(told, "facts");

    for (size_t i = 0; i < json_array_size(facts); i++) {
        if (!situation_act(situation, json_string_value(json_array_get(facts, i)), err))
            return false;
    }
    return true;
}

static bool is_listed(const json_t *told, const char *name)
{
    return policy_has_word(told, "unmet", name);
}

static bool judge_unmet(const json_t *told, const struct opl_gate_result *result,
                        struct opl_err *err)
{
    size_t wanted = json_array_size(json_object_get(told, "unmet"));
    size_t found = 0;

    for (size_t i = 0; i < result->require_count; i++) {
        const struct opl_requirement *row = &result->require[i];
        const char *name = opl_requirement_name(row->kind);

        if (row->status == OPL_SATISFIED || row->status == OPL_NOT_APPLICABLE)
            continue;
        found++;
        if (!is_listed(told, name))
            return opl_fail(err, OPL_E_CONFIG, "%s is %s too: %s", name,
                            opl_requirement_status_name(row->status), row->detail);
    }
    return found >= wanted ||
           opl_fail(err, OPL_E_CONFIG, "only %zu of %zu requirements under unmet are unmet", found,
                    wanted);
}

static bool judge_result(const json_t *told, const struct opl_gate_result *result,
                         struct opl_err *err)
{
    const char *expect = opl_json_str(told, "expect");
    const char *outcome = opl_gate_outcome_name(result->outcome);

    if (strcmp(expect, "not-applicable") == 0)
        return (result->require_count == 1 && result->require[0].kind == OPL_REQ_CHANGE) ||
               opl_fail(err, OPL_E_CONFIG, "the policy applies, and says %s", outcome);
    if (strcmp(expect, outcome) == 0)
        return judge_unmet(told, result, err);
    for (size_t i = 0; i < result->require_count; i++) {
        const struct opl_requirement *row = &result->require[i];

        if (row->status != OPL_SATISFIED && row->status != OPL_NOT_APPLICABLE)
            return opl_fail(err, OPL_E_CONFIG, "%s, not %s: %s: %s", outcome, expect,
                            opl_requirement_name(row->kind), row->detail);
    }
    return opl_fail(err, OPL_E_CONFIG, "%s, not %s", outcome, expect);
}

static bool judge_situation(struct situation *situation, const json_t *told, struct opl_err *err)
{
    const struct scene *scene = &situation->scene;
    const struct opl_gate_input input = {
        .change = "chg-1", .origin = SCENE_ORIGIN, .size = scene->size, .now = scene->now};
    struct opl_gate_result *result = calloc(1, sizeof *result);
    bool ok;

    if (!result)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a result");
    ok = opl_gate_evaluate(scene->world, &input, result, err) && judge_result(told, result, err);
    free(result);
    return ok;
}

bool situation_open(struct situation *situation, const struct situation_policy *policy,
                    const json_t *told, struct opl_err *err)
{
    *situation = (struct situation){.policy = policy->parsed};
    return scene_open(&situation->scene, err) && tell_people(situation, err) &&
           tell_policies(situation, policy->yaml, policy->len, err) &&
           tell_hypothesis(&situation->scene, err) && tell_change(situation, told, err) &&
           tell_facts(situation, told, err);
}

void situation_close(struct situation *situation)
{
    scene_close(&situation->scene);
}

static bool run_one(const struct situation_policy *policy, const json_t *told, struct opl_err *err)
{
    OPL_CLEANUP(situation_close) struct situation situation = {0};

    return situation_open(&situation, policy, told, err) && judge_situation(&situation, told, err);
}

/* Says which situation, by number and name, before what is wrong with it. */
static bool run_numbered(const struct situation_policy *policy, const json_t *list, size_t i,
                         struct opl_err *err)
{
    const json_t *told = json_array_get(list, i);
    struct opl_err why = {0};
    char pointer[40];

    (void)snprintf(pointer, sizeof pointer, "/situations/%zu", i);
    if (!policy_fields_check(told, situation_fields, pointer, err))
        return false;
    if (strcmp(opl_json_str(told, "expect"), "denied") == 0 && !json_object_get(told, "unmet"))
        return opl_fail_at(err, OPL_E_CONFIG, pointer, "a denial says under unmet what is unmet");
    if (run_one(policy, told, &why))
        return true;
    return opl_fail_at(err, why.code == OPL_E_NOMEM ? OPL_E_NOMEM : OPL_E_CONFIG, pointer,
                       "\"%.100s\": %.380s", opl_json_str(told, "name"), why.text);
}

static json_t *read_tests(const struct opl_gate_policy *policy, const char *tests, size_t len,
                          struct opl_err *err)
{
    struct opl_err why = {0};
    OPL_CLEANUP(opl_json_freep) json_t *root = opl_yaml_parse(tests, len, &why);

    if (!root) {
        opl_fail_at(err, OPL_E_CONFIG, why.field, "%s", why.text);
        return NULL;
    }
    if (!policy_fields_check(root, file_fields, "", err))
        return NULL;
    if (strcmp(opl_json_str(root, "policy"), policy->name) != 0) {
        opl_fail_at(err, OPL_E_CONFIG, "/policy", "these are the tests of another policy");
        return NULL;
    }
    if (json_array_size(json_object_get(root, "situations")) == 0) {
        opl_fail_at(err, OPL_E_CONFIG, "/situations", "not one situation: that proves nothing");
        return NULL;
    }
    return json_incref(root);
}

bool opl_gate_policy_lint(const char *yaml, size_t len, const char *tests, size_t tests_len,
                          size_t *situations, struct opl_err *err)
{
    OPL_CLEANUP(opl_gate_policy_close) struct opl_gate_policy policy = {0};
    const struct situation_policy adopted = {&policy, yaml, len};
    OPL_CLEANUP(opl_json_freep) json_t *root = NULL;
    const json_t *list;

    if (!opl_gate_policy_parse(yaml, len, &policy, err))
        return false;
    root = read_tests(&policy, tests, tests_len, err);
    if (!root)
        return false;
    list = json_object_get(root, "situations");
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (!run_numbered(&adopted, list, i, err))
            return false;
    }
    *situations = json_array_size(list);
    return true;
}
