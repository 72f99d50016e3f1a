/* SPDX-License-Identifier: Apache-2.0 */
#include "span.h"

const struct builtin_rule builtin_rules[BUILTIN_COUNT] = {
    [BUILTIN_SLURM] = {"payload-slurm",    OPL_RULES_SECRET,   AS_PAYLOAD},
    [BUILTIN_MUNGE] = {"payload-munge",    OPL_RULES_SECRET,   AS_PAYLOAD},
    [BUILTIN_PROTOCOL] = {"payload-protocol", OPL_RULES_SECRET,   AS_PAYLOAD},
    [BUILTIN_STATE] = {"payload-state",    OPL_RULES_SECRET,   AS_PAYLOAD},
    [BUILTIN_UNPAIRED] = {"payload-unpaired", OPL_RULES_SECRET,   AS_PAYLOAD},
    [BUILTIN_DUMP] = {"payload-dump",     OPL_RULES_SECRET,   AS_PAYLOAD},
    [BUILTIN_TERMINAL] = {"payload-terminal", OPL_RULES_SECRET,   AS_PAYLOAD},
    [BUILTIN_SCRIPT] = {"usertext-script",  OPL_RULES_USERTEXT, AS_TEXT   },
    [BUILTIN_ENVIRONMENT] = {"usertext-environ", OPL_RULES_USERTEXT, AS_TEXT   },
    [BUILTIN_ARGV] = {"usertext-argv",    OPL_RULES_USERTEXT, AS_TEXT   },
    [BUILTIN_USER] = {"learned-user",     OPL_RULES_IDENTITY, AS_USER   },
    [BUILTIN_HOST] = {"learned-host",     OPL_RULES_NETWORK,  AS_HOST   },
    [BUILTIN_DOMAIN] = {"learned-domain",   OPL_RULES_NETWORK,  AS_DOMAIN },
    [BUILTIN_OVERSIZE] = {"oversize-record",  OPL_RULES_SECRET,   AS_PAYLOAD},
    [BUILTIN_BINARY] = {"not-text",         OPL_RULES_SECRET,   AS_PAYLOAD},
    [BUILTIN_ENGINE] = {"engine-error",     OPL_RULES_SECRET,   AS_SECRET },
    [BUILTIN_SURVIVOR] = {"survivor",         OPL_RULES_SECRET,   AS_SECRET },
};

void spans_add(struct spans *spans, const struct span *span)
{
    if (span->to <= span->from)
        return;
    if (spans->count == spans->size) {
        size_t larger = spans->size ? spans->size * 2 : 256;
        struct span *moved = realloc(spans->list, larger * sizeof(*moved));

        if (!moved) {
            spans->failed = true;
            return;
        }
        spans->list = moved;
        spans->size = larger;
    }
    spans->list[spans->count++] = *span;
}

void spans_close(struct spans *spans)
{
    free(spans->list);
    memset(spans, 0, sizeof(*spans));
}

/* By place; of those that begin together the longest first, then the class of higher rank. */
static int compare(const void *a, const void *b)
{
    const struct span *left = a, *right = b;

    if (left->from != right->from)
        return left->from < right->from ? -1 : 1;
    if (left->to != right->to)
        return left->to > right->to ? -1 : 1;
    if (left->class != right->class)
        return left->class < right->class ? -1 : 1;
    return (left->rule > right->rule) - (left->rule < right->rule);
}

/*
 * Whether the winner of two that overlap is the later one. A secret wins over all else, so that a
 * password before an `@` is never taken for the name in an address and remembered in a map.
 */
static bool later_wins(const struct span *first, const struct span *later)
{
    uint32_t first_len = first->to - first->from, later_len = later->to - later->from;

    if ((first->class == OPL_RULES_SECRET) != (later->class == OPL_RULES_SECRET))
        return later->class == OPL_RULES_SECRET;
    return later_len > first_len || (later_len == first_len && later->class < first->class);
}

void spans_merge(struct spans *spans)
{
    size_t kept = 0;

    if (spans->count < 2)
        return;
    qsort(spans->list, spans->count, sizeof(*spans->list), compare);
    for (size_t i = 1; i < spans->count; i++) {
        struct span *last = &spans->list[kept];
        const struct span next = spans->list[i];

        if (next.from >= last->to) {
            spans->list[++kept] = next;
            continue;
        }
        if (later_wins(last, &next)) {
            uint32_t from = last->from, to = last->to;

            *last = next;
            last->from = from;
            last->to = to > next.to ? to : next.to;
        } else if (next.to > last->to) {
            last->to = next.to;
        }
    }
    spans->count = kept + 1;
}
