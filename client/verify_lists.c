/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verify_lists - the lists and pages of subjects, which come from tables and indexes beside the
 * log, against the state that the entries make.
 */
#include "verify.h"

#include <inttypes.h>

#include <opledger/hypothesis.h>
#include <opledger/json.h>
#include <opledger/time.h>

#include "api.h"
#include "client.h"

#define PAGE 500

static const struct noun {
    enum opl_prefix prefix;
    const char *name;
} nouns[] = {
    {OPL_ID_INC, "incidents" },
    {OPL_ID_HYP, "hypotheses"},
    {OPL_ID_CHG, "changes"   },
    {OPL_ID_EGR, "egress"    },
    {OPL_ID_OVR, "overrides" },
};

static const char *hypothesis_status(struct verify *verify, const struct opl_fold *fold)
{
    const struct opl_hyp_view view = {.positive_below = UINT64_MAX};
    struct opl_hyp_result *result = calloc(1, sizeof(*result));
    const char *status = NULL;

    if (result != NULL && opl_hypothesis_status(verify->world, fold, &view, result, NULL))
        status = opl_hyp_status_name(result->status);
    free(result);
    return status;
}

const char *verify_status(struct verify *verify, const struct opl_fold *fold, int64_t now)
{
    const struct opl_fact *made = opl_fold_creation(fold);

    if (fold->prefix == OPL_ID_HYP)
        return hypothesis_status(verify, fold);
    if (fold->prefix == OPL_ID_EGR)
        return made != NULL ? opl_json_str(made->body, "outcome") : NULL;
    if (fold->prefix == OPL_ID_CALL)
        return NULL;
    return opl_state_name(opl_fold_state(fold, now));
}

/*
 * The list says what was so when the subject last moved; a page says what is so now. A person or
 * key that was changed since may have made it another thing in between: then nothing is said.
 */
static bool is_status(struct verify *verify, const struct opl_fold *fold, const char *said)
{
    const char *now = verify_status(verify, fold, opl_time_now());
    const char *then = json_string_value(json_object_get(verify->statuses, fold->id));

    if (said != NULL &&
        ((now != NULL && strcmp(now, said) == 0) || (then != NULL && strcmp(then, said) == 0)))
        return true;
    if (fold->prefix != OPL_ID_HYP || verify->people_changed < fold->last_seq)
        return false;
    verify->counts.subjects_skipped++;
    return true;
}

static bool same_text(const json_t *item, const char *name, const char *want)
{
    const char *have = opl_json_str(item, name);

    return strcmp(have != NULL ? have : "", want != NULL ? want : "") == 0;
}

static bool same_time(const json_t *item, const char *name, int64_t want)
{
    char text[OPL_TIME_SIZE];

    opl_time_format(want, text);
    return same_text(item, name, text);
}

/* PROVIDER/NAME[@VERSION] as the entry has it. */
static bool same_model(const json_t *item, const json_t *body)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf want = {0};
    const json_t *model = json_object_get(body, "model");
    const char *version = opl_json_str(model, "version");

    if (json_is_object(model))
        opl_buf_fmt(&want, "%s/%s%s%s", opl_json_str(model, "provider"),
                    opl_json_str(model, "name"), version != NULL ? "@" : "",
                    version != NULL ? version : "");
    return same_text(item, "model", opl_buf_text(&want));
}

/* Which column of a list is not what the entry says that created the subject. */
static const char *column_differs(const struct opl_fold *fold, const json_t *item)
{
    const struct opl_fact *made = opl_fold_creation(fold);

    if (made == NULL)
        return "entry";
    if (!same_text(item, "kind", made->kind->name))
        return "kind";
    if (!same_text(item, "actor", made->actor))
        return "actor";
    if (!same_text(item, "on", fold->on))
        return "on";
    if (!same_model(item, made->body))
        return "model";
    if (!same_text(item, "target", opl_json_str(made->body, "target")))
        return "target";
    if (opl_json_int(item, "seq", -1) != (int64_t)fold->created)
        return "seq";
    return same_time(item, "at", made->at) ? NULL : "at";
}

/* When its own status moved, or that of a hypothesis beside it. */
static bool is_since(struct verify *verify, const struct opl_fold *fold, const json_t *item)
{
    const char *text = opl_json_str(item, "since");
    char key[OPL_ID_SIZE + 32];
    int64_t at;

    if (same_time(item, "since", json_integer_value(json_object_get(verify->moved, fold->id))))
        return true;
    if (fold->prefix != OPL_ID_HYP || text == NULL || !opl_time_parse(text, &at, NULL))
        return false;
    snprintf(key, sizeof(key), "%s %" PRId64, fold->on, at);
    return json_object_get(verify->kin, key) != NULL;
}

static bool check_item(struct verify *verify, const struct noun *noun, const char *want,
                       const json_t *item, struct opl_err *err)
{
    const struct opl_fold *fold = NULL;
    const char *id = opl_json_str(item, "id");
    const char *status = opl_json_str(item, "status");
    const char *column;

    if (id == NULL || strcmp(id, want) != 0) {
        verify_wrong_thing(verify, want, "the list does not show it where it should be");
        return true;
    }
    if (!opl_world_find(verify->world, id, &fold, err))
        return false;
    column = fold != NULL ? column_differs(fold, item) : "id";
    if (column == NULL && !is_since(verify, fold, item))
        column = "since";
    if (column != NULL)
        verify_wrong_thing(verify, want, "the list shows another %s than its entries", column);
    else if (!is_status(verify, fold, status))
        verify_wrong_thing(verify, want, "the list says that it is %s, its entries that it is %s",
                           status != NULL ? status : "nothing",
                           verify_status(verify, fold, opl_time_now()));
    verify->counts.subjects++;
    return fold == NULL || verify->wrong.found || verify_subject(verify, noun->name, fold, err);
}

/* One page, newest first, from number *next downwards. */
static bool check_page(struct verify *verify, const struct noun *noun, const json_t *items,
                       uint64_t *next, struct opl_err *err)
{
    size_t i;
    const json_t *item;

    json_array_foreach(items, i, item)
    {
        char want[OPL_ID_SIZE];

        if (verify->wrong.found)
            return true;
        if (*next == 0) {
            verify_wrong_thing(verify, noun->name, "the list shows one that no entry created");
            return true;
        }
        opl_id_format(noun->prefix, (*next)--, want);
        if (!check_item(verify, noun, want, item, err))
            return false;
    }
    return true;
}

static bool fetch_page(struct verify *verify, const struct noun *noun, const char *cursor,
                       json_t **page, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf path = {0};

    opl_buf_fmt(&path, "/v1/%s?limit=%d", noun->name, PAGE);
    if (cursor != NULL) {
        opl_buf_str(&path, "&cursor=");
        api_escape(&path, cursor);
    }
    return opl_buf_ok(&path, err) && api_get(verify->client->api, opl_buf_text(&path), page, err);
}

/* While others write, a list is ahead of what was read here: then it is not compared. */
static bool has_grown(struct verify *verify, const struct noun *noun, const json_t *page)
{
    if (opl_json_int(page, "size", -1) == (int64_t)verify->head.size)
        return false;
    verify->counts.subjects_skipped += verify->numbers[noun->prefix];
    return true;
}

static bool check_list(struct verify *verify, const struct noun *noun, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *page = NULL;
    uint64_t next = verify->numbers[noun->prefix];
    const char *cursor = NULL;

    do {
        json_t *following = NULL;

        if (!fetch_page(verify, noun, cursor, &following, err))
            return false;
        json_decref(page);
        page = following;
        if (has_grown(verify, noun, page))
            return true;
        if (!check_page(verify, noun, json_object_get(page, "items"), &next, err))
            return false;
        cursor = opl_json_str(page, "next");
        if (json_array_size(json_object_get(page, "items")) == 0)
            cursor = NULL; /* a page of nothing is the last, whatever it says */
    } while (cursor != NULL && !verify->wrong.found);
    if (next > 0)
        verify_wrong_thing(verify, noun->name, "the list lacks %" PRIu64 " of them", next);
    return true;
}

bool verify_lists(struct verify *verify, struct opl_err *err)
{
    for (size_t i = 0; i < sizeof(nouns) / sizeof(nouns[0]) && !verify->wrong.found; i++)
        if (!check_list(verify, &nouns[i], err))
            return false;
    return true;
}
