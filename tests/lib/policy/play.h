/* SPDX-License-Identifier: Apache-2.0 */
/* play - a gate policy and some facts in two lines, and what the gate says of them. */
#ifndef OPLEDGER_TESTS_PLAY_H
#define OPLEDGER_TESTS_PLAY_H

#include "unit.h"

#include <opledger/gate.h>
#include <opledger/yaml.h>

#include "lib/policy/requirement.h"
#include "lib/policy/situation.h"

#define PLAY_APPROVALS "  - approvals: {min: 1, roles: [slurm]}\n"
#define PLAY_HYPOTHESIS "  - hypothesis: {status: [vendor-confirmed, reproduced]}\n"
#define PLAY_CROSS_CHECK "  - cross-check: {min: 1, mode: blind, family: other, evidence: same}\n"

struct play {
    char yaml[2048];
    struct opl_gate_policy policy;
    json_t *told;
    struct situation situation;
    struct opl_gate_result *result;
};

/* `require` is the list of the policy; `told` a mapping such as "facts: [vendor-asked]". */
static inline struct play *play_open(const char *require, const char *told)
{
    struct play *play = calloc(1, sizeof *play);
    char text[1024];

    assert_non_null(play);
    (void)snprintf(play->yaml, sizeof play->yaml,
                   "v: 1\nname: slurm-config\napplies: {class: [config], target: [\"*/slurm\"]}\n"
                   "require:\n%s",
                   require);
    (void)snprintf(text, sizeof text, "{target: engaging/slurm, %s}", told);
    assert_ok(opl_gate_policy_parse(play->yaml, strlen(play->yaml), &play->policy, err));
    play->told = opl_yaml_parse(text, strlen(text), NULL);
    assert_non_null(play->told);
    const struct situation_policy adopted = {&play->policy, play->yaml, strlen(play->yaml)};
    assert_ok(situation_open(&play->situation, &adopted, play->told, err));
    play->result = calloc(1, sizeof *play->result);
    assert_non_null(play->result);
    return play;
}

static inline void play_close(struct play *play)
{
    situation_close(&play->situation);
    opl_gate_policy_close(&play->policy);
    json_decref(play->told);
    free(play->result);
    free(play);
}

static inline struct opl_gate_input play_input(const struct play *play)
{
    return (struct opl_gate_input){.change = "chg-1",
                                   .origin = SCENE_ORIGIN,
                                   .size = play->situation.scene.size,
                                   .now = play->situation.scene.now};
}

static inline void play_judge(struct play *play)
{
    const struct opl_gate_input input = play_input(play);

    assert_ok(opl_gate_evaluate(play->situation.scene.world, &input, play->result, err));
}

static inline void play_act(struct play *play, const char *act)
{
    assert_ok(situation_act(&play->situation, act, err));
}

static inline struct play *play_judged(const char *require, const char *told)
{
    struct play *play = play_open(require, told);

    play_judge(play);
    return play;
}

/* The first row of this name. */
static inline const struct opl_requirement *play_row(const struct play *play, const char *name)
{
    for (size_t i = 0; i < play->result->require_count; i++) {
        if (strcmp(opl_requirement_name(play->result->require[i].kind), name) == 0)
            return &play->result->require[i];
    }
    fail_msg("there is no row %s", name);
    return NULL;
}

static inline void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("\"%s\" does not say \"%s\"", text, part);
}

/* Asserts status, a part of the detail and, unless NULL, the next command of one row. */
static inline void assert_row(const struct play *play, const char *name,
                              enum opl_requirement_status status, const char *detail,
                              const char *next)
{
    const struct opl_requirement *row = play_row(play, name);

    if (row->status != status)
        fail_msg("%s is %s: %s", name, opl_requirement_status_name(row->status), row->detail);
    assert_has(row->detail, detail);
    if (next)
        assert_string_equal(row->next, next);
}

/* Plays, asserts one row, closes. */
static inline void check_row(const char *require, const char *told, const char *name,
                             enum opl_requirement_status status, const char *detail,
                             const char *next)
{
    struct play *play = play_judged(require, told);

    assert_row(play, name, status, detail, next);
    play_close(play);
}

#endif
