/* SPDX-License-Identifier: Apache-2.0 */
/* The table of CONTRACT section 4. */
#include <opledger/statement.h>

#define HOUR 3600
#define DAY (24 * HOUR)

#define FIELD(type, name, flags, help)                                                             \
    {                                                                                              \
        name, OPL_F_##type, flags, 0, NULL, OPL_ID_NONE, help                                      \
    }
#define TEXT(name, max, help)                                                                      \
    {                                                                                              \
        name, OPL_F_TEXT, 0, max, NULL, OPL_ID_NONE, help                                          \
    }
#define SUBJECT(name, prefix, flags, help)                                                         \
    {                                                                                              \
        name, OPL_F_ID, flags, 0, NULL, OPL_ID_##prefix, help                                      \
    }
#define WORD(name, words, help)                                                                    \
    {                                                                                              \
        name, OPL_F_ENUM, 0, 0, words, OPL_ID_NONE, help                                           \
    }
#define END                                                                                        \
    {                                                                                              \
        NULL, OPL_F_TEXT, 0, 0, NULL, OPL_ID_NONE, NULL                                            \
    }

static const struct opl_field approval[] = {
    FIELD(DIGEST, "base", 0, "what must be in place before"),
    SUBJECT("change", CHG, 0, "what is approved"),
    FIELD(DIGEST, "manifest", 0, "exactly these files and this command"),
    FIELD(DIGEST, "policy", 0, "the gate digest in force"),
    FIELD(ROLE_NAME, "role", 0, "the role in which it is approved"),
    END,
};

static const struct opl_field override[] = {
    FIELD(DIGEST, "base", 0, "what must be in place before"),
    SUBJECT("change", CHG, OPL_FIELD_NULLABLE, "what is overridden; null when offline"),
    FIELD(HOST, "host", OPL_FIELD_NULLABLE, "the only host that it is good for"),
    FIELD(DIGEST, "manifest", 0, "exactly these files and this command"),
    FIELD(SEALED, "reason", 0, "the seal of the reason"),
    END,
};

static const struct opl_field override_review[] = {
    SUBJECT("override", OVR, 0, "what is judged"),
    FIELD(SEALED, "text", 0, "the seal of the text"),
    WORD("verdict", "justified|not-justified", "what the reviewer finds"),
    END,
};

static const struct opl_field confirmation[] = {
    FIELD(SEQ, "fact", 0, "the entry that is confirmed"),
    END,
};

static const struct opl_field admin[] = {
    FIELD(HEX, "body_sha256", 0, "of the canonical body without statement and sshsig"),
    TEXT("kind", 64, "the kind of the entry"),
    SUBJECT("on", NONE, OPL_FIELD_NULLABLE, "what the entry is about"),
    END,
};

static const struct opl_field login[] = {
    TEXT("challenge", 256, "what the server drew"),
    FIELD(DURATION, "ttl", 0, "how long the token may live"),
    TEXT("url", 512, "the server, as its client knows it"),
    END,
};

/* The longest lives of approvals, confirmations and administration are ours; the rest is CONTRACT.
 */
const struct opl_statement_type opl_statement_types[] = {
    {"opledger/approval",        "approve@opledger",  14 * DAY, 90 * DAY, approval       },
    {"opledger/override",        "override@opledger", 4 * HOUR, DAY,      override       },
    {"opledger/override-review", "override@opledger", HOUR,     DAY,      override_review},
    {"opledger/confirmation",    "confirm@opledger",  HOUR,     DAY,      confirmation   },
    {"opledger/admin",           "admin@opledger",    HOUR,     DAY,      admin          },
    {"opledger/login",           "login@opledger",    300,      300,      login          },
    {NULL,                       NULL,                0,        0,        NULL           },
};

const struct opl_statement_type *opl_statement_type_find(const char *name)
{
    for (const struct opl_statement_type *type = opl_statement_types; type->type != NULL; type++)
        if (strcmp(type->type, name) == 0)
            return type;
    return NULL;
}
