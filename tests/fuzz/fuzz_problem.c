/* SPDX-License-Identifier: Apache-2.0 */
/* client/api_problem.c: every failed answer is an error, never none. */
#include "fuzz.h"

#include <opledger/buf.h>

#include "client/api_problem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct opl_err err = {0};
    json_t *problem = problem_read((const char *)data, size, 400 + (int)(size % 112), &err);

    if (err.code == OPL_OK || opl_code_exit(err.code) == 0)
        abort();
    json_decref(problem);
    return 0;
}
