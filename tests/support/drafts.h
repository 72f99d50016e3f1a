/* SPDX-License-Identifier: Apache-2.0 */
/* drafts - the vectors of entries.json as drafts and places. */
#ifndef OPLEDGER_TESTS_DRAFTS_H
#define OPLEDGER_TESTS_DRAFTS_H

#include "vectors.h"

#include <opledger/entry.h>
#include <opledger/json.h>
#include <opledger/time.h>

#define DRAFTS_NOW 1790863800000000LL /* 2026-10-01T14:10:00Z */

static inline void drafts_read(const json_t *vector, struct opl_draft *draft,
                               struct opl_place *place)
{
    const json_t *where = json_object_get(vector, "place");

    assert_ok(opl_draft_parse(json_object_get(vector, "request"), DRAFTS_NOW, draft, err));
    *place = (struct opl_place){
        .actor = opl_json_str(where, "actor"),
        .id = opl_json_str(where, "id"),
        .prev = opl_json_int(where, "prev", -1),
    };
    assert_ok(opl_time_parse(opl_json_str(where, "at"), &place->at, err));
}

#endif
