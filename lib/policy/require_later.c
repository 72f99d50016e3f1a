/* SPDX-License-Identifier: Apache-2.0 */
#include "requirement.h"

bool require_later(struct judge *judge, const json_t *options, struct opl_requirement *row,
                   struct opl_err *err)
{
    (void)judge;
    (void)options;
    (void)err;
    row->status = OPL_ERROR;
    row_say(row, "this version cannot judge %s yet", opl_requirement_name(row->kind));
    return true;
}
