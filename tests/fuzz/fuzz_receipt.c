/* SPDX-License-Identifier: Apache-2.0 */
/* Only the receipt of the corpus, in whatever spelling, proves that this entry was recorded. */
#include "fuzz.h"

#include <opledger/encode.h>
#include <opledger/json.h>
#include <opledger/receipt.h>

#define KEY "ledger.example.org/2026+5a1f125b+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop"
#define NOW 1790863800000000LL

static const char request[] =
    "{\"kind\":\"incident.opened\",\"body\":{\"title\":{\"text\":\"slurmctld: StateSaveLocation "
    "warning every minute\",\"salt\":"
    "\"0000000000000000000000000000000000000000000000000000000000000000\"},"
    "\"severity\":\"high\"}}";

static void check_proof(const struct opl_receipt *receipt)
{
    OPL_CLEANUP(opl_json_freep) json_t *json = opl_json_parse(request, sizeof request - 1, NULL);
    OPL_CLEANUP(opl_draft_close) struct opl_draft draft = {0};
    struct opl_vkey key;

    FUZZ_CHECK(json != NULL && opl_draft_parse(json, NOW, &draft, NULL));
    FUZZ_CHECK(opl_vkey_parse(KEY, &key, NULL));
    if (!opl_receipt_verify(receipt, &draft, &key, NULL))
        return;
    FUZZ_CHECK(receipt->seq == 0 && receipt->prev == -1 && receipt->checkpoint.size == 3);
    FUZZ_CHECK(strcmp(receipt->actor, "alice") == 0 && strcmp(receipt->id, "inc-1") == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    OPL_CLEANUP(opl_json_freep) json_t *json = opl_json_parse((const char *)data, size, NULL);
    OPL_CLEANUP(opl_json_freep) json_t *again = NULL;
    OPL_CLEANUP(opl_receipt_close) struct opl_receipt receipt = {0};
    OPL_CLEANUP(opl_receipt_close) struct opl_receipt second = {0};

    if (json == NULL || !opl_receipt_read(json, &receipt, NULL))
        return 0;
    again = opl_receipt_json(&receipt);
    FUZZ_CHECK(again != NULL && opl_receipt_read(again, &second, NULL));
    FUZZ_CHECK(second.seq == receipt.seq && opl_hash_equal(&second.leaf, &receipt.leaf));
    check_proof(&receipt);
    return 0;
}
