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

/* What a child gets for 0, 1 and 2; -1 leaves ours. */
struct streams {
    int in;
    int out;
    bool quiet;
};

static bool start(const char *const argv[], const struct streams *streams, pid_t *pid,
                  struct opl_err *err)
{
    posix_spawn_file_actions_t actions;
    int failed;

    if (posix_spawn_file_actions_init(&actions) != 0)
        return opl_fail(err, OPL_E_NOMEM, "no memory to start %s", argv[0]);
    if (streams->in >= 0)
        posix_spawn_file_actions_adddup2(&actions, streams->in, STDIN_FILENO);
    if (streams->out >= 0)
        posix_spawn_file_actions_adddup2(&actions, streams->out, STDOUT_FILENO);
    if (streams->quiet)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    failed = posix_spawnp(pid, argv[0], &actions, NULL, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failed == 0 ||
           opl_fail(err, OPL_E_CONFIG, "cannot start %s: %s", argv[0], strerror(failed));
}

bool process_run(const char *const argv[], int *status, struct opl_err *err)
{
    struct streams streams = {-1, -1, false};
    pid_t pid;

    return start(argv, &streams, &pid, err) && wait_for(pid, status, err);
}

/* The input is a file, not a pipe: then nobody can block on a full one. */
static bool filter(const char *const argv[], const struct opl_buf *input, bool quiet,
                   struct opl_buf *output, int *status, struct opl_err *err)
{
    OPL_CLEANUP(file_closep) int in = file_temporary(err);
    OPL_CLEANUP(file_closep) int from = -1;
    struct streams streams = {in, -1, quiet};
    int ends[2];
    pid_t pid;
    bool ok;

    if (in < 0 || !file_write_fd(in, opl_buf_text(input), input->len, err) ||
        lseek(in, 0, SEEK_SET) != 0)
        return opl_fail(err, OPL_E_IO, "cannot hand text to %s", argv[0]);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return opl_fail(err, OPL_E_IO, "no pipe for %s: %s", argv[0], strerror(errno));
    from = ends[0];
    streams.out = ends[1];
    ok = start(argv, &streams, &pid, err);
    close(ends[1]);
    if (!ok)
        return false;
    ok = file_read_fd(from, argv[0], output, err);
    return wait_for(pid, status, err) && ok;
}

bool process_filter(const char *const argv[], const struct opl_buf *input, struct opl_buf *output,
                    int *status, struct opl_err *err)
{
    return filter(argv, input, false, output, status, err);
}

bool process_quiet(const char *const argv[], const struct opl_buf *input, struct opl_buf *output,
                   int *status, struct opl_err *err)
{
    return filter(argv, input, true, output, status, err);
}
