/* SPDX-License-Identifier: Apache-2.0 */
#include "anchors.h"

#include <limits.h>

#include <hs/hs.h>

struct anchors {
    hs_database_t *patterns[ANCHOR_SETS]; /* NULL: none of these */
    hs_database_t *literals;
};

/* The parallel arrays that Vectorscan wants. */
struct lists {
    const char **texts;
    size_t *lens;
    unsigned *flags, *ids;
    unsigned count;
};

static void lists_close(struct lists *lists)
{
    free(lists->texts);
    free(lists->lens);
    free(lists->flags);
    free(lists->ids);
}

static bool lists_open(struct lists *lists, size_t count, struct opl_err *err)
{
    lists->texts = calloc(count + 1, sizeof(*lists->texts));
    lists->lens = calloc(count + 1, sizeof(*lists->lens));
    lists->flags = calloc(count + 1, sizeof(*lists->flags));
    lists->ids = calloc(count + 1, sizeof(*lists->ids));
    return (lists->texts && lists->lens && lists->flags && lists->ids) ||
           opl_fail(err, OPL_E_NOMEM, "no memory for anchors");
}

/* The expressions of a set, or, for LITERALS, the literals. */
#define LITERALS ANCHOR_SETS

static bool lists_fill(struct lists *lists, const struct anchor *from, size_t count, unsigned set,
                       struct opl_err *err)
{
    bool literals = set == LITERALS;

    if (!lists_open(lists, count, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        if ((from[i].len > 0) != literals || (!literals && from[i].set != set))
            continue;
        lists->texts[lists->count] = from[i].text;
        lists->lens[lists->count] = from[i].len;
        lists->flags[lists->count] =
            literals ? (from[i].caseless ? HS_FLAG_CASELESS : 0) : HS_FLAG_MULTILINE;
        lists->ids[lists->count++] = from[i].id;
    }
    return true;
}

static bool compiled(hs_error_t rc, hs_compile_error_t *why, const struct lists *lists,
                     struct opl_err *err)
{
    if (rc == HS_SUCCESS)
        return true;
    opl_fail(err, OPL_E_INVALID, "an anchor does not compile: %s: %s",
             why && why->expression >= 0 ? lists->texts[why->expression] : "",
             why ? why->message : "no reason given");
    if (why)
        hs_free_compile_error(why);
    return false;
}

static bool compile_patterns(struct anchors *anchors, const struct anchor *list, size_t count,
                             unsigned set, struct opl_err *err)
{
    OPL_CLEANUP(lists_close) struct lists lists = {0};
    hs_compile_error_t *why = NULL;

    if (!lists_fill(&lists, list, count, set, err))
        return false;
    return lists.count == 0 ||
           compiled(hs_compile_multi(lists.texts, lists.flags, lists.ids, lists.count,
                                     HS_MODE_BLOCK, NULL, &anchors->patterns[set], &why),
                    why, &lists, err);
}

static bool compile_literals(struct anchors *anchors, const struct anchor *list, size_t count,
                             struct opl_err *err)
{
    OPL_CLEANUP(lists_close) struct lists lists = {0};
    hs_compile_error_t *why = NULL;

    if (!lists_fill(&lists, list, count, LITERALS, err))
        return false;
    return lists.count == 0 || compiled(hs_compile_lit_multi(lists.texts, lists.flags, lists.ids,
                                                             lists.lens, lists.count, HS_MODE_BLOCK,
                                                             NULL, &anchors->literals, &why),
                                        why, &lists, err);
}

static bool compile(struct anchors *anchors, const struct anchor *list, size_t count,
                    struct opl_err *err)
{
    for (unsigned set = 0; set < ANCHOR_SETS; set++)
        if (!compile_patterns(anchors, list, count, set, err))
            return false;
    return compile_literals(anchors, list, count, err);
}

struct anchors *anchors_new(const struct anchor *list, size_t count, struct opl_err *err)
{
    struct anchors *anchors = calloc(1, sizeof(*anchors));

    if (!anchors) {
        opl_fail(err, OPL_E_NOMEM, "no memory for anchors");
        return NULL;
    }
    if (compile(anchors, list, count, err))
        return anchors;
    anchors_free(anchors);
    return NULL;
}

void anchors_free(struct anchors *anchors)
{
    if (!anchors)
        return;
    for (unsigned set = 0; set < ANCHOR_SETS; set++)
        hs_free_database(anchors->patterns[set]);
    hs_free_database(anchors->literals);
    free(anchors);
}

bool anchors_width(const char *expression, unsigned *width, struct opl_err *err)
{
    hs_compile_error_t *why = NULL;
    hs_expr_info_t *info = NULL;
    bool bounded;

    if (hs_expression_info(expression, HS_FLAG_MULTILINE, &info, &why) != HS_SUCCESS) {
        opl_fail(err, OPL_E_INVALID, "anchor %s does not compile: %s", expression,
                 why ? why->message : "no reason given");
        if (why)
            hs_free_compile_error(why);
        return false;
    }
    bounded = info->max_width != UINT_MAX && info->min_width > 0;
    *width = info->max_width;
    free(info);
    return bounded || opl_fail(err, OPL_E_INVALID, "anchor %s has no bound", expression);
}

bool anchors_scratch(struct anchor_scratch *scratch, const struct anchors *anchors,
                     struct opl_err *err)
{
    hs_scratch_t *memory = scratch->scratch;
    bool ok = !anchors->literals || hs_alloc_scratch(anchors->literals, &memory) == HS_SUCCESS;

    for (unsigned set = 0; set < ANCHOR_SETS; set++)
        ok = ok && (!anchors->patterns[set] ||
                    hs_alloc_scratch(anchors->patterns[set], &memory) == HS_SUCCESS);
    if (memory)
        scratch->scratch = memory;
    return ok || opl_fail(err, OPL_E_NOMEM, "no memory to search with");
}

void anchors_scratch_close(struct anchor_scratch *scratch)
{
    hs_free_scratch(scratch->scratch);
    scratch->scratch = NULL;
}

struct call {
    anchor_fn found;
    void *ctx;
};

static int on_match(unsigned id, unsigned long long from, unsigned long long to, unsigned flags,
                    void *ctx)
{
    const struct call *call = ctx;

    (void)from;
    (void)flags;
    return call->found(call->ctx, id, (size_t)to) ? 0 : 1;
}

static bool scan_one(const hs_database_t *database, struct anchor_scratch *scratch,
                     const char *bytes, size_t len, struct call *call, struct opl_err *err)
{
    hs_error_t rc;

    if (!database || len == 0)
        return true;
    rc = hs_scan(database, bytes, (unsigned)len, 0, scratch->scratch, on_match, call);
    return rc == HS_SUCCESS || rc == HS_SCAN_TERMINATED ||
           opl_fail(err, OPL_E_INTERNAL, "the search engine failed (%d)", (int)rc);
}

bool anchors_scan(const struct anchors *anchors, struct anchor_scratch *scratch, const char *bytes,
                  size_t len, anchor_fn found, void *ctx, struct opl_err *err)
{
    struct call call = {found, ctx};

    if (len > UINT_MAX)
        return opl_fail(err, OPL_E_INTERNAL, "a window of %zu bytes", len);
    for (unsigned set = 0; set < ANCHOR_SETS; set++)
        if (!scan_one(anchors->patterns[set], scratch, bytes, len, &call, err))
            return false;
    return scan_one(anchors->literals, scratch, bytes, len, &call, err);
}

const char *anchors_engine(void)
{
    return hs_version();
}
