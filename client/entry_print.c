/* SPDX-License-Identifier: Apache-2.0 */
#include "entry_print.h"

#include <opledger/json.h>
#include <opledger/time.h>

#include "client.h"

#define BOLD "\033[1m"
#define PLAIN "\033[0m"
#define LINE_MAX_BYTES ((size_t)256 << 10)

void entry_time(int64_t at, char *out, size_t size)
{
    char stored[OPL_TIME_SIZE];

    opl_time_format(at, stored);
    stored[10] = ' ';
    snprintf(out, size, "%.19s", stored);
}

static void add_model(struct opl_buf *out, const json_t *model)
{
    static const char *const parts[][2] = {
        {"version",  "@"          },
        {"served",   " served by "},
        {"endpoint", " at "       }
    };

    opl_buf_fmt(out, "%s/%s", opl_json_str(model, "provider"), opl_json_str(model, "name"));
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (opl_json_str(model, parts[i][0]) != NULL)
            opl_buf_fmt(out, "%s%s", parts[i][1], opl_json_str(model, parts[i][0]));
}

static void add_object(struct opl_buf *out, const json_t *value)
{
    const char *separator = "";
    const char *key;
    const json_t *item;

    if (opl_json_str(value, "provider") != NULL && opl_json_str(value, "name") != NULL) {
        add_model(out, value);
        return;
    }
    if (opl_json_str(value, "status") != NULL && opl_json_str(value, "name") != NULL) {
        opl_buf_fmt(out, "%s %s;", opl_json_str(value, "name"), opl_json_str(value, "status"));
        return;
    }
    json_object_foreach((json_t *)value, key, item)
    {
        opl_buf_str(out, separator);
        output_recorded(out, key, strlen(key), OUTPUT_INLINE);
        opl_buf_chr(out, ' ');
        entry_value(out, item);
        separator = ", ";
    }
}

static void add_list(struct opl_buf *out, const json_t *value)
{
    size_t i;
    const json_t *item;

    json_array_foreach(value, i, item)
    {
        opl_buf_str(out, i > 0 ? " " : "");
        entry_value(out, item);
    }
}

void entry_value(struct opl_buf *out, const json_t *value)
{
    if (json_is_string(value))
        output_recorded(out, json_string_value(value), json_string_length(value), OUTPUT_INLINE);
    else if (json_is_integer(value))
        opl_buf_fmt(out, "%lld", (long long)json_integer_value(value));
    else if (json_is_array(value))
        add_list(out, value);
    else if (json_is_object(value))
        add_object(out, value);
    else
        opl_buf_str(out, "none");
}

/* "prompt_sha256" reads as "prompt sha256". */
static void add_label(struct opl_buf *out, const char *name)
{
    for (; *name != '\0'; name++)
        opl_buf_chr(out, *name == '_' ? ' ' : *name);
}

static void print_sealed(struct client *client, const struct subject_entry *entry, const char *name)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf label = {0};
    char pointer[96];
    const json_t *kept;

    snprintf(pointer, sizeof(pointer), "/body/%s", name);
    kept = json_object_get(entry->texts, pointer);
    add_label(&label, name);
    if (subject_text(entry, pointer) != NULL)
        output_labelled(&client->out, opl_buf_text(&label), subject_text(entry, pointer));
    else if (kept != NULL && opl_json_int(kept, "erased", -1) >= 0)
        output_line(&client->out, "  %s: [erased by entry %lld]", opl_buf_text(&label),
                    (long long)opl_json_int(kept, "erased", -1));
    else
        output_line(&client->out, "  %s: [sealed]", opl_buf_text(&label));
}

static void print_plain(struct client *client, const char *name, const json_t *value)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf line = OPL_BUF_INIT(LINE_MAX_BYTES);

    if (json_is_array(value) && json_array_size(value) == 0)
        return;
    opl_buf_str(&line, "  ");
    add_label(&line, name);
    opl_buf_str(&line, ": ");
    entry_value(&line, value);
    opl_buf_chr(&line, '\n');
    output_text(&client->out, &line);
}

/* Signatures are for machines: who signed stands in the heading. */
static bool is_signature(const struct opl_kind *kind, const char *name)
{
    return kind->statement != NULL &&
           (strcmp(name, "sshsig") == 0 || strcmp(name, "statement") == 0);
}

static void print_fields(struct client *client, const struct subject_entry *entry)
{
    const struct opl_kind *kind = entry->entry.kind;

    for (const struct opl_field *field = kind->fields; field->name != NULL; field++) {
        const json_t *value = json_object_get(entry->entry.body, field->name);

        if (value == NULL || is_signature(kind, field->name))
            continue;
        if (field->type == OPL_F_SEALED)
            print_sealed(client, entry, field->name);
        else
            print_plain(client, field->name, value);
    }
}

void entry_print(struct client *client, const struct subject_entry *entry)
{
    const struct opl_entry *e = &entry->entry;
    OPL_CLEANUP(opl_buf_close) struct opl_buf head = {0};
    char at[32];

    entry_time(e->at, at, sizeof(at));
    opl_buf_fmt(&head, "%s%llu  %s  ", client->out.color ? BOLD : "", (unsigned long long)e->seq,
                at);
    output_recorded(&head, e->actor, strlen(e->actor), OUTPUT_INLINE);
    opl_buf_str(&head, "  ");
    output_recorded(&head, e->kind_name, strlen(e->kind_name), OUTPUT_INLINE);
    if (e->id != NULL)
        opl_buf_fmt(&head, "  %s", e->id);
    if (e->on != NULL)
        opl_buf_fmt(&head, "  on %s", e->on);
    if (e->observed_at >= 0) {
        entry_time(e->observed_at, at, sizeof(at));
        opl_buf_fmt(&head, "  observed %s", at);
    }
    opl_buf_str(&head, client->out.color ? PLAIN "\n" : "\n");
    output_text(&client->out, &head);
    if (e->kind != NULL)
        print_fields(client, entry);
    else
        output_line(&client->out, "  [a kind that this version does not know]");
}
