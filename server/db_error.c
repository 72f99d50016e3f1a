/* SPDX-License-Identifier: Apache-2.0 */
#include "db_error.h"

/* PostgreSQL 15, appendix A. A class of two characters covers what no longer row names. */
static const struct {
    const char *state;
    enum opl_code code;
    const char *text;
} states[] = {
    {"",      OPL_E_UNAVAILABLE, "the connection to the database was lost"           },
    {"08",    OPL_E_UNAVAILABLE, "the connection to the database was lost"           },
    {"25006", OPL_E_UNAVAILABLE, "the database is read-only, as a standby is"        },
    {"25P02", OPL_E_INTERNAL,    "an earlier statement of the transaction failed"    },
    {"25P03", OPL_E_UNAVAILABLE, "the transaction stood idle and was ended"          },
    {"28",    OPL_E_UNAVAILABLE, "the database refused the login"                    },
    {"40001", OPL_E_TIMED_OUT,   "another transaction was first"                     },
    {"40P01", OPL_E_TIMED_OUT,   "a deadlock was broken"                             },
    {"42501", OPL_E_INTERNAL,    "the database role has no right to do this"         },
    {"53100", OPL_E_STORAGE,     "the database's disk is full"                       },
    {"53200", OPL_E_NOMEM,       "the database has no memory"                        },
    {"53300", OPL_E_UNAVAILABLE, "the database has no connection left"               },
    {"53",    OPL_E_UNAVAILABLE, "the database lacks resources"                      },
    {"55P03", OPL_E_TIMED_OUT,   "a lock was not free in time"                       },
    {"57014", OPL_E_TIMED_OUT,   "the statement took too long"                       },
    {"57",    OPL_E_UNAVAILABLE, "the database is stopping or starting"              },
    {"58",    OPL_E_UNAVAILABLE, "the database server met an error of its own system"},
    {"23",    OPL_E_INTERNAL,    "a constraint of the database refused the row"      },
    {"XX001", OPL_E_INTERNAL,    "the database found its own data corrupted"         },
    {"XX002", OPL_E_INTERNAL,    "the database found its own index corrupted"        },
};

static size_t find(const char *sqlstate)
{
    const size_t count = sizeof(states) / sizeof(*states);
    size_t best = count;

    for (size_t i = 0; i < count; i++) {
        size_t len = strlen(states[i].state);
        bool matches =
            len == 2 ? !strncmp(states[i].state, sqlstate, 2) : !strcmp(states[i].state, sqlstate);

        if (matches && (best == count || len > strlen(states[best].state)))
            best = i;
    }
    return best;
}

enum opl_code db_error_code(const char *sqlstate)
{
    size_t at = find(sqlstate);

    return at < sizeof(states) / sizeof(*states) ? states[at].code : OPL_E_INTERNAL;
}

const char *db_error_text(const char *sqlstate)
{
    size_t at = find(sqlstate);

    return at < sizeof(states) / sizeof(*states) ? states[at].text
                                                 : "the database refused the statement";
}
