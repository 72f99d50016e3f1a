/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline.h"

#include <opledger/json.h>

#include "client.h"
#include "entry_print.h"
#include "subject.h"
#include "world_view.h"

#define TIMELINE_SUBJECTS 1024
#define HEADING_MAX 200 /* characters, where there is no terminal to say */

struct timeline {
    struct subject *subjects; /* owned; the first is the one asked for */
    size_t count;
    const struct subject_entry **order; /* owned array of borrowed entries */
    size_t entry_count;
};

static void timeline_close(struct timeline *timeline)
{
    for (size_t i = 0; i < timeline->count; i++)
        subject_close(&timeline->subjects[i]);
    free(timeline->subjects);
    free(timeline->order);
    memset(timeline, 0, sizeof(*timeline));
}

static bool is_loaded(const struct timeline *timeline, const char *id)
{
    for (size_t i = 0; i < timeline->count; i++) {
        const char *have = opl_json_str(timeline->subjects[i].reply, "id");

        if (have != NULL && strcmp(have, id) == 0)
            return true;
    }
    return false;
}

static bool has_page(const char *id)
{
    enum opl_prefix prefix;
    uint64_t number;

    return opl_id_parse(id, &prefix, &number) && prefix != OPL_ID_CALL;
}

static bool load(struct client *client, struct timeline *timeline, const char *id,
                 struct opl_err *err)
{
    if (timeline->count == TIMELINE_SUBJECTS)
        return opl_fail(err, OPL_E_TOO_LARGE, "more than %d subjects hang below",
                        TIMELINE_SUBJECTS);
    if (!subject_load(client, id, &timeline->subjects[timeline->count], err))
        return false;
    timeline->count++;
    return true;
}

/* Children of children too: the list grows while it is walked. */
static bool load_all(struct client *client, struct timeline *timeline, const char *id,
                     struct opl_err *err)
{
    timeline->subjects = calloc(TIMELINE_SUBJECTS, sizeof(*timeline->subjects));
    if (timeline->subjects == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a timeline");
    if (!load(client, timeline, id, err))
        return false;
    for (size_t s = 0; s < timeline->count; s++) {
        const char *child;

        for (size_t i = 0; (child = subject_child(&timeline->subjects[s], i)) != NULL; i++)
            if (has_page(child) && !is_loaded(timeline, child) &&
                !load(client, timeline, child, err))
                return false;
    }
    return true;
}

static int by_seq(const void *a, const void *b)
{
    const struct subject_entry *left = *(const struct subject_entry *const *)a;
    const struct subject_entry *right = *(const struct subject_entry *const *)b;

    return (left->entry.seq > right->entry.seq) - (left->entry.seq < right->entry.seq);
}

/* An entry that creates a child is in both folds: it is shown once. */
static bool put_in_order(struct timeline *timeline, struct opl_err *err)
{
    size_t total = 0;

    for (size_t s = 0; s < timeline->count; s++)
        total += timeline->subjects[s].count;
    timeline->order = calloc(total + 1, sizeof(struct subject_entry *));
    if (timeline->order == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a timeline");
    for (size_t s = 0, n = 0; s < timeline->count; s++)
        for (size_t i = 0; i < timeline->subjects[s].count; i++)
            timeline->order[n++] = &timeline->subjects[s].entries[i];
    qsort(timeline->order, total, sizeof(struct subject_entry *), by_seq);
    for (size_t i = 0; i < total; i++)
        if (i == 0 || timeline->order[i]->entry.seq != timeline->order[i - 1]->entry.seq)
            timeline->order[timeline->entry_count++] = timeline->order[i];
    return true;
}

/* What the subject is about, in the words of its first entry; NULL when it has none. */
static const char *headline(const struct subject *subject)
{
    static const char *const fields[] = {"/body/title", "/body/claim", "/body/reason"};

    for (size_t i = 0; subject->count > 0 && i < sizeof(fields) / sizeof(fields[0]); i++)
        if (subject_text(&subject->entries[0], fields[i]) != NULL)
            return subject_text(&subject->entries[0], fields[i]);
    return subject->count > 0 ? opl_json_str(subject->entries[0].entry.body, "destination") : NULL;
}

static void print_heading(struct client *client, const char *indent, const char *id,
                          const char *status, const char *text)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf line = OPL_BUF_INIT((size_t)256 << 10);
    int width = client->out.terminal ? client->out.width : HEADING_MAX;

    opl_buf_fmt(&line, "%s%s: %s", indent, id, status);
    if (text != NULL) {
        opl_buf_str(&line, "  ");
        output_recorded(&line, text, strlen(text), OUTPUT_INLINE);
    }
    output_cut(&line, (size_t)width);
    opl_buf_chr(&line, '\n');
    output_text(&client->out, &line);
}

static bool print_status(struct client *client, const struct timeline *timeline, size_t i,
                         struct opl_world *world, struct opl_err *err)
{
    const char *id = opl_json_str(timeline->subjects[i].reply, "id");
    const char *status = NULL;
    bool accounted;

    if (id == NULL || !has_page(id))
        return true;
    if (!world_view_status(world, id, &status, err) ||
        !world_view_accounted(world, id, &accounted, err))
        return false;
    print_heading(client, i > 0 ? "  " : "", id, status, headline(&timeline->subjects[i]));
    if (!accounted)
        output_line(&client->out, "%s",
                    "    egress unaccounted: no record of what its prompt took out");
    return true;
}

/* Folded here, from entries; what the ledger says of a status is not shown. */
static bool print_statuses(struct client *client, const struct timeline *timeline,
                           struct opl_err *err)
{
    OPL_CLEANUP(opl_world_freep) struct opl_world *world = NULL;

    if (!world_view_new(client, &world, err))
        return false;
    for (size_t i = 0; i < timeline->count; i++)
        if (!print_status(client, timeline, i, world, err))
            return false;
    return true;
}

static bool print_json(struct client *client, const struct timeline *timeline, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *list = json_array();
    OPL_CLEANUP(opl_json_freep) json_t *value = NULL;

    for (size_t i = 0; i < timeline->count; i++)
        json_array_append(list, timeline->subjects[i].reply);
    value = json_pack("{s:O}", "subjects", list);
    if (value == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a timeline");
    return output_json(&client->out, value, err);
}

bool timeline_print(struct client *client, const char *id, struct opl_err *err)
{
    OPL_CLEANUP(timeline_close) struct timeline timeline = {0};

    if (!load_all(client, &timeline, id, err) || !put_in_order(&timeline, err))
        return false;
    if (client->out.json)
        return print_json(client, &timeline, err);
    if (!print_statuses(client, &timeline, err))
        return false;
    for (size_t i = 0; i < timeline.entry_count; i++) {
        output_line(&client->out, "%s", "");
        entry_print(client, timeline.order[i]);
    }
    return true;
}
