/* SPDX-License-Identifier: Apache-2.0 */
#include "client/text_input.h"

#include "unit.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "client/client.h"
#include "client/files.h"

/* What a model writes, and what a shell would make of it. */
static const char nasty[] =
    "lock contention: `rm -rf /` $(id) ${HOME} \"quoted\" 'too' \\n !! \xc3\xa9\n"
    "second line; echo pwned";

static void assert_stdin(const char *bytes, size_t len, const char *given, const char *expected)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    struct client client = {0};
    int before = dup(STDIN_FILENO);
    int fd = file_temporary(NULL);

    assert_ok(file_write_fd(fd, bytes, len, err));
    (void)lseek(fd, 0, SEEK_SET);
    assert_true(dup2(fd, STDIN_FILENO) == STDIN_FILENO);
    if (expected != NULL) {
        assert_ok(text_input(&client, given, "claim", &text, err));
        assert_string_equal(opl_buf_text(&text), expected);
        assert_fails(text_input(&client, "-", "reason", &text, err), OPL_E_USAGE);
    } else {
        struct opl_err err = {0};

        assert_false(text_input(&client, given, "claim", &text, &err));
        assert_int_equal(opl_code_exit(err.code), 2);
    }
    (void)dup2(before, STDIN_FILENO);
    close(before);
    close(fd);
}

static void a_given_text_is_itself(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    struct client client = {0};

    (void)state;
    assert_ok(text_input(&client, nasty, "claim", &text, err));
    assert_string_equal(opl_buf_text(&text), nasty);
}

static void stdin_arrives_unchanged(void **state)
{
    (void)state;
    assert_stdin(nasty, strlen(nasty), NULL, nasty);
    assert_stdin(nasty, strlen(nasty), "-", nasty);
}

static void only_the_last_line_break_of_a_pipe_is_dropped(void **state)
{
    (void)state;
    assert_stdin("a\n\n", 3, "-", "a\n");
}

static void what_is_empty_too_long_or_no_utf8_is_refused(void **state)
{
    static char long_text[17000];

    (void)state;
    memset(long_text, 'x', sizeof(long_text));
    assert_stdin("", 0, "-", NULL);
    assert_stdin(long_text, sizeof(long_text), "-", NULL);
    assert_stdin("a\xff", 2, "-", NULL);
    assert_stdin("a\0b", 3, "-", NULL);
}

/* The person at the terminal. */
struct typist {
    int terminal; /* the master side */
    const char *keys;
    size_t len;
};

/* Types once the prompt is there, and reads what is echoed, so that nothing blocks. */
static void *type(void *arg)
{
    const struct typist *typist = arg;
    char seen[4096];
    size_t got = 0;
    ssize_t n;

    while (got < sizeof(seen) - 1 && (n = read(typist->terminal, seen + got, 64)) > 0) {
        got += (size_t)n;
        seen[got] = '\0';
        if (strstr(seen, "\033[?2004h") != NULL)
            break;
    }
    if (write(typist->terminal, typist->keys, typist->len) < 0)
        return NULL;
    while (read(typist->terminal, seen, sizeof(seen)) > 0)
        ;
    return NULL;
}

static bool paste(const char *keys, size_t len, struct opl_buf *out, struct opl_err *err)
{
    struct typist typist = {.terminal = posix_openpt(O_RDWR | O_NOCTTY), .keys = keys, .len = len};
    pthread_t thread;
    int fd;
    bool ok;

    assert_true(typist.terminal >= 0);
    assert_int_equal(grantpt(typist.terminal), 0);
    assert_int_equal(unlockpt(typist.terminal), 0);
    fd = open(ptsname(typist.terminal), O_RDWR | O_NOCTTY);
    assert_true(fd >= 0);
    assert_int_equal(pthread_create(&thread, NULL, type, &typist), 0);
    ok = text_input_paste(fd, "claim", out, err);
    close(fd);
    pthread_join(thread, NULL);
    close(typist.terminal);
    return ok;
}

static void a_bracketed_paste_arrives_unchanged(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf keys = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

    (void)state;
    opl_buf_fmt(&keys, "\033[200~%s\033[201~\004", nasty);
    assert_ok(paste(keys.data, keys.len, &text, err));
    assert_string_equal(opl_buf_text(&text), nasty);
}

static void control_characters_inside_a_paste_are_text(void **state)
{
    static const char keys[] = "\033[200~a\004b\003c\033[31md\033[201~\004";
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

    (void)state;
    assert_ok(paste(keys, strlen(keys), &text, err));
    assert_string_equal(opl_buf_text(&text), "a\004b\003c\033[31md");
}

static void typed_text_can_be_taken_back(void **state)
{
    static const char keys[] = "abx\177c\rd\004";
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

    (void)state;
    assert_ok(paste(keys, strlen(keys), &text, err));
    assert_string_equal(opl_buf_text(&text), "abc\nd");
}

static void giving_up_records_nothing(void **state)
{
    static const char keys[] = "abc\003";
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

    (void)state;
    assert_fails(paste(keys, strlen(keys), &text, err), OPL_E_USAGE);
}

/* An editor that is a script: it sees one argument, the file. */
static void with_editor(const char *script, struct opl_buf *text, bool expected)
{
    char path[] = "/tmp/opledger-editor-XXXXXX";
    char command[64];
    int fd = mkstemp(path);
    struct opl_err failure = {0};

    assert_ok(file_write_fd(fd, script, strlen(script), err));
    assert_int_equal(fchmod(fd, 0700), 0);
    close(fd);
    (void)snprintf(command, sizeof(command), "%s --wait", path);
    assert_int_equal(text_input_edit(command, text, &failure), expected);
    unlink(path);
}

static void what_the_editor_writes_arrives_unchanged(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

    (void)state;
    opl_buf_str(&text, "begun");
    with_editor("#!/bin/sh\n[ \"$1\" = --wait ] || exit 1\n"
                "grep -q begun \"$2\" || exit 1\n"
                "printf '%s' '`id` $(id) \"x\"' > \"$2\"\n",
                &text, true);
    assert_string_equal(opl_buf_text(&text), "`id` $(id) \"x\"");
}

static void an_editor_that_fails_records_nothing(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

    (void)state;
    with_editor("#!/bin/sh\nexit 7\n", &text, false);
}

static void an_editor_that_is_not_there_is_said(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

    (void)state;
    assert_fails(text_input_edit("/nonexistent/editor", &text, err), OPL_E_CONFIG);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_given_text_is_itself),
    cmocka_unit_test(stdin_arrives_unchanged),
    cmocka_unit_test(only_the_last_line_break_of_a_pipe_is_dropped),
    cmocka_unit_test(what_is_empty_too_long_or_no_utf8_is_refused),
    cmocka_unit_test(a_bracketed_paste_arrives_unchanged),
    cmocka_unit_test(control_characters_inside_a_paste_are_text),
    cmocka_unit_test(typed_text_can_be_taken_back),
    cmocka_unit_test(giving_up_records_nothing),
    cmocka_unit_test(what_the_editor_writes_arrives_unchanged),
    cmocka_unit_test(an_editor_that_fails_records_nothing),
    cmocka_unit_test(an_editor_that_is_not_there_is_said),
};

UNIT_MAIN(tests)
