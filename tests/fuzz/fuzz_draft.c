/* SPDX-License-Identifier: Apache-2.0 */
/* A request that becomes a draft becomes an entry that its reader accepts, with the same body. */
#include "fuzz.h"

#include <opledger/entry.h>
#include <opledger/json.h>

#define NOW 1790863800000000LL

static void check_entry(const struct opl_draft *draft)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf bytes = {0};
    OPL_CLEANUP(opl_entry_close) struct opl_entry entry = {0};
    struct opl_place place = {"alice", NULL, 3, NOW};
    struct opl_err err = {0};
    char id[OPL_ID_SIZE];

    opl_id_format(draft->kind->creates, 7, id);
    if (draft->kind->creates != OPL_ID_NONE)
        place.id = id;
    if (!opl_draft_finish(draft, &place, &bytes, &err)) {
        FUZZ_CHECK(err.code == OPL_E_TOO_LARGE);
        return;
    }
    FUZZ_CHECK(opl_entry_parse(bytes.data, bytes.len, 9, &entry, NULL));
    FUZZ_CHECK(entry.kind == draft->kind && json_equal(entry.body, draft->body));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char ids[][OPL_ID_SIZE] = {"inc-1", "hyp-2", "", "egr-3", "chg-4", "call-5"};
    OPL_CLEANUP(opl_json_freep) json_t *request = opl_json_parse((const char *)data, size, NULL);
    OPL_CLEANUP(opl_draft_close) struct opl_draft draft = {0};
    struct opl_err err = {0};

    if (request == NULL)
        return 0;
    if (!opl_draft_parse(request, NOW, &draft, &err)) {
        FUZZ_CHECK(err.code == OPL_E_INVALID || err.code == OPL_E_MALFORMED ||
                   err.code == OPL_E_TOO_LARGE);
        return 0;
    }
    if (opl_draft_resolve(&draft, ids, sizeof ids / sizeof *ids, NULL))
        check_entry(&draft);
    return 0;
}
