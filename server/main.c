/* SPDX-License-Identifier: Apache-2.0 */
/*
 * opledgerd - the service. Exit status: 0 stopped as asked, 2 usage or configuration, 3 could not
 * run, 4 the log does not verify.
 */
#include <signal.h>
#include <unistd.h>

#include "blob.h"
#include "listener.h"
#include "log.h"
#include "server.h"
#include "storage.h"

#define COLLECT_EVERY_S 3600

static volatile sig_atomic_t stop_signal;

static void on_signal(int number)
{
    stop_signal = number;
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal};

    sigemptyset(&action.sa_mask);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
}

static int fail(const struct opl_err *err)
{
    fprintf(stderr, "opledgerd: %s\n", err->text);
    if (err->hint[0] != '\0')
        fprintf(stderr, "  hint: %s\n", err->hint);
    return opl_code_exit(err->code);
}

static int print_text(void (*write)(struct opl_buf *out))
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf out = {0};

    write(&out);
    return fputs(opl_buf_text(&out), stdout) < 0 ? 3 : 0;
}

static int print_config(const struct config *config)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf out = {0};

    config_print(config, &out);
    return fputs(opl_buf_text(&out), stdout) < 0 ? 3 : 0;
}

static void collect(struct server *server)
{
    const struct db_options options = {.conninfo = server->conninfo};
    OPL_CLEANUP(db_freep) struct db *db = db_new(&options);
    struct opl_err err = {0};
    uint64_t removed;

    if (db == NULL)
        return;
    if (!blob_collect(db, &removed, &err))
        log_err(LOG_LEVEL_WARN, "blobs not collected", &err);
    else if (removed > 0)
        log_info("blobs collected", LOG_I("removed", removed));
}

/* Until a signal comes: keeps the embedded cluster up and collects what nothing names. */
static void run(struct server *server, struct storage *storage)
{
    for (int64_t seconds = 1; stop_signal == 0; seconds++) {
        struct opl_err err = {0};

        sleep(1);
        if (stop_signal != 0)
            break;
        if (!storage_keep(storage, &err))
            log_err(LOG_LEVEL_ERROR, "the embedded PostgreSQL is down", &err);
        if (seconds % COLLECT_EVERY_S == 0)
            collect(server);
    }
    log_info("stopping", LOG_I("signal", stop_signal));
}

static bool serve_with(const struct config *config, struct storage *storage, struct opl_err *err)
{
    struct server *server = calloc(1, sizeof *server);
    bool ok;

    if (server == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for the server");
    ok = server_start(server, config, storage->postgres, err);
    if (ok)
        run(server, storage);
    server_stop(server);
    free(server);
    return ok;
}

static bool serve(const struct config *config, struct opl_err *err)
{
    OPL_CLEANUP(storage_close) struct storage storage = {0};
    bool ok = listener_probe(config->listen, err) && storage_open(&storage, config, err) &&
              serve_with(config, &storage, err);

    if (ok)
        log_info("stopped", LOG_I("pid", getpid()));
    return ok;
}

static bool migrate(const struct config *config, struct opl_err *err)
{
    struct migrate_state state;

    if (!storage_migrate(config, &state, err))
        return false;
    log_info("schema is up to date", LOG_I("version", state.version));
    return true;
}

int main(int argc, char *argv[])
{
    OPL_CLEANUP(config_close) struct config config = {0};
    struct opl_err err = {0};

    if (!opl_crypto_init(&err) || !config_read(&config, argc, argv, &err))
        return fail(&err);
    if (config.action == CONFIG_HELP)
        return print_text(config_help);
    if (config.action == CONFIG_VERSION)
        return printf("opledgerd %s\n", OPLEDGER_VERSION) < 0 ? 3 : 0;
    if (config.action == CONFIG_PRINT)
        return print_config(&config);
    log_setup((enum log_level)config.log_level, (enum log_format)config.log_format, STDERR_FILENO);
    catch_signals();
    if (config.action == CONFIG_MIGRATE)
        return migrate(&config, &err) ? 0 : fail(&err);
    return serve(&config, &err) ? 0 : fail(&err);
}
