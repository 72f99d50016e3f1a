/* SPDX-License-Identifier: Apache-2.0 */
#include "mask.h"

#include <ctype.h>

#include "token.h"

#define RANGES_MAX 64

/* A value in the view becomes one span for each piece of the window that it stands in. */
static void add_value(struct masking *masking, size_t rule, enum opl_rule_class class,
                      enum rule_as as, const size_t at[2])
{
    struct view_range ranges[RANGES_MAX];
    size_t count = view_ranges(masking->view, at[0], at[1], ranges, RANGES_MAX);

    for (size_t i = 0; i < count; i++) {
        struct span span = {.from = ranges[i].from,
                            .to = ranges[i].to,
                            .value = (uint32_t)at[0],
                            .vlen = (uint32_t)(at[1] - at[0]),
                            .rule = (uint16_t)rule,
                            .class = (uint8_t) class,
                            .as = (uint8_t)as};

        spans_add(masking->spans, &span);
    }
}

static void add_builtin(struct masking *masking, enum builtin rule, size_t from, size_t to)
{
    add_value(masking, masking->builtins + rule, builtin_rules[rule].class, builtin_rules[rule].as,
              (size_t[]){from, to});
}

static void on_hit(void *ctx, const struct scan_hit *hit)
{
    struct masking *masking = ctx;

    if (!hit->match) {
        add_builtin(masking, BUILTIN_ENGINE, hit->from, hit->to);
        return;
    }
    add_value(masking, hit->index, hit->rule->class, hit->rule->as, (size_t[]){hit->from, hit->to});
    if (masking->vault && hit->rule->class == OPL_RULES_SECRET)
        vault_add(masking->vault, masking->view->bytes + hit->from, hit->to - hit->from);
}

static bool on_name(void *ctx, unsigned id, size_t end)
{
    struct masking *masking = ctx;
    const struct name *name = &masking->names->list[id];
    const struct view *view = masking->view;
    struct name_place place;
    enum builtin rule = name->kind == NAME_USER ? BUILTIN_USER : BUILTIN_HOST;

    if (!(masking->scanner->classes & OPL_RULES_BIT(builtin_rules[rule].class)) ||
        !names_place(masking->names, name, view->bytes, view->len, end, &place) ||
        token_only(view->bytes + place.from, place.to - place.from))
        return true;
    if (name->kind == NAME_DOMAIN && place.bare)
        rule = BUILTIN_DOMAIN;
    add_builtin(masking, rule, place.from, place.to);
    return true;
}

static bool is_encoded_byte(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("+/=%_-", c));
}

/* A value of the vault, in whatever encoding, with all of the word that it stands in. */
static bool on_value(void *ctx, unsigned len, size_t end)
{
    struct masking *masking = ctx;
    const struct view *view = masking->view;
    size_t from = end - len;

    if (end <= masking->covered)
        return true;
    while (from > 0 && is_encoded_byte(view->bytes[from - 1]))
        from--;
    while (end < view->len && is_encoded_byte(view->bytes[end]))
        end++;
    masking->covered = end;
    if (!token_only(view->bytes + from, end - from))
        add_builtin(masking, BUILTIN_SURVIVOR, from, end);
    return true;
}

bool mask_view(struct masking *masking, struct opl_err *err)
{
    const struct view *view = masking->view;
    struct anchor_scratch *scratch = &masking->scanner->scratch;

    masking->covered = 0;
    return (!masking->rules || scanner_scan(masking->scanner, masking->rules, view->bytes,
                                            view->len, on_hit, masking, err)) &&
           (!masking->learned || anchors_scan(masking->learned, scratch, view->bytes, view->len,
                                              on_name, masking, err)) &&
           (!masking->values ||
            anchors_scan(masking->values, scratch, view->bytes, view->len, on_value, masking, err));
}
