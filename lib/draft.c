/* SPDX-License-Identifier: Apache-2.0 */
#include "draft.h"

#include <opledger/json.h>
#include <opledger/time.h>

#include "field.h"
#include "kinds_rules.h"

#define BODY_USUAL 1024              /* room that spares most bodies from growing */
#define AHEAD_MAX (300 * OPL_SECOND) /* observed_at may be this far ahead of our clock */

static const struct opl_spot body_spot = {NULL, "body", 0};

/* The parts of a request; each is there and of its JSON type, or absent where it may be. */
struct request {
    const char *kind;
    const char *on;
    const char *observed_at;
    const json_t *body;
};

static bool take_string(const char **out, const char *key, const json_t *value, struct opl_err *err)
{
    char pointer[32];

    *out = json_string_value(value);
    if (*out != NULL && strlen(*out) == json_string_length(value))
        return true;
    (void)snprintf(pointer, sizeof pointer, "/%s", key);
    return opl_fail_at(err, OPL_E_MALFORMED, pointer, "must be a string without NUL");
}

static bool unknown_part(const char *key, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf pointer = {0};

    opl_json_pointer_add(&pointer, key);
    opl_fail_at(err, OPL_E_MALFORMED, opl_buf_text(&pointer), "unknown field");
    return opl_hint(err, "an entry is sent as {kind, on?, observed_at?, body}");
}

static bool read_part(struct request *request, const char *key, const json_t *value,
                      struct opl_err *err)
{
    if (strcmp(key, "kind") == 0)
        return take_string(&request->kind, key, value, err);
    if (strcmp(key, "on") == 0)
        return take_string(&request->on, key, value, err);
    if (strcmp(key, "observed_at") == 0)
        return take_string(&request->observed_at, key, value, err);
    if (strcmp(key, "body") != 0)
        return unknown_part(key, err);
    request->body = value;
    return json_is_object(value) || opl_fail_at(err, OPL_E_MALFORMED, "/body", "must be an object");
}

static bool read_request(const json_t *json, struct request *request, struct opl_err *err)
{
    const char *key;
    json_t *value;

    if (!json_is_object(json))
        return opl_fail(err, OPL_E_MALFORMED, "an entry is one JSON object");
    json_object_foreach((json_t *)json, key, value)
    {
        if (!read_part(request, key, value, err))
            return false;
    }
    if (request->kind == NULL)
        return opl_fail_at(err, OPL_E_MALFORMED, "/kind", "is missing");
    if (request->body == NULL)
        return opl_fail_at(err, OPL_E_MALFORMED, "/body", "is missing");
    return true;
}

/* Suggests the kinds about the same noun, or else the nouns' first ones. */
static bool unknown_kind(const char *name, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf like = {0};
    size_t noun = strcspn(name, ".");

    opl_fail_at(err, OPL_E_INVALID, "/kind", "\"%.64s\" is no kind of entry", name);
    for (const struct opl_kind *kind = opl_kinds; kind->name != NULL; kind++)
        if (strncmp(kind->name, name, noun) == 0 && kind->name[noun] == '.')
            opl_buf_fmt(&like, "%s%s", like.len > 0 ? ", " : "", kind->name);
    return opl_hint(err, "%s",
                    like.len > 0 ? opl_buf_text(&like)
                                 : "such as incident.opened; see /openapi.json");
}

static bool set_on(struct opl_draft *draft, const char *on, struct opl_err *err)
{
    if (on == NULL)
        return opl_rules_on(draft->kind, NULL, err);
    if (on[0] == '\0' || strlen(on) >= sizeof draft->on)
        return opl_rules_refuse_on(draft->kind, "is no id", err);
    memcpy(draft->on, on, strlen(on) + 1);
    if (opl_line_ref(on) == 0)
        return opl_rules_on(draft->kind, on, err);
    draft->has_line_refs = true;
    return draft->kind->on != OPL_ON_NOTHING ||
           opl_rules_refuse_on(draft->kind, "is no subject for this kind", err);
}

static bool set_observed_at(struct opl_draft *draft, const char *text, int64_t now,
                            struct opl_err *err)
{
    if (text == NULL)
        return true;
    if (!opl_time_parse(text, &draft->observed_at, NULL))
        return opl_fail_at(err, OPL_E_INVALID, "/observed_at",
                           "must be a moment such as 2026-10-01T14:03:00Z");
    if (draft->observed_at <= now + AHEAD_MAX)
        return true;
    opl_fail_at(err, OPL_E_INVALID, "/observed_at", "lies more than 5 minutes ahead");
    return opl_hint(err, "compare the clock of the sender with the server's");
}

bool opl_draft_write_body(struct opl_draft *draft, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = OPL_BUF_INIT(OPL_ENTRY_MAX);

    (void)opl_buf_reserve(&text, BODY_USUAL);
    if (!opl_json_canonical(draft->body, &text, err))
        return false;
    free(draft->body_text);
    draft->body_text = opl_buf_take(&text);
    return draft->body_text != NULL || opl_fail(err, OPL_E_NOMEM, "no memory for a body");
}

static bool set_body(struct opl_draft *draft, const json_t *body, struct opl_err *err)
{
    struct opl_check check = {draft, err};

    draft->body = json_object();
    if (draft->body == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a body");
    return opl_fields_check(&check, draft->kind->fields, body, &body_spot, draft->body) &&
           opl_rules_body(draft->kind, body, err) && opl_draft_write_body(draft, err);
}

static bool fill(struct opl_draft *draft, const struct request *request, int64_t now,
                 struct opl_err *err)
{
    draft->kind = opl_kind_find(request->kind);
    if (draft->kind == NULL)
        return unknown_kind(request->kind, err);
    return set_on(draft, request->on, err) &&
           set_observed_at(draft, request->observed_at, now, err) &&
           set_body(draft, request->body, err);
}

bool opl_draft_parse(const json_t *request, int64_t now, struct opl_draft *draft,
                     struct opl_err *err)
{
    struct request parts = {0};

    *draft = (struct opl_draft){.observed_at = -1};
    if (read_request(request, &parts, err) && fill(draft, &parts, now, err))
        return true;
    opl_draft_close(draft);
    return false;
}

void opl_draft_close(struct opl_draft *draft)
{
    for (size_t i = 0; i < draft->text_count; i++)
        free(draft->texts[i].text);
    free(draft->body_text);
    json_decref(draft->body);
    *draft = (struct opl_draft){.observed_at = -1};
}
