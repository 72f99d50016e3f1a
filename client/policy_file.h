/* SPDX-License-Identifier: Apache-2.0 */
/*
 * policy_file - a policy as a file, and which sort it is: gate, redact or models.
 */
#ifndef OPLEDGER_CLIENT_POLICY_FILE_H
#define OPLEDGER_CLIENT_POLICY_FILE_H

#include <opledger/buf.h>

struct policy_file {
    struct opl_buf text;
    const char *what; /* "gate", "redact" or "models" */
    char name[65];    /* what it calls itself, else the stem of its file */
};

/* Reads and sorts; a file that is none of the three is OPL_E_CONFIG. */
OPL_MUST_CHECK bool policy_file_read(const char *path, struct policy_file *out,
                                     struct opl_err *err);

/* The same for a text that is at hand; `path` gives its name. Copies it. */
OPL_MUST_CHECK bool policy_file_sort(const char *path, const char *text, size_t len,
                                     struct policy_file *out, struct opl_err *err);
void policy_file_close(struct policy_file *policy);

#endif
