/* SPDX-License-Identifier: Apache-2.0 */
#include "client/state.h"

#include "unit.h"

#include <sys/stat.h>
#include <unistd.h>

#define URL "http://127.0.0.1:8585"
#define ORIGIN "opledger.local/1234"

static int set_up(void **state)
{
    static char home[] = "/tmp/opledger-state-XXXXXX";
    struct state *it = calloc(1, sizeof(*it));

    memcpy(home + strlen(home) - 6, "XXXXXX", 6);
    if (mkdtemp(home) == NULL)
        return -1;
    setenv("XDG_STATE_HOME", home, 1);
    *state = it;
    return state_open(it, NULL) ? 0 : -1;
}

static int tear_down(void **state)
{
    struct state *it = *state;
    char command[300];

    (void)snprintf(command, sizeof(command), "rm -r %s", it->folder);
    state_close(it);
    free(it);
    return system(command);
}

static void assert_value(const struct state *state, const char *what, const char *name,
                         const char *text)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf value = {0};
    bool found = false;

    assert_ok(state_get(state, what, name, &value, &found, err));
    assert_true(found);
    assert_string_equal(opl_buf_text(&value), text);
}

static void the_folder_is_for_this_user_alone(void **state)
{
    const struct state *it = *state;
    struct stat info;

    assert_int_equal(stat(it->folder, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0700);
}

static void a_folder_that_others_can_write_is_refused(void **state)
{
    struct state *it = *state;
    struct state again = {0};

    assert_int_equal(chmod(it->folder, 0777), 0);
    assert_fails(state_open(&again, err), OPL_E_CONFIG);
    state_close(&again);
}

static void a_value_is_there_again_and_replaced(void **state)
{
    assert_ok(state_set(*state, "tokens", URL, "one", err));
    assert_value(*state, "tokens", URL, "one");
    assert_ok(state_set(*state, "tokens", URL, "two", err));
    assert_value(*state, "tokens", URL, "two");
    state_forget(*state, "tokens", URL);
}

static void a_value_that_is_not_there_is_no_error(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf value = {0};
    bool found = true;

    assert_ok(state_get(*state, "tokens", "nothing", &value, &found, err));
    assert_false(found);
}

static void a_name_never_leaves_the_folder(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf unused = {0};
    char *path = NULL;

    (void)unused;
    assert_ok(state_path(*state, "keys", "../../etc/passwd", &path, err));
    assert_non_null(strstr(path, "/keys/%2E.%2F..%2Fetc%2Fpasswd"));
    free(path);
}

static void receipts_are_appended(void **state)
{
    assert_ok(state_append(*state, "receipts", ORIGIN, "{\"seq\":1}", err));
    assert_ok(state_append(*state, "receipts", ORIGIN, "{\"seq\":2}", err));
    assert_value(*state, "receipts", ORIGIN, "{\"seq\":1}\n{\"seq\":2}\n");
}

static void the_first_key_is_pinned(void **state)
{
    bool fresh = false;

    assert_ok(state_pin(*state, URL, ORIGIN, "key-1", &fresh, err));
    assert_true(fresh);
    assert_ok(state_pin(*state, URL, ORIGIN, "key-1", &fresh, err));
    assert_false(fresh);
}

static void another_key_of_the_same_origin_is_refused(void **state)
{
    bool fresh;

    assert_ok(state_pin(*state, URL, ORIGIN, "key-1", &fresh, err));
    assert_fails(state_pin(*state, URL, ORIGIN, "key-2", &fresh, err), OPL_E_VERIFY);
    assert_int_equal(opl_code_exit(OPL_E_VERIFY), 4);
}

/* Otherwise whoever sits at the URL would only have to call himself something else. */
static void another_origin_at_the_same_url_is_refused(void **state)
{
    bool fresh;

    assert_ok(state_pin(*state, URL, ORIGIN, "key-1", &fresh, err));
    assert_fails(state_pin(*state, URL, "opledger.local/9999", "key-2", &fresh, err), OPL_E_VERIFY);
}

static void the_last_incident_is_remembered(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf id = {0};

    assert_ok(state_incident(*state, &id, err));
    assert_int_equal(id.len, 0);
    assert_ok(state_set_incident(*state, "inc-7", err));
    assert_ok(state_incident(*state, &id, err));
    assert_string_equal(opl_buf_text(&id), "inc-7");
}

#define IN_A_HOME(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

static const struct CMUnitTest tests[] = {
    IN_A_HOME(the_folder_is_for_this_user_alone),
    IN_A_HOME(a_folder_that_others_can_write_is_refused),
    IN_A_HOME(a_value_is_there_again_and_replaced),
    IN_A_HOME(a_value_that_is_not_there_is_no_error),
    IN_A_HOME(a_name_never_leaves_the_folder),
    IN_A_HOME(receipts_are_appended),
    IN_A_HOME(the_first_key_is_pinned),
    IN_A_HOME(another_key_of_the_same_origin_is_refused),
    IN_A_HOME(another_origin_at_the_same_url_is_refused),
    IN_A_HOME(the_last_incident_is_remembered),
};

UNIT_MAIN(tests)
