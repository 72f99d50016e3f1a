/* SPDX-License-Identifier: Apache-2.0 */
#include "request.h"

#include <ctype.h>

#include <opledger/encode.h>
#include <opledger/json.h>

#include "write.h"

struct request *request_new(struct server *server, const char *target)
{
    struct request *request = calloc(1, sizeof *request);
    uint8_t id[8];

    if (request == NULL)
        return NULL;
    request->target = strdup(target);
    if (request->target == NULL) {
        free(request);
        return NULL;
    }
    opl_random(id, sizeof id);
    opl_hex_encode(id, sizeof id, request->id);
    request->server = server;
    atomic_init(&request->holders, 1);
    return request;
}

void request_hold(struct request *request)
{
    atomic_fetch_add(&request->holders, 1);
}

void request_drop(struct request *request)
{
    if (request == NULL || atomic_fetch_sub(&request->holders, 1) != 1)
        return;
    if (request->sink.ctx != NULL)
        request->sink.release(request->sink.ctx);
    if (request->extra != NULL)
        request->extra_free(request->extra);
    write_free(request->write);
    json_decref(request->errors);
    opl_buf_wipe(&request->body); /* may hold a signature or a text to be sealed */
    reply_close(&request->reply);
    free(request->target);
    free(request);
}

/* Decodes %XX (and + in queries) in place. */
static bool decode(char *text, bool is_query)
{
    char *out = text;

    for (const char *in = text; *in != '\0'; in++) {
        uint8_t byte = (uint8_t)*in;

        if (*in == '%') {
            char digits[3] = {0};

            if (!isxdigit((unsigned char)in[1]) || !isxdigit((unsigned char)in[2]))
                return false;
            digits[0] = (char)tolower((unsigned char)in[1]);
            digits[1] = (char)tolower((unsigned char)in[2]);
            if (!opl_hex_decode(digits, &byte, 1, NULL) || byte == 0)
                return false;
            in += 2;
        } else if (is_query && *in == '+') {
            byte = ' ';
        }
        *out++ = (char)byte;
    }
    *out = '\0';
    return opl_is_utf8(text, (size_t)(out - text));
}

static bool parse_query(struct request *request, char *query, struct opl_err *err)
{
    char *rest = query;

    for (char *part = strsep(&rest, "&"); part != NULL; part = strsep(&rest, "&")) {
        struct request_query *slot = &request->query[request->query_count];
        char *value = part;

        if (*part == '\0')
            continue;
        if (request->query_count == REQUEST_QUERY)
            return opl_fail(err, OPL_E_MALFORMED, "more than %d query parameters", REQUEST_QUERY);
        slot->name = strsep(&value, "=");
        slot->value = value != NULL ? value : slot->name + strlen(slot->name);
        if (!decode(slot->name, true) || (value != NULL && !decode(slot->value, true)))
            return opl_fail(err, OPL_E_MALFORMED, "the query is not percent-encoded UTF-8");
        if (request_query(request, slot->name) != NULL)
            return opl_fail(err, OPL_E_MALFORMED, "query parameter '%.60s' stands twice",
                            slot->name);
        request->query_count++;
    }
    return true;
}

bool request_parse_target(struct request *request, struct opl_err *err)
{
    char *query = request->target;

    if (strlen(request->target) > REQUEST_TARGET_MAX)
        return opl_fail(err, OPL_E_TOO_LARGE, "a path and query of more than %d bytes",
                        REQUEST_TARGET_MAX);
    request->path = strsep(&query, "?");
    if (request->path[0] != '/' || !decode(request->path, false))
        return opl_fail(err, OPL_E_MALFORMED, "the path is not percent-encoded UTF-8");
    return query == NULL || parse_query(request, query, err);
}

const char *request_query(const struct request *request, const char *name)
{
    for (size_t i = 0; i < request->query_count; i++) {
        if (strcmp(request->query[i].name, name) == 0)
            return request->query[i].value;
    }
    return NULL;
}

bool request_number(const char *text, uint64_t *out)
{
    uint64_t value = 0;
    size_t len = strlen(text);

    if (len == 0 || len > 16 || (text[0] == '0' && len > 1))
        return false;
    for (size_t i = 0; i < len; i++) {
        if (!isdigit((unsigned char)text[i]))
            return false;
        value = value * 10 + (uint64_t)(text[i] - '0');
    }
    *out = value;
    return value <= (uint64_t)OPL_JSON_INT_MAX;
}

bool request_query_int(const struct request *request, const char *name, int64_t otherwise,
                       const int64_t range[static 2], int64_t *out, struct opl_err *err)
{
    const char *text = request_query(request, name);
    uint64_t value;

    *out = otherwise;
    if (text == NULL)
        return true;
    if (!request_number(text, &value) || (int64_t)value < range[0] || (int64_t)value > range[1])
        return opl_fail(err, OPL_E_MALFORMED, "%s must be a number from %lld to %lld", name,
                        (long long)range[0], (long long)range[1]);
    *out = (int64_t)value;
    return true;
}

/* Whether `name` is one of the words of a list separated by spaces. */
static bool is_listed(const char *name, const char *names)
{
    size_t len = strlen(name);

    for (const char *at = names; len > 0 && (at = strstr(at, name)) != NULL; at += len) {
        bool starts = at == names || at[-1] == ' ';

        if (starts && (at[len] == ' ' || at[len] == '\0'))
            return true;
    }
    return false;
}

bool request_only(const struct request *request, const char *names, struct opl_err *err)
{
    for (size_t i = 0; i < request->query_count; i++) {
        if (!is_listed(request->query[i].name, names)) {
            opl_fail(err, OPL_E_MALFORMED, "there is no query parameter '%.60s' here",
                     request->query[i].name);
            return opl_hint(err, "%s", names[0] != '\0' ? names : "this path takes none");
        }
    }
    return true;
}

json_t *request_json(const struct request *request, struct opl_err *err)
{
    return opl_json_parse(opl_buf_text(&request->body), request->body.len, err);
}

bool request_members(const json_t *object, const char *names, struct opl_err *err)
{
    const char *key;
    json_t *value;

    if (!json_is_object(object))
        return opl_fail(err, OPL_E_INVALID, "the body must be a JSON object");
    json_object_foreach((json_t *)object, key, value)
    {
        if (!is_listed(key, names)) {
            char field[96];

            snprintf(field, sizeof field, "/%.80s", key);
            opl_fail_at(err, OPL_E_INVALID, field, "there is no such member");
            return opl_hint(err, "it may have: %s", names);
        }
    }
    return true;
}
