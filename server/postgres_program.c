/* SPDX-License-Identifier: Apache-2.0 */
#include "postgres_program.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <opledger/buf.h>

#include "postgres.h"

#define ARGS_MAX 32
#define DEBIAN_BIN "/usr/lib/postgresql/*/bin"
#define OS_USER "postgres"

static void take_user(struct postgres_owner *owner, const struct passwd *user)
{
    snprintf(owner->name, sizeof(owner->name), "%s", user->pw_name);
    owner->uid = user->pw_uid;
    owner->gid = user->pw_gid;
}

static bool user_by_name(struct postgres_owner *owner, const char *name)
{
    struct passwd entry, *user = NULL;
    char room[4096];

    if (getpwnam_r(name, &entry, room, sizeof(room), &user) || !user)
        return false;
    take_user(owner, user);
    return true;
}

static bool user_by_uid(struct postgres_owner *owner, uid_t uid)
{
    struct passwd entry, *user = NULL;
    char room[4096];

    if (getpwuid_r(uid, &entry, room, sizeof(room), &user) || !user)
        return false;
    take_user(owner, user);
    return true;
}

bool postgres_owner_find(struct postgres_owner *owner, const char *data, struct opl_err *err)
{
    struct stat st;
    bool exists = !stat(data, &st);

    if (exists && geteuid() != 0 && st.st_uid != geteuid()) {
        opl_fail(err, OPL_E_CONFIG, "%s belongs to user %ld", data, (long)st.st_uid);
        return opl_hint(err, "start opledgerd as that user, or as root");
    }
    if (exists && st.st_uid != 0)
        return user_by_uid(owner, st.st_uid) ||
               opl_fail(err, OPL_E_CONFIG, "%s belongs to an unknown user %ld", data,
                        (long)st.st_uid);
    if (geteuid() != 0)
        return user_by_uid(owner, geteuid()) ||
               opl_fail(err, OPL_E_CONFIG, "user %ld has no name", (long)geteuid());
    if (user_by_name(owner, OS_USER))
        return true;
    opl_fail(err, OPL_E_CONFIG, "PostgreSQL does not run as root and there is no user " OS_USER);
    return opl_hint(err, "apt-get install postgresql, or start opledgerd as an ordinary user");
}

/* In a child only: becomes the owner for good, or ends. */
static void become(const struct postgres_owner *owner)
{
    if (geteuid() != 0)
        return;
    if (initgroups(owner->name, owner->gid) || setgid(owner->gid) || setuid(owner->uid))
        _exit(126);
}

/* "postgres (PostgreSQL) 15.14 (Debian ...)": 15; 0 when there is no such program. */
static int version_of(const char *bin)
{
    char path[PATH_MAX], line[128] = "";
    int fds[2], version = 0;
    ssize_t n;
    pid_t pid;

    snprintf(path, sizeof(path), "%.*s/postgres", PATH_MAX - 16, bin);
    if (access(path, X_OK) || pipe2(fds, O_CLOEXEC))
        return 0;
    pid = fork();
    if (!pid) {
        dup2(fds[1], STDOUT_FILENO);
        execl(path, path, "-V", (char *)NULL);
        _exit(127);
    }
    close(fds[1]);
    n = read(fds[0], line, sizeof(line) - 1);
    close(fds[0]);
    if (pid > 0)
        waitpid(pid, NULL, 0);
    if (n <= 0 || sscanf(line, "postgres (PostgreSQL) %d", &version) != 1)
        return 0;
    return version;
}

static void consider(struct postgres_program *best, const char *bin, int wanted)
{
    int version = version_of(bin);

    if (version <= best->version || version < POSTGRES_MIN_VERSION || (wanted && version != wanted))
        return;
    snprintf(best->bin, sizeof(best->bin), "%s", bin);
    best->version = version;
}

static void consider_debian(struct postgres_program *best, int wanted)
{
    glob_t found;

    if (glob(DEBIAN_BIN, 0, NULL, &found))
        return;
    for (size_t i = 0; i < found.gl_pathc; i++)
        consider(best, found.gl_pathv[i], wanted);
    globfree(&found);
}

static void consider_path(struct postgres_program *best, int wanted)
{
    const char *path = getenv("PATH");
    char dir[PATH_MAX];

    while (path && *path) {
        int len = (int)strcspn(path, ":");

        snprintf(dir, sizeof(dir), "%.*s", len, path);
        if (dir[0] == '/')
            consider(best, dir, wanted);
        path += len + (path[len] == ':');
    }
}

bool postgres_program_find(struct postgres_program *program, const char *bin_dir, int wanted,
                           struct opl_err *err)
{
    bool given = bin_dir && *bin_dir;

    program->version = 0;
    if (given)
        consider(program, bin_dir, wanted);
    else
        consider_debian(program, wanted);
    if (!given && !program->version)
        consider_path(program, wanted);
    if (program->version)
        return true;

    if (wanted) {
        opl_fail(err, OPL_E_CONFIG, "the cluster was made by PostgreSQL %d, which is not in %s",
                 wanted, given ? bin_dir : DEBIAN_BIN " or PATH");
        return opl_hint(err,
                        "apt-get install postgresql-%d, or bring the cluster to the newer "
                        "version with pg_upgrade, or use --db",
                        wanted);
    }
    opl_fail(err, OPL_E_CONFIG, "no PostgreSQL %d or newer in %s", POSTGRES_MIN_VERSION,
             given ? bin_dir : DEBIAN_BIN " or PATH");
    return opl_hint(err, "apt-get install postgresql, or use --pg-bin or --db");
}

/* In a child only: nothing of ours stays open, and a signal to our terminal does not reach it. */
static void detach(const char *output)
{
    int null = open("/dev/null", O_RDONLY);
    int log = open(output, O_WRONLY | O_CREAT | O_APPEND, 0600);

    if (null < 0 || log < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(log, STDOUT_FILENO) < 0 ||
        dup2(log, STDERR_FILENO) < 0)
        _exit(126);
    close_range(3, ~0U, 0);
    setsid();
}

/* PostgreSQL's programs look for one another beside argv[0], so that must be the whole path. */
static void execute(const char *path, const char *const argv[])
{
    const char *args[ARGS_MAX + 1] = {path};

    for (size_t i = 1; i < ARGS_MAX && argv[i]; i++)
        args[i] = argv[i];
    execv(path, (char *const *)args);
}

pid_t postgres_program_spawn(const struct postgres_program *program, const char *name,
                             const char *const argv[], const char *output)
{
    char path[PATH_MAX + 32];
    pid_t pid;

    snprintf(path, sizeof(path), "%s/%s", program->bin, name);
    pid = fork();
    if (pid)
        return pid;
    detach(output);
    become(&program->owner);
    if (chdir("/"))
        _exit(126);
    execute(path, argv);
    _exit(127);
}

/* In a child only: ends with 0, or the length, in steps of path components, of what stops us. */
static void walk(const struct postgres_owner *owner, const char *dir)
{
    char path[PATH_MAX];
    int component = 0;

    become(owner);
    for (size_t i = 1; i <= strlen(dir); i++) {
        if (dir[i] != '/' && dir[i] != '\0')
            continue;
        component++;
        snprintf(path, sizeof(path), "%.*s", (int)i, dir);
        if (access(path, X_OK))
            _exit(component < 126 ? component : 125);
    }
    _exit(0);
}

static void first_components(const char *dir, int count, char out[static PATH_MAX])
{
    size_t len = 0;

    while (count-- > 0)
        len += 1 + strcspn(dir + len + 1, "/");
    snprintf(out, PATH_MAX, "%.*s", (int)len, dir);
}

bool postgres_owner_passes(const struct postgres_owner *owner, const char *dir,
                           char barrier[static PATH_MAX], struct opl_err *err)
{
    int status;
    pid_t pid = fork();

    if (!pid)
        walk(owner, dir);
    if (pid < 0 || waitpid(pid, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) == 126)
        return opl_fail(err, OPL_E_IO, "cannot become user %s", owner->name);
    first_components(dir, WEXITSTATUS(status), barrier);
    return true;
}
