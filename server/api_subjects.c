/* SPDX-License-Identifier: Apache-2.0 */
/* GET /v1/{noun} and /v1/{noun}/{id}: lists from the projection, subjects from their entries. */
#include <opledger/encode.h>

#include "api.h"
#include "entry_json.h"
#include "queries.h"
#include "read_head.h"
#include "routes.h"
#include "server.h"
#include "subject.h"
#include "world_source.h"

static const int64_t limits[] = {1, 1000};

/* The prefix whose noun the route's pattern names. */
static enum opl_prefix route_prefix(const struct request *request)
{
    const char *pattern = request->route->pattern + strlen("/v1/");

    for (int prefix = OPL_ID_INC; prefix < OPL_PREFIXES; prefix++) {
        const char *noun = subject_noun((enum opl_prefix)prefix);
        size_t len = noun != NULL ? strlen(noun) : 0;

        if (noun != NULL && strncmp(pattern, noun, len) == 0 &&
            (pattern[len] == '\0' || pattern[len] == '/'))
            return (enum opl_prefix)prefix;
    }
    return OPL_ID_NONE;
}

/* ---- lists ---- */

struct page {
    const char *prefix, *status, *model, *actor; /* NULL: any */
    bool has_since, has_until, has_below;
    int64_t since, until, limit;
    uint64_t below; /* number of the subject after which the page begins */
    uint64_t size;
};

static bool query_time(const struct request *request, const char *name, bool *has, int64_t *at,
                       struct opl_err *err)
{
    const char *text = request_query(request, name);
    struct opl_err why = {0};

    *has = text != NULL;
    if (text == NULL || opl_time_parse(text, at, &why))
        return true;
    return opl_fail(err, OPL_E_MALFORMED, "%s must be an RFC 3339 time", name);
}

static bool read_page(const struct request *request, struct db *db, struct page *page,
                      struct opl_err *err)
{
    const char *cursor = request_query(request, "cursor");
    enum opl_prefix prefix = route_prefix(request);
    struct read_head head;

    *page = (struct page){.prefix = opl_prefix_name(prefix),
                          .status = request_query(request, "status"),
                          .model = request_query(request, "model"),
                          .actor = request_query(request, "actor")};
    if (!request_only(request, "limit cursor since until status model actor", err) ||
        !request_query_int(request, "limit", 100, limits, &page->limit, err) ||
        !query_time(request, "since", &page->has_since, &page->since, err) ||
        !query_time(request, "until", &page->has_until, &page->until, err) ||
        !read_head_get(db, &head, err))
        return false;
    page->size = head.size;
    page->has_below = cursor != NULL;
    if (cursor != NULL && !read_cursor_parse(cursor, &page->size, &page->below, err))
        return false;
    if (page->size > head.size)
        page->size = head.size;
    return true;
}

static bool fetch_page(struct db *db, const struct page *page, struct db_rows *rows,
                       struct opl_err *err)
{
    return db_fetch(db, &sql_subject_list,
                    DB_ARGS(db_text(page->prefix), db_text(page->status), db_text(page->model),
                            db_text(page->actor), page->has_since ? db_i64(page->since) : db_null(),
                            page->has_until ? db_i64(page->until) : db_null(),
                            page->has_below ? db_u64(page->below) : db_null(), db_u64(page->size),
                            db_i64(page->limit + 1)),
                    rows, err);
}

static void set_text(json_t *object, const char *name, const char *text)
{
    json_object_set_new(object, name, text != NULL ? json_string(text) : json_null());
}

static void set_time(json_t *object, const char *name, int64_t at)
{
    char text[OPL_TIME_SIZE];

    opl_time_format(at, text);
    json_object_set_new(object, name, json_string(text));
}

static bool set_columns(json_t *item, const struct db_rows *rows, struct opl_err *err)
{
    static const struct {
        int column;
        const char *name;
    } texts[] = {
        {0,  "id"    },
        {2,  "kind"  },
        {3,  "status"},
        {4,  "on"    },
        {5,  "actor" },
        {6,  "model" },
        {7,  "target"},
        {15, "title" }
    };

    const char *text;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (!db_get_text(rows, texts[i].column, &text, err))
            return false;
        set_text(item, texts[i].name, text);
    }
    return true;
}

static json_t *item_json(const struct db_rows *rows, struct opl_err *err)
{
    json_t *item = json_object();
    int64_t at, updated_at;
    uint64_t seq;

    if (!set_columns(item, rows, err) || !db_get_u64(rows, 8, &seq, err) ||
        !db_get_i64(rows, 11, &at, err) || !db_get_i64(rows, 12, &updated_at, err)) {
        json_decref(item);
        return NULL;
    }
    json_object_set_new(item, "seq", json_integer((json_int_t)seq));
    set_time(item, "at", at);
    set_time(item, "since", updated_at);
    return item;
}

bool api_subjects_list(struct request *request, struct db *db, struct opl_err *err)
{
    OPL_CLEANUP(db_txn_close) struct db_txn txn = {0};
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    json_t *items, *next = json_null();
    struct page page;
    int64_t count = 0;

    if (!db_begin_snapshot(&txn, db, err) || !read_page(request, db, &page, err) ||
        !fetch_page(db, &page, &rows, err))
        return false;
    items = json_array();
    while (count < page.limit && db_rows_next(&rows)) {
        json_t *item = item_json(&rows, err);

        if (item == NULL || !db_get_u64(&rows, 1, &page.below, err)) {
            json_decref(items);
            return false;
        }
        json_array_append_new(items, item);
        count++;
    }
    if (rows.count > (size_t)page.limit) {
        char cursor[64];

        read_cursor_write(page.size, page.below, cursor);
        next = json_string(cursor);
    }
    return reply_json(
        &request->reply, 200,
        json_pack("{s:o, s:o, s:I}", "items", items, "next", next, "size", (json_int_t)page.size),
        err);
}

/* ---- one subject ---- */

static bool not_there(const struct request *request, struct opl_err *err)
{
    return opl_fail(err, OPL_E_NOT_FOUND, "there is no %.40s", request->params[0]);
}

/* Its status by the entries themselves, not by the projection. */
static bool judge(struct request *request, struct db *db, uint64_t size, struct opl_buf *out,
                  struct opl_err *err)
{
    struct world_reader reader = {db, &size};
    struct opl_source source = world_source(&reader);
    OPL_CLEANUP(opl_world_freep) struct opl_world *world = opl_world_new(&source);
    struct opl_registry *registry = published_registry(&request->server->published);
    const struct opl_fold *fold = NULL;
    const struct opl_fact *made;
    const char *status;
    char since[OPL_TIME_SIZE];

    if (world == NULL || registry == NULL) {
        opl_registry_free(registry);
        return opl_fail(err, OPL_E_NOMEM, "no memory for the world");
    }
    opl_world_set_registry_take(world, registry);
    if (!opl_world_find(world, request->params[0], &fold, err))
        return false;
    made = fold != NULL ? opl_fold_creation(fold) : NULL;
    if (made == NULL)
        return not_there(request, err);
    if (!subject_status(world, fold, opl_time_now(), &status, err))
        return false;
    opl_time_format(made->at, since);
    opl_buf_fmt(out, "{\"id\":\"%s\",\"kind\":\"%s\",\"status\":\"%s\",\"since\":\"%s\"", fold->id,
                made->kind->name, status, since);
    return true;
}

static bool add_entries(struct request *request, struct db *db, uint64_t size, struct opl_buf *out,
                        struct opl_err *err)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    size_t count;

    opl_buf_str(out, ",\"entries\":");
    return db_fetch(db, &sql_entry_by_subject, DB_ARGS(db_text(request->params[0]), db_u64(size)),
                    &rows, err) &&
           entry_json_add(db, &rows, out, &count, err);
}

static bool add_children(struct request *request, struct db *db, uint64_t size, struct opl_buf *out,
                         struct opl_err *err)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    const char *id;

    if (!db_fetch(db, &sql_subject_children, DB_ARGS(db_text(request->params[0]), db_u64(size)),
                  &rows, err))
        return false;
    opl_buf_str(out, ",\"children\":[");
    for (size_t i = 0; db_rows_next(&rows); i++) {
        if (!db_get_text(&rows, 0, &id, err))
            return false;
        opl_buf_str(out, i > 0 ? "," : "");
        reply_add_string(out, id != NULL ? id : "");
    }
    opl_buf_chr(out, ']');
    return true;
}

bool api_subject_get(struct request *request, struct db *db, struct opl_err *err)
{
    OPL_CLEANUP(db_txn_close) struct db_txn txn = {0};
    struct opl_buf *out = &request->reply.body;
    enum opl_prefix wanted = route_prefix(request);
    enum opl_prefix prefix;
    char root[OPL_DIGEST_SIZE];
    struct read_head head;
    uint64_t number;

    if (!request_only(request, "", err))
        return false;
    if (!opl_id_parse(request->params[0], &prefix, &number) || prefix != wanted)
        return not_there(request, err);
    if (!db_begin_snapshot(&txn, db, err) || !read_head_get(db, &head, err) ||
        !judge(request, db, head.size, out, err) ||
        !add_entries(request, db, head.size, out, err) ||
        !add_children(request, db, head.size, out, err))
        return false;
    opl_hash_digest(&head.root, root);
    opl_buf_fmt(out, ",\"log\":{\"size\":%llu,\"root\":\"%s\"}}\n", (unsigned long long)head.size,
                root);
    request->reply.status = 200;
    request->reply.media = "application/json";
    return opl_buf_ok(out, err);
}
