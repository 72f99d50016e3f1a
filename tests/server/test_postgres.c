/* SPDX-License-Identifier: Apache-2.0 */
#include "server/postgres.h"

#include <fcntl.h>
#include <ftw.h>
#include <pwd.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/db.h"
#include "unit.h"

/* Most tests share one cluster: making one takes seconds. */
static char root[64];
static char dir[128];
static struct postgres *postgres;

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st;
    (void)type;
    (void)at;
    return remove(path);
}

static void remove_all(const char *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static int start(void **state)
{
    snprintf(root, sizeof(root), "/tmp/opledger-emb-XXXXXX");
    if (!mkdtemp(root) || chmod(root, 0755))
        return -1;
    snprintf(dir, sizeof(dir), "%s/data", root);
    return mkdir(dir, 0700) || unit_start(state);
}

static int stop(void **state)
{
    (void)state;
    remove_all(root);
    return 0;
}

static int end_server(void **state)
{
    (void)state;
    if (postgres)
        assert_ok(postgres_stop(postgres, err));
    postgres_free(postgres);
    postgres = NULL;
    return 0;
}

static void path_in(char out[static 256], const char *name)
{
    snprintf(out, 256, "%s/%s", dir, name);
}

static void expect_text(const char *conninfo, const char *query, const char *want)
{
    const struct db_options options = {.conninfo = conninfo};
    OPL_CLEANUP(db_freep) struct db *db = db_new(&options);
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    const struct sql sql = {"query", query};
    const char *text = NULL;

    assert_ok(db_fetch_one(db, &sql, DB_NO_ARGS, &rows, err) && db_get_text(&rows, 0, &text, err));
    assert_string_equal(text, want);
}

static pid_t server_pid(void)
{
    char path[256], line[32] = "";
    FILE *file;

    path_in(path, "postgres/postmaster.pid");
    file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof(line), file));
    fclose(file);
    return (pid_t)strtol(line, NULL, 10);
}

static void makes_a_cluster_that_only_we_reach(void **state)
{
    (void)state;
    assert_ok(postgres_start(&postgres, dir, NULL, err));
    assert_false(postgres_was_adopted(postgres));
    expect_text(postgres_conninfo(postgres), "SELECT current_user::text", "opledger_service");
    expect_text(postgres_admin_conninfo(postgres),
                "SELECT current_user::text WHERE (SELECT rolsuper FROM pg_roles WHERE rolname = "
                "current_user)",
                geteuid() == 0 ? "postgres" : getpwuid(geteuid())->pw_name);
    expect_text(postgres_admin_conninfo(postgres), "SELECT current_setting('listen_addresses')",
                "");
    expect_text(postgres_admin_conninfo(postgres), "SELECT current_setting('data_checksums')",
                "on");
    expect_text(postgres_admin_conninfo(postgres),
                "SELECT (current_setting('max_connections')::integer >= 100)::text", "true");
}

static void leaves_a_conninfo_that_only_its_owner_reads(void **state)
{
    char path[256], text[512] = "";
    struct stat st;
    FILE *file;

    (void)state;
    assert_ok(postgres_start(&postgres, dir, NULL, err));
    path_in(path, "postgres.conninfo");
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof(text), file));
    fclose(file);
    expect_text(text, "SELECT current_database()::text", "opledger");
}

static void a_second_start_finds_the_same_data(void **state)
{
    (void)state;
    assert_ok(postgres_start(&postgres, dir, NULL, err));
    expect_text(postgres_admin_conninfo(postgres), "SELECT set_config('opledger.x', 'y', false)",
                "y");
    end_server(NULL);
    assert_ok(postgres_start(&postgres, dir, NULL, err));
    assert_false(postgres_was_adopted(postgres));
    expect_text(postgres_conninfo(postgres), "SELECT current_database()::text", "opledger");
}

/* A process that starts the server and is killed. */
static void start_and_die(void)
{
    int status;
    pid_t pid = fork();

    if (!pid) {
        struct opl_err err = {0};

        if (!postgres_start(&postgres, dir, NULL, &err))
            _exit(1);
        kill(getpid(), SIGKILL);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
}

static void a_server_left_by_kill_9_is_adopted_and_stopped(void **state)
{
    char path[256];
    pid_t pid;

    (void)state;
    start_and_die();
    pid = server_pid();
    assert_ok(postgres_start(&postgres, dir, NULL, err));
    assert_true(postgres_was_adopted(postgres));
    assert_int_equal(server_pid(), pid);
    expect_text(postgres_conninfo(postgres), "SELECT current_user::text", "opledger_service");
    assert_ok(postgres_stop(postgres, err));
    path_in(path, "postgres/postmaster.pid");
    assert_int_not_equal(access(path, F_OK), 0);
}

static void a_server_that_is_just_stopping_is_waited_for(void **state)
{
    (void)state;
    start_and_die();
    kill(server_pid(), SIGINT);
    assert_ok(postgres_start(&postgres, dir, NULL, err));
    expect_text(postgres_conninfo(postgres), "SELECT current_user::text", "opledger_service");
}

static void a_server_killed_by_kill_9_is_started_again_at_once(void **state)
{
    (void)state;
    start_and_die();
    kill(server_pid(), SIGKILL);
    assert_ok(postgres_start(&postgres, dir, NULL, err));
    expect_text(postgres_conninfo(postgres), "SELECT current_user::text", "opledger_service");
}

static void a_server_that_dies_under_us_is_started_again(void **state)
{
    (void)state;
    assert_ok(postgres_start(&postgres, dir, NULL, err));
    assert_ok(postgres_keep(postgres, err));
    kill(server_pid(), SIGKILL);
    while (postgres_is_running(postgres))
        usleep(10000);
    assert_ok(postgres_keep(postgres, err));
    assert_true(postgres_is_running(postgres));
    expect_text(postgres_conninfo(postgres), "SELECT current_user::text", "opledger_service");
}

static void a_stale_pid_file_that_names_another_process_is_no_hindrance(void **state)
{
    char path[256];
    FILE *file;

    (void)state;
    path_in(path, "postgres/postmaster.pid");
    file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%ld\n%s/postgres\n0\n5432\n/tmp\n\n", (long)getpid(), dir);
    fclose(file);
    assert_ok(postgres_start(&postgres, dir, NULL, err));
    assert_false(postgres_was_adopted(postgres));
}

static void a_copy_of_a_running_folder_starts_beside_it(void **state)
{
    struct postgres *copy = NULL;
    char path[256], command[600];

    (void)state;
    assert_ok(postgres_start(&postgres, dir, NULL, err));
    snprintf(path, sizeof(path), "%s/copy", root);
    snprintf(command, sizeof(command), "cp -a %s %s", dir, path);
    assert_int_equal(system(command), 0);
    assert_ok(postgres_start(&copy, path, NULL, err));
    assert_false(postgres_was_adopted(copy));
    assert_string_not_equal(postgres_conninfo(copy), postgres_conninfo(postgres));
    expect_text(postgres_conninfo(copy), "SELECT current_user::text", "opledger_service");
    assert_ok(postgres_stop(copy, err));
    postgres_free(copy);
    expect_text(postgres_conninfo(postgres), "SELECT current_user::text", "opledger_service");
}

static void a_folder_above_that_bars_the_way_is_named(void **state)
{
    struct opl_err err = {0};

    (void)state;
    if (geteuid() != 0)
        skip();
    assert_int_equal(chmod(root, 0700), 0);
    assert_false(postgres_start(&postgres, dir, NULL, &err));
    assert_int_equal(chmod(root, 0755), 0);
    assert_int_equal(err.code, OPL_E_CONFIG);
    assert_non_null(strstr(err.text, root));
    assert_non_null(strstr(err.hint, "chmod o+x"));
}

static void a_long_path_gets_a_short_socket(void **state)
{
    char path[256];
    int len = snprintf(path, sizeof(path), "%s/", root);

    (void)state;
    memset(path + len, 'x', 140);
    path[len + 140] = '\0';
    assert_int_equal(mkdir(path, 0755), 0);
    assert_ok(postgres_start(&postgres, path, NULL, err));
    assert_null(strstr(postgres_conninfo(postgres), "xxx"));
    expect_text(postgres_conninfo(postgres), "SELECT current_user::text", "opledger_service");
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void a_cluster_of_another_version_names_the_remedy(void **state)
{
    char path[256], version[16] = "";
    struct opl_err err = {0};
    FILE *file;

    (void)state;
    path_in(path, "postgres/PG_VERSION");
    file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(version, sizeof(version), file));
    fclose(file);
    write_text(path, "12\n");
    assert_false(postgres_start(&postgres, dir, NULL, &err));
    write_text(path, version);
    assert_int_equal(err.code, OPL_E_CONFIG);
    assert_non_null(strstr(err.text, "PostgreSQL 12"));
    assert_non_null(strstr(err.hint, "postgresql-12"));
}

static void programs_that_are_absent_are_said(void **state)
{
    struct opl_err err = {0};

    (void)state;
    assert_false(postgres_start(&postgres, dir, "/nonexistent", &err));
    assert_int_equal(err.code, OPL_E_CONFIG);
    assert_non_null(strstr(err.text, "/nonexistent"));
}

static void a_folder_that_is_no_cluster_is_left_alone(void **state)
{
    char path[256], data[300];

    (void)state;
    snprintf(path, sizeof(path), "%s/other", root);
    snprintf(data, sizeof(data), "%s/postgres", path);
    assert_int_equal(mkdir(path, 0755), 0);
    assert_int_equal(mkdir(data, 0755), 0);
    assert_fails(postgres_start(&postgres, path, NULL, err), OPL_E_CONFIG);
    assert_int_equal(access(data, F_OK), 0);
}

static void what_a_killed_initdb_left_is_thrown_away(void **state)
{
    char path[256], left[300];

    (void)state;
    snprintf(path, sizeof(path), "%s/half", root);
    assert_int_equal(mkdir(path, 0755), 0);
    snprintf(left, sizeof(left), "%s/postgres.new", path);
    assert_int_equal(mkdir(left, 0700), 0);
    snprintf(left, sizeof(left), "%s/postgres.new/junk", path);
    write_text(left, "junk");
    assert_ok(postgres_start(&postgres, path, NULL, err));
    assert_int_not_equal(access(left, F_OK), 0);
}

static void run_as_nobody(const char *path)
{
    struct opl_err err = {0};
    const struct passwd *user = getpwnam("nobody");

    if (!user || setgid(user->pw_gid) || setuid(user->pw_uid))
        _exit(2);
    if (!postgres_start(&postgres, path, NULL, &err) || !postgres_stop(postgres, &err)) {
        fprintf(stderr, "%s\n", err.text);
        _exit(3);
    }
    _exit(0);
}

static void an_ordinary_user_owns_his_cluster(void **state)
{
    const struct passwd *user = getpwnam("nobody");
    char path[256], data[300];
    struct stat st;
    int status;
    pid_t pid;

    (void)state;
    if (geteuid() != 0 || !user)
        skip();
    snprintf(path, sizeof(path), "%s/nobody", root);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(chown(path, user->pw_uid, user->pw_gid), 0);
    pid = fork();
    if (!pid)
        run_as_nobody(path);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    snprintf(data, sizeof(data), "%s/postgres", path);
    assert_int_equal(stat(data, &st), 0);
    assert_int_equal(st.st_uid, user->pw_uid);

    assert_ok(postgres_start(&postgres, path, NULL, err)); /* and root may run it for him */
    expect_text(postgres_admin_conninfo(postgres), "SELECT current_user::text", "nobody");
}

#define ends(test) cmocka_unit_test_teardown(test, end_server)

static const struct CMUnitTest tests[] = {
    ends(makes_a_cluster_that_only_we_reach),
    ends(leaves_a_conninfo_that_only_its_owner_reads),
    ends(a_second_start_finds_the_same_data),
    ends(a_server_left_by_kill_9_is_adopted_and_stopped),
    ends(a_server_that_is_just_stopping_is_waited_for),
    ends(a_server_killed_by_kill_9_is_started_again_at_once),
    ends(a_server_that_dies_under_us_is_started_again),
    ends(a_stale_pid_file_that_names_another_process_is_no_hindrance),
    ends(a_copy_of_a_running_folder_starts_beside_it),
    ends(a_folder_above_that_bars_the_way_is_named),
    ends(a_long_path_gets_a_short_socket),
    ends(a_cluster_of_another_version_names_the_remedy),
    ends(programs_that_are_absent_are_said),
    ends(a_folder_that_is_no_cluster_is_left_alone),
    ends(what_a_killed_initdb_left_is_thrown_away),
    ends(an_ordinary_user_owns_his_cluster),
};

int main(void)
{
    return cmocka_run_group_tests(tests, start, stop);
}
