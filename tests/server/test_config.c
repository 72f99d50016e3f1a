/* SPDX-License-Identifier: Apache-2.0 */
#include "server/config.h"

#include <unistd.h>

#include "unit.h"

#define ARGS(...) ((const char *const[]){"opledgerd", __VA_ARGS__, NULL})
#define NO_ARGS ((const char *const[]){"opledgerd", NULL})

static int count(const char *const argv[])
{
    int n = 0;

    while (argv[n])
        n++;
    return n;
}

static bool read_args(struct config *config, const char *const argv[], struct opl_err *err)
{
    return config_read(config, count(argv), (char *const *)argv, err);
}

/* Written to a temporary file whose name is returned. */
static const char *file_with(const char *text)
{
    static char path[64];
    int fd;

    snprintf(path, sizeof(path), "/tmp/opledger-conf-XXXXXX");
    fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    return path;
}

static int clean(void **state)
{
    (void)state;
    for (const struct config_key *key = config_keys; key->key; key++)
        unsetenv(key->env);
    return unsetenv("OPLEDGERD_CONFIG");
}

static void defaults_serve_on_loopback_from_an_embedded_cluster(void **state)
{
    OPL_CLEANUP(config_close) struct config config = {0};

    (void)state;
    assert_ok(read_args(&config, NO_ARGS, err));
    assert_int_equal(config.action, CONFIG_SERVE);
    assert_string_equal(config.listen, "127.0.0.1:8585");
    assert_string_equal(config.db, "");
    assert_string_equal(config.data, "/var/lib/opledger");
    assert_false(config.public_log);
    assert_int_equal(config.request_ms, 30000);
    assert_true(config.max_blob == (int64_t)64 << 30);
    assert_int_equal(config.log_level, LOG_LEVEL_INFO);
}

static void a_flag_wins_over_environment_over_file_over_default(void **state)
{
    OPL_CLEANUP(config_close) struct config config = {0};
    const char *path = file_with("# comment\n\n threads = 2 \nworkers=3\nqueue = 100\n");

    (void)state;
    setenv("OPLEDGERD_WORKERS", "5", 1);
    setenv("OPLEDGERD_QUEUE", "200", 1);
    setenv("OPLEDGERD_CONFIG", path, 1);
    assert_ok(read_args(&config, ARGS("--queue", "300"), err));
    assert_int_equal(config.threads, 2);
    assert_int_equal(config.workers, 5);
    assert_int_equal(config.queue, 300);
    assert_int_equal(config.group, 10000);
    assert_string_equal(config.config_file, path);
    unlink(path);
}

static void every_type_is_read(void **state)
{
    OPL_CLEANUP(config_close) struct config config = {0};

    (void)state;
    assert_ok(read_args(&config,
                        ARGS("--public-log", "--max-blob=2MiB", "--lock-timeout", "250ms",
                             "--log-level=error", "--listen", "[::1]:0", "--origin", "a.b/1"),
                        err));
    assert_true(config.public_log);
    assert_int_equal(config.max_blob, 2 << 20);
    assert_int_equal(config.lock_ms, 250);
    assert_int_equal(config.log_level, LOG_LEVEL_ERROR);
    assert_string_equal(config.listen, "[::1]:0");
}

static void values_out_of_range_or_form_are_refused(void **state)
{
    static const char *const bad[] = {
        "--threads=0",       "--threads=",
        "--threads=-1",      "--threads=1x",
        "--threads=9999999", "--max-blob=1",
        "--max-blob=5XB",    "--max-blob=99999999TiB",
        "--lock-timeout=5",  "--public-log=maybe",
        "--log-level=loud",  "--listen=8585",
        "--listen=::1:80",   "--listen=a:70000",
        "--listen=:80",      "--workers=4294967297",
        "--log-level=inf",   "--queue=99999999999999999999",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        OPL_CLEANUP(config_close) struct config config = {0};
        struct opl_err failure = {0};

        if (read_args(&config, ARGS(bad[i]), &failure))
            fail_msg("%s was accepted", bad[i]);
        assert_int_equal(failure.code, OPL_E_USAGE);
        assert_true(failure.text[0]);
    }
}

static void a_mistyped_option_is_refused(void **state)
{
    OPL_CLEANUP(config_close) struct config one = {0}, two = {0}, three = {0};

    (void)state;
    assert_fails(read_args(&one, ARGS("--dat", "/x"), err), OPL_E_USAGE);
    assert_fails(read_args(&two, ARGS("serve"), err), OPL_E_USAGE);
    assert_fails(read_args(&three, ARGS("--data"), err), OPL_E_USAGE);
}

static void a_bad_file_names_its_line(void **state)
{
    static const char *const bad[] = {"threads = 2\nnonsense\n", "threads = 2\nthread = 2\n",
                                      "workers=1\nthreads = two\n"};

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        OPL_CLEANUP(config_close) struct config config = {0};
        const char *path = file_with(bad[i]);
        struct opl_err failure = {0};

        setenv("OPLEDGERD_CONFIG", path, 1);
        assert_false(read_args(&config, NO_ARGS, &failure));
        unlink(path);
        assert_int_equal(failure.code, OPL_E_CONFIG);
        assert_non_null(strstr(failure.text, "line 2"));
    }
}

static void a_file_that_was_named_must_be_there(void **state)
{
    OPL_CLEANUP(config_close) struct config config = {0};

    (void)state;
    assert_fails(read_args(&config, ARGS("--config", "/nonexistent"), err), OPL_E_CONFIG);
}

static void a_bad_environment_names_its_variable(void **state)
{
    OPL_CLEANUP(config_close) struct config config = {0};
    struct opl_err failure = {0};

    (void)state;
    setenv("OPLEDGERD_THREADS", "many", 1);
    assert_false(read_args(&config, NO_ARGS, &failure));
    assert_int_equal(failure.code, OPL_E_CONFIG);
    assert_non_null(strstr(failure.text, "OPLEDGERD_THREADS"));
}

static void what_is_printed_can_be_read_again(void **state)
{
    OPL_CLEANUP(config_close) struct config config = {0}, again = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0}, second = {0};

    (void)state;
    assert_ok(read_args(
        &config, ARGS("--queue=77", "--reserve=0", "--request-timeout=90s", "--public-log"), err));
    config_print(&config, &text);
    setenv("OPLEDGERD_CONFIG", file_with(text.data), 1);
    assert_ok(read_args(&again, NO_ARGS, err));
    unlink(getenv("OPLEDGERD_CONFIG"));
    config_print(&again, &second);
    assert_string_equal(text.data, second.data);
    assert_int_equal(again.request_ms, 90000);
}

static void a_secret_is_never_shown(void **state)
{
    OPL_CLEANUP(config_close) struct config config = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

    (void)state;
    assert_ok(read_args(&config, ARGS("--db", "host=x password=hunter2"), err));
    config_print(&config, &text);
    assert_null(strstr(text.data, "hunter2"));
    assert_non_null(strstr(text.data, "db = ***"));
}

static void words_choose_what_to_do(void **state)
{
    OPL_CLEANUP(config_close) struct config one = {0}, two = {0};

    (void)state;
    assert_ok(read_args(&one, ARGS("migrate", "--db", "dbname=x"), err));
    assert_int_equal(one.action, CONFIG_MIGRATE);
    assert_string_equal(one.db, "dbname=x");
    assert_ok(read_args(&two, ARGS("--help"), err));
    assert_int_equal(two.action, CONFIG_HELP);
}

static void help_names_every_key_and_its_variable(void **state)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

    (void)state;
    config_help(&text);
    for (const struct config_key *key = config_keys; key->key; key++) {
        assert_non_null(strstr(text.data, key->key));
        assert_non_null(strstr(text.data, key->env));
        assert_non_null(strstr(text.data, key->help));
    }
}

static void an_address_is_split(void **state)
{
    char host[256];
    uint16_t port;

    (void)state;
    assert_ok(config_address("[fe80::1]:8585", host, &port, err));
    assert_string_equal(host, "fe80::1");
    assert_int_equal(port, 8585);
    assert_ok(config_address("localhost:0", host, &port, err));
    assert_string_equal(host, "localhost");
}

#define with_clean(test) cmocka_unit_test_setup_teardown(test, clean, clean)

static const struct CMUnitTest tests[] = {
    with_clean(defaults_serve_on_loopback_from_an_embedded_cluster),
    with_clean(a_flag_wins_over_environment_over_file_over_default),
    with_clean(every_type_is_read),
    with_clean(values_out_of_range_or_form_are_refused),
    with_clean(a_mistyped_option_is_refused),
    with_clean(a_bad_file_names_its_line),
    with_clean(a_file_that_was_named_must_be_there),
    with_clean(a_bad_environment_names_its_variable),
    with_clean(what_is_printed_can_be_read_again),
    with_clean(a_secret_is_never_shown),
    with_clean(words_choose_what_to_do),
    with_clean(help_names_every_key_and_its_variable),
    with_clean(an_address_is_split),
};

UNIT_MAIN(tests)
