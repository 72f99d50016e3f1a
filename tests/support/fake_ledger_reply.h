/* SPDX-License-Identifier: Apache-2.0 */
/* fake_ledger_reply - the routes of the fake ledger that make up whole documents. */
#ifndef OPLEDGER_TESTS_FAKE_LEDGER_REPLY_H
#define OPLEDGER_TESTS_FAKE_LEDGER_REPLY_H

#include <opledger/merkle_tree.h>

#include "fake_ledger.h"

uint64_t fake_size(const struct fake_ledger *ledger);
struct opl_tree fake_tree(struct fake_ledger *ledger);
void fake_head(struct fake_ledger *ledger, struct opl_head *head);
void fake_note(struct fake_ledger *ledger, struct opl_buf *out);

/* value is taken */
void fake_json(struct canned_reply *reply, int status, json_t *value);
void fake_problem(struct canned_reply *reply, enum opl_code code, const char *detail);

void fake_reply_entries(struct fake_ledger *ledger, const char *path, struct canned_reply *reply);
void fake_reply_subject(struct fake_ledger *ledger, const char *path, struct canned_reply *reply);
void fake_reply_append(struct fake_ledger *ledger, const struct canned_request *request,
                       struct canned_reply *reply);
void fake_reply_gate(struct fake_ledger *ledger, const struct canned_request *request,
                     struct canned_reply *reply);

#endif
