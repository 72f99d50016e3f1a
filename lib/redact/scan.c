/* SPDX-License-Identifier: Apache-2.0 */
#include "scan.h"

#include "token.h"

bool scanner_open(struct scanner *scanner, const struct opl_rules *rules, unsigned classes,
                  struct opl_err *err)
{
    scanner->rules = rules;
    scanner->classes = classes;
    scanner->done = calloc(rules->count + 1, sizeof(*scanner->done));
    scanner->hits = calloc(rules->count + 1, sizeof(*scanner->hits));
    if (!scanner->done || !scanner->hits)
        return opl_fail(err, OPL_E_NOMEM, "no memory to search with");
    return confirm_open(&scanner->confirm, err) &&
           anchors_scratch(&scanner->scratch, rules->learn, err);
}

bool scanner_ready(struct scanner *scanner, struct opl_err *err)
{
    return opl_rules_ready(scanner->rules, err) &&
           anchors_scratch(&scanner->scratch, scanner->rules->mask, err) &&
           anchors_scratch(&scanner->scratch, scanner->rules->verify, err);
}

void scanner_close(struct scanner *scanner)
{
    confirm_close(&scanner->confirm);
    anchors_scratch_close(&scanner->scratch);
    free(scanner->done);
    free(scanner->hits);
    memset(scanner, 0, sizeof(*scanner));
}

/* What cannot be judged is a hit: from the earliest begin of a match to the end of its line. */
static void report_error(struct scanner *scanner, struct scan_hit *hit, size_t limit)
{
    const char *line = memchr(scanner->bytes + hit->to, '\n', limit - hit->to);

    hit->to = line ? (size_t)(line - scanner->bytes) : limit;
    hit->match = NULL;
    scanner->errors++;
    scanner->done[hit->index] = hit->to;
    scanner->found(scanner->ctx, hit);
}

/* The value of a match: its first set group, else all of it. */
static void value_of(const struct confirm_match *match, struct scan_hit *hit)
{
    hit->from = match->from;
    hit->to = match->to;
    for (int i = 1; i < CONFIRM_GROUPS; i++)
        if (match->group_from[i] < match->group_to[i]) {
            hit->from = match->group_from[i];
            hit->to = match->group_to[i];
            return;
        }
}

/*
 * A value that begins with a token was masked before. Where an expression stops short of the
 * token's end (its set of characters lacks `_`), the text goes on.
 */
static bool is_masked(const struct scanner *scanner, const struct scan_hit *hit)
{
    return token_at(scanner->bytes + hit->from, scanner->len - hit->from) ||
           token_only(scanner->bytes + hit->from, hit->to - hit->from);
}

static void report_match(struct scanner *scanner, struct scan_hit *hit,
                         const struct confirm_match *match)
{
    const struct rule *rule = hit->rule;
    const char *value;

    value_of(match, hit);
    value = scanner->bytes + hit->from;
    scanner->done[hit->index] = match->to;
    if (hit->from >= hit->to || is_masked(scanner, hit) ||
        (rule->check && !rule->check(value, hit->to - hit->from)))
        return;
    hit->match = match;
    scanner->hits[hit->index]++;
    scanner->found(scanner->ctx, hit);
}

/* One search from hit->from on; true when there may be more before the anchor's end. */
static bool confirm_next(struct scanner *scanner, struct scan_hit *hit, size_t limit)
{
    const struct confirm_place place = {scanner->bytes, limit, hit->from, hit->to};
    struct confirm_match match;
    enum confirm_answer answer = CONFIRM_ERROR;

    if (!scanner->break_engine)
        answer = confirm_search(&scanner->confirm, hit->rule->code, &place, &match);
    if (answer == CONFIRM_YES) {
        report_match(scanner, hit, &match);
        return match.to > match.from;
    }
    if (answer == CONFIRM_ERROR)
        report_error(scanner, hit, limit);
    return false;
}

/*
 * What the confirmation finds first may be something else before the anchor's match, such as a
 * time before an address: it goes on until it has passed the anchor.
 */
static bool on_anchor(void *ctx, unsigned id, size_t end)
{
    struct scanner *scanner = ctx;
    size_t index = id / RULE_ANCHORS;
    const struct rule *rule = &scanner->rules->rules[index];
    unsigned back = rule->anchor_back[id % RULE_ANCHORS] + rule->before;
    size_t limit = scanner->len - end > rule->reach ? end + rule->reach : scanner->len;
    size_t from = end > back ? end - back : 0;
    struct scan_hit hit;

    if (!(scanner->classes & OPL_RULES_BIT(rule->class)))
        return true;
    do {
        if (from < scanner->done[index])
            from = scanner->done[index];
        hit = (struct scan_hit){.rule = rule, .index = index, .from = from, .to = end};
    } while (from < end && confirm_next(scanner, &hit, limit));
    return true;
}

bool scanner_scan(struct scanner *scanner, const struct anchors *anchors, const char *bytes,
                  size_t len, scan_fn found, void *ctx, struct opl_err *err)
{
    memset(scanner->done, 0, scanner->rules->count * sizeof(*scanner->done));
    scanner->bytes = bytes;
    scanner->len = len;
    scanner->found = found;
    scanner->ctx = ctx;
    return anchors_scan(anchors, &scanner->scratch, bytes, len, on_anchor, scanner, err);
}
