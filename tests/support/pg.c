/* SPDX-License-Identifier: Apache-2.0 */
#include "pg.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "queries.h"
#include "server/migrate.h"

struct pg {
    char dir[64];
    char data[80];
    char bin[256];
    pid_t pid;
    struct db *admin;
};

static void die(const char *fmt, ...) OPL_PRINTF(1, 2) __attribute__((noreturn));

static void die(const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fputc('\n', stderr);
    exit(99);
}

static void become_owner(void)
{
    const struct passwd *user = geteuid() == 0 ? getpwnam("postgres") : NULL;

    if (geteuid() != 0)
        return;
    if (!user || initgroups(user->pw_name, user->pw_gid) || setgid(user->pw_gid) ||
        setuid(user->pw_uid))
        _exit(98);
}

/* Standard output and error of the programs go to DIR/log. */
static pid_t spawn(const struct pg *pg, const char *program, const char *const argv[])
{
    const char *args[32] = {NULL}; /* argv[0] is the whole path: they look for one another there */
    char path[320], log[96];
    pid_t pid = fork();
    int fd;

    if (pid)
        return pid;
    snprintf(path, sizeof(path), "%s/%s", pg->bin, program);
    snprintf(log, sizeof(log), "%s/log", pg->dir);
    fd = open(log, O_WRONLY | O_CREAT | O_APPEND, 0666);
    dup2(fd, 1);
    dup2(fd, 2);
    setsid();
    become_owner();
    if (chdir(pg->dir))
        _exit(98);
    prctl(PR_SET_PDEATHSIG, SIGQUIT);
    args[0] = path;
    for (size_t i = 1; i < 31 && argv[i]; i++)
        args[i] = argv[i];
    execv(path, (char *const *)args);
    _exit(97);
}

static void run(const struct pg *pg, const char *program, const char *const argv[])
{
    pid_t pid = spawn(pg, program, argv);
    int status;

    if (pid < 0 || waitpid(pid, &status, 0) < 0 || status != 0)
        die("%s failed, see %s/log", program, pg->dir);
}

static void find_bin(struct pg *pg)
{
    glob_t found;

    if (glob("/usr/lib/postgresql/*/bin/initdb", 0, NULL, &found))
        die("no PostgreSQL under /usr/lib/postgresql");
    snprintf(pg->bin, sizeof(pg->bin), "%s", found.gl_pathv[found.gl_pathc - 1]);
    *strrchr(pg->bin, '/') = '\0';
    globfree(&found);
}

static void make_dir(struct pg *pg)
{
    const struct passwd *user = geteuid() == 0 ? getpwnam("postgres") : NULL;

    snprintf(pg->dir, sizeof(pg->dir), "/tmp/opledger-pg-XXXXXX");
    if (!mkdtemp(pg->dir) || chmod(pg->dir, 0755) ||
        (user && chown(pg->dir, user->pw_uid, user->pw_gid)))
        die("cannot make %s: %s", pg->dir, strerror(errno));
    snprintf(pg->data, sizeof(pg->data), "%s/data", pg->dir);
}

static bool is_ready(struct pg *pg)
{
    struct opl_err err = {0};

    return db_connect(pg->admin, &err);
}

void pg_again(struct pg *pg)
{
    char socket_dir[96];
    const char *argv[] = {"postgres", "-D", pg->data,    "-c", "listen_addresses=",         "-c",
                          socket_dir, "-c", "fsync=off", "-c", "log_error_verbosity=terse", NULL};

    snprintf(socket_dir, sizeof(socket_dir), "unix_socket_directories=%s", pg->dir);
    pg->pid = spawn(pg, "postgres", argv);
    for (int i = 0; i < 600; i++) {
        if (is_ready(pg))
            return;
        if (waitpid(pg->pid, NULL, WNOHANG) == pg->pid)
            die("postgres did not start, see %s/log", pg->dir);
        usleep(50000);
    }
    die("postgres does not answer, see %s/log", pg->dir);
}

void pg_kill(struct pg *pg, int signal_number)
{
    kill(pg->pid, signal_number);
    while (waitpid(pg->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    pg->pid = 0;
    if (signal_number == SIGKILL)
        usleep(500000); /* its children notice, and release the shared memory */
}

struct pg *pg_start(void)
{
    struct pg *pg = calloc(1, sizeof(*pg));
    const char *argv[] = {"initdb", "-D", NULL,   "-U",         "postgres",  "-A",
                          "trust",  "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions",
                          NULL};

    if (!pg)
        die("no memory");
    make_dir(pg);
    find_bin(pg);
    argv[2] = pg->data;
    run(pg, "initdb", argv);
    pg->admin = pg_connect(pg, NULL, "postgres");
    pg_again(pg);
    return pg;
}

static void must(bool good, const struct opl_err *err)
{
    if (!good)
        die("%s", err->text);
}

struct pg *pg_start_migrated(void)
{
    struct pg *pg = pg_start();
    struct migrate_state state;
    struct opl_err err = {0};

    must(db_exec(pg->admin, &sql_role_ensure, DB_NO_ARGS, &err), &err);
    must(db_exec(pg->admin, &sql_database_create, DB_NO_ARGS, &err), &err);
    db_free(pg->admin);
    pg->admin = pg_connect(pg, NULL, NULL);
    must(migrate_run(pg->admin, &state, &err), &err);
    return pg;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st;
    (void)type;
    (void)at;
    return remove(path);
}

void pg_stop(struct pg *pg)
{
    db_free(pg->admin);
    if (pg->pid)
        pg_kill(pg, SIGQUIT);
    nftw(pg->dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(pg);
}

struct db *pg_connect(struct pg *pg, const char *role, const char *database)
{
    char conninfo[256];
    struct db_options options = {.conninfo = conninfo, .lock_timeout_ms = 2000};
    struct db *db;

    snprintf(conninfo, sizeof(conninfo), "host=%s user=%s dbname=%s", pg->dir,
             role ? role : "postgres", database ? database : "opledger");
    db = db_new(&options);
    if (!db)
        die("no memory");
    return db;
}

const char *pg_socket(const struct pg *pg)
{
    return pg->dir;
}

void pg_sql(struct pg *pg, const char *text)
{
    struct opl_err err = {0};

    must(db_script(pg->admin, "pg_sql", text, &err), &err);
}
