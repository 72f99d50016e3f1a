/* SPDX-License-Identifier: Apache-2.0 */
#include "requirement.h"

#define MAX_AGE POLICY_FIELD("max-age", DURATION, 0)
#define SIGNED POLICY_WORD("signed", 0, "touch|key")
#define COUNT_MAX 32

static const struct policy_field hypothesis_options[] = {
    POLICY_WORD("status", POLICY_LIST | POLICY_REQUIRED, "vendor-confirmed|reproduced|none"),
    MAX_AGE,
    SIGNED,
    POLICY_END,
};

static const struct policy_field vendor_options[] = {
    POLICY_WORD("versions", 0, "within"),
    SIGNED,
    POLICY_END,
};

static const struct policy_field cross_check_options[] = {
    POLICY_NUMBER("min", POLICY_REQUIRED, 1, COUNT_MAX),
    POLICY_WORD("mode", 0, "blind"),
    POLICY_WORD("family", 0, "other"),
    POLICY_WORD("evidence", 0, "same"),
    SIGNED,
    POLICY_END,
};

static const struct policy_field approvals_options[] = {
    POLICY_NUMBER("min", POLICY_REQUIRED, 1, COUNT_MAX),
    POLICY_FIELD("roles", NAME, POLICY_REQUIRED | POLICY_LIST),
    POLICY_WORD("hardware-key", 0, "shown|required"),
    POLICY_END,
};

static const struct policy_field evidence_options[] = {
    POLICY_FIELD("outside", GLOB, POLICY_LIST),
    POLICY_END,
};

static const struct policy_field scrubbed_options[] = {
    POLICY_NUMBER("min", POLICY_REQUIRED, 0, INT64_MAX),
    POLICY_END,
};

static const struct policy_field fact_options[] = {MAX_AGE, SIGNED, POLICY_END};
static const struct policy_field no_options[] = {POLICY_END};

/* In the order of OPL_REQUIREMENTS. */
const struct requirement requirements[OPL_REQ_COUNT] = {
    {"hypothesis",   hypothesis_options,  require_hypothesis },
    {"vendor",       vendor_options,      require_vendor     },
    {"cross-check",  cross_check_options, require_cross_check},
    {"reproduction", fact_options,        require_later      },
    {"baseline",     no_options,          require_later      },
    {"evidence",     evidence_options,    require_later      },
    {"testrun",      fact_options,        require_later      },
    {"rehearsal",    fact_options,        require_later      },
    {"restore",      fact_options,        require_later      },
    {"approvals",    approvals_options,   NULL               },
    {"scrubbed",     scrubbed_options,    require_later      },
    {"egress",       no_options,          require_later      },
    {"window",       no_options,          require_later      },
};

const struct requirement *requirement_find(const char *name)
{
    for (size_t i = 0; i < OPL_REQ_COUNT; i++) {
        if (strcmp(requirements[i].name, name) == 0)
            return &requirements[i];
    }
    return NULL;
}

const char *opl_requirement_name(enum opl_requirement_kind kind)
{
    return (size_t)kind < OPL_REQ_COUNT ? requirements[kind].name : "change";
}
