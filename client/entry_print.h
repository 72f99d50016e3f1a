/* SPDX-License-Identifier: Apache-2.0 */
/*
 * entry_print - one entry for people, field by field as the kinds table orders them.
 */
#ifndef OPLEDGER_CLIENT_ENTRY_PRINT_H
#define OPLEDGER_CLIENT_ENTRY_PRINT_H

#include "subject.h"

/* A heading (number, time, who, what) and the fields below it. */
void entry_print(struct client *client, const struct subject_entry *entry);

/* The time of an entry as people read it: "2026-10-01 14:03:22", in UTC. */
void entry_time(int64_t at, char *out, size_t size);

/* One value of a body as a line of text, already safe to print. */
void entry_value(struct opl_buf *out, const json_t *value);

#endif
