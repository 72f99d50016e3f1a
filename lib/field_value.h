/* SPDX-License-Identifier: Apache-2.0 */
/* field_value - one value against one field: a small function per type. */
#ifndef OPLEDGER_LIB_FIELD_VALUE_H
#define OPLEDGER_LIB_FIELD_VALUE_H

#include "field.h"

struct opl_value {
    struct opl_check *check;
    const struct opl_field *field;
    const json_t *json;
    const struct opl_spot *at;
    json_t *instead; /* out: what replaces it in a draft, owned by the caller; else NULL */
};

OPL_MUST_CHECK bool opl_value_check(struct opl_value *value);

#endif
