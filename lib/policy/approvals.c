/* SPDX-License-Identifier: Apache-2.0 */
#include "approvals.h"

#include <inttypes.h>

#include <opledger/json.h>

#include "policy_fields.h"

static size_t count_signed(const struct opl_fold *change)
{
    size_t count = 0;

    for (size_t i = 0; i < change->fact_count; i++)
        count += fact_is(&change->facts[i], "approval.signed") ? 1 : 0;
    return count;
}

/* The role as it was recorded; whether it is the Statement's is checked later. */
static void set_role(struct candidate *candidate, const char *role)
{
    size_t skip =
        role && strncmp(role, ROLE_PREFIX, strlen(ROLE_PREFIX)) == 0 ? strlen(ROLE_PREFIX) : 0;

    (void)snprintf(candidate->shown.role, sizeof candidate->shown.role, "%s",
                   role ? role + skip : "");
}

static void add_candidate(struct approvals *approvals, const struct opl_fact *fact)
{
    struct candidate *candidate = &approvals->list[approvals->count++];

    candidate->fact = fact;
    candidate->shown.seq = fact->seq;
    (void)snprintf(candidate->shown.signer, sizeof candidate->shown.signer, "%s", fact->actor);
    set_role(candidate, opl_json_str(fact->body, "role"));
    candidate->shown.statement = opl_json_str(fact->body, "statement");
    candidate->shown.sshsig = opl_json_str(fact->body, "sshsig");
}

/* A Statement says what it says once: recorded again, it does not outlive its revocation. */
static void check_nonce(const struct approvals *approvals, struct candidate *candidate)
{
    for (const struct candidate *other = approvals->list; other < candidate; other++) {
        if (strcmp(other->statement.nonce, candidate->statement.nonce) == 0)
            candidate_refuse(candidate, "its Statement stands in entry %" PRIu64 " already",
                             other->shown.seq);
    }
}

bool approvals_open(struct approvals *approvals, struct judge *judge,
                    const struct opl_requirement *rows, size_t row_count, struct opl_err *err)
{
    const struct opl_fold *change = judge->change;

    *approvals = (struct approvals){0};
    approvals->list = calloc(count_signed(change) + 1, sizeof *approvals->list);
    if (!approvals->list)
        return opl_fail(err, OPL_E_NOMEM, "no memory for approvals");
    for (size_t i = 0; i < change->fact_count; i++) {
        if (fact_is(&change->facts[i], "approval.signed"))
            add_candidate(approvals, &change->facts[i]);
    }
    for (size_t i = 0; i < approvals->count; i++) {
        struct candidate *candidate = &approvals->list[i];

        approvals_check(candidate, judge);
        check_nonce(approvals, candidate);
        if (candidate->shown.why_not[0] == '\0' &&
            !approvals_weigh(approvals, candidate, judge, rows, row_count, err))
            return false;
    }
    return true;
}

void approvals_close(struct approvals *approvals)
{
    for (size_t i = 0; i < approvals->count; i++)
        opl_statement_close(&approvals->list[i].statement);
    free(approvals->list);
    *approvals = (struct approvals){0};
}

static bool is_counted_person(const struct approvals *approvals, const struct candidate *candidate)
{
    for (const struct candidate *other = approvals->list; other < candidate; other++) {
        if (other->counted && strcmp(other->person, candidate->person) == 0)
            return true;
    }
    return false;
}

/* Why this requirement passes over an approval that holds, NULL when it counts. */
static const char *why_passed(const struct approvals *approvals, const struct candidate *candidate,
                              const json_t *options)
{
    if (!policy_has_word(options, "roles", candidate->shown.role))
        return "no policy asks for an approval in its role";
    if (policy_has_word(options, "hardware-key", "required") && !candidate->hardware)
        return "signed with a software key, where the policy asks for a hardware key";
    if (is_counted_person(approvals, candidate))
        return "its signer is counted already";
    return NULL;
}

static void say_counted(const struct candidate *candidate, struct opl_requirement *row)
{
    opl_seqs_add(&row->for_, candidate->shown.seq);
    row_say(row, "; %" PRIu64 " (%s) by a %s", candidate->shown.seq, candidate->shown.role,
            candidate->hardware ? "hardware key that was touched"
                                : "software key, which proves a login, not a touch");
}

static void say_refused(const struct candidate *candidate, const char *why,
                        struct opl_requirement *row)
{
    opl_seqs_add(&row->against, candidate->shown.seq);
    row_say(row, "; %" PRIu64 " does not count: %s", candidate->shown.seq, why);
}

/* Counts one approval, or notes why it is passed over. */
static size_t count_one(struct approvals *approvals, struct candidate *candidate,
                        const json_t *options, struct opl_requirement *row)
{
    candidate->counted = false;
    candidate->passed = NULL;
    if (candidate->shown.why_not[0] != '\0')
        return 0;
    candidate->passed = why_passed(approvals, candidate, options);
    if (candidate->passed)
        return 0;
    candidate->counted = candidate->used = true;
    say_counted(candidate, row);
    return 1;
}

/* The newest first: those that their signers can still mend. */
static void say_others(const struct approvals *approvals, struct opl_requirement *row)
{
    for (size_t i = approvals->count; i > 0; i--) {
        const struct candidate *candidate = &approvals->list[i - 1];

        if (!candidate->counted)
            say_refused(candidate, candidate->passed ? candidate->passed : candidate->shown.why_not,
                        row);
    }
}

static void say_head(const json_t *options, size_t count, int64_t min, struct opl_requirement *row)
{
    const json_t *roles = json_object_get(options, "roles");
    char tail[sizeof row->detail];

    memcpy(tail, row->detail, sizeof tail);
    row->detail[0] = '\0';
    row_say(row, "%zu of %" PRId64 " by somebody other than the proposer, as", count, min);
    for (size_t i = 0; i < json_array_size(roles); i++)
        row_say(row, "%s %s", i ? " or" : "", json_string_value(json_array_get(roles, i)));
    row_say(row, "%s", tail);
}

void approvals_require(struct approvals *approvals, const struct judge *judge,
                       const json_t *options, struct opl_requirement *row)
{
    const json_t *roles = json_object_get(options, "roles");
    int64_t min = policy_number(options, "min", 1);
    size_t count = 0;

    row->status = OPL_SATISFIED;
    for (size_t i = 0; i < approvals->count; i++)
        count += count_one(approvals, &approvals->list[i], options, row);
    say_head(options, count, min, row);
    if ((int64_t)count >= min)
        return;
    if (!approvals->may_sign)
        row_say(row, "; sign once all other requirements are met");
    say_others(approvals, row);
    row_lacks(row, "opledger approval sign %s --role %s", judge->change->id,
              json_string_value(json_array_get(roles, 0)));
}

void approvals_show(struct approvals *approvals, struct opl_gate_result *result)
{
    size_t skip = approvals->count > OPL_FACTS_MAX ? approvals->count - OPL_FACTS_MAX : 0;

    for (size_t i = skip; i < approvals->count; i++) {
        struct candidate *candidate = &approvals->list[i];

        if (!candidate->used)
            candidate_refuse(candidate, "%s",
                             candidate->passed ? candidate->passed
                                               : "no policy asks for approvals");
        candidate->shown.counts = candidate->used;
        result->approvals[result->approval_count++] = candidate->shown;
    }
}
