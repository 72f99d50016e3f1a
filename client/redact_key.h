/* SPDX-License-Identifier: Apache-2.0 */
/*
 * redact_key - the site's key for pseudonyms: 64 hexadecimal digits in a file of mode 0600.
 *
 * OPLEDGER_REDACT_KEY_FILE names it; else /etc/opledger/redact.key where that can be read, else
 * redact.key in this user's state folder. Made when absent, never sent anywhere.
 */
#ifndef OPLEDGER_CLIENT_REDACT_KEY_H
#define OPLEDGER_CLIENT_REDACT_KEY_H

#include <opledger/crypto.h>

/* named: what the configuration says, "" or NULL for nothing. OPL_E_CONFIG when others can read. */
OPL_MUST_CHECK bool redact_key_load(const char *named, struct opl_key *out, struct opl_err *err);

#endif
