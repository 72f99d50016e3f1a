/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vendor: the vendor has confirmed every hypothesis of the change and, with `versions: within`, for
 * the version that the change says is running.
 */
#include "requirement.h"

#include <inttypes.h>

#include <opledger/json.h>

/* Whether a confirmation covers the running version; without that option, any does. */
static bool covers(const struct judge *judge, const json_t *options, const struct opl_fact *fact)
{
    const char *running = opl_json_str(judge->in_force->body, "running_version");
    const char *range = opl_json_str(fact->body, "versions");

    if (!json_object_get(options, "versions"))
        return true;
    return running && range && opl_version_in_range(running, range);
}

static void say_missing(struct judge *judge, const struct opl_fold *hyp,
                        const struct opl_hyp_result *is, struct opl_requirement *row)
{
    const struct opl_fact *confirmable = judge_confirmable(hyp, &is->not_counted);

    if (is->vendor_confirmed && !opl_json_str(judge->in_force->body, "running_version")) {
        row_say(row, "%s is confirmed, but the change names no running version", hyp->id);
        row_lacks(row, "opledger change revise %s --running-version V", judge->change->id);
        return;
    }
    if (is->vendor_confirmed)
        row_say(row, "%s is confirmed, but not for the running version", hyp->id);
    else
        row_say(row, "%s is %s", hyp->id, opl_hyp_status_name(is->status));
    if (!is->vendor_confirmed && confirmable)
        row_lacks(row, "opledger confirm %s %" PRIu64, hyp->id, confirmable->seq);
    else
        row_lacks(row,
                  "opledger vendor update %s --vendor V --state confirmed --versions R "
                  "--evidence F",
                  hyp->id);
}

static bool judge_one(struct judge *judge, const json_t *options, const struct opl_fold *hyp,
                      struct opl_requirement *row, struct opl_err *err)
{
    struct opl_hyp_view view = judge_view(judge, options);
    struct opl_hyp_result is = {0};
    size_t found = 0;

    if (!opl_hypothesis_status(judge->world, hyp, &view, &is, err))
        return false;
    for (size_t i = 0; is.vendor_confirmed && i < is.confirmed_by.count; i++) {
        const struct opl_fact *fact = opl_fold_fact(hyp, is.confirmed_by.seq[i]);

        if (!fact || !covers(judge, options, fact))
            continue;
        opl_seqs_add(&row->for_, fact->seq);
        found++;
    }
    for (size_t i = 0; i < is.against.count; i++)
        opl_seqs_add(&row->against, is.against.seq[i]);
    if (row->detail[0] != '\0')
        row_say(row, "; ");
    if (found > 0 && !opl_hyp_status_blocks(is.status))
        row_say(row, "%s is confirmed by its vendor", hyp->id);
    else
        say_missing(judge, hyp, &is, row);
    return true;
}

bool require_vendor(struct judge *judge, const json_t *options, struct opl_requirement *row,
                    struct opl_err *err)
{
    const struct opl_fold *hyp;

    if (!judge_has_hypotheses(judge, row))
        return true;
    for (size_t i = 0; i < json_array_size(judge->hypotheses); i++) {
        if (!judge_hypothesis(judge, i, &hyp, err) || !judge_one(judge, options, hyp, row, err))
            return false;
    }
    return true;
}
