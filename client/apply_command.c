/* SPDX-License-Identifier: Apache-2.0 */
#include "apply_command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files.h"

#define SECRET "OPLEDGER_TOKEN="
#define LOOK_MS 100
#define SIGNAL_BASE 128
#define READS_AFTER_END 256

extern char **environ;

static bool is_program(const char *path)
{
    return access(path, X_OK) == 0;
}

static char *find_on_path(const char *name)
{
    const char *path = getenv("PATH");

    for (const char *at = path; at != NULL && *at != '\0';) {
        size_t len = strcspn(at, ":");
        char *found = NULL;

        if (*at == '/' && asprintf(&found, "%.*s/%s", (int)len, at, name) < 0)
            return NULL;
        if (found != NULL && is_program(found))
            return found;
        free(found);
        at += len;
        at += *at == ':';
    }
    return NULL;
}

char *apply_command_find(const char *name, struct opl_err *err)
{
    char *found = NULL;

    if (strchr(name, '/') == NULL)
        found = find_on_path(name);
    else if (name[0] == '/' && is_program(name))
        found = strdup(name);
    if (found == NULL)
        opl_fail(err, OPL_E_CONFIG, "this host has no program %s", name);
    return found;
}

/* Our own environment without the token: the strings are borrowed. */
static char **environment(void)
{
    size_t count = 0, kept = 0;
    char **copy;

    while (environ[count] != NULL)
        count++;
    copy = calloc(count + 1, sizeof(*copy));
    for (size_t i = 0; copy != NULL && i < count; i++)
        if (strncmp(environ[i], SECRET, strlen(SECRET)) != 0)
            copy[kept++] = environ[i];
    return copy;
}

/* Signals as a program expects them: what we ignore while we apply must reach the command. */
static int set_signals(posix_spawnattr_t *attributes)
{
    sigset_t all, none;

    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(attributes, &all);
    posix_spawnattr_setsigmask(attributes, &none);
    return posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
}

static bool start(const char *program, char *const argv[], int out, pid_t *pid, struct opl_err *err)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    char **env = environment();
    int failed = env == NULL ? ENOMEM : posix_spawn_file_actions_init(&actions);

    if (failed == 0) {
        posix_spawnattr_init(&attributes);
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions, out, STDERR_FILENO);
        failed = set_signals(&attributes);
        if (failed == 0)
            failed = posix_spawn(pid, program, &actions, &attributes, argv, env);
        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&actions);
    }
    free(env);
    return failed == 0 || opl_fail(err, OPL_E_IO, "cannot start %s: %s", program, strerror(failed));
}

/* One read of what has come; false at the end of it. */
static bool take_output(int fd, struct opl_buf *output, size_t *dropped)
{
    char piece[8192];
    ssize_t got = read(fd, piece, sizeof(piece));
    size_t room = output->len < APPLY_OUTPUT_MAX ? APPLY_OUTPUT_MAX - output->len : 0;
    size_t take;

    if (got <= 0)
        return got < 0 && (errno == EINTR || errno == EAGAIN);
    take = (size_t)got < room ? (size_t)got : room;
    opl_buf_add(output, piece, take);
    *dropped += (size_t)got - take;
    return true;
}

static bool is_readable(int fd, int wait_ms)
{
    struct pollfd look = {.fd = fd, .events = POLLIN};

    return poll(&look, 1, wait_ms) > 0;
}

/* Whether it has; waits for it where there is nothing to read meanwhile. */
static bool has_ended(pid_t pid, bool wait, int *raw)
{
    pid_t ended = waitpid(pid, raw, wait ? 0 : WNOHANG);

    return ended == pid || (ended < 0 && errno != EINTR);
}

/*
 * Reads until the output ends or the program does, whichever is first; then what is left, but not
 * for ever: something that it started may go on writing.
 */
static void follow(pid_t pid, int fd, struct opl_buf *output, int *raw)
{
    size_t dropped = 0;
    bool open = true, ended = false;

    while (!ended) {
        if (open && is_readable(fd, LOOK_MS))
            open = take_output(fd, output, &dropped);
        else
            ended = has_ended(pid, !open, raw);
    }
    for (int left = READS_AFTER_END; open && left > 0 && is_readable(fd, 0); left--)
        open = take_output(fd, output, &dropped);
    if (dropped > 0)
        opl_buf_fmt(output, "\n[%zu bytes more are not kept]\n", dropped);
}

bool apply_command_run(const char *program, char *const argv[], struct opl_buf *output, int *status,
                       struct opl_err *err)
{
    OPL_CLEANUP(file_closep) int from = -1;
    int ends[2], raw = 0;
    pid_t pid;
    bool ok;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return opl_fail(err, OPL_E_IO, "no pipe for %s: %s", program, strerror(errno));
    from = ends[0];
    ok = start(program, argv, ends[1], &pid, err);
    close(ends[1]);
    if (!ok)
        return false;
    follow(pid, from, output, &raw);
    *status = WIFSIGNALED(raw) ? SIGNAL_BASE + WTERMSIG(raw) : WEXITSTATUS(raw);
    return true;
}
