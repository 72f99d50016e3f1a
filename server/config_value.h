/* SPDX-License-Identifier: Apache-2.0 */
/*
 * config_value - one value of a configuration: from text, by its row of the table, and back.
 */
#ifndef OPLEDGER_SERVER_CONFIG_VALUE_H
#define OPLEDGER_SERVER_CONFIG_VALUE_H

#include "config.h"

/* OPL_E_USAGE, naming key, value and what is allowed; then the old value stays. */
OPL_MUST_CHECK bool config_value_set(struct config *config, const struct config_key *key,
                                     const char *text, struct opl_err *err);

/* In the form in which it is read; *** for a secret that is set. */
void config_value_print(const struct config *config, const struct config_key *key,
                        struct opl_buf *out);
void config_value_free(struct config *config, const struct config_key *key);

#endif
