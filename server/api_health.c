/* SPDX-License-Identifier: Apache-2.0 */
/* What monitors and readers ask: health, metrics, problem pages, the interface itself. */
#include "api.h"
#include "disk.h"
#include "log.h"
#include "migrate.h"
#include "sequencer.h"
#include "server.h"

static bool text_reply(struct request *request, const char *media, struct opl_err *err)
{
    request->reply.status = 200;
    request->reply.media = media;
    return opl_buf_ok(&request->reply.body, err);
}

bool api_healthz(struct request *request, struct db *db, struct opl_err *err)
{
    (void)db;
    opl_buf_str(&request->reply.body, "{\"status\":\"ok\"}\n");
    return text_reply(request, "application/json", err);
}

/*
 * One thing that must be well. Whoever asks needs no token, so the answer is in our own words: the
 * database's, with its sockets and users, are for the log.
 */
static bool check(json_t *checks, const char *name, bool ok, const char *otherwise,
                  const struct opl_err *err)
{
    json_object_set_new(checks, name, json_string(ok ? "ok" : otherwise));
    if (!ok)
        log_err(LOG_LEVEL_WARN, "not ready", err);
    return ok;
}

static bool bootstrap_closed(struct server *server)
{
    OPL_CLEANUP(opl_registry_freep)
    struct opl_registry *registry = published_registry(&server->published);

    return registry != NULL && opl_registry_bootstrap_closed(registry);
}

bool api_readyz(struct request *request, struct db *db, struct opl_err *err)
{
    OPL_CLEANUP(signed_head_dropp)
    struct signed_head *head = published_head(&request->server->published);
    struct server *server = request->server;
    struct opl_err database = {0}, schema = {0}, disk = {0}, log = {0};
    struct migrate_state state;
    json_t *checks = json_object();
    bool ready, is_well;

    ready = check(checks, "database", db_connect(db, &database), "database unavailable", &database);
    ready &= check(checks, "migrations", migrate_check(db, &state, &schema),
                   "schema not known to be this program's", &schema);
    ready &= check(checks, "disk",
                   disk_has(server->config->data, (uint64_t)server->config->reserve, &disk),
                   "less than the reserve is free", &disk);
    is_well = sequencer_is_well(server->sequencer, &log);
    ready &=
        check(checks, "log", is_well,
              log.code == OPL_E_LOG ? "the log does not verify" : "nothing can be appended", &log);
    return reply_json(&request->reply, ready ? 200 : 503,
                      json_pack("{s:s, s:s, s:I, s:o}", "status", ready ? "ready" : "not ready",
                                "bootstrap", bootstrap_closed(server) ? "closed" : "open", "size",
                                (json_int_t)(head != NULL ? head->head.size : 0), "checks", checks),
                      err);
}

bool api_metrics(struct request *request, struct db *db, struct opl_err *err)
{
    (void)db;
    metrics_write(&request->server->metrics, &request->reply.body);
    opl_buf_fmt(&request->reply.body,
                "# HELP opledger_waiting Requests suspended now.\n# TYPE opledger_waiting gauge\n"
                "opledger_waiting %zu\n",
                waiting_count(&request->server->waiting));
    return text_reply(request, "text/plain; version=0.0.4; charset=utf-8", err);
}

bool api_problem(struct request *request, struct db *db, struct opl_err *err)
{
    (void)db;
    if (!reply_problem_page(request->params[0], &request->reply.body))
        return opl_fail(err, OPL_E_NOT_FOUND, "there is no such type of problem");
    return text_reply(request, "text/plain; charset=utf-8", err);
}

bool api_openapi(struct request *request, struct db *db, struct opl_err *err)
{
    (void)db;
    opl_buf_str(&request->reply.body, request->server->openapi);
    return text_reply(request, "application/json", err);
}
