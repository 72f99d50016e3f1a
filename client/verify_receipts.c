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

/* One line of what this client keeps; what it means is the caller's business. */
typedef bool line_fn(struct verify *verify, const char *line, size_t len, void *ctx,
                     struct opl_err *err);

static bool each_line(struct verify *verify, const char *what, line_fn *use, void *ctx,
                      struct opl_err *err)
{
    OPL_CLEANUP(file_free) char *path = NULL;
    OPL_CLEANUP(file_free) char *line = NULL;
    OPL_CLEANUP(close_file) FILE *file = NULL;
    size_t size = 0;
    bool ok = true;

    if (!state_path(&verify->client->state, what, verify->vkey.name, &path, err))
        return false;
    file = fopen(path, "re");
    while (ok && file != NULL && getline(&line, &size, file) > 0)
        ok = use(verify, line, strcspn(line, "\n"), ctx, err);
    return ok;
}

/* Whom to hand what is found. */
struct receiver {
    verify_receipt_fn *receipt;
    verify_head_fn *head;
    void *ctx;
};

/* A line that is no receipt (a batch's, a half-written one) is counted, not believed. */
static bool use_receipt(struct verify *verify, const char *line, size_t len, void *ctx,
                        struct opl_err *err)
{
    OPL_CLEANUP(opl_receipt_close) struct opl_receipt receipt = {0};
    const struct receiver *receiver = ctx;

    if (read_line(verify, line, len, &receipt))
        return receiver->receipt(receiver->ctx, &receipt, err);
    verify->counts.receipts_unread++;
    return true;
}

/* A Statement that was signed here names a head that had been verified here. */
static bool use_statement(struct verify *verify, const char *line, size_t len, void *ctx,
                          struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *value = opl_json_parse(line, len, NULL);
    OPL_CLEANUP(opl_statement_close) struct opl_statement statement = {0};
    const char *text = value != NULL ? opl_json_str(value, "statement") : NULL;
    const struct receiver *receiver = ctx;

    if (text == NULL || !opl_statement_parse(text, strlen(text), &statement, NULL) ||
        strcmp(statement.log.origin, verify->head.origin) != 0) {
        verify->counts.receipts_unread++;
        return true;
    }
    return receiver->head(receiver->ctx, &statement.log, err);
}

bool verify_memory(struct verify *verify, verify_receipt_fn *receipt, verify_head_fn *head,
                   void *ctx, struct opl_err *err)
{
    struct receiver receiver = {receipt, head, ctx};

    return each_line(verify, "receipts", use_receipt, &receiver, err) &&
           each_line(verify, "statements", use_statement, &receiver, err);
}

void verify_receipt(struct verify *verify, const struct opl_receipt *receipt)
{
    uint64_t count;
    const struct opl_hash *leaves = verify_tree_level(&verify->tree, 0, &count);

    if (receipt->seq >= count) /* that it is gone shows in the size of its checkpoint */
        return;
    if (!opl_hash_equal(&leaves[receipt->seq], &receipt->leaf) &&
        (!verify->wrong.found || verify->wrong.entry > receipt->seq)) {
        verify->wrong.found = false;
        verify_wrong(verify, receipt->seq, "this client's receipt names another leaf");
    }
    verify->counts.receipts++;
}
