/* SPDX-License-Identifier: Apache-2.0 */
#include "postgres_cluster.h"

#include <errno.h>
#include <ftw.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <opledger/buf.h>
#include <opledger/crypto.h>

#include "disk.h"
#include "log.h"
#include "postgres.h"
#include "postgres_pid.h"

#define SOCKET_NAME_MAX 90 /* of sockaddr_un's 107 bytes, "/.s.PGSQL.5432.lock" takes 19 */

/* What initdb's own file does not say. Sites may change it; the command line fixes the rest. */
static const char settings[] = "\n# opledger\n"
                               "max_connections = 120\n"
                               "max_wal_size = 2GB\n"
                               "checkpoint_timeout = 15min\n"
                               "checkpoint_completion_target = 0.9\n"
                               "jit = off\n"
                               "max_parallel_workers_per_gather = 0\n";

/* Reading the log of the server. */

long postgres_cluster_log_end(const struct postgres_cluster *cluster)
{
    struct stat st;

    return stat(cluster->log, &st) ? 0 : (long)st.st_size;
}

/* The last line since `from` that holds `needle`; false when there is none. */
static bool find_line(const struct postgres_cluster *cluster, long from, const char *needle,
                      char out[static 256])
{
    FILE *file = fopen(cluster->log, "re");
    bool found = false;
    char line[256];

    if (!file)
        return false;
    if (!fseek(file, from, SEEK_SET))
        while (fgets(line, sizeof(line), file)) {
            if (!strstr(line, needle))
                continue;
            line[strcspn(line, "\n")] = '\0';
            memcpy(out, line, sizeof(line));
            found = true;
        }
    fclose(file);
    return found;
}

bool postgres_cluster_must_wait(const struct postgres_cluster *cluster, long from)
{
    char line[256];

    return find_line(cluster, from, "pre-existing shared memory block", line) ||
           find_line(cluster, from, "lock file \"", line);
}

bool postgres_cluster_failed(const struct postgres_cluster *cluster, const char *what, long from,
                             struct opl_err *err)
{
    char line[256];

    if (find_line(cluster, from, strerror(ENOSPC), line))
        return disk_fail(err, ENOSPC, what, cluster->data);
    if (find_line(cluster, from, strerror(EROFS), line))
        return disk_fail(err, EROFS, what, cluster->data);
    if (find_line(cluster, from, "FATAL:", line) || find_line(cluster, from, "error:", line) ||
        find_line(cluster, from, "PANIC:", line))
        opl_fail(err, OPL_E_UNAVAILABLE, "cannot %s %s: %s", what, cluster->data, line);
    else
        opl_fail(err, OPL_E_UNAVAILABLE, "cannot %s %s", what, cluster->data);
    return opl_hint(err, "see %s", cluster->log);
}

/* Places. */

static bool is_plain_path(const char *path)
{
    return path[strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                             "/._+-")] == '\0';
}

/* Beside the data where the name is short enough for a socket, else a name made of its digest. */
static void choose_socket(struct postgres_cluster *cluster)
{
    struct opl_hash hash;
    uint64_t short_hash;

    if (strlen(cluster->dir) + strlen("/run") <= SOCKET_NAME_MAX && is_plain_path(cluster->dir)) {
        snprintf(cluster->socket, sizeof(cluster->socket), "%.*s/run", SOCKET_NAME_MAX,
                 cluster->dir);
        return;
    }
    opl_sha256(cluster->dir, strlen(cluster->dir), &hash);
    memcpy(&short_hash, hash.b, sizeof(short_hash));
    snprintf(cluster->socket, sizeof(cluster->socket), "%s/opledger-%016llx",
             geteuid() == 0 ? "/run" : "/tmp", (unsigned long long)short_hash);
}

static bool set_places(struct postgres_cluster *cluster, const char *data_dir, struct opl_err *err)
{
    if (!realpath(data_dir, cluster->dir))
        return disk_fail(err, errno, "open", data_dir);
    if (strlen(cluster->dir) > PATH_MAX - 64)
        return opl_fail(err, OPL_E_CONFIG, "the name of the data folder is too long");
    snprintf(cluster->data, sizeof(cluster->data), "%.*s/postgres", PATH_MAX - 64, cluster->dir);
    snprintf(cluster->log, sizeof(cluster->log), "%.*s/postgres.log", PATH_MAX - 64, cluster->dir);
    choose_socket(cluster);
    return true;
}

static bool refuse_barrier(const struct postgres_cluster *cluster, const char *barrier,
                           struct opl_err *err)
{
    opl_fail(err, OPL_E_CONFIG, "%s does not let user %s pass, who owns the cluster", barrier,
             cluster->program.owner.name);
    return opl_hint(err, "chmod o+x %s, or give a --data folder elsewhere", barrier);
}

/* The data folder itself is ours, and the files in it have their own modes: it may be opened. */
static bool check_passage(const struct postgres_cluster *cluster, struct opl_err *err)
{
    const struct postgres_owner *owner = &cluster->program.owner;
    char barrier[PATH_MAX];
    struct stat st;

    if (owner->uid == geteuid())
        return true;
    if (!postgres_owner_passes(owner, cluster->dir, barrier, err))
        return false;
    if (!strcmp(barrier, cluster->dir) && !stat(barrier, &st) && st.st_uid == geteuid()) {
        if (chmod(barrier, (st.st_mode & 07777) | 0011))
            return disk_fail(err, errno, "change the mode of", barrier);
        log_info("data folder opened for passage", LOG_S("folder", barrier),
                 LOG_S("user", owner->name));
        if (!postgres_owner_passes(owner, cluster->dir, barrier, err))
            return false;
    }
    return !barrier[0] || refuse_barrier(cluster, barrier, err);
}

/* Making the cluster. */

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st;
    (void)type;
    (void)at;
    return remove(path);
}

static bool make_owned(const struct postgres_cluster *cluster, const char *path,
                       struct opl_err *err)
{
    const struct postgres_owner *owner = &cluster->program.owner;

    if (mkdir(path, 0700))
        return disk_fail(err, errno, "make the folder", path);
    if (owner->uid != geteuid() && lchown(path, owner->uid, owner->gid))
        return disk_fail(err, errno, "give away", path);
    return true;
}

static bool write_owned(const struct postgres_cluster *cluster, const char *name, const char *text,
                        struct opl_err *err)
{
    const struct postgres_owner *owner = &cluster->program.owner;
    char path[PATH_MAX];

    if (snprintf(path, sizeof(path), "%s/%s", cluster->data, name) >= (int)sizeof(path))
        return opl_fail(err, OPL_E_CONFIG, "the name of the data folder is too long");
    if (!disk_write_file(path, text, strlen(text), 0600, err))
        return false;
    if (owner->uid != geteuid() && lchown(path, owner->uid, owner->gid))
        return disk_fail(err, errno, "give away", path);
    return true;
}

static bool add_settings(const char *data, struct opl_err *err)
{
    char path[PATH_MAX];
    FILE *file;
    bool good;

    if (snprintf(path, sizeof(path), "%s/postgresql.conf", data) >= (int)sizeof(path))
        return opl_fail(err, OPL_E_CONFIG, "the name of the data folder is too long");
    file = fopen(path, "ae");
    if (!file)
        return disk_fail(err, errno, "write", path);
    good = fputs(settings, file) >= 0 && !fflush(file) && !fsync(fileno(file));
    return (!fclose(file) && good) || disk_fail(err, errno, "write", path);
}

static bool run_initdb(const struct postgres_cluster *cluster, const char *fresh,
                       struct opl_err *err)
{
    const char *const argv[] = {"initdb",
                                "-D",
                                fresh,
                                "-U",
                                cluster->program.owner.name,
                                "-E",
                                "UTF8",
                                "--locale=C",
                                "--data-checksums",
                                "--auth-local=peer",
                                "--auth-host=reject",
                                "--no-instructions",
                                NULL};
    long from = postgres_cluster_log_end(cluster);
    int status = -1;
    pid_t pid = postgres_program_spawn(&cluster->program, "initdb", argv, cluster->log);

    if (pid < 0 || waitpid(pid, &status, 0) < 0 || status != 0)
        return postgres_cluster_failed(cluster, "make the cluster", from, err);
    return true;
}

/* Under another name until it is whole: what a kill leaves behind is thrown away next time. */
static bool create(const struct postgres_cluster *cluster, struct opl_err *err)
{
    char fresh[PATH_MAX];

    if (snprintf(fresh, sizeof(fresh), "%s.new", cluster->data) >= (int)sizeof(fresh))
        return opl_fail(err, OPL_E_CONFIG, "the name of the data folder is too long");
    nftw(fresh, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    if (!make_owned(cluster, fresh, err))
        return false;
    if (!run_initdb(cluster, fresh, err) || !add_settings(fresh, err)) {
        nftw(fresh, remove_one, 16, FTW_DEPTH | FTW_PHYS);
        return false;
    }
    return !rename(fresh, cluster->data) || disk_fail(err, errno, "name", cluster->data);
}

/* PG_VERSION of an existing cluster; 0 when there is no cluster. */
static bool read_version(const struct postgres_cluster *cluster, int *version, struct opl_err *err)
{
    char path[PATH_MAX], text[16] = "";
    FILE *file;

    *version = 0;
    if (access(cluster->data, F_OK))
        return true;
    snprintf(path, sizeof(path), "%.*s/PG_VERSION", PATH_MAX - 16, cluster->data);
    file = fopen(path, "re");
    if (file && fgets(text, sizeof(text), file))
        *version = (int)strtol(text, NULL, 10);
    if (file)
        fclose(file);
    if (*version)
        return true;
    opl_fail(err, OPL_E_CONFIG, "%s is there, but is no PostgreSQL cluster", cluster->data);
    return opl_hint(err, "move it away, or give another --data folder");
}

bool postgres_cluster_open(struct postgres_cluster *cluster, const char *data_dir,
                           const char *bin_dir, struct opl_err *err)
{
    int version;

    if (!set_places(cluster, data_dir, err) ||
        !postgres_owner_find(&cluster->program.owner, cluster->data, err) ||
        !check_passage(cluster, err) || !read_version(cluster, &version, err) ||
        !postgres_program_find(&cluster->program, bin_dir, version, err))
        return false;
    return version || create(cluster, err);
}

/* Who may connect as whom: root and the owner, each as any of the three roles. */
static void ident_map(const struct postgres_cluster *cluster, struct opl_buf *out)
{
    const char *const users[] = {"root", cluster->program.owner.name};
    const char *const roles[] = {cluster->program.owner.name, POSTGRES_OWNER, POSTGRES_SERVICE};

    for (size_t i = 0; i < 2; i++)
        for (size_t j = 0; j < 3; j++)
            opl_buf_fmt(out, "opledger \"%s\" \"%s\"\n", users[i], roles[j]);
}

static bool make_socket_folder(const struct postgres_cluster *cluster, struct opl_err *err)
{
    struct stat st;

    if (lstat(cluster->socket, &st))
        return make_owned(cluster, cluster->socket, err);
    if (S_ISDIR(st.st_mode) && st.st_uid == cluster->program.owner.uid)
        return true;
    opl_fail(err, OPL_E_CONFIG, "%s is in the way, where the socket's folder belongs",
             cluster->socket);
    return opl_hint(err, "remove it");
}

/*
 * What a server of this folder left there. In a copy of a data folder the lock names the original's
 * process, which lives, and PostgreSQL would not start beside it.
 */
static void remove_old_socket(const struct postgres_cluster *cluster)
{
    static const char *const names[] = {".s.PGSQL.5432", ".s.PGSQL.5432.lock"};
    char path[160];

    if (postgres_pid_has_orphans(cluster->data))
        return;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        snprintf(path, sizeof(path), "%s/%s", cluster->socket, names[i]);
        unlink(path);
    }
}

bool postgres_cluster_prepare(const struct postgres_cluster *cluster, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf ident = {0};

    ident_map(cluster, &ident);
    remove_old_socket(cluster);
    return opl_buf_ok(&ident, err) && make_socket_folder(cluster, err) &&
           write_owned(cluster, POSTGRES_IDENT, ident.data, err) &&
           write_owned(cluster, POSTGRES_HBA, "local all,replication all peer map=opledger\n", err);
}
