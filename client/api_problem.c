/* SPDX-License-Identifier: Apache-2.0 */
#include "api_problem.h"

#include <opledger/json.h>

static const enum opl_code by_status[][2] = {
    {400, OPL_E_MALFORMED      },
    {401, OPL_E_UNAUTHENTICATED},
    {403, OPL_E_FORBIDDEN      },
    {404, OPL_E_NOT_FOUND      },
    {413, OPL_E_TOO_LARGE      },
    {429, OPL_E_RATE           },
    {503, OPL_E_UNAVAILABLE    },
    {504, OPL_E_TIMED_OUT      },
    {507, OPL_E_STORAGE        },
};

/* What answers without a problem document is some proxy, or no ledger at all. */
static enum opl_code code_of_status(int status)
{
    for (size_t i = 0; i < sizeof(by_status) / sizeof(by_status[0]); i++)
        if ((int)by_status[i][0] == status)
            return by_status[i][1];
    return OPL_E_UNAVAILABLE;
}

static const char *slug_of(const json_t *problem)
{
    const char *type = opl_json_str(problem, "type");
    const char *slash = type != NULL ? strrchr(type, '/') : NULL;

    return slash != NULL ? slash + 1 : NULL;
}

/* The first bad line of a batch stands for all; --json has the rest. */
static void add_first_line(const json_t *problem, struct opl_err *err)
{
    const json_t *first = json_array_get(json_object_get(problem, "errors"), 0);
    const char *detail = first != NULL ? opl_json_str(first, "detail") : NULL;
    const char *field = first != NULL ? opl_json_str(first, "field") : NULL;
    size_t used = strlen(err->text);

    if (detail != NULL)
        snprintf(err->text + used, sizeof(err->text) - used, " (line %lld: %s)",
                 (long long)opl_json_int(first, "line", 0), detail);
    if (field != NULL && err->field[0] == '\0')
        snprintf(err->field, sizeof(err->field), "%s", field);
}

static void record(const json_t *problem, const char *slug, struct opl_err *err)
{
    const char *detail = opl_json_str(problem, "detail");
    const char *field = opl_json_str(problem, "field");
    const char *hint = opl_json_str(problem, "hint");

    if (detail == NULL)
        detail = slug;
    if (field != NULL)
        opl_fail_at(err, opl_code_from_slug(slug), field, "%s", detail);
    else
        opl_fail(err, opl_code_from_slug(slug), "%s", detail);
    add_first_line(problem, err);
    if (hint != NULL)
        opl_hint(err, "%s", hint);
    if (err->code == OPL_E_UNAUTHENTICATED)
        opl_hint(err, "opledger login, or set OPLEDGER_TOKEN_FILE");
}

json_t *problem_read(const char *text, size_t len, int status, struct opl_err *err)
{
    struct opl_err ignored = {0};
    json_t *problem = opl_json_parse(text, len, &ignored);
    const char *slug = problem != NULL ? slug_of(problem) : NULL;

    if (slug != NULL) {
        record(problem, slug, err);
        return problem;
    }
    json_decref(problem);
    opl_fail(err, code_of_status(status), "the answer was HTTP %d without a problem document",
             status);
    opl_hint(err, "does the URL name a ledger, or a proxy in front of it?");
    return NULL;
}
