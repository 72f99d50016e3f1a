/* SPDX-License-Identifier: Apache-2.0 */
/* The rules' own examples, through both engines, before anything else is believed of them. */
#include "example.h"
#include "run.h"

struct seen {
    bool *rules;
};

static void on_example(void *ctx, const struct scan_hit *hit)
{
    struct seen *seen = ctx;

    seen->rules[hit->index] |= hit->match != NULL;
}

static bool add_examples(const struct opl_rules *rules, struct opl_buf *out, struct opl_err *err)
{
    for (size_t i = 0; i < rules->count; i++) {
        OPL_CLEANUP(example_close) struct example example = {0};
        struct opl_err inner = {0};

        if (!example_parse(json_string_value(json_array_get(rules->rules[i].positive, 0)), &example,
                           &inner))
            return opl_fail(err, OPL_E_INVALID, "rule %s: %s", rules->rules[i].id, inner.text);
        example_write(&example, EXAMPLE_PLAIN, 0, out);
        opl_buf_chr(out, '\n');
    }
    return opl_buf_ok(out, err);
}

static bool all_seen(const struct opl_redact *redact, const struct seen *seen, bool learn,
                     struct opl_err *err)
{
    for (size_t i = 0; i < redact->rules->count; i++) {
        const struct rule *rule = &redact->rules->rules[i];
        bool wanted = learn ? rule->learn != LEARN_NONE : !rule->learn_only;

        if (wanted && (!seen->rules[i] || redact->options.fault == OPL_FAULT_SELFTEST))
            return opl_fail(err, OPL_E_INTERNAL,
                            "self-test: the engines do not find the example of rule %s", rule->id);
    }
    return true;
}

/* The scanner as a run has it, but for any class, sound, and with hits that are not the run's. */
static bool test_set(struct opl_redact *redact, const struct anchors *anchors, bool learn,
                     const struct opl_buf *text, struct opl_err *err)
{
    struct seen seen = {calloc(redact->rules->count + 1, sizeof(bool))};
    struct scanner *scanner = &redact->scanner, run = *scanner;
    bool ok = false;

    scanner->classes = ~0u;
    scanner->break_engine = false;
    scanner->hits = calloc(redact->rules->count + 1, sizeof(*scanner->hits));
    if (!seen.rules || !scanner->hits)
        opl_fail(err, OPL_E_NOMEM, "no memory for the self-test");
    else
        ok = scanner_scan(scanner, anchors, text->data, text->len, on_example, &seen, err) &&
             all_seen(redact, &seen, learn, err);
    free(scanner->hits);
    free(seen.rules);
    *scanner = run;
    return ok;
}

bool run_selftest_learn(struct opl_redact *redact, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

    return add_examples(redact->rules, &text, err) &&
           test_set(redact, redact->rules->learn, true, &text, err);
}

bool run_selftest_mask(struct opl_redact *redact, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

    return add_examples(redact->rules, &text, err) &&
           test_set(redact, redact->rules->mask, false, &text, err) &&
           test_set(redact, redact->rules->verify, false, &text, err);
}
