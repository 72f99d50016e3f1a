/* SPDX-License-Identifier: Apache-2.0 */
/* Every kind is tried by every class with every role; then what comes right after that. */
#include "refused.h"

#include "vectors.h"

/* CONTRACT section 3, the column "writers", once more: the kinds table is held against it. */
static const struct {
    const char *kind;
    const char *classes; /* P S A X */
    const char *roles;
} contract[] = {
    {"incident.opened",       "PS",  "recorder"                    },
    {"incident.noted",        "PSA", "recorder"                    },
    {"incident.closed",       "P",   "recorder"                    },
    {"incident.reopened",     "P",   "recorder"                    },
    {"modelcall.recorded",    "PSA", "recorder"                    },
    {"hypothesis.recorded",   "PSA", "recorder"                    },
    {"hypothesis.closed",     "P",   "recorder"                    },
    {"evidence.attached",     "PSA", "recorder"                    },
    {"verdict.recorded",      "PSA", "recorder"                    },
    {"reproduction.recorded", "PS",  "recorder"                    },
    {"vendor.updated",        "P",   "recorder"                    },
    {"change.proposed",       "PS",  "recorder"                    },
    {"change.revised",        "PS",  "recorder"                    },
    {"testrun.recorded",      "PS",  "recorder"                    },
    {"rehearsal.recorded",    "PS",  "recorder"                    },
    {"confirmation.signed",   "P",   "recorder reviewer approver.x"},
    {"approval.signed",       "P",   "approver.x"                  },
    {"approval.revoked",      "P",   "approver.x"                  },
    {"gate.decided",          "X",   ""                            },
    {"change.started",        "PS",  "gate recorder"               },
    {"change.finished",       "PS",  "gate recorder"               },
    {"override.opened",       "P",   "approver.x"                  },
    {"override.reviewed",     "P",   "reviewer approver.x"         },
    {"egress.recorded",       "PS",  "recorder"                    },
    {"egress.restored",       "P",   "recorder"                    },
    {"egress.rescanned",      "PS",  "recorder"                    },
    {"fact.withdrawn",        "PS",  "recorder reviewer"           },
    {"principal.enrolled",    "PX",  "admin"                       },
    {"principal.changed",     "PX",  "admin"                       },
    {"principal.revoked",     "PX",  "admin"                       },
    {"key.added",             "P",   "admin"                       },
    {"key.revoked",           "P",   "admin"                       },
    {"token.created",         "PX",  "admin"                       },
    {"token.revoked",         "PX",  "admin"                       },
    {"policy.adopted",        "PX",  "admin"                       },
    {"witness.added",         "P",   "admin"                       },
    {"witness.removed",       "P",   "admin"                       },
    {"content.erased",        "P",   "admin"                       },
    {"bootstrap.closed",      "P",   "admin"                       },
    {"epoch.begun",           "P",   "admin"                       },
    {"clock.corrected",       "P",   "admin"                       },
};

static const char *const roles[] = {"recorder", "reader",       "gate",      "reviewer",
                                    "admin",    "evidence-raw", "approver.x"};

static const struct {
    char letter;
    const char *name;
    const char *more;
} classes[] = {
    {'P', "person",  ""                                                                        },
    {'S', "service", ",'owner':'admin'"                                                        },
    {'A', "agent",   ",'owner':'admin','model':{'provider':'anthropic','name':'claude-opus-4'}"},
};

/* One principal per class and role: person-recorder, service-recorder... */
static int start(void **state)
{
    struct story *story = story_new();

    (void)story_write(story, OPL_SELF, "principal.enrolled", NULL,
                      story_body("{'name':'admin','class':'person','roles':['admin']}"));
    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < sizeof roles / sizeof *roles; j++)
            (void)story_write(story, "admin", "principal.enrolled", NULL,
                              story_body("{'name':'%s-%s','class':'%s','roles':['%s']%s}",
                                         classes[i].name, roles[j], classes[i].name, roles[j],
                                         classes[i].more));
    }
    *state = story;
    return 0;
}

static int start_peopled(void **state)
{
    struct story *story = story_begin();

    (void)story_incident(story, "alice");
    (void)story_hypothesis(story, "helper", "inc-1");
    (void)story_change(story, "alice", "inc-1", "hyp-1");
    *state = story;
    return 0;
}

static int stop(void **state)
{
    story_free(*state);
    return 0;
}

static bool has_word(const char *words, const char *word)
{
    const char *at = strstr(words, word);

    return at != NULL && (at[strlen(word)] == ' ' || at[strlen(word)] == '\0');
}

/* Whether the very first check, of who writes, refuses this. */
static bool is_withheld(struct story *story, const char *actor, const json_t *example)
{
    const struct opl_writer writer = {actor, NULL};
    OPL_CLEANUP(opl_draft_close) struct opl_draft draft = {0};
    OPL_CLEANUP(opl_admission_close) struct opl_admission admission = {0};
    struct opl_err why = {0};

    assert_ok(opl_draft_parse(example, story->now, &draft, err));
    return !opl_admit(story->world, &story->env, &writer, &draft, story->seq, story->now,
                      &admission, &why) &&
           why.code == OPL_E_FORBIDDEN && strcmp(why.field, "/kind") == 0;
}

static const json_t *example_of(const json_t *examples, const char *kind)
{
    for (size_t i = 0; i < json_array_size(examples); i++) {
        const json_t *example = json_array_get(examples, i);

        if (strcmp(opl_json_str(example, "kind"), kind) == 0)
            return example;
    }
    fail_msg("no example of %s", kind);
    return NULL;
}

static void try_everybody(struct story *story, const json_t *example, size_t row)
{
    char actor[64];

    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < sizeof roles / sizeof *roles; j++) {
            bool may = strchr(contract[row].classes, classes[i].letter) != NULL &&
                       has_word(contract[row].roles, roles[j]);

            (void)snprintf(actor, sizeof actor, "%s-%s", classes[i].name, roles[j]);
            if (is_withheld(story, actor, example) == may)
                fail_msg("%s by %s: %s", contract[row].kind, actor, may ? "refused" : "allowed");
        }
    }
    if (is_withheld(story, OPL_SELF, example) != (strchr(contract[row].classes, 'X') == NULL))
        fail_msg("%s by the service itself", contract[row].kind);
}

static void each_kind_is_written_by_exactly_those_that_the_contract_names(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *examples = vectors_load("kinds.json");

    for (size_t row = 0; row < sizeof contract / sizeof *contract; row++)
        try_everybody(*state, example_of(examples, contract[row].kind), row);
}

static void the_contract_knows_every_kind_of_the_table(void **state)
{
    size_t count = 0;

    (void)state;
    while (opl_kinds[count].name != NULL)
        count++;
    assert_int_equal(count, sizeof contract / sizeof *contract);
}

static void strangers_and_the_revoked_write_nothing(void **state)
{
    struct story *story = *state;
    json_t *body = story_body("{'title':'x','severity':'low'}");

    REFUSED(story, "nobody", "incident.opened", NULL, json_incref(body), OPL_E_FORBIDDEN, "");
    (void)story_write(story, "admin", "principal.revoked", NULL,
                      story_body("{'name':'person-recorder','reason':'x'}"));
    REFUSED(story, "person-recorder", "incident.opened", NULL, body, OPL_E_FORBIDDEN, "");
}

static bool may(struct story *story, const char *principal, char *const *scope, const char *what)
{
    const struct opl_writer writer = {principal, scope};

    return opl_writer_may(opl_world_registry(story->world), &writer, what);
}

static void a_tokens_scope_narrows_and_never_widens(void **state)
{
    struct story *story = *state;
    char recorder[] = "recorder", reader[] = "reader", admin[] = "admin", gate[] = "gate";
    char *const narrow[] = {reader, NULL}, *const wide[] = {recorder, admin, gate, NULL};
    char *const none[] = {NULL};

    assert_true(may(story, "person-recorder", NULL, "recorder"));
    assert_false(may(story, "person-recorder", narrow, "recorder"));
    assert_true(may(story, "person-recorder", narrow, "reader"));
    assert_true(may(story, "person-recorder", wide, "reader"));
    assert_true(may(story, "person-recorder", wide, "gate|recorder"));
    assert_false(may(story, "person-recorder", wide, "admin"));
    assert_false(may(story, "person-recorder", wide, "gate"));
    assert_false(may(story, "person-recorder", none, "reader"));
    assert_false(may(story, "nobody", NULL, "reader"));
}

static void a_role_is_no_prefix_of_another(void **state)
{
    struct story *story = *state;
    char approver[] = "approver.x", other[] = "approver.y";
    char *const scope[] = {approver, NULL}, *const other_scope[] = {other, NULL};

    assert_true(may(story, "person-approver.x", NULL, "approver.*"));
    assert_true(may(story, "person-approver.x", scope, "approver.x"));
    assert_false(may(story, "person-approver.x", other_scope, "approver.*"));
    assert_false(may(story, "person-approver.x", NULL, "approver."));
    assert_false(may(story, "person-approver.x", NULL, "approver.xy"));
    assert_false(may(story, "person-approver.x", NULL, ""));
    assert_false(may(story, "person-evidence-raw", NULL, "evidence"));
}

static void a_narrow_token_is_refused_what_its_principal_may(void **state)
{
    struct story *story = *state;
    char reader[] = "reader";
    char *const scope[] = {reader, NULL};

    story->scope = scope;
    REFUSED(story, "alice", "incident.noted", "inc-1", story_body("{'text':'x'}"), OPL_E_FORBIDDEN,
            "/kind");
}

static void an_agent_writes_under_its_own_model_only(void **state)
{
    struct story *story = *state;

    REFUSED(story, "helper", "hypothesis.recorded", "inc-1",
            story_body("{'claim':'x','model':{'provider':'openai','name':'gpt-4'},"
                       "'prompt_unavailable':'x'}"),
            OPL_E_FORBIDDEN, "/body/model");
    REFUSED(story, "helper", "hypothesis.recorded", "inc-1",
            story_body("{'claim':'x','model':{'provider':'azure','name':'gpt-5'},"
                       "'prompt_unavailable':'x'}"),
            OPL_E_FORBIDDEN, "/body/model");
    (void)story_write(story, "helper", "hypothesis.recorded", "inc-1",
                      story_body("{'claim':'x','model':{'provider':'openai','name':'gpt-5',"
                                 "'version':'2026-08'},'prompt_unavailable':'x'}"));
    (void)story_write(story, "helper", "incident.noted", "inc-1", story_body("{'text':'x'}"));
}

static void what_is_built_later_is_refused_and_says_so(void **state)
{
    struct story *story = *state;
    struct opl_err err = {0};

    assert_false(story_try(story, "alice", "content.erased", NULL,
                           story_body("{'seq':1,'field':'/body/title','reason':'x'}"), &err));
    assert_int_equal(err.code, OPL_E_WRONG_STATE);
    assert_non_null(strstr(err.text, "not built yet"));
    REFUSED(story, "alice", "egress.restored", "inc-1",
            story_body("{'map_sha256':'%064d','restored':1,'left':0}", 1), OPL_E_WRONG_STATE,
            "/kind");
    REFUSED(story, "carol", "override.reviewed", "ovr-1",
            story_body("{'verdict':'justified','text':'x','statement':'{}','sshsig':'AAAA'}"),
            OPL_E_WRONG_STATE, "/kind");
}

static void what_an_entry_is_about_must_exist_and_fit(void **state)
{
    struct story *story = *state;

    REFUSED(story, "alice", "incident.noted", "inc-9", story_body("{'text':'x'}"), OPL_E_INVALID,
            "/on");
    REFUSED(story, "alice", "incident.noted", "hyp-1", story_body("{'text':'x'}"), OPL_E_INVALID,
            "/on");
    REFUSED(story, "alice", "incident.noted", NULL, story_body("{'text':'x'}"), OPL_E_INVALID,
            "/on");
    REFUSED(story, "alice", "incident.opened", "inc-1",
            story_body("{'title':'x','severity':'low'}"), OPL_E_INVALID, "/on");
}

static void a_state_that_does_not_allow_it_is_named_with_the_next_command(void **state)
{
    struct story *story = *state;
    struct opl_err err = {0};

    assert_false(
        story_try(story, "alice", "incident.reopened", "inc-1", story_body("{'text':'x'}"), &err));
    assert_int_equal(err.code, OPL_E_WRONG_STATE);
    assert_non_null(strstr(err.text, "inc-1 is open"));
    assert_string_equal(err.hint, "opledger incident show inc-1");
    (void)story_close(story, "hyp-1", "refuted", NULL);
    REFUSED(story, "alice", "hypothesis.closed", "hyp-1",
            story_body("{'how':'withdrawn','reason':'x'}"), OPL_E_WRONG_STATE, "/on");
}

static void an_admission_says_what_comes_before_and_what_is_created(void **state)
{
    struct story *story = *state;

    (void)story_hypothesis(story, "helper", "inc-1");
    assert_int_equal(story->admission.creates, OPL_ID_HYP);
    assert_int_equal(story->admission.prev, story->seq - 2);
    (void)story_incident(story, "alice");
    assert_int_equal(story->admission.prev, -1);
    assert_string_equal(story->admission.nonce, "");
}

static void the_decision_is_the_services_alone(void **state)
{
    struct story *story = *state;

    REFUSED(story, "alice", "gate.decided", "chg-1", story_decision(story, "chg-1", "allowed"),
            OPL_E_FORBIDDEN, "/kind");
    (void)story_decide(story, "chg-1", "denied");
}

#define T(name) cmocka_unit_test_setup_teardown(name, start, stop)
#define PEOPLE(name) cmocka_unit_test_setup_teardown(name, start_peopled, stop)

static const struct CMUnitTest tests[] = {
    T(each_kind_is_written_by_exactly_those_that_the_contract_names),
    T(the_contract_knows_every_kind_of_the_table),
    T(strangers_and_the_revoked_write_nothing),
    T(a_tokens_scope_narrows_and_never_widens),
    T(a_role_is_no_prefix_of_another),
    PEOPLE(a_narrow_token_is_refused_what_its_principal_may),
    PEOPLE(an_agent_writes_under_its_own_model_only),
    PEOPLE(what_is_built_later_is_refused_and_says_so),
    PEOPLE(what_an_entry_is_about_must_exist_and_fit),
    PEOPLE(a_state_that_does_not_allow_it_is_named_with_the_next_command),
    PEOPLE(an_admission_says_what_comes_before_and_what_is_created),
    PEOPLE(the_decision_is_the_services_alone),
};

UNIT_MAIN(tests)
