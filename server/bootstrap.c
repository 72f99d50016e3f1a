/* SPDX-License-Identifier: Apache-2.0 */
#include "bootstrap.h"

#include <opledger/embedded.h>
#include <opledger/encode.h>
#include <opledger/json.h>

#include "auth.h"
#include "blob.h"
#include "disk.h"
#include "log.h"
#include "sequencer.h"
#include "server.h"
#include "token_write.h"

#define ADMIN "admin"
#define ADMIN_ROLES "admin", "recorder", "gate", "evidence-raw"
#define FOREVER "9999-12-31T00:00:00.000000Z" /* until it is revoked or bootstrap.closed */

/* Where a shipped file is adopted, by its path; false for files that are no policies (tests). */
static bool policy_of(const char *path, const char **what, char name[static 65])
{
    static const struct {
        const char *prefix, *what;
    } places[] = {
        {"gate/",   "gate"  },
        {"redact/", "redact"},
        {"models",  "models"}
    };

    const char *end = strstr(path, ".yaml");

    if (end == NULL || strstr(path, ".tests.") != NULL)
        return false;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        size_t len = strlen(places[i].prefix);
        const char *from = places[i].prefix[len - 1] == '/' ? path + len : path;

        if (strncmp(path, places[i].prefix, len) != 0)
            continue;
        *what = places[i].what;
        snprintf(name, 65, "%.*s", (int)(end - from), from);
        return true;
    }
    return false;
}

static bool add_enrolment(struct write *write, struct opl_err *err)
{
    return write_add_json(write,
                          json_pack("{s:s, s:{s:s, s:s, s:[s,s,s,s]}}", "kind",
                                    "principal.enrolled", "body", "name", ADMIN, "class", "person",
                                    "roles", ADMIN_ROLES),
                          opl_time_now(), err);
}

static bool add_token(struct write *write, const struct auth_token *token, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep)
    json_t *body = json_pack("{s:s, s:[s,s,s,s], s:s}", "principal", ADMIN, "scope", ADMIN_ROLES,
                             "expires", FOREVER);

    if (body == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a token");
    return token_write(write, body, token, err);
}

static bool add_policies(struct write *write, struct db *db, struct opl_err *err)
{
    for (const struct embedded_file *file = embedded_policies; file->path != NULL; file++) {
        struct opl_hash sha256;
        char name[65], hex[OPL_HEX_SIZE];
        const char *what;

        if (!policy_of(file->path, &what, name))
            continue;
        if (!blob_put(db, file->text, file->len, &sha256, err))
            return false;
        opl_hash_hex(&sha256, hex);
        if (!write_add_json(write,
                            json_pack("{s:s, s:{s:s, s:s, s:s}}", "kind", "policy.adopted", "body",
                                      "what", what, "name", name, "sha256", hex),
                            opl_time_now(), err))
            return false;
    }
    return true;
}

static bool keep_token(struct server *server, const struct auth_token *token, struct opl_err *err)
{
    char path[4096], line[80];
    bool ok;

    snprintf(path, sizeof path, "%s/admin.token", server->config->data);
    snprintf(line, sizeof line, "%s\n", token->text);
    ok = disk_write_file(path, line, strlen(line), 0600, err);
    opl_wipe(line, sizeof line);
    if (ok)
        log_info("first start: the admin's token is written", LOG_S("file", &path[0]));
    return ok;
}

/* Under the lock: another process may have been first. */
static bool only_if_empty(struct write *write, const struct write_moment *moment,
                          struct opl_err *err)
{
    (void)write;
    if (moment->size == 0)
        return true;
    return opl_fail(err, OPL_E_WRONG_STATE, "another server has begun this log");
}

static bool begin_log(struct server *server, struct db *db, struct opl_err *err)
{
    OPL_CLEANUP(write_freep) struct write *write = write_new();
    struct opl_err why = {0};
    struct auth_token token;
    bool ok;

    if (write == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for the first entries");
    write->is_batch = true; /* all of them or none */
    write->compose = only_if_empty;
    auth_token_draw(&token);
    ok = add_enrolment(write, err) && add_token(write, &token, err) &&
         add_policies(write, db, err) && keep_token(server, &token, err);
    opl_wipe(&token, sizeof token);
    if (!ok)
        return false;
    if (sequencer_write(server->sequencer, write, &why) || why.code == OPL_E_WRONG_STATE)
        return true;
    *err = why;
    return false;
}

bool bootstrap_run(struct server *server, struct db *db, struct opl_err *err)
{
    struct signed_head *head = published_head(&server->published);
    bool has_entries = head != NULL;

    signed_head_drop(head);
    return has_entries || begin_log(server, db, err);
}
