/* SPDX-License-Identifier: Apache-2.0 */
#include "gate_reply.h"

#include <opledger/json.h>

#include "client.h"
#include "entry_print.h"

#define COLOR_GOOD "\033[32m"
#define COLOR_BAD "\033[31m"
#define COLOR_OFF "\033[0m"

static void add_text(struct opl_buf *out, const json_t *object, const char *name)
{
    const char *text = opl_json_str(object, name);

    if (text != NULL)
        output_recorded(out, text, strlen(text), OUTPUT_INLINE);
}

static void add_facts(struct opl_buf *out, const json_t *requirement, const char *name)
{
    const json_t *list = json_object_get(requirement, name);

    if (json_array_size(list) == 0)
        return;
    opl_buf_fmt(out, "      %s: ", name);
    entry_value(out, list);
    opl_buf_chr(out, '\n');
}

static const char *color_of(const struct output *out, const char *status)
{
    if (!out->color || status == NULL)
        return "";
    if (strcmp(status, "SATISFIED") == 0 || strcmp(status, "NOT_APPLICABLE") == 0)
        return COLOR_GOOD;
    return COLOR_BAD;
}

static void print_requirement(struct client *client, const json_t *requirement)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    const char *status = opl_json_str(requirement, "status");

    opl_buf_fmt(&text, "  %s", color_of(&client->out, status));
    add_text(&text, requirement, "status");
    opl_buf_fmt(&text, "%s  ", client->out.color ? COLOR_OFF : "");
    add_text(&text, requirement, "name");
    if (opl_json_str(requirement, "policy") != NULL) {
        opl_buf_str(&text, " (");
        add_text(&text, requirement, "policy");
        opl_buf_chr(&text, ')');
    }
    opl_buf_str(&text, ": ");
    add_text(&text, requirement, "detail");
    opl_buf_chr(&text, '\n');
    add_facts(&text, requirement, "for");
    add_facts(&text, requirement, "against");
    output_text(&client->out, &text);
}

/* The next commands stand together at the end, each once. */
static void print_next(struct client *client, const json_t *requirements)
{
    size_t i;
    const json_t *requirement;

    json_array_foreach(requirements, i, requirement)
    {
        OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
        const char *next = opl_json_str(requirement, "next");
        bool seen = false;

        for (size_t before = 0; next != NULL && before < i; before++) {
            const char *other = opl_json_str(json_array_get(requirements, before), "next");

            seen = seen || (other != NULL && strcmp(other, next) == 0);
        }
        if (next == NULL || *next == '\0' || seen)
            continue;
        add_text(&text, requirement, "next");
        output_next(&client->out, "%s", opl_buf_text(&text));
    }
}

void gate_reply_print(struct client *client, const struct gate_reply *reply)
{
    const json_t *requirements = json_object_get(reply->root, "requirements");
    size_t i;
    const json_t *requirement;

    output_line(&client->out, "requirements, judged at a log of %llu entries:",
                (unsigned long long)reply->head.size);
    json_array_foreach(requirements, i, requirement)
    {
        print_requirement(client, requirement);
    }
    if (json_array_size(requirements) == 0)
        output_line(&client->out, "  none: no policy applies to this change");
    if (!reply->bootstrap_closed)
        output_line(&client->out, "bootstrap is open: one admin alone can still enrol anybody");
    if (reply->decided)
        output_line(&client->out, "decision recorded as entry %llu",
                    (unsigned long long)reply->decision_seq);
    else
        output_line(&client->out, "this is advice: nothing was recorded");
    print_next(client, requirements);
}

void gate_reply_last_line(struct client *client, const char *use, enum opl_gate_outcome outcome,
                          int exit_status)
{
    output_line(&client->out, "gate %s: %s (exit %d)", use, opl_gate_outcome_name(outcome),
                exit_status);
}
