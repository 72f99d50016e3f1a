/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pseudonym - what a value becomes, by the way its rule says: joins are kept within a context
 * (same value, same token; a user and his uid; a host and its FQDN; an address and its /24).
 */
#ifndef OPLEDGER_LIB_REDACT_PSEUDONYM_H
#define OPLEDGER_LIB_REDACT_PSEUDONYM_H

#include "names.h"
#include "recent.h"
#include "rule.h"

struct pseudonyms {
    struct opl_key key;    /* of the context */
    struct recent *recent; /* tokens made with it */
    const struct names *names;
    json_t *map; /* token to original, without secrets; at most MAP_MAX */
};

#define MAP_MAX 50000

/* Appends what stands for the value. */
void pseudonym_write(struct pseudonyms *pseudonyms, enum rule_as as, const char *value, size_t len,
                     struct opl_buf *out);

#endif
