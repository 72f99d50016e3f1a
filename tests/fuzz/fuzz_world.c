/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Log entries, one a line, as a verifier meets them: whatever they are, a world takes them or says
 * why not, and everything that is computed from it comes to an end.
 */
#include "fuzz.h"

#include <opledger/gate.h>

static void apply(struct opl_world *world, const char *line, size_t len, uint64_t seq)
{
    OPL_CLEANUP(opl_entry_close) struct opl_entry entry = {0};
    struct opl_err err = {0};

    if (!opl_entry_parse(line, len, seq, &entry, &err))
        return;
    if (!opl_world_apply(world, &entry, &err))
        FUZZ_CHECK(err.code == OPL_E_LOG);
}

static void weigh(struct opl_world *world, const char *id)
{
    const struct opl_hyp_view views[] = {
        {.positive_below = UINT64_MAX},
        { .proposer = "alice", .positive_below = 40, .signed_by = "key"},
    };
    const struct opl_fold *fold;
    struct opl_hyp_result result;
    bool accounted;

    FUZZ_CHECK(opl_world_find(world, id, &fold, NULL));
    for (size_t i = 0; fold != NULL && i < 2; i++) {
        if (opl_hypothesis_status(world, fold, &views[i], &result, NULL))
            FUZZ_CHECK(!opl_hyp_status_blocks(result.status) || !result.vendor_confirmed);
    }
    if (fold != NULL && opl_fold_creation(fold) != NULL)
        (void)!opl_prompt_accounted(world, fold, opl_fold_creation(fold), &accounted, NULL);
}

static void judge(struct opl_world *world, const char *id)
{
    const struct opl_gate_input input = {.change = id, .size = 100, .now = 1790863500000000LL};
    struct opl_gate_result *result = calloc(1, sizeof *result);

    if (result != NULL && opl_gate_evaluate(world, &input, result, NULL))
        FUZZ_CHECK(result->outcome != OPL_GATE_ALLOWED || result->approval_count > 0);
    free(result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    OPL_CLEANUP(opl_world_freep) struct opl_world *world = opl_world_new(NULL);
    const char *at = (const char *)data;
    char id[OPL_ID_SIZE];

    FUZZ_CHECK(world != NULL && opl_crypto_init(NULL));
    for (uint64_t seq = 0; size > 0; seq++) {
        const char *end = memchr(at, '\n', size);
        size_t len = end == NULL ? size : (size_t)(end - at);

        apply(world, at, len, seq);
        len += end != NULL;
        at += len;
        size -= len;
    }
    for (uint64_t number = 1; number <= 4; number++) {
        opl_id_format(OPL_ID_HYP, number, id);
        weigh(world, id);
        opl_id_format(OPL_ID_CHG, number, id);
        judge(world, id);
    }
    return 0;
}
