/* SPDX-License-Identifier: Apache-2.0 */
#include "server/lockfile.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

static char dir[64];

static int start(void **state)
{
    snprintf(dir, sizeof(dir), "/tmp/opledger-lock-XXXXXX");
    return mkdtemp(dir) ? unit_start(state) : -1;
}

static int stop(void **state)
{
    char path[96];

    (void)state;
    snprintf(path, sizeof(path), "%s/opledgerd.lock", dir);
    unlink(path);
    return rmdir(dir);
}

/* A process that holds the lock until it is killed. */
static pid_t holder(void)
{
    int fds[2];
    pid_t pid;
    char byte;

    assert_int_equal(pipe(fds), 0);
    pid = fork();
    if (!pid) {
        struct lockfile lock = {0};

        if (!lockfile_take(&lock, dir, NULL) || write(fds[1], "x", 1) != 1)
            _exit(1);
        pause();
    }
    assert_int_equal(read(fds[0], &byte, 1), 1);
    close(fds[0]);
    close(fds[1]);
    return pid;
}

static void a_second_process_is_refused_and_told_who_holds_it(void **state)
{
    OPL_CLEANUP(lockfile_close) struct lockfile lock = {0};
    struct opl_err err = {0};
    pid_t pid = holder();
    char text[32];

    (void)state;
    assert_false(lockfile_take(&lock, dir, &err));
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    snprintf(text, sizeof(text), "process %ld", (long)pid);
    assert_int_equal(err.code, OPL_E_CONFIG);
    assert_int_equal(opl_code_exit(err.code), 2);
    assert_non_null(strstr(err.text, text));
}

static void kill_9_of_the_holder_frees_it(void **state)
{
    OPL_CLEANUP(lockfile_close) struct lockfile lock = {0};
    pid_t pid = holder();

    (void)state;
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    assert_ok(lockfile_take(&lock, dir, err));
}

static void a_folder_that_is_absent_is_an_error(void **state)
{
    struct lockfile lock = {0};

    (void)state;
    assert_false(lockfile_take(&lock, "/nonexistent", NULL));
    assert_int_equal(lock.fd, 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_second_process_is_refused_and_told_who_holds_it),
    cmocka_unit_test(kill_9_of_the_holder_frees_it),
    cmocka_unit_test(a_folder_that_is_absent_is_an_error),
};

int main(void)
{
    return cmocka_run_group_tests(tests, start, stop);
}
