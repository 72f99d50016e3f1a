/* SPDX-License-Identifier: Apache-2.0 */
#include "account.h"

bool account_open(struct account *account, size_t rules, struct opl_err *err)
{
    account->rules = rules;
    account->hits = calloc(rules, sizeof(*account->hits));
    account->list = calloc(ACCOUNT_SPANS, sizeof(*account->list));
    account->gaps = calloc(ACCOUNT_GAPS, sizeof(*account->gaps));
    return (account->hits && account->list && account->gaps) ||
           opl_fail(err, OPL_E_NOMEM, "no memory for an account");
}

void account_close(struct account *account)
{
    free(account->hits);
    free(account->list);
    free(account->gaps);
    memset(account, 0, sizeof(*account));
}

void account_add(struct account *account, const struct account_span *span)
{
    account->hits[span->rule]++;
    account->spans++;
    if (account->count < ACCOUNT_SPANS)
        account->list[account->count++] = *span;
}

void account_gap(struct account *account, uint64_t from, uint64_t to, const char *why)
{
    account->unscannable++;
    if (account->gap_count < ACCOUNT_GAPS)
        account->gaps[account->gap_count++] = (struct account_gap){from, to, why};
}

void account_round(struct account *account)
{
    account->kept = account->count;
}

/* How much further on in the new output something stands that was at `at` in the old one. */
static int64_t shift_at(const struct account_span *fresh, size_t count, uint64_t at, size_t *next,
                        int64_t *shift)
{
    while (*next < count && fresh[*next].to <= at) {
        *shift = (int64_t)fresh[*next].out_to - (int64_t)fresh[*next].to;
        (*next)++;
    }
    return *shift;
}

/* Where in the source something stands that is at `at` in the old output. */
static uint64_t source_of(const struct account *account, uint64_t at)
{
    size_t low = 0, high = account->kept;

    while (low < high) {
        size_t mid = (low + high) / 2;

        if (account->list[mid].out_to <= at)
            low = mid + 1;
        else
            high = mid;
    }
    if (low == 0)
        return at;
    return account->list[low - 1].to + (at - account->list[low - 1].out_to);
}

static int by_output(const void *a, const void *b)
{
    const struct account_span *left = a, *right = b;

    return (left->out_from > right->out_from) - (left->out_from < right->out_from);
}

void account_settle(struct account *account)
{
    struct account_span *fresh = account->list + account->kept;
    size_t count = account->count - account->kept, next = 0;
    struct account_span *changed = malloc((count + 1) * sizeof(*changed));
    int64_t shift = 0;

    if (!changed)
        return; /* only the places in the manifest stay those of an earlier round */
    memcpy(changed, fresh, count * sizeof(*fresh));
    for (size_t i = 0; i < count; i++) {
        fresh[i].from = source_of(account, changed[i].from);
        fresh[i].to = source_of(account, changed[i].to);
    }
    for (size_t i = 0; i < account->kept; i++) {
        struct account_span *span = &account->list[i];
        int64_t by = shift_at(changed, count, span->out_from, &next, &shift);

        span->out_from = (uint64_t)((int64_t)span->out_from + by);
        span->out_to = (uint64_t)((int64_t)span->out_to + by);
    }
    qsort(account->list, account->count, sizeof(*account->list), by_output);
    free(changed);
}
