/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fields - the body of an entry from the options of a command, by the kinds table.
 *
 * The option of a field is its name with dashes; lists have the singular ("--role" is roles). What
 * the ledger will refuse, the kinds table refuses here, before anything is sent.
 */
#ifndef OPLEDGER_CLIENT_FIELDS_H
#define OPLEDGER_CLIENT_FIELDS_H

#include <jansson.h>

#include <opledger/kinds.h>

struct client;

/*
 * Adds to `body` each field of the kind that it lacks and an option gives. A required text that no
 * option gives is asked for (paste, editor, stdin); a list without values is empty. Times may be
 * durations from now.
 */
OPL_MUST_CHECK bool fields_add(struct client *client, const struct opl_kind *kind, json_t *body,
                               struct opl_err *err);

/* "PROVIDER/NAME[@VERSION]" as the object of the contract, with --endpoint and --served. */
OPL_MUST_CHECK bool fields_model(struct client *client, const char *text, json_t **out,
                                 struct opl_err *err);

/* A duration from now, or RFC 3339, in the stored form. */
OPL_MUST_CHECK bool fields_time(const char *text, char *out, size_t size, struct opl_err *err);

/* A non-negative decimal number; names what it is in the error. */
OPL_MUST_CHECK bool fields_integer(const char *text, const char *what, int64_t *out,
                                   struct opl_err *err);

/* The nth argument as an id with one of the prefixes (OPL_ON bits); OPL_E_USAGE names them. */
OPL_MUST_CHECK bool fields_id(const struct client *client, size_t i, unsigned prefixes,
                              const char **out, struct opl_err *err);

/* Puts a value into an object; OPL_E_NOMEM when value is NULL or does not fit. */
OPL_MUST_CHECK bool fields_set_take(json_t *body, const char *name, json_t *value,
                                    struct opl_err *err);

#endif
