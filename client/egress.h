/* SPDX-License-Identifier: Apache-2.0 */
/*
 * egress - what left the site: the scrubbed output and the account of what was masked.
 */
#ifndef OPLEDGER_CLIENT_EGRESS_H
#define OPLEDGER_CLIENT_EGRESS_H

#include <jansson.h>

#include <opledger/receipt.h>

struct client;

struct egress {
    const char *on;            /* INC or HYP */
    const char *destination;   /* of models.yaml */
    const char *model;         /* PROVIDER/NAME[@VERSION] */
    const char *outcome;       /* sent, refused or failed */
    const char *source_sha256; /* of attached evidence, hex; NULL: the source was none */
    int output_fd;             /* the scrubbed output, a regular file */
    const json_t *manifest;    /* the redaction manifest */
};

/*
 * Uploads output and manifest, which must belong together, and records the egress. Says nothing:
 * stdout may be where the output itself goes.
 */
OPL_MUST_CHECK bool egress_record(struct client *client, const struct egress *egress,
                                  struct opl_receipt *receipt, struct opl_err *err);

#endif
