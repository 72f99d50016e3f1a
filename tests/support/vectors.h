/* SPDX-License-Identifier: Apache-2.0 */
/* vectors - the JSON files of tests/vectors, read whole. */
#ifndef OPLEDGER_TESTS_VECTORS_H
#define OPLEDGER_TESTS_VECTORS_H

#include "unit.h"

#include <opledger/encode.h>
#include <opledger/json.h>

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

static inline const char *vectors_str(const json_t *object, const char *key)
{
    const char *text = opl_json_str(object, key);

    assert_non_null(text);
    return text;
}

static inline struct opl_hash vectors_hash(const json_t *value)
{
    struct opl_hash hash = {{0}};

    assert_true(opl_hash_from_hex(json_string_value(value), &hash, NULL));
    return hash;
}

#endif
