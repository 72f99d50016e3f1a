/* SPDX-License-Identifier: Apache-2.0 */
/*
 * egress - what an egress.recorded claims, held against the manifest of its output and against the
 * destination. The record is worth what it is worth because nobody has to take it on trust.
 */
#ifndef OPLEDGER_EGRESS_H
#define OPLEDGER_EGRESS_H

#include <opledger/models.h>

#define OPL_EGRESS_MANIFEST_MAX ((size_t)64 << 20)

/* One claim that something was sent, and what it is held against; all borrowed. */
struct opl_egress_claim {
    const json_t *body;   /* of the egress.recorded */
    const char *manifest; /* the bytes of the blob manifest_sha256 */
    size_t len;
    uint64_t stored; /* bytes of the blob sent_sha256 */
    const struct opl_destination *destination;
    int64_t now;
};

/*
 * Whether the manifest is one (canonical, verify passed), is of this output with its size, rules,
 * hits and unscannable places, and the destination may receive this format for this model now.
 * OPL_E_INVALID at the field of the body that is not true.
 */
OPL_MUST_CHECK bool opl_egress_check(const struct opl_egress_claim *claim, struct opl_err *err);

#endif
