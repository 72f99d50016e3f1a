/* SPDX-License-Identifier: Apache-2.0 */
/* redact_rules - which rules and models a run goes by: --policy over what is adopted or built in.
 */
#ifndef OPLEDGER_CLIENT_REDACT_RULES_H
#define OPLEDGER_CLIENT_REDACT_RULES_H

#include "redact.h"

struct redact_rules {
    struct opl_rule_file files[REDACT_RULE_FILES];
    struct opl_buf texts[REDACT_RULE_FILES]; /* of files that were read */
    char *names[REDACT_RULE_FILES];          /* their paths */
    size_t count;
    const char *from;
    struct opl_rules *rules;
    struct opl_models *models;
    struct opl_hash digest;
};

OPL_MUST_CHECK bool redact_rules_open(struct redact_rules *rules,
                                      const struct redact_options *options, struct opl_err *err);
void redact_rules_close(struct redact_rules *rules);

#endif
