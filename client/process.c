/* SPDX-License-Identifier: Apache-2.0 */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files.h"

extern char **environ;

static bool wait_for(pid_t pid, int *status, struct opl_err *err)
{
    int raw;

    while (waitpid(pid, &raw, 0) < 0)
        if (errno != EINTR)
            return opl_fail(err, OPL_E_IO, "cannot wait for a program: %s", strerror(errno));
    *status = WIFSIGNALED(raw) ? 128 + WTERMSIG(raw) : WEXITSTATUS(raw);
    return true;
}

static bool start(const char *const argv[], int in, int out, pid_t *pid, struct opl_err *err)
{
    posix_spawn_file_actions_t actions;
    int failed;

    if (posix_spawn_file_actions_init(&actions) != 0)
        return opl_fail(err, OPL_E_NOMEM, "no memory to start %s", argv[0]);
    if (in >= 0)
        posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    if (out >= 0)
        posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    failed = posix_spawnp(pid, argv[0], &actions, NULL, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failed == 0 ||
           opl_fail(err, OPL_E_CONFIG, "cannot start %s: %s", argv[0], strerror(failed));
}

bool process_run(const char *const argv[], int *status, struct opl_err *err)
{
    pid_t pid;

    return start(argv, -1, -1, &pid, err) && wait_for(pid, status, err);
}

/* The input is a file, not a pipe: then nobody can block on a full one. */
bool process_filter(const char *const argv[], const struct opl_buf *input, struct opl_buf *output,
                    int *status, struct opl_err *err)
{
    OPL_CLEANUP(file_closep) int in = file_temporary(err);
    OPL_CLEANUP(file_closep) int from = -1;
    int ends[2];
    pid_t pid;
    bool ok;

    if (in < 0 || !file_write_fd(in, opl_buf_text(input), input->len, err) ||
        lseek(in, 0, SEEK_SET) != 0)
        return opl_fail(err, OPL_E_IO, "cannot hand text to %s", argv[0]);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return opl_fail(err, OPL_E_IO, "no pipe for %s: %s", argv[0], strerror(errno));
    from = ends[0];
    ok = start(argv, in, ends[1], &pid, err);
    close(ends[1]);
    if (!ok)
        return false;
    ok = file_read_fd(from, argv[0], output, err);
    return wait_for(pid, status, err) && ok;
}
