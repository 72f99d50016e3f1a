/* SPDX-License-Identifier: Apache-2.0 */
/*
 * identity - who makes a request: a principal of the registry, and the scope of the token shown.
 *
 * A copy of its own: it stays true to the moment of authentication whatever the registry becomes;
 * the sequencer judges again with the registry of its group.
 */
#ifndef OPLEDGER_SERVER_IDENTITY_H
#define OPLEDGER_SERVER_IDENTITY_H

#include <opledger/admit.h>

#define IDENTITY_SCOPE_MAX 32

struct identity {
    bool known; /* false: nobody showed a token */
    char principal[65];
    enum opl_class class;
    char scope_words[IDENTITY_SCOPE_MAX][65];
    size_t scope_count;
    int64_t expires;
};

/* The same as the library's writer; borrows the identity and `scope` (IDENTITY_SCOPE_MAX + 1). */
struct opl_writer identity_writer(const struct identity *identity,
                                  char *scope[static IDENTITY_SCOPE_MAX + 1]);

#endif
