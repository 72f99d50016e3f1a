/* SPDX-License-Identifier: Apache-2.0 */
#include "client/usage.h"

#include "unit.h"

#include "client/process.h"

static void the_overview_names_every_noun(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

    (void)state;
    usage_overview(&text);
    for (const struct command *c = commands; c->noun != NULL; c++)
        assert_non_null(strstr(opl_buf_text(&text), c->noun));
}

static void the_help_of_a_command_has_options_and_examples(void **state)
{
    (void)state;
    for (const struct command *c = commands; c->noun != NULL; c++) {
        OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

        usage_command(c, &text);
        assert_non_null(strstr(opl_buf_text(&text), "usage: opledger "));
        assert_non_null(strstr(opl_buf_text(&text), "examples:\n  "));
        assert_non_null(strstr(opl_buf_text(&text), "--json"));
        for (const struct option_spec *o = c->options; o != NULL && o->name != NULL; o++)
            assert_non_null(strstr(opl_buf_text(&text), o->name));
    }
}

static void the_command_after_a_double_dash_stands_last(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    char *const words[] = {(char *)"change", (char *)"propose"};
    int taken;

    (void)state;
    usage_command(commands_find(words, 2, &taken), &text);
    assert_non_null(strstr(opl_buf_text(&text), "[options] [-- CMD...]\n"));
}

static void a_noun_lists_its_verbs(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

    (void)state;
    usage_noun("gate", &text);
    assert_non_null(strstr(opl_buf_text(&text), "\n  check "));
    assert_non_null(strstr(opl_buf_text(&text), "\n  explain "));
}

static void the_manual_page_has_every_command_and_no_stray_request(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    static const char *const requests[] = {".TH ", ".SH ", ".SS ", ".TP", ".B ",
                                           ".BR ", ".PP",  ".nf",  ".fi", NULL};

    (void)state;
    usage_man(&text);
    for (const struct command *c = commands; c->noun != NULL; c++)
        assert_non_null(strstr(opl_buf_text(&text), c->summary));
    for (const char *at = strstr(text.data, "\n."); at != NULL; at = strstr(at + 1, "\n.")) {
        bool known = false;

        for (size_t i = 0; requests[i] != NULL; i++)
            known = known || strncmp(at + 1, requests[i], strlen(requests[i])) == 0;
        if (!known)
            fail_msg("a stray request: %.20s", at + 1);
    }
}

static void the_bash_completion_is_bash(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf script = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf output = {0};
    static const char *const argv[] = {"bash", "-n", NULL};
    int status = -1;

    (void)state;
    assert_true(usage_completion("bash", &script));
    assert_ok(process_filter(argv, &script, &output, &status, err));
    assert_int_equal(status, 0);
}

/* bash itself is asked to complete a line. */
static void bash_completes_verbs_and_options(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf script = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf output = {0};
    static const char *const argv[] = {"bash", NULL};
    int status = -1;

    (void)state;
    assert_true(usage_completion("bash", &script));
    opl_buf_str(&script, "COMP_WORDS=(opledger gate ''); COMP_CWORD=2; _opledger\n"
                         "echo \"${COMPREPLY[@]}\"\n"
                         "COMP_WORDS=(opledger approval sign --r); COMP_CWORD=3; _opledger\n"
                         "echo \"${COMPREPLY[@]}\"\n");
    assert_ok(process_filter(argv, &script, &output, &status, err));
    assert_non_null(strstr(opl_buf_text(&output), "check explain"));
    assert_non_null(strstr(opl_buf_text(&output), "--role\n"));
}

/* What bash offers for a line whose last word is being typed. */
static void offers(const char *line, int word, const char *expected)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf script = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf output = {0};
    static const char *const argv[] = {"bash", NULL};
    int status = -1;

    assert_true(usage_completion("bash", &script));
    opl_buf_fmt(&script,
                "COMP_WORDS=(opledger %s); COMP_CWORD=%d; _opledger; echo \" ${COMPREPLY[*]} \"\n",
                line, word);
    assert_ok(process_filter(argv, &script, &output, &status, err));
    if (strstr(opl_buf_text(&output), expected) == NULL)
        fail_msg("%s: %s", line, opl_buf_text(&output));
}

static void bash_completes_the_words_that_an_option_takes(void **state)
{
    (void)state;
    offers("incident open --severity ''", 4, " low medium high critical ");
    offers("verdict record hyp-1 --verdict ''", 5, " agrees partly disagrees inconclusive ");
    offers("verdict record hyp-1 --mode b", 5, " blind ");
    offers("vendor update hyp-1 --state a", 5, " asked acknowledged ");
    offers("incident close inc-1 --outcome re", 5, " resolved ");
    offers("change finish chg-1 --outcome re", 5, " reverted ");
    offers("principal add ann --class p", 5, " person ");
    offers("incident open --title ''", 4, "  ");
}

static void bash_completes_verbs_of_two_words_nouns_after_help_and_json(void **state)
{
    (void)state;
    offers("principal ''", 2, " key ");
    offers("principal key ''", 3, " add revoke ");
    offers("principal key a", 3, " add ");
    offers("principal key add --ha", 4, " --hardware ");
    offers("help inc", 2, " incident ");
    offers("completion ''", 2, " bash zsh fish ");
    offers("--j", 1, " --json ");
    offers("--json gate ''", 3, " check explain ");
}

static void each_shell_has_a_script_and_others_have_none(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf zsh = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf fish = {0};

    (void)state;
    assert_true(usage_completion("zsh", &zsh));
    assert_true(usage_completion("fish", &fish));
    assert_non_null(strstr(opl_buf_text(&fish), "__fish_seen_subcommand_from gate"));
    assert_non_null(strstr(opl_buf_text(&fish), "-l severity -r -f -a 'low medium high critical'"));
    assert_non_null(strstr(opl_buf_text(&fish), "__fish_seen_subcommand_from help' -a '"));
    assert_false(usage_completion("tcsh", &fish));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_overview_names_every_noun),
    cmocka_unit_test(the_help_of_a_command_has_options_and_examples),
    cmocka_unit_test(the_command_after_a_double_dash_stands_last),
    cmocka_unit_test(a_noun_lists_its_verbs),
    cmocka_unit_test(the_manual_page_has_every_command_and_no_stray_request),
    cmocka_unit_test(the_bash_completion_is_bash),
    cmocka_unit_test(bash_completes_verbs_and_options),
    cmocka_unit_test(bash_completes_the_words_that_an_option_takes),
    cmocka_unit_test(bash_completes_verbs_of_two_words_nouns_after_help_and_json),
    cmocka_unit_test(each_shell_has_a_script_and_others_have_none),
};

UNIT_MAIN(tests)
