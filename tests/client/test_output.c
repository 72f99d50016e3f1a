/* SPDX-License-Identifier: Apache-2.0 */
#include "client/output.h"

#include "unit.h"

/* Everything that a hostile model could put into a text. */
static const char hostile[] = "=cmd|'/c calc'!A0 \033[2J\033]0;title\a\r\n\xc2\x9b"
                              "31m\xe2\x80\xae"
                              "drow\xe2\x80\x8b\xef\xbb\xbf\x7f\xff\xf3\xa0\x81\x81";

static void assert_recorded(const char *text, enum output_form form, const char *expected)
{
    struct opl_buf out = {0};

    output_recorded(&out, text, strlen(text), form);
    assert_string_equal(opl_buf_text(&out), expected);
    opl_buf_close(&out);
}

static void plain_text_stays_as_it_is(void **state)
{
    (void)state;
    assert_recorded("lock contention in save_state() \xc3\xa9\xe6\xbc\xa2", OUTPUT_INLINE,
                    "lock contention in save_state() \xc3\xa9\xe6\xbc\xa2");
}

static void terminal_sequences_become_visible(void **state)
{
    (void)state;
    assert_recorded("a\033[31mb\ac", OUTPUT_INLINE, "a\\x1b[31mb\\x07c");
    assert_recorded("\xc2\x9b"
                    "31m",
                    OUTPUT_INLINE, "\\x9b31m");
}

static void marks_that_reorder_or_hide_become_visible(void **state)
{
    (void)state;
    assert_recorded("a\xe2\x80\xae"
                    "b",
                    OUTPUT_INLINE, "a\\u{202e}b");
    assert_recorded("a\xe2\x80\x8b"
                    "b",
                    OUTPUT_INLINE, "a\\u{200b}b");
    assert_recorded("\xef\xbb\xbf", OUTPUT_INLINE, "\\u{feff}");
    assert_recorded("\xf3\xa0\x81\x81", OUTPUT_INLINE, "\\u{e0041}");
}

static void line_breaks_cannot_fake_a_line_of_ours(void **state)
{
    (void)state;
    assert_recorded("ok\ngate check: allowed (exit 0)", OUTPUT_INLINE,
                    "ok\\ngate check: allowed (exit 0)");
    assert_recorded("ok\ngate check: allowed (exit 0)", OUTPUT_BLOCK,
                    "    | ok\n    | gate check: allowed (exit 0)\n");
}

static void assert_command(const char *const argv[], const char *expected)
{
    struct opl_buf out = {0};

    output_command(&out, (char *const *)argv);
    assert_string_equal(opl_buf_text(&out), expected);
    opl_buf_close(&out);
}

#define COMMAND(...) ((const char *const[]){__VA_ARGS__, NULL})

static void two_different_commands_never_look_the_same(void **state)
{
    (void)state;
    assert_command(COMMAND("scontrol", "reconfigure"), "scontrol reconfigure");
    assert_command(COMMAND("/bin/sh", "-c", "scontrol reconfigure"),
                   "/bin/sh -c 'scontrol reconfigure'");
    assert_command(COMMAND("a", ""), "a ''");
    assert_command(COMMAND("a\\nb"), "'a\\nb'");
    assert_command(COMMAND("a\nb"), "$'a\\nb'");
    assert_command(COMMAND("it's", "a' b"), "$'it\\'s' $'a\\' b'");
    assert_command(COMMAND("$(id)", "a;b", "*", "~", "#"), "'$(id)' 'a;b' '*' '~' '#'");
    assert_command(COMMAND("\033[2J"), "$'\\x1b[2J'");
}

static void a_cell_is_never_a_formula(void **state)
{
    (void)state;
    assert_recorded("=1+1", OUTPUT_CELL, "'=1+1");
    assert_recorded("+1", OUTPUT_CELL, "'+1");
    assert_recorded("-1", OUTPUT_CELL, "'-1");
    assert_recorded("@SUM(A1)", OUTPUT_CELL, "'@SUM(A1)");
}

static void bytes_that_are_no_utf8_become_visible(void **state)
{
    (void)state;
    assert_recorded("a\xff\xc0\x80"
                    "b",
                    OUTPUT_INLINE, "a\\xff\\xc0\\x80b");
}

static bool is_harmless(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        unsigned char byte = (unsigned char)text[i];

        if ((byte < ' ' && byte != '\n' && byte != '\t') || byte == 0x7f || byte >= 0x80)
            return false;
    }
    return true;
}

/* What a function prints, through a file. */
static char *printed(void (*print)(struct output *out), bool json, bool terminal)
{
    static char text[65536];
    struct output out;
    FILE *file = tmpfile();
    size_t len;

    output_open(&out, json);
    out.result = out.messages = file;
    out.terminal = terminal;
    print(&out);
    output_close(&out);
    rewind(file);
    len = fread(text, 1, sizeof(text) - 1, file);
    text[len] = '\0';
    fclose(file);
    assert_true(is_harmless(text, len));
    return text;
}

static void print_labelled(struct output *out)
{
    output_labelled(out, "claim", hostile);
}

static void print_list(struct output *out)
{
    static const char *const titles[] = {"id", "claim", NULL};
    struct table table = {.titles = titles};

    table_add(&table, "hyp-1");
    table_add(&table, hostile);
    table_print(&table, out);
    table_close(&table);
}

static void print_narrow(struct output *out)
{
    static const char *const titles[] = {"id", "status", "claim", NULL};
    struct table table = {.titles = titles};

    out->color = false;
    out->width = 40;
    table_add(&table, "hyp-1");
    table_add(&table, "vendor-confirmed");
    table_add(&table, "lock contention in the thread that saves the state");
    table_print(&table, out);
    table.whole = true;
    table_print(&table, out);
    table_close(&table);
}

static void print_document(struct output *out)
{
    json_t *clean = json_pack("{s:s}", "claim", "\033[2J\xe2\x80\xae\xc2\x9b");
    struct opl_err err = {0};

    assert_true(output_json(out, clean, &err));
    json_decref(clean);
}

static void print_failure(struct output *out)
{
    struct opl_err err = {0};

    opl_fail(&err, OPL_E_INVALID, "%s", hostile);
    opl_hint(&err, "%s", hostile);
    output_error(out, &err);
}

static void hostile_text_is_harmless_in_every_output(void **state)
{
    (void)state;
    assert_non_null(strstr(printed(print_labelled, false, false), "\\x1b[2J"));
    assert_non_null(strstr(printed(print_labelled, false, true), "\\u{202e}"));
    assert_non_null(strstr(printed(print_list, false, false), "hyp-1\t'=cmd"));
    assert_non_null(strstr(printed(print_list, false, true), "'=cmd"));
    assert_non_null(strstr(printed(print_document, true, false), "\\u001B[2J\\u202E\\u009B"));
    assert_non_null(strstr(printed(print_failure, false, true), "\\u{202e}"));
}

static void a_row_on_a_terminal_is_one_line_of_its_width(void **state)
{
    char *text;

    (void)state;
    text = printed(print_list, false, true);
    text = strchr(text, '\n') + 1;
    assert_true(strcspn(text, "\n") <= 80);
}

static void a_last_column_without_room_gets_a_line_of_its_own(void **state)
{
    (void)state;
    assert_string_equal(printed(print_narrow, false, true),
                        "id     status            \n    claim\n"
                        "hyp-1  vendor-confirmed  \n    lock contention in the thread tha...\n"
                        "id     status            \n    claim\n"
                        "hyp-1  vendor-confirmed  \n"
                        "    lock contention in the thread that saves the state\n");
}

static void a_line_is_cut_by_characters_and_shows_it(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf line = {0};

    (void)state;
    opl_buf_str(&line, "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9");
    output_cut(&line, 9);
    assert_int_equal(line.len, 18);
    output_cut(&line, 8);
    assert_string_equal(opl_buf_text(&line), "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9...");
}

static void a_failure_with_json_is_the_problem_document(void **state)
{
    char *text;

    (void)state;
    text = printed(print_failure, true, false);
    text = strstr(text, "{\"detail\"");
    assert_non_null(text);
    assert_non_null(strstr(text, "\"type\":\"/problems/invalid-entry\""));
    assert_non_null(strstr(text, "\"status\":422"));
}

static void print_words(struct output *out)
{
    output_line(out, "a line");
    output_next(out, "opledger gate check %s", "chg-1");
}

static void with_json_nothing_else_is_printed(void **state)
{
    (void)state;
    assert_string_equal(printed(print_words, true, false), "");
    assert_string_equal(printed(print_words, false, false),
                        "a line\nnext: opledger gate check chg-1\n");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(plain_text_stays_as_it_is),
    cmocka_unit_test(terminal_sequences_become_visible),
    cmocka_unit_test(marks_that_reorder_or_hide_become_visible),
    cmocka_unit_test(line_breaks_cannot_fake_a_line_of_ours),
    cmocka_unit_test(two_different_commands_never_look_the_same),
    cmocka_unit_test(a_cell_is_never_a_formula),
    cmocka_unit_test(bytes_that_are_no_utf8_become_visible),
    cmocka_unit_test(hostile_text_is_harmless_in_every_output),
    cmocka_unit_test(a_row_on_a_terminal_is_one_line_of_its_width),
    cmocka_unit_test(a_last_column_without_room_gets_a_line_of_its_own),
    cmocka_unit_test(a_line_is_cut_by_characters_and_shows_it),
    cmocka_unit_test(a_failure_with_json_is_the_problem_document),
    cmocka_unit_test(with_json_nothing_else_is_printed),
};

UNIT_MAIN(tests)
