/* SPDX-License-Identifier: Apache-2.0 */
/* vectors - the JSON files of tests/vectors, read whole. */
#ifndef OPLEDGER_TESTS_VECTORS_H
#define OPLEDGER_TESTS_VECTORS_H

#include "unit.h"

#include <jansson.h>

/* A new reference to what tests/vectors/`name` says; the test fails when it cannot be read. */
static inline json_t *vectors_load(const char *name)
{
    json_error_t why;
    char path[4096];
    json_t *root;

    (void)snprintf(path, sizeof path, "%s/tests/vectors/%s", SOURCE_DIR, name);
    root = json_load_file(path, JSON_REJECT_DUPLICATES, &why);
    if (root == NULL)
        fail_msg("%s:%d: %s", path, why.line, why.text);
    return root;
}

#endif
