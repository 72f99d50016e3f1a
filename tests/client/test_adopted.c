/* SPDX-License-Identifier: Apache-2.0 */
#include "client/adopted.h"

#include "unit.h"

#include <sys/stat.h>

#include <opledger/models.h>
#include <opledger/time.h>

#include "client/files.h"
#include "desk.h"

/* A story whose rules compile: admin adopts what is shipped over the story's short ones. */
static int set_up(void **state)
{
    struct story *story = story_new();
    struct opl_rule_file shipped[REDACT_RULE_FILES];
    size_t count = opl_rules_builtin(shipped, REDACT_RULE_FILES), len;

    (void)story_write(story, OPL_SELF, "principal.enrolled", NULL,
                      story_body("{'name':'admin','class':'person','roles':['admin']}"));
    for (size_t i = 0; i < count; i++)
        (void)story_write(story, OPL_SELF, "policy.adopted", NULL,
                          story_body("{'what':'redact','name':'r%zu','sha256':'%s'}", i,
                                     story_blob(story, shipped[i].text) + strlen("sha256:")));
    (void)story_write(
        story, OPL_SELF, "policy.adopted", NULL,
        story_body("{'what':'models','name':'models','sha256':'%s'}",
                   story_blob(story, opl_models_builtin_text(&len)) + strlen("sha256:")));
    *state = desk_new(story);
    return 0;
}

static bool refresh(struct desk *desk, struct adopted *out, struct opl_err *err)
{
    struct client client;
    bool ok;

    desk_client(desk, &client);
    ok = adopted_refresh(&client, out, err);
    desk_client_close(&client);
    return ok;
}

static bool recall(struct desk *desk, struct adopted *out, bool *found, struct opl_err *err)
{
    struct client client;
    bool ok;

    desk_client(desk, &client);
    ok = adopted_recall(&client, out, found, err);
    desk_client_close(&client);
    return ok;
}

/* The file in which they are remembered; `text` has it read. */
static char *memory(struct desk *desk, struct opl_buf *text)
{
    struct client client;
    char *path = NULL;

    desk_client(desk, &client);
    if (!state_path(&client.state, "rules", config_get(&client.config, CONFIG_URL), &path, NULL))
        abort();
    desk_client_close(&client);
    text->max = (size_t)16 << 20;
    if (!file_read(path, text, NULL))
        abort();
    return path;
}

static void what_the_log_has_adopted_is_remembered_as_it_was(void **state)
{
    OPL_CLEANUP(adopted_close) struct adopted read = {0}, remembered = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    OPL_CLEANUP(file_free) char *path = NULL;
    struct stat is;
    bool found;

    assert_ok(refresh(*state, &read, err));
    assert_ok(recall(*state, &remembered, &found, err));
    assert_true(found);
    assert_int_equal(remembered.count, read.count);
    assert_true(opl_hash_equal(&remembered.digest, &read.digest));
    assert_int_equal(remembered.read_at, read.read_at);
    path = memory(*state, &text);
    assert_int_equal(stat(path, &is), 0);
    assert_int_equal(is.st_mode & 07777, 0600);
}

static void nothing_is_found_before_the_ledger_was_asked(void **state)
{
    struct adopted adopted;
    bool found = true;

    assert_ok(recall(*state, &adopted, &found, err));
    assert_false(found);
}

static void logged_out(void)
{
    unsetenv("OPLEDGER_TOKEN");
}

static void logged_in(void)
{
    setenv("OPLEDGER_TOKEN", "a-token", 1);
}

/* Each is what somebody, or a disk, could have done to the file. */
static void a_memory_that_was_tampered_with_is_refused(void **state)
{
    static const char *const changes[][2] = {
        {"aws-key-id",           "aws-key-ie"          }, /* a rule */
        {"openai-api",           "openai-apu"          }, /* a destination */
        {"\"name\":\"r0\"",      "\"name\":\"r9\""     }, /* a rule file's name */
        {"\"digest\":\"sha256:", "\"digest\":\"sha256;"},
        {"\"what\":\"models\"",  "\"what\":\"redact\"" },
        {"{\"digest\"",          "}\"digest\""         },
    };

    for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
        OPL_CLEANUP(adopted_close) struct adopted adopted = {0};
        OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
        OPL_CLEANUP(file_free) char *path = NULL;
        char *place;
        bool found;

        assert_ok(refresh(*state, &adopted, err));
        adopted_close(&adopted);
        path = memory(*state, &text);
        place = strstr(text.data, changes[i][0]);
        assert_non_null(place);
        memcpy(place, changes[i][1], strlen(changes[i][1]));
        assert_ok(file_replace(path, text.data, text.len, 0600, err));
        assert_fails(recall(*state, &adopted, &found, err), OPL_E_VERIFY);
        assert_null(adopted.document);
        logged_out();
        assert_int_equal(RUN_WITH((struct desk *)*state, "x\n", "redact"), 4);
        logged_in();
        assert_string_equal(opl_buf_text(&((struct desk *)*state)->out), "");
        assert_true(desk_complained(*state, "opledger doctor"));
    }
}

static void a_rule_file_that_is_left_out_is_missed(void **state)
{
    OPL_CLEANUP(adopted_close) struct adopted adopted = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0}, shorter = {0};
    OPL_CLEANUP(opl_json_freep) json_t *document = NULL;
    OPL_CLEANUP(file_free) char *path = NULL;
    bool found;

    assert_ok(refresh(*state, &adopted, err));
    adopted_close(&adopted);
    path = memory(*state, &text);
    document = opl_json_parse(opl_buf_text(&text), text.len, NULL);
    json_array_remove(json_object_get(document, "policies"), 1);
    assert_ok(opl_json_canonical(document, &shorter, err));
    assert_ok(file_replace(path, shorter.data, shorter.len, 0600, err));
    assert_fails(recall(*state, &adopted, &found, err), OPL_E_VERIFY);
}

static void an_entry_that_the_log_does_not_hold_adopts_nothing(void **state)
{
    struct desk *desk = *state;
    struct adopted adopted;
    struct opl_err why = {0};

    desk->ledger->fault = FAULT_ENTRY;
    assert_false(refresh(desk, &adopted, &why));
    assert_int_equal(opl_code_exit(why.code), 4);
    assert_null(adopted.document);
}

static void rules_that_do_not_compile_release_nothing(void **state)
{
    struct desk *desk = *state;
    OPL_CLEANUP(adopted_close) struct adopted adopted = {0};

    assert_ok(refresh(desk, &adopted, err)); /* the story's have no rule in them */
    assert_int_equal(RUN_WITH(desk, "password=hunter2\n", "redact"), 2);
    assert_string_equal(opl_buf_text(&desk->out), "");
    assert_true(desk_complained(desk, "opledger policy lint"));
}

static void policy_goes_over_what_is_adopted_and_that_over_the_built_in(void **state)
{
    struct desk *desk = *state;
    OPL_CLEANUP(adopted_close) struct adopted adopted = {0};

    logged_out();
    assert_int_equal(RUN_WITH(desk, "x\n", "redact"), 0);
    assert_true(desk_complained(desk, "rules: built in, sha256:"));
    logged_in();
    assert_ok(refresh(desk, &adopted, err));
    logged_out();
    assert_int_equal(RUN_WITH(desk, "x\n", "redact"), 0);
    assert_true(desk_complained(desk, "rules: adopted, sha256:"));
    assert_true(desk_complained(desk, "read from the ledger just now"));
    assert_int_equal(
        RUN_WITH(desk, "x\n", "redact", "--policy", SOURCE_DIR "/policies/redact/secrets.yaml"), 0);
    assert_true(desk_complained(desk, "rules: adopted and --policy, sha256:"));
    logged_in();
}

static void who_is_logged_in_gets_the_rules_of_today(void **state)
{
    assert_int_equal(RUN_WITH((struct desk *)*state, "x\n", "redact"), 0);
    assert_true(desk_complained(*state, "rules: adopted, sha256:"));
    assert_true(desk_complained(*state, "read from the ledger just now"));
}

static void a_ledger_that_does_not_answer_leaves_what_is_remembered_and_it_is_said(void **state)
{
    struct desk *desk = *state;
    OPL_CLEANUP(adopted_close) struct adopted adopted = {0};

    assert_ok(refresh(desk, &adopted, err));
    desk->ledger->fault = FAULT_HANG_UP;
    assert_int_equal(RUN_WITH(desk, "x\n", "redact"), 0);
    assert_true(desk_complained(desk, "the ledger was not asked for today's rules"));
    assert_true(desk_complained(desk, "rules: adopted, sha256:"));
}

static void a_ledger_whose_log_does_not_verify_stops_the_filter(void **state)
{
    struct desk *desk = *state;

    desk->ledger->fault = FAULT_ENTRY;
    assert_int_equal(RUN_WITH(desk, "x\n", "redact"), 4);
    assert_string_equal(opl_buf_text(&desk->out), "");
}

static void the_age_is_told_in_one_unit(void **state)
{
    static const struct {
        int64_t seconds;
        const char *says;
    } ages[] = {
        {0,          "just now"     },
        {60 * 5,     "5 minutes ago"},
        {3600 * 3,   "3 hours ago"  },
        {86400 * 40, "40 days ago"  },
        {-500,       "just now"     },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(ages) / sizeof(*ages); i++) {
        struct adopted adopted = {.read_at = opl_time_now() - ages[i].seconds * OPL_SECOND};
        char text[ADOPTED_AGE_SIZE];

        adopted_age(&adopted, text);
        assert_string_equal(text, ages[i].says);
    }
}

#define AT_DESK(test, begin) cmocka_unit_test_setup_teardown(test, begin, desk_tear_down)

static const struct CMUnitTest tests[] = {
    AT_DESK(what_the_log_has_adopted_is_remembered_as_it_was, set_up),
    AT_DESK(nothing_is_found_before_the_ledger_was_asked, set_up),
    AT_DESK(a_memory_that_was_tampered_with_is_refused, set_up),
    AT_DESK(a_rule_file_that_is_left_out_is_missed, set_up),
    AT_DESK(an_entry_that_the_log_does_not_hold_adopts_nothing, set_up),
    AT_DESK(rules_that_do_not_compile_release_nothing, desk_set_up),
    AT_DESK(policy_goes_over_what_is_adopted_and_that_over_the_built_in, set_up),
    AT_DESK(who_is_logged_in_gets_the_rules_of_today, set_up),
    AT_DESK(a_ledger_that_does_not_answer_leaves_what_is_remembered_and_it_is_said, set_up),
    AT_DESK(a_ledger_whose_log_does_not_verify_stops_the_filter, set_up),
    cmocka_unit_test(the_age_is_told_in_one_unit),
};

UNIT_MAIN(tests)
