/* SPDX-License-Identifier: Apache-2.0 */
/* redacted - texts through the filter with the shipped rules and a fixed key, for tests. */
#ifndef OPLEDGER_TESTS_SUPPORT_REDACTED_H
#define OPLEDGER_TESTS_SUPPORT_REDACTED_H

#include <opledger/redact.h>

/* The shipped rules, compiled once for the whole program. */
const struct opl_rules *redacted_rules(void);

struct redacted {
    struct opl_buf out;
    struct opl_redact_result result;
    json_t *manifest;
    struct opl_err err;
    bool ok;
};

/* Runs with everything masked unless options say otherwise; options may be NULL. */
struct redacted redacted_run(const char *text, size_t len,
                             const struct opl_redact_options *options);
void redacted_close(struct redacted *redacted);

/* The whole of a file. */
struct opl_buf redacted_file(const char *path);

#endif
