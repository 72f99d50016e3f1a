/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prompt - which model was asked, and what exactly was sent to it.
 */
#ifndef OPLEDGER_CLIENT_PROMPT_H
#define OPLEDGER_CLIENT_PROMPT_H

#include <jansson.h>

#include <opledger/err.h>

struct client;

/* body["model"] from --model, or from OPLEDGER_MODEL. */
OPL_MUST_CHECK bool prompt_add_model(struct client *client, json_t *body, struct opl_err *err);

/* prompt_sha256 and response_sha256 from --prompt-file and --response-file, where they are given.
 */
OPL_MUST_CHECK bool prompt_add(struct client *client, json_t *body, struct opl_err *err);

#endif
