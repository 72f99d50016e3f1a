/* SPDX-License-Identifier: Apache-2.0 */
/* Every example of every rule, in every form that can be derived from it, through the filter. */
#include "example.h"
#include "run.h"

/* One linting. */
struct linting {
    const struct opl_rules *rules;
    const struct rule *rule;
    size_t index;
    opl_lint_fn report;
    void *ctx;
    bool clean;
};

static void complain(struct linting *linting, const char *what, const char *detail)
{
    char text[512];

    snprintf(text, sizeof(text), "%s%s%s", what, *detail ? ": " : "", detail);
    linting->report(linting->ctx, linting->rule->id, text);
    linting->clean = false;
}

/* Runs the filter over a text; how often this rule hit. */
static bool filter(const struct linting *linting, const struct opl_buf *text, struct opl_buf *out,
                   uint64_t *hits, struct opl_err *err)
{
    const struct opl_redact_options options = {.context = "lint"};
    OPL_CLEANUP(opl_redact_freep)
    struct opl_redact *redact = opl_redact_new(linting->rules, &options, err);
    struct opl_redact_result result;

    if (!redact || !opl_redact_text(redact, opl_buf_text(text), text->len, out, &result, err))
        return false;
    *hits = redact->scanner.hits[linting->index];
    return true;
}

#define TRACE_OF_SECRET 8 /* consecutive bytes of one that are too many */

static bool has_part(const char *text, size_t text_len, const char *value, size_t len, size_t part)
{
    for (size_t at = 0; at + part <= len; at++)
        if (text_len && memmem(text, text_len, value + at, part))
            return true;
    return false;
}

static bool holds(const struct linting *linting, const struct opl_buf *out, const char *value,
                  size_t len)
{
    bool secret = linting->rule->class == OPL_RULES_SECRET && len > TRACE_OF_SECRET;
    size_t part = secret ? TRACE_OF_SECRET : len;
    struct view view = {0};
    bool found;

    view_unescape(&view, opl_buf_text(out), 0, out->len);
    found = view.failed || has_part(view.bytes, view.len, value, len, part) ||
            has_part(opl_buf_text(out), out->len, value, len, part);
    view_close(&view);
    return found;
}

static size_t kept_of(const struct rule *rule, size_t len)
{
    size_t kept = rule->cut < 0 ? len * 3 / 4 : (size_t)rule->cut;

    return kept < len ? kept : len;
}

static void lint_form(struct linting *linting, const struct example *example,
                      enum example_form form)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0}, once = {0}, twice = {0};
    size_t len = example->to - example->from;
    size_t kept = form == EXAMPLE_CUT ? kept_of(linting->rule, len) : len;
    struct opl_err err = {0};
    uint64_t hits = 0, again = 0;

    if (kept == 0)
        return;
    example_write(example, form, kept, &text);
    if (!filter(linting, &text, &once, &hits, &err) ||
        !filter(linting, &once, &twice, &again, &err))
        complain(linting, example_form_name(form), err.text);
    else if (!linting->rule->learn_only &&
             holds(linting, &once, opl_buf_text(&example->text) + example->from, kept))
        complain(linting, example_form_name(form), "the value of an example gets through");
    else if (form == EXAMPLE_PLAIN && hits == 0)
        complain(linting, opl_buf_text(&example->text), "masked by another rule, not by this one");
    else if (once.len != twice.len || memcmp(opl_buf_text(&once), opl_buf_text(&twice), once.len))
        complain(linting, example_form_name(form), "a second pass changes the output");
}

static void lint_positive(struct linting *linting, const char *text)
{
    OPL_CLEANUP(example_close) struct example example = {0};
    struct opl_err err = {0};

    if (!example_parse(text, &example, &err)) {
        complain(linting, text, err.text);
        return;
    }
    for (int form = 0; form < EXAMPLE_FORMS; form++)
        lint_form(linting, &example, (enum example_form)form);
}

static void lint_negative(struct linting *linting, const char *text)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf in = {0}, out = {0};
    struct opl_err err = {0};
    uint64_t hits = 0;

    opl_buf_fmt(&in, "%s\n", text);
    if (!filter(linting, &in, &out, &hits, &err))
        complain(linting, text, err.text);
    else if (hits)
        complain(linting, text, "a negative example is masked");
}

static void lint_rule(struct linting *linting)
{
    const struct rule *rule = linting->rule;

    for (size_t i = 0; i < json_array_size(rule->positive); i++)
        lint_positive(linting, json_string_value(json_array_get(rule->positive, i)));
    for (size_t i = 0; i < json_array_size(rule->negative); i++)
        lint_negative(linting, json_string_value(json_array_get(rule->negative, i)));
}

bool opl_rules_lint(const struct opl_rule_file *files, size_t count, opl_lint_fn report, void *ctx)
{
    struct opl_err err = {0};
    OPL_CLEANUP(opl_rules_freep) struct opl_rules *rules = opl_rules_new(files, count, &err);
    struct linting linting = {.rules = rules, .report = report, .ctx = ctx, .clean = true};

    if (!rules) {
        report(ctx, count == 1 ? files[0].name : "rules", err.text);
        return false;
    }
    for (linting.index = 0; linting.index < rules->count; linting.index++) {
        linting.rule = &rules->rules[linting.index];
        lint_rule(&linting);
    }
    return linting.clean;
}
