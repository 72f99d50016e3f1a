/* SPDX-License-Identifier: Apache-2.0 */
#include "filtered.h"

static void strings_of_a_line_that_resumes_are_taken_by_pid(void **state)
{
    (void)state;
    assert_gone("5 04:43:43.630618 read(9<TCP:[10.0.0.1:40000->10.0.0.2:6817]>,  <unfinished ...>\n"
                "6 04:43:43.630619 getpid() = 6\n"
                "5 04:43:43.630620 <... read resumed>\"\\0\\1job of zed\", 4096) = 12\n",
                "job of zed");
}

static void a_resumed_read_of_nobody_knows_what_is_masked(void **state)
{
    (void)state;
    assert_gone("5 04:43:43.630620 <... read resumed>\"private\", 4096) = 7\n", "private");
}

static void payloads_of_binary_protocols_are_masked_whole(void **state)
{
    static const char *const ports[] = {"88", "389", "636", "3306", "5432", "6817", "6818", "6819"};

    (void)state;
    for (size_t i = 0; i < sizeof(ports) / sizeof(ports[0]); i++) {
        OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

        opl_buf_fmt(&text,
                    LINE("sendto(3<TCP:[127.0.0.1:40000->127.0.0.1:%s]>, \"private\", 7, 0, "
                         "NULL, 0) = 7"),
                    ports[i]);
        assert_gone(opl_buf_text(&text), "private");
    }
}

static void a_munge_socket_is_known_by_its_connect(void **state)
{
    (void)state;
    assert_gone(LINE("connect(11<UNIX-STREAM:[78810]>, {sa_family=AF_UNIX, "
                     "sun_path=\"/run/munge/munge.socket.2\"}, 110) = 0")
                    LINE("write(11<UNIX-STREAM:[78810->78802]>, \"private\", 7) = 7"),
                "private");
    assert_gone(LINE("connect(11, {sa_family=AF_UNIX, sun_path=\"/run/munge/munge.socket.2\"}, 110)"
                     " = 0") LINE("write(11, \"private\", 7) = 7"),
                "private");
}

static void what_was_typed_is_masked_whole(void **state)
{
    (void)state;
    assert_gone(LINE("read(0</dev/pts/3>, \"hunter2\\n\", 1024) = 8"), "hunter2");
    assert_gone(LINE("read(0, \"hunter2\\n\", 1024) = 8"), "hunter2");
    assert_gone(LINE("read(4</dev/tty>, \"hunter2\\n\", 1024) = 8"), "hunter2");
    assert_kept(LINE("read(0</tmp/x>, \"plain words\\n\", 1024) = 12"));
    assert_kept(LINE("write(1</dev/pts/3>, \"plain words\\n\", 12) = 12"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_was_typed_is_masked_whole),
    cmocka_unit_test(strings_of_a_line_that_resumes_are_taken_by_pid),
    cmocka_unit_test(a_resumed_read_of_nobody_knows_what_is_masked),
    cmocka_unit_test(payloads_of_binary_protocols_are_masked_whole),
    cmocka_unit_test(a_munge_socket_is_known_by_its_connect),
};

UNIT_MAIN(tests)
