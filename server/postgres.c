/* SPDX-License-Identifier: Apache-2.0 */
#include "postgres.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <opledger/buf.h>

#include "db.h"
#include "disk.h"
#include "postgres_cluster.h"
#include "postgres_pid.h"
#include "queries.h"

#define WAIT_OTHER_MS 30000 /* for a predecessor to answer or to end */
#define WAIT_OWN_MS 600000  /* for ours: after a crash it replays its write-ahead log first */
#define WAIT_STOP_MS 60000
#define STEP_MS 50

struct postgres {
    struct postgres_cluster cluster;
    pid_t pid;
    bool is_child; /* started by this process, so that it must be waited for */
    bool adopted;
    char *conninfo;
    char *admin_conninfo;
    char *first_conninfo; /* before our database exists */
};

static void pause_ms(long ms)
{
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};

    nanosleep(&time, NULL);
}

static long now_ms(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* A libpq conninfo; its values are quoted, which the grammar of paths and names may need. */
static char *conninfo_for(const struct postgres *postgres, const char *role, const char *database)
{
    struct opl_buf out = {0};
    const char *const pairs[][2] = {
        {"host",   postgres->cluster.socket},
        {"port",   "5432"                  },
        {"dbname", database                },
        {"user",   role                    }
    };

    for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
        opl_buf_fmt(&out, "%s%s='", i ? " " : "", pairs[i][0]);
        for (const char *at = pairs[i][1]; *at; at++)
            opl_buf_fmt(&out, *at == '\'' || *at == '\\' ? "\\%c" : "%c", *at);
        opl_buf_chr(&out, '\'');
    }
    return opl_buf_take(&out);
}

static bool set_conninfos(struct postgres *postgres, struct opl_err *err)
{
    const char *owner = postgres->cluster.program.owner.name;

    free(postgres->conninfo);
    free(postgres->admin_conninfo);
    free(postgres->first_conninfo);
    postgres->conninfo = conninfo_for(postgres, POSTGRES_SERVICE, POSTGRES_DATABASE);
    postgres->admin_conninfo = conninfo_for(postgres, owner, POSTGRES_DATABASE);
    postgres->first_conninfo = conninfo_for(postgres, owner, "postgres");
    return (postgres->conninfo && postgres->admin_conninfo && postgres->first_conninfo) ||
           opl_fail(err, OPL_E_NOMEM, "no memory");
}

static struct db *connection(const char *conninfo)
{
    const struct db_options options = {.conninfo = conninfo, .application = "opledgerd start"};

    return db_new(&options);
}

static bool answers(const struct postgres *postgres)
{
    OPL_CLEANUP(db_freep) struct db *db = connection(postgres->first_conninfo);
    struct opl_err ignored = {0};

    return db && db_connect(db, &ignored);
}

/* A child that ended is waited for, so that its id is free and postgres->pid is 0. */
bool postgres_is_running(struct postgres *postgres)
{
    if (!postgres->pid)
        return false;
    if (postgres->is_child && waitpid(postgres->pid, NULL, WNOHANG) == postgres->pid)
        postgres->pid = 0;
    else if (!postgres_pid_is_server(postgres->pid, postgres->cluster.data) && !postgres->is_child)
        postgres->pid = 0;
    return postgres->pid != 0;
}

/* What the command line fixes: no TCP, our socket and access rules, no content in the server's log.
 */
static bool spawn(struct postgres *postgres, struct opl_err *err)
{
    const struct postgres_cluster *cluster = &postgres->cluster;
    char socket[160], hba[PATH_MAX + 64], ident[PATH_MAX + 64];
    const char *const argv[] = {"postgres",
                                "-D",
                                cluster->data,
                                "-p",
                                "5432",
                                "-c",
                                "listen_addresses=",
                                "-c",
                                socket,
                                "-c",
                                hba,
                                "-c",
                                ident,
                                "-c",
                                "logging_collector=off",
                                "-c",
                                "log_destination=stderr",
                                "-c",
                                "log_error_verbosity=terse",
                                "-c",
                                "log_statement=none",
                                "-c",
                                "log_min_error_statement=panic",
                                "-c",
                                "log_parameter_max_length=0",
                                NULL};

    snprintf(socket, sizeof(socket), "unix_socket_directories=%s", cluster->socket);
    snprintf(hba, sizeof(hba), "hba_file=%s/" POSTGRES_HBA, cluster->data);
    snprintf(ident, sizeof(ident), "ident_file=%s/" POSTGRES_IDENT, cluster->data);
    postgres_pid_clean(cluster->data);
    if (!postgres_cluster_prepare(cluster, err))
        return false;
    postgres->pid = postgres_program_spawn(&cluster->program, "postgres", argv, cluster->log);
    postgres->is_child = true;
    postgres->adopted = false;
    if (postgres->pid > 0)
        return true;
    postgres->pid = 0;
    return opl_fail(err, OPL_E_UNAVAILABLE, "cannot start a process");
}

/* A server that another process of ours left running: its socket may be elsewhere. */
static bool adopt(struct postgres *postgres, struct opl_err *err)
{
    struct postgres_pid found;

    postgres_pid_read(&found, postgres->cluster.data);
    if (!found.pid)
        return true;
    postgres->pid = found.pid;
    postgres->is_child = false;
    postgres->adopted = true;
    if (found.socket[0])
        snprintf(postgres->cluster.socket, sizeof(postgres->cluster.socket), "%.107s",
                 found.socket);
    return set_conninfos(postgres, err);
}

/* Until the server answers or its process ends; false only when neither happens in time. */
static bool wait_for(struct postgres *postgres, long limit_ms, struct opl_err *err)
{
    long end = now_ms() + limit_ms;

    while (now_ms() < end) {
        if (answers(postgres) || !postgres_is_running(postgres))
            return true;
        pause_ms(STEP_MS);
    }
    opl_fail(err, OPL_E_UNAVAILABLE, "the PostgreSQL of %s (process %ld) does not answer",
             postgres->cluster.data, (long)postgres->pid);
    return opl_hint(err, "see %s", postgres->cluster.log);
}

/* One try: adopts what runs, else starts. True with pid 0 when it ended again. */
static bool bring_up_once(struct postgres *postgres, struct opl_err *err)
{
    if (!adopt(postgres, err))
        return false;
    if (postgres->pid)
        return wait_for(postgres, WAIT_OTHER_MS, err);
    return spawn(postgres, err) && wait_for(postgres, WAIT_OWN_MS, err);
}

/* A predecessor that was killed may hold its shared memory for a while: try again for 30 s. */
static bool bring_up(struct postgres *postgres, struct opl_err *err)
{
    long end = now_ms() + WAIT_OTHER_MS;

    for (;;) {
        long from = postgres_cluster_log_end(&postgres->cluster);

        if (!bring_up_once(postgres, err))
            return false;
        if (postgres_is_running(postgres))
            return true;
        if (now_ms() > end ||
            (postgres->is_child && !postgres_cluster_must_wait(&postgres->cluster, from)))
            return postgres_cluster_failed(&postgres->cluster, "start PostgreSQL in", from, err);
        pause_ms(10 * STEP_MS);
    }
}

static bool database_exists(struct db *db, bool *exists, struct opl_err *err)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};

    return db_fetch_one(db, &sql_database_exists, DB_NO_ARGS, &rows, err) &&
           db_get_bool(&rows, 0, exists, err);
}

static bool ensure_database(struct postgres *postgres, struct opl_err *err)
{
    OPL_CLEANUP(db_freep) struct db *db = connection(postgres->first_conninfo);
    bool exists;

    if (!db)
        return opl_fail(err, OPL_E_NOMEM, "no memory");
    return db_exec(db, &sql_role_ensure, DB_NO_ARGS, err) && database_exists(db, &exists, err) &&
           (exists || db_exec(db, &sql_database_create, DB_NO_ARGS, err));
}

static bool write_conninfo(const struct postgres *postgres, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf path = {0}, text = {0};

    opl_buf_fmt(&path, "%s/postgres.conninfo", postgres->cluster.dir);
    opl_buf_fmt(&text, "%s\n", postgres->admin_conninfo);
    return opl_buf_ok(&path, err) && opl_buf_ok(&text, err) &&
           disk_write_file(path.data, text.data, text.len, 0600, err);
}

static bool start(struct postgres *postgres, const char *data_dir, const char *bin_dir,
                  struct opl_err *err)
{
    return postgres_cluster_open(&postgres->cluster, data_dir, bin_dir, err) &&
           set_conninfos(postgres, err) && bring_up(postgres, err) &&
           ensure_database(postgres, err) && write_conninfo(postgres, err);
}

bool postgres_start(struct postgres **postgres, const char *data_dir, const char *bin_dir,
                    struct opl_err *err)
{
    struct postgres *made = calloc(1, sizeof(*made));

    if (!made)
        return opl_fail(err, OPL_E_NOMEM, "no memory");
    if (!start(made, data_dir, bin_dir, err)) {
        postgres_free(made);
        return false;
    }
    *postgres = made;
    return true;
}

const char *postgres_conninfo(const struct postgres *postgres)
{
    return postgres->conninfo;
}

const char *postgres_admin_conninfo(const struct postgres *postgres)
{
    return postgres->admin_conninfo;
}

bool postgres_was_adopted(const struct postgres *postgres)
{
    return postgres->adopted;
}

bool postgres_keep(struct postgres *postgres, struct opl_err *err)
{
    return postgres_is_running(postgres) || bring_up(postgres, err);
}

bool postgres_stop(struct postgres *postgres, struct opl_err *err)
{
    long end = now_ms() + WAIT_STOP_MS;

    if (!postgres_is_running(postgres))
        return true;
    kill(postgres->pid, SIGINT); /* fast: ends sessions, writes a checkpoint */
    while (postgres_is_running(postgres) && now_ms() < end)
        pause_ms(STEP_MS);
    return !postgres->pid ||
           opl_fail(err, OPL_E_TIMED_OUT, "PostgreSQL (process %ld) has not stopped within 60 s",
                    (long)postgres->pid);
}

void postgres_free(struct postgres *postgres)
{
    if (!postgres)
        return;
    free(postgres->conninfo);
    free(postgres->admin_conninfo);
    free(postgres->first_conninfo);
    free(postgres);
}
