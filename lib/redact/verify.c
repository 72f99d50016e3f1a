/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verify pass alone: what any holder of the rules can check of a text that is said to be
 * scrubbed, without key, learned names or the source.
 */
#include "binary.h"
#include "lexer.h"
#include "mask.h"
#include "run.h"
#include "window.h"

void verify_view(struct view *view, enum opl_format format, const char *raw, size_t len)
{
    struct lexer lexer = {.view = view, .raw = raw};

    if (format == OPL_FORMAT_STRACE)
        view_unescape(view, raw, 0, len);
    else
        lexer_plain(&lexer, raw, len);
}

/* The tools of one verification. */
struct verifying {
    struct scanner scanner;
    struct view view;
    struct spans spans;
    struct window window;
    enum opl_format format;
};

static void verifying_close(struct verifying *verifying)
{
    scanner_close(&verifying->scanner);
    view_close(&verifying->view);
    spans_close(&verifying->spans);
    window_close(&verifying->window);
}

static void note_first(const struct opl_rules *rules, const struct verifying *verifying,
                       struct opl_redact_finding *finding)
{
    const struct span *first = verifying->spans.list;
    const char *id = first->rule < rules->count ? rules->rules[first->rule].id
                                                : builtin_rules[first->rule - rules->count].id;

    finding->at = verifying->window.at + first->from;
    finding->class = (enum opl_rule_class)first->class;
    snprintf(finding->rule, sizeof(finding->rule), "%s", id);
}

/* An output that no rule can read is none that was scrubbed. */
static bool note_binary(const struct verifying *verifying, struct opl_redact_finding *finding)
{
    if (verifying->window.at > 0 || !binary_kind(verifying->window.bytes, verifying->window.len))
        return false;
    finding->count = 1;
    finding->class = OPL_RULES_SECRET;
    snprintf(finding->rule, sizeof(finding->rule), "%s", builtin_rules[BUILTIN_BINARY].id);
    return true;
}

static bool verify_window(const struct opl_rules *rules, struct verifying *verifying,
                          struct opl_redact_finding *finding, struct opl_err *err)
{
    struct masking masking = {.scanner = &verifying->scanner,
                              .rules = rules->verify,
                              .view = &verifying->view,
                              .spans = &verifying->spans,
                              .builtins = rules->count};

    if (verifying->format == OPL_FORMAT_AUTO)
        verifying->format = lexer_guess(verifying->window.bytes, verifying->window.len);
    view_reset(&verifying->view);
    verifying->spans.count = 0;
    verify_view(&verifying->view, verifying->format, verifying->window.bytes,
                verifying->window.len);
    if (!mask_view(&masking, err))
        return false;
    if (verifying->view.failed || verifying->spans.failed)
        return opl_fail(err, OPL_E_NOMEM, "no memory to verify with");
    spans_merge(&verifying->spans);
    if (verifying->spans.count && finding->count == 0)
        note_first(rules, verifying, finding);
    finding->count += verifying->spans.count;
    return true;
}

bool opl_redact_verify(const struct opl_rules *rules, unsigned unmasked, opl_read_fn read,
                       void *ctx, uint64_t size, struct opl_redact_finding *finding,
                       struct opl_err *err)
{
    OPL_CLEANUP(verifying_close) struct verifying verifying = {0};
    unsigned secret = OPL_RULES_BIT(OPL_RULES_SECRET);
    unsigned classes = ~unmasked | secret;
    bool more = true;

    *finding = (struct opl_redact_finding){0};
    if (!scanner_open(&verifying.scanner, rules, classes, err) ||
        !scanner_ready(&verifying.scanner, err) ||
        !window_open(&verifying.window, read, ctx, size, err))
        return false;
    while (window_read(&verifying.window, &more, err) && more) {
        size_t len = verifying.window.len;

        if (note_binary(&verifying, finding))
            return true;

        if (!verify_window(rules, &verifying, finding, err))
            return false;
        window_next(&verifying.window,
                    verifying.window.cut && len > WINDOW_OVERLAP ? len - WINDOW_OVERLAP : len);
    }
    return !more;
}
