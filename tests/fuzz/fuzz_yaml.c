/* SPDX-License-Identifier: Apache-2.0 */
/* YAML from anywhere: values of strings only, or an error with a line. */
#include "fuzz.h"

#include <opledger/json.h>
#include <opledger/yaml.h>

static bool only_strings(const json_t *value)
{
    const char *key;
    json_t *item;
    size_t i;

    json_array_foreach(value, i, item) if (!only_strings(item)) return false;
    json_object_foreach((json_t *)value, key, item) if (!only_strings(item)) return false;
    return json_is_string(value) || json_is_array(value) || json_is_object(value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct opl_err err = {0};
    OPL_CLEANUP(opl_json_freep) json_t *value = opl_yaml_parse((const char *)data, size, &err);

    FUZZ_CHECK(value ? only_strings(value) : err.code != OPL_OK);
    return 0;
}
