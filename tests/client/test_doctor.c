/* SPDX-License-Identifier: Apache-2.0 */
#include "client/doctor.h"

#include "unit.h"

#include <sys/stat.h>

#include <opledger/json.h>

#include "client/files.h"
#include "client/gate_conf.h"
#include "desk.h"

/* The finding of one check, by its name, as --json has it; "" for a check that there is not. */
static const char *says(struct desk *desk, const char *check, bool *good)
{
    static char text[1024];
    json_t *findings, *finding;
    size_t i;

    (void)RUN(desk, "doctor", "--json");
    findings = opl_json_parse(opl_buf_text(&desk->out), desk->out.len - 1, NULL);
    text[0] = '\0';
    json_array_foreach(findings, i, finding)
    {
        if (strcmp(opl_json_str(finding, "check"), check) != 0)
            continue;
        *good = json_is_true(json_object_get(finding, "good"));
        (void)snprintf(text, sizeof(text), "%s -> %s", opl_json_str(finding, "says"),
                       opl_json_str(finding, "remedy"));
    }
    json_decref(findings);
    return text;
}

static void every_finding_that_is_bad_names_what_to_do(void **state)
{
    struct desk *desk = *state;
    static const char *const urls[] = {NULL, "http://127.0.0.1:1"};
    size_t bad = 0;

    for (size_t u = 0; u < 2; u++) {
        json_t *findings, *finding;
        size_t i;

        if (urls[u] != NULL)
            setenv("OPLEDGER_URL", urls[u], 1);
        assert_int_equal(RUN(desk, "doctor", "--json"), 1);
        findings = opl_json_parse(opl_buf_text(&desk->out), desk->out.len - 1, NULL);
        assert_int_equal(json_array_size(findings), 12);
        json_array_foreach(findings, i, finding)
        {
            if (json_is_true(json_object_get(finding, "good")))
                continue;
            bad++;
            if (opl_json_str(finding, "remedy")[0] == '\0')
                fail_msg("%s has no remedy", opl_json_str(finding, "check"));
        }
        json_decref(findings);
    }
    assert_true(bad >= 4);
}

static void the_clock_is_compared_with_the_date_of_the_answer(void **state)
{
    struct desk *desk = *state;
    bool good = true;

    assert_non_null(strstr(says(desk, "clock", &good), "does not tell its time"));
    assert_true(good);
    desk->ledger->server_date = "Mon, 01 Jan 2024 00:00:00 GMT";
    assert_non_null(strstr(says(desk, "clock", &good), "ahead of the ledger's -> chronyc"));
    assert_false(good);
    desk->ledger->server_date = "Wed, 01 Jan 2098 00:00:00 GMT";
    assert_non_null(strstr(says(desk, "clock", &good), "behind the ledger's -> chronyc"));
    assert_false(good);
}

static void a_few_minutes_of_clock_are_fine(void **state)
{
    struct desk *desk = *state;
    time_t then = time(NULL) - 200;
    struct tm parts;
    char date[64];
    bool good = false;

    (void)strftime(date, sizeof(date), "%a, %d %b %Y %H:%M:%S GMT", gmtime_r(&then, &parts));
    desk->ledger->server_date = date;
    assert_non_null(strstr(says(desk, "clock", &good), "s ahead of the ledger's"));
    assert_true(good);
}

static void rules_that_do_not_compile_are_a_finding(void **state)
{
    bool good = true;

    assert_non_null(strstr(says(*state, "rules", &good), "opledger policy adopt"));
    assert_false(good); /* the story's are too short to be rules */
}

static void without_a_ledger_the_built_in_rules_are_named(void **state)
{
    bool good = false;

    setenv("OPLEDGER_URL", "http://127.0.0.1:1", 1);
    assert_non_null(strstr(says(*state, "rules", &good), "built in rules, sha256:"));
    assert_true(good);
}

static void receipts_are_counted(void **state)
{
    struct desk *desk = *state;
    bool good = false;

    assert_non_null(strstr(says(desk, "receipts", &good), "nothing was recorded from here yet"));
    assert_int_equal(RUN(desk, "incident", "open", "--title", "t"), 0);
    assert_int_equal(RUN(desk, "incident", "open", "--title", "u"), 0);
    assert_non_null(strstr(says(desk, "receipts", &good), "receipts are kept: 2 in "));
    assert_true(good);
}

static void a_host_without_gate_conf_is_told_so(void **state)
{
    bool good = false;

    if (file_exists(GATE_CONF_STANDARD))
        skip();
    assert_non_null(strstr(says(*state, "gate.conf", &good), "does not enforce"));
    assert_true(good);
}

#define AT_DESK(test) cmocka_unit_test_setup_teardown(test, desk_set_up, desk_tear_down)

static const struct CMUnitTest tests[] = {
    AT_DESK(every_finding_that_is_bad_names_what_to_do),
    AT_DESK(the_clock_is_compared_with_the_date_of_the_answer),
    AT_DESK(a_few_minutes_of_clock_are_fine),
    AT_DESK(rules_that_do_not_compile_are_a_finding),
    AT_DESK(without_a_ledger_the_built_in_rules_are_named),
    AT_DESK(receipts_are_counted),
    AT_DESK(a_host_without_gate_conf_is_told_so),
};

UNIT_MAIN(tests)
