/* SPDX-License-Identifier: Apache-2.0 */
#include "client/login.h"

#include "unit.h"

#include <opledger/time.h>

#include <sys/stat.h>

#include "desk.h"

#define REPLY                                                                                      \
    "{\"token\":\"kept-token\",\"principal\":\"alice\",\"expires\":\"2999-01-01T00:00:00."         \
    "000000Z\"}"
#define EXPIRED                                                                                    \
    "{\"token\":\"old-token\",\"principal\":\"alice\",\"expires\":\"2020-01-01T00:00:00."          \
    "000000Z\"}"

static void assert_token(struct desk *desk, const char *expected)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf token = {0};
    struct client client;

    desk_client(desk, &client);
    assert_ok(login_token(&client, &token, err));
    assert_string_equal(opl_buf_text(&token), expected);
    desk_client_close(&client);
}

static void keep(struct desk *desk, const char *reply)
{
    struct client client;

    desk_client(desk, &client);
    assert_ok(login_keep(&client, reply, err));
    desk_client_close(&client);
}

static void the_environment_comes_first(void **state)
{
    keep(*state, REPLY);
    assert_token(*state, "a-token");
}

static void a_token_file_that_others_can_read_is_warned_of(void **state)
{
    struct desk *desk = *state;
    const char *path = desk_file(desk, "token", "file-token\n");

    unsetenv("OPLEDGER_TOKEN");
    setenv("OPLEDGER_TOKEN_FILE", path, 1);
    assert_int_equal(RUN(desk, "incident", "list"), 0);
    assert_true(desk_complained(desk, "warning: others can read the token in "));
    assert_true(desk_complained(desk, "mode 0644"));
    assert_int_equal(chmod(path, 0600), 0);
    assert_int_equal(RUN(desk, "incident", "list"), 0);
    assert_false(desk_complained(desk, "warning"));
}

static void then_the_file_without_its_line_break(void **state)
{
    struct desk *desk = *state;

    keep(desk, REPLY);
    unsetenv("OPLEDGER_TOKEN");
    setenv("OPLEDGER_TOKEN_FILE", desk_file(desk, "token", "file-token\n"), 1);
    assert_token(desk, "file-token");
}

static void then_the_login_that_was_kept(void **state)
{
    struct client client;
    int64_t expires = 0;

    keep(*state, REPLY);
    unsetenv("OPLEDGER_TOKEN");
    assert_token(*state, "kept-token");
    desk_client(*state, &client);
    assert_ok(login_expires(&client, &expires, err));
    assert_true(expires > opl_time_now());
    desk_client_close(&client);
}

static void an_expired_login_is_none(void **state)
{
    keep(*state, EXPIRED);
    unsetenv("OPLEDGER_TOKEN");
    assert_token(*state, "");
}

static void a_login_is_for_one_url(void **state)
{
    keep(*state, REPLY);
    unsetenv("OPLEDGER_TOKEN");
    setenv("OPLEDGER_URL", "http://127.0.0.1:1", 1);
    assert_token(*state, "");
}

/* A line break in a header would be a header of its own. */
static void what_is_no_token_is_refused(void **state)
{
    struct desk *desk = *state;

    unsetenv("OPLEDGER_TOKEN");
    setenv("OPLEDGER_TOKEN_FILE", desk_file(desk, "token", "a\r\nX-Evil: 1\n"), 1);
    assert_int_equal(RUN(desk, "whoami"), 2);
    assert_true(desk_complained(desk, "holds no token"));
}

#define AT_DESK(test) cmocka_unit_test_setup_teardown(test, desk_set_up, desk_tear_down)

static const struct CMUnitTest tests[] = {
    AT_DESK(the_environment_comes_first),  AT_DESK(a_token_file_that_others_can_read_is_warned_of),
    AT_DESK(the_environment_comes_first),  AT_DESK(then_the_file_without_its_line_break),
    AT_DESK(then_the_login_that_was_kept), AT_DESK(an_expired_login_is_none),
    AT_DESK(a_login_is_for_one_url),       AT_DESK(what_is_no_token_is_refused),
};

UNIT_MAIN(tests)
