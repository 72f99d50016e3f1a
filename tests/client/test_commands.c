/* SPDX-License-Identifier: Apache-2.0 */
#include "client/commands.h"

#include "unit.h"

#include <limits.h>

#include <opledger/buf.h>
#include <opledger/kinds.h>

#include "client/options.h"

#define EACH_COMMAND(c)                                                                            \
    const struct command *c = commands;                                                            \
    c->noun != NULL;                                                                               \
    c++

static void every_row_is_complete(void **state)
{
    (void)state;
    for (EACH_COMMAND(c)) {
        if (c->arguments == NULL || c->summary == NULL || c->run == NULL || c->examples == NULL)
            fail_msg("%s %s lacks something", c->noun, c->verb != NULL ? c->verb : "");
        if (c->kind != NULL && opl_kind_find(c->kind) == NULL)
            fail_msg("%s %s writes the unknown kind %s", c->noun, c->verb, c->kind);
    }
}

/* Each example line is the command itself, or feeds it through a pipe. */
static void every_example_shows_its_command(void **state)
{
    (void)state;
    for (EACH_COMMAND(c)) {
        OPL_CLEANUP(opl_buf_close) struct opl_buf name = {0};

        commands_name(c, &name);
        if (strstr(c->examples, opl_buf_text(&name)) == NULL)
            fail_msg("no example of %s", opl_buf_text(&name));
    }
}

/* What an example says must parse: options and arity. */
static void every_example_parses(void **state)
{
    (void)state;
    for (EACH_COMMAND(c)) {
        char text[2048];
        char *words[64] = {NULL};
        char *rest = text;
        char *word;
        int count = 0, taken = 0;
        struct args args;

        (void)snprintf(text, sizeof(text), "%.*s", (int)strcspn(c->examples, "\n#|>&<"),
                       c->examples);
        if (strstr(text, "opledger ") != text || strchr(text, '\'') != NULL)
            continue; /* quoting is the shell's */
        while ((word = strsep(&rest, " ")) != NULL && count < 63)
            if (*word != '\0')
                words[count++] = word;
        assert_ptr_equal(commands_find(words + 1, count - 1, &taken), c);
        assert_ok(options_parse(c, count - 1 - taken, words + 1 + taken, &args, err));
        assert_ok(options_check(&args, err));
    }
}

static void options_have_help_and_are_named_once(void **state)
{
    (void)state;
    for (EACH_COMMAND(c))
        for (const struct option_spec *o = c->options; o != NULL && o->name != NULL; o++) {
            if (commands_option_help(c, o)[0] == '\0')
                fail_msg("%s %s --%s has no help", c->noun, c->verb, o->name);
            for (const struct option_spec *p = c->options; p < o; p++)
                if (strcmp(p->name, o->name) == 0 || (p->letter != 0 && p->letter == o->letter))
                    fail_msg("%s %s has --%s twice", c->noun, c->verb, o->name);
        }
}

static bool has_option(const struct command *command, const char *name)
{
    const struct option_spec *option = command->options;

    for (; option != NULL && option->name != NULL; option++)
        if (strcmp(option->name, name) == 0)
            return true;
    return false;
}

/* A field that nobody could fill would be one that exists on paper only. */
static void every_field_of_a_kind_can_be_given(void **state)
{
    /* filled from an argument, a file, a signature or the ledger itself */
    static const char *const filled =
        " statement sshsig fact approval decision manifest files sha256 size media_type name "
        "principal public_key fingerprint token_id what duration_s call_off_plan_sha256 drift "
        "sent_sha256 manifest_sha256 source_sha256 rules bytes hits unscannable replaces text ";

    (void)state;
    for (EACH_COMMAND(c)) {
        const struct opl_kind *kind = c->kind != NULL ? opl_kind_find(c->kind) : NULL;

        if (kind == NULL || strcmp(c->noun, "hyp") == 0)
            continue;
        for (const struct opl_field *f = kind->fields; f->name != NULL; f++) {
            char option[64], word[80];

            commands_option_name(f, option, sizeof(option));
            (void)snprintf(word, sizeof(word), " %s ", f->name);
            if (!has_option(c, option) && strstr(filled, word) == NULL)
                fail_msg("%s %s cannot give %s", c->noun, c->verb, f->name);
        }
    }
}

static void a_command_is_found_by_noun_and_verb(void **state)
{
    char *const *two = (char *const[]){(char *)"incident", (char *)"open", (char *)"--title"};
    char *const *three = (char *const[]){(char *)"principal", (char *)"key", (char *)"add"};
    char *const *lone = (char *const[]){(char *)"incident"};
    int words = 0;

    (void)state;
    assert_string_equal(commands_find(two, 3, &words)->verb, "open");
    assert_int_equal(words, 2);
    assert_string_equal(commands_find(three, 3, &words)->verb, "key add");
    assert_int_equal(words, 3);
    assert_null(commands_find(lone, 1, &words));
    assert_true(commands_has_noun("incident"));
    assert_false(commands_has_noun("incidents"));
}

static void arity_is_read_from_the_arguments(void **state)
{
    struct command command = {.arguments = "ID [TEXT]"};

    (void)state;
    assert_int_equal(commands_arity(&command).least, 1);
    assert_int_equal(commands_arity(&command).most, 2);
    command.arguments = "[FILE...]";
    assert_int_equal(commands_arity(&command).least, 0);
    assert_int_equal(commands_arity(&command).most, INT_MAX);
    command.arguments = "[INC] [-- CMD...]";
    assert_int_equal(commands_arity(&command).most, 1);
    assert_true(commands_arity(&command).rest);
}

static void lists_are_given_one_by_one(void **state)
{
    char name[64];

    (void)state;
    commands_option_name(opl_kind_field(opl_kind_find("principal.enrolled"), "roles"), name,
                         sizeof(name));
    assert_string_equal(name, "role");
    commands_option_name(opl_kind_field(opl_kind_find("change.proposed"), "running_version"), name,
                         sizeof(name));
    assert_string_equal(name, "running-version");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_row_is_complete),
    cmocka_unit_test(every_example_shows_its_command),
    cmocka_unit_test(every_example_parses),
    cmocka_unit_test(options_have_help_and_are_named_once),
    cmocka_unit_test(every_field_of_a_kind_can_be_given),
    cmocka_unit_test(a_command_is_found_by_noun_and_verb),
    cmocka_unit_test(arity_is_read_from_the_arguments),
    cmocka_unit_test(lists_are_given_one_by_one),
};

UNIT_MAIN(tests)
