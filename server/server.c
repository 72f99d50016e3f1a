/* SPDX-License-Identifier: Apache-2.0 */
#include "server.h"

#include <unistd.h>

#include <opledger/json.h>

#include "bootstrap.h"
#include "exchange.h"
#include "http.h"
#include "log.h"
#include "postgres.h"
#include "routes.h"
#include "scrubbed_pass.h"
#include "sequencer.h"
#include "workers.h"

#define DRAIN_MS 10000 /* how long a stop waits for what is under way */
#define WORKER_QUEUE 4096

static struct db_options db_options(const struct server *server, bool is_reader)
{
    const struct config *config = server->config;

    return (struct db_options){.conninfo = server->conninfo,
                               .lock_timeout_ms = (int)config->lock_ms,
                               .statement_timeout_ms = is_reader ? (int)config->statement_ms : 0};
}

static bool open_log(struct server *server, struct db *db, struct opl_err *err)
{
    const struct config *config = server->config;

    return ledger_open(&server->ledger, config->data, config->origin, db, err);
}

static bool start_sequencer(struct server *server, struct opl_err *err)
{
    const struct sequencer_options options = {.db = db_options(server, false),
                                              .ledger = &server->ledger,
                                              .published = &server->published,
                                              .metrics = &server->metrics,
                                              .queue = (size_t)server->config->queue,
                                              .group = (size_t)server->config->group};

    return sequencer_start(&server->sequencer, &options, err);
}

static bool start_workers(struct server *server, struct opl_err *err)
{
    const struct workers_options options = {.db = db_options(server, true),
                                            .threads = (size_t)server->config->workers,
                                            .queue = WORKER_QUEUE,
                                            .done = exchange_worked};

    return workers_start(&server->workers, &options, err);
}

static bool make_openapi(struct server *server, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *document = routes_openapi();

    server->openapi = document != NULL ? json_dumps(document, JSON_COMPACT) : NULL;
    return server->openapi != NULL || opl_fail(err, OPL_E_NOMEM, "no memory for /openapi.json");
}

static void say_ready(const struct server *server)
{
    const struct config *config = server->config;
    char url[300], host[256], key[16];
    const char *shown = url, *id = key;
    uint16_t port;

    if (!config_address(config->listen, host, &port, NULL))
        return;
    snprintf(url, sizeof url, strchr(host, ':') != NULL ? "http://[%s]:%u" : "http://%s:%u", host,
             http_port(server->http));
    snprintf(key, sizeof key, "%08x", server->ledger.vkey.id);
    log_info("ready", LOG_S("url", shown), LOG_S("data", config->data),
             LOG_S("origin", &server->ledger.origin[0]), LOG_S("key", id),
             LOG_S("database", server->postgres != NULL ? "embedded" : "--db"),
             LOG_I("pid", getpid()));
}

bool server_start(struct server *server, const struct config *config, struct postgres *postgres,
                  struct opl_err *err)
{
    OPL_CLEANUP(db_freep) struct db *db = NULL;
    struct db_options options;

    *server = (struct server){.config = config, .postgres = postgres};
    published_init(&server->published);
    server->conninfo = postgres != NULL ? postgres_conninfo(postgres) : config->db;
    options = db_options(server, true);
    db = db_new(&options);
    server->scrubbed_rules = scrubbed_rules_new();
    if (db == NULL || server->scrubbed_rules == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for the server");
    if (!open_log(server, db, err) || !start_sequencer(server, err) ||
        !bootstrap_run(server, db, err) || !ledger_has_begun(config->data, err) ||
        !make_openapi(server, err) || !waiting_start(&server->waiting, http_resume, err) ||
        !start_workers(server, err) || !http_start(&server->http, server, err))
        return false;
    say_ready(server);
    return true;
}

/* Waits until nothing is suspended any more; what takes too long is answered 503. */
static void drain(struct server *server)
{
    for (int waited = 0; waiting_count(&server->waiting) > 0; waited += 10) {
        if (waited == DRAIN_MS)
            waiting_expire_all(&server->waiting);
        usleep(10000);
    }
}

void server_stop(struct server *server)
{
    atomic_store(&server->stopping, true);
    http_quiesce(server->http);
    if (server->http != NULL)
        drain(server);
    sequencer_stop(server->sequencer);
    workers_stop(server->workers);
    if (server->http != NULL)
        drain(server);
    http_stop(server->http); /* until here its threads may still submit, and are refused */
    sequencer_free(server->sequencer);
    workers_free(server->workers);
    waiting_stop(&server->waiting);
    free(server->openapi);
    scrubbed_rules_free(server->scrubbed_rules);
    published_close(&server->published);
    ledger_close(&server->ledger);
}
