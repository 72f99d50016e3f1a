/* SPDX-License-Identifier: Apache-2.0 */
#include "routes.h"

#include <ctype.h>

#include <opledger/entry.h>

#include "api.h"

#define KIB ((uint64_t)1 << 10)
#define BLOB_MAX ((uint64_t)1 << 62) /* the configuration's limit is asked by the handler */
#define JSON "application/json"
#define ENTRIES "application/json application/x-ndjson"
#define READER "reader"

/* clang-format off */
const struct route routes[] = {
    {"POST", "/v1/entries", READER, OPL_BATCH_MAX, ENTRIES, LANE_WRITE, 0, api_entries_append, "Append one entry, or a batch of lines, all or nothing"},
    {"GET", "/v1/entries", READER, 0, NULL, LANE_WORKER, 0, api_entries_list, "Entries in log order"},
    {"GET", "/v1/entries/{}", READER, 0, NULL, LANE_WORKER, 0, api_entry_get, "One entry with its texts"},
    {"GET", "/v1/entries/{}/proof", READER, 0, NULL, LANE_WORKER, 0, api_entry_proof, "Inclusion proof of an entry in the tree of a size"},
    {"GET", "/v1/incidents", READER, 0, NULL, LANE_WORKER, 0, api_subjects_list, "Incidents, newest first"},
    {"GET", "/v1/incidents/{}", READER, 0, NULL, LANE_WORKER, 0, api_subject_get, "An incident and its entries"},
    {"GET", "/v1/hypotheses", READER, 0, NULL, LANE_WORKER, 0, api_subjects_list, "Hypotheses, newest first"},
    {"GET", "/v1/hypotheses/{}", READER, 0, NULL, LANE_WORKER, 0, api_subject_get, "A hypothesis and its entries"},
    {"GET", "/v1/changes", READER, 0, NULL, LANE_WORKER, 0, api_subjects_list, "Changes, newest first"},
    {"GET", "/v1/changes/{}", READER, 0, NULL, LANE_WORKER, 0, api_subject_get, "A change and its entries"},
    {"POST", "/v1/changes/{}/gate", "gate|recorder", 8 * KIB, JSON, LANE_WRITE, 0, api_gate, "May this change be applied; a decision is recorded"},
    {"GET", "/v1/egress", READER, 0, NULL, LANE_WORKER, 0, api_subjects_list, "What left the site, newest first"},
    {"GET", "/v1/egress/{}", READER, 0, NULL, LANE_WORKER, 0, api_subject_get, "One egress and its entries"},
    {"GET", "/v1/overrides", READER, 0, NULL, LANE_WORKER, 0, api_subjects_list, "Overrides, newest first"},
    {"GET", "/v1/overrides/{}", READER, 0, NULL, LANE_WORKER, 0, api_subject_get, "An override and its entries"},
    {"PUT", "/v1/blobs/{}", "recorder|admin", BLOB_MAX, NULL, LANE_UPLOAD, 0, api_blob_put, "Store bytes under their SHA-256"},
    {"GET", "/v1/blobs/{}", READER, 0, NULL, LANE_WORKER, 0, api_blob_get, "Bytes by SHA-256, whole or a range"},
    {"GET", "/v1/keys", NULL, 0, NULL, LANE_INLINE, 0, api_keys, "The log's origin and key"},
    {"GET", "/v1/principals", READER, 0, NULL, LANE_INLINE, 0, api_principals, "Who is enrolled, with roles and keys"},
    {"GET", "/v1/policies", READER, 0, NULL, LANE_INLINE, 0, api_policies, "The policies in force"},
    {"GET", "/v1/whoami", READER, 0, NULL, LANE_INLINE, 0, api_whoami, "Whose token this is and what it may"},
    {"POST", "/v1/login/challenge", NULL, 1 * KIB, JSON, LANE_INLINE, 0, api_login_challenge, "A challenge to sign"},
    {"POST", "/v1/login", NULL, 32 * KIB, JSON, LANE_WRITE, 0, api_login, "A token for a signed challenge"},
    {"POST", "/v1/tokens", "admin", 8 * KIB, JSON, LANE_WRITE, 0, api_token_create, "A token for a service or an agent"},
    {"GET", "/checkpoint", NULL, 0, NULL, LANE_INLINE, 0, api_checkpoint, "The newest signed checkpoint (tlog-checkpoint)"},
    {"GET", "/tile/{*}", READER, 0, NULL, LANE_WORKER, ROUTE_OPEN_LOG, api_tile, "Hash tiles and entry bundles (tlog-tiles)"},
    {"GET", "/healthz", NULL, 0, NULL, LANE_INLINE, 0, api_healthz, "The process answers"},
    {"GET", "/readyz", NULL, 0, NULL, LANE_WORKER, 0, api_readyz, "Database, schema, disk, clock and log are well"},
    {"GET", "/metrics", READER, 0, NULL, LANE_INLINE, ROUTE_OPEN_LOOPBACK, api_metrics, "Counters as Prometheus text"},
    {"GET", "/problems/{}", NULL, 0, NULL, LANE_INLINE, 0, api_problem, "What a problem type means"},
    {"GET", "/openapi.json", NULL, 0, NULL, LANE_INLINE, 0, api_openapi, "This interface, as OpenAPI 3.1"},
    {NULL, NULL, NULL, 0, NULL, LANE_INLINE, 0, NULL, NULL},
};

/* clang-format on */

/* Matches a path; params get the ends of {} segments, cut only when everything matches. */
static bool match(const char *pattern, char *path, char *params[static REQUEST_PARAMS])
{
    size_t count = 0;

    while (*pattern != '\0') {
        if (strncmp(pattern, "{*}", 3) == 0) {
            params[count++] = path;
            return *path != '\0';
        }
        if (strncmp(pattern, "{}", 2) == 0) {
            size_t len = strcspn(path, "/");

            if (len == 0)
                return false;
            params[count++] = path;
            path += len;
            pattern += 2;
        } else if (*pattern++ != *path++) {
            return false;
        }
    }
    return *path == '\0';
}

/* A GET route answers HEAD too. */
static bool takes(const struct route *route, const char *method)
{
    return strcmp(route->method, method) == 0 ||
           (strcmp(method, "HEAD") == 0 && strcmp(route->method, "GET") == 0);
}

static void keep_params(struct request *request, const struct route *route, char **params)
{
    bool rest = strstr(route->pattern, "{*}") != NULL;

    for (size_t i = 0; i < REQUEST_PARAMS && params[i] != NULL; i++)
        request->params[i] = params[i];
    for (size_t i = 0; i < REQUEST_PARAMS && params[i] != NULL && !rest; i++)
        params[i][strcspn(params[i], "/")] = '\0';
}

bool routes_find(struct request *request, struct opl_err *err)
{
    char allow[64] = "";

    for (const struct route *route = routes; route->method != NULL; route++) {
        char *params[REQUEST_PARAMS] = {NULL};

        if (!match(route->pattern, request->path, params))
            continue;
        if (takes(route, request->method)) {
            request->route = route;
            keep_params(request, route, params);
            return true;
        }
        snprintf(allow + strlen(allow), sizeof allow - strlen(allow), "%s%s",
                 allow[0] != '\0' ? ", " : "", route->method);
    }
    if (allow[0] == '\0') {
        opl_fail(err, OPL_E_NOT_FOUND, "there is no such path");
        return opl_hint(err, "/openapi.json lists them");
    }
    reply_header(&request->reply, "Allow", "%s", allow);
    opl_fail(err, OPL_E_METHOD, "this path takes %s", allow);
    return opl_hint(err, "%s", allow);
}

/* ---- /openapi.json ---- */

/* The pattern with names in its braces, as OpenAPI wants it. */
static void path_template(const char *pattern, char *out, size_t size)
{
    const char *hole = strchr(pattern, '{');
    const char *noun = hole;

    snprintf(out, size, "%s", pattern);
    if (hole == NULL)
        return;
    while (noun > pattern + 1 && noun[-2] != '/')
        noun--;
    snprintf(out, size, "%.*s{%s}%s", (int)(hole - pattern), pattern,
             strstr(pattern, "entries/{}") != NULL   ? "seq"
             : strstr(pattern, "/blobs/") != NULL    ? "sha256"
             : strstr(pattern, "/problems/") != NULL ? "slug"
             : strstr(pattern, "{*}") != NULL        ? "path"
                                                     : "id",
             strchr(hole, '}') + 1);
}

static json_t *parameters(const char *template)
{
    const char *hole = strchr(template, '{');
    json_t *list = json_array();

    if (hole != NULL)
        json_array_append_new(list, json_pack("{s:s%, s:s, s:b, s:{s:s}}", "name", hole + 1,
                                              strcspn(hole + 1, "}"), "in", "path", "required", 1,
                                              "schema", "type", "string"));
    return list;
}

static json_t *content(const char *media)
{
    json_t *all = json_object();

    while (media != NULL && *media != '\0') {
        size_t len = strcspn(media, " ");
        char name[64];

        snprintf(name, sizeof name, "%.*s", (int)len, media);
        json_object_set_new(all, name, json_object());
        media += len + strspn(media + len, " ");
    }
    return all;
}

static json_t *operation(const struct route *route, const char *template)
{
    json_t *made = json_pack("{s:s, s:o, s:{s:{s:s}, s:{s:s}}}", "summary", route->summary,
                             "parameters", parameters(template), "responses", "2XX", "description",
                             "done", "default", "description", "a problem (RFC 9457)");

    if (route->media != NULL)
        json_object_set_new(
            made, "requestBody",
            json_pack("{s:b, s:o}", "required", 1, "content", content(route->media)));
    if (route->roles != NULL) {
        json_object_set_new(made, "security", json_pack("[{s:[]}]", "bearer"));
        json_object_set_new(made, "x-roles", json_string(route->roles));
    }
    return made;
}

static json_t *kinds_schema(void)
{
    json_t *all = json_object();

    for (const struct opl_kind *kind = opl_kinds; kind->name != NULL; kind++) {
        json_t *fields = json_object();

        for (const struct opl_field *field = kind->fields; field->name != NULL; field++)
            json_object_set_new(fields, field->name,
                                json_pack("{s:s, s:b}", "description", field->help, "x-required",
                                          !(field->flags & OPL_FIELD_OPTIONAL)));
        json_object_set_new(all, kind->name,
                            json_pack("{s:s, s:s, s:o}", "type", "object", "description",
                                      kind->summary, "properties", fields));
    }
    return all;
}

json_t *routes_openapi(void)
{
    json_t *paths = json_object();

    for (const struct route *route = routes; route->method != NULL; route++) {
        char template[128], method[8] = "";
        json_t *path;

        path_template(route->pattern, template, sizeof template);
        for (size_t i = 0; route->method[i] != '\0' && i < sizeof method - 1; i++)
            method[i] = (char)tolower((unsigned char)route->method[i]);
        path = json_object_get(paths, template);
        if (path == NULL) {
            path = json_object();
            json_object_set_new(paths, template, path);
        }
        json_object_set_new(path, method, operation(route, template));
    }
    return json_pack("{s:s, s:{s:s, s:s}, s:o, s:{s:{s:{s:s, s:s}}, s:o}}", "openapi", "3.1.0",
                     "info", "title", "opledger", "version", OPLEDGER_VERSION, "paths", paths,
                     "components", "securitySchemes", "bearer", "type", "http", "scheme", "bearer",
                     "schemas", kinds_schema());
}
