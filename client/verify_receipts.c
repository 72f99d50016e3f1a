/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verify_receipts - what this client was once promised, against the tree.
 */
#include "verify.h"

#include <opledger/json.h>

#include "client.h"
#include "files.h"

static void close_file(FILE **file)
{
    if (*file != NULL)
        fclose(*file);
}

static bool read_line(struct verify *verify, const char *line, size_t len,
                      struct opl_receipt *receipt)
{
    OPL_CLEANUP(opl_json_freep) json_t *value = NULL;
    struct opl_err why = {0};
    struct opl_head head;

    value = opl_json_parse(line, len, &why);
    return value != NULL && opl_receipt_read(value, receipt, &why) &&
           opl_checkpoint_open(receipt->note, strlen(receipt->note), &verify->vkey, &head, &why) &&
           head.size == receipt->checkpoint.size &&
           opl_hash_equal(&head.root, &receipt->checkpoint.root);
}

/* A line that is no receipt (a batch's, a half-written one) is counted, not believed. */
static bool use_line(struct verify *verify, const char *line, verify_receipt_fn *each, void *ctx,
                     struct opl_err *err)
{
    OPL_CLEANUP(opl_receipt_close) struct opl_receipt receipt = {0};

    if (read_line(verify, line, strcspn(line, "\n"), &receipt))
        return each(ctx, &receipt, err);
    verify->counts.receipts_unread++;
    return true;
}

bool verify_receipts(struct verify *verify, verify_receipt_fn *each, void *ctx, struct opl_err *err)
{
    OPL_CLEANUP(file_free) char *path = NULL;
    OPL_CLEANUP(file_free) char *line = NULL;
    OPL_CLEANUP(close_file) FILE *file = NULL;
    size_t size = 0;
    bool ok = true;

    if (!state_path(&verify->client->state, "receipts", verify->vkey.name, &path, err))
        return false;
    file = fopen(path, "re");
    while (ok && file != NULL && getline(&line, &size, file) > 0)
        ok = use_line(verify, line, each, ctx, err);
    return ok;
}

bool verify_receipt(struct verify *verify, const struct opl_receipt *receipt, struct opl_err *err)
{
    uint64_t count;
    const struct opl_hash *leaves = verify_tree_level(&verify->tree, 0, &count);

    (void)err;
    if (receipt->seq >= count) {
        if (!verify->unread)
            verify_wrong(verify, receipt->seq, "this client has a receipt for it, and it is gone");
        return true;
    }
    if (!opl_hash_equal(&leaves[receipt->seq], &receipt->leaf) &&
        (!verify->wrong.found || verify->wrong.entry > receipt->seq)) {
        verify->wrong.found = false;
        verify_wrong(verify, receipt->seq, "this client's receipt names another leaf");
    }
    verify->counts.receipts++;
    return true;
}
