/* SPDX-License-Identifier: Apache-2.0 */
#include "kinds_rules.h"

#include <opledger/json.h>

bool opl_rules_refuse_on(const struct opl_kind *kind, const char *why, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf allowed = {0};

    for (unsigned prefix = OPL_ID_NONE + 1; prefix < OPL_PREFIXES; prefix++)
        if (kind->on & OPL_ON(prefix))
            opl_buf_fmt(&allowed, "%s%s-N", allowed.len > 0 ? ", " : "",
                        opl_prefix_name((enum opl_prefix)prefix));
    opl_fail_at(err, OPL_E_INVALID, "/on", "%s", why);
    return opl_hint(err, "%s is on %s", kind->name,
                    allowed.len > 0 ? opl_buf_text(&allowed) : "nothing");
}

bool opl_rules_on(const struct opl_kind *kind, const char *on, struct opl_err *err)
{
    enum opl_prefix prefix;
    uint64_t number;

    if (on == NULL)
        return (kind->on & OPL_ON_NOTHING) || opl_rules_refuse_on(kind, "is missing", err);
    if (!opl_id_parse(on, &prefix, &number))
        return opl_rules_refuse_on(kind, "is no id", err);
    return (kind->on & OPL_ON(prefix)) ||
           opl_rules_refuse_on(kind, "is no subject for this kind", err);
}

/* How many of the names in "a,b" are fields of the body; *names says how many there are. */
static size_t count_group(const json_t *body, const char *group, size_t len, size_t *names)
{
    size_t present = 0;

    *names = 0;
    for (const char *end = group + len; group < end; (*names)++) {
        const char *comma = memchr(group, ',', (size_t)(end - group));
        size_t name = comma != NULL ? (size_t)(comma - group) : (size_t)(end - group);

        present += json_object_getn(body, group, name) != NULL;
        group += name + (comma != NULL ? 1 : 0);
    }
    return present;
}

static bool refuse_choice(const struct opl_kind *kind, struct opl_err *err)
{
    char pointer[64];

    (void)snprintf(pointer, sizeof pointer, "/body/%.*s", (int)strcspn(kind->exactly_one, "|,"),
                   kind->exactly_one);
    opl_fail_at(err, OPL_E_INVALID, pointer, "exactly one of %s must be there", kind->exactly_one);
    return opl_hint(err, "give one of: %s", kind->exactly_one);
}

static bool check_exactly_one(const struct opl_kind *kind, const json_t *body, struct opl_err *err)
{
    size_t chosen = 0, started = 0;

    for (const char *group = kind->exactly_one; group != NULL;) {
        size_t len = strcspn(group, "|"), names, present = count_group(body, group, len, &names);

        started += present > 0;
        chosen += present == names;
        group = group[len] == '|' ? group + len + 1 : NULL;
    }
    return kind->exactly_one == NULL || (chosen == 1 && started == 1) || refuse_choice(kind, err);
}

/* A second person's signature comes whole or not at all. */
static bool check_countersign(const struct opl_kind *kind, const json_t *body, struct opl_err *err)
{
    bool statement, sshsig;

    if (!(kind->flags & OPL_KIND_ADMIN) || kind->statement == NULL)
        return true;
    statement = json_object_get(body, "statement") != NULL;
    sshsig = json_object_get(body, "sshsig") != NULL;
    if (statement == sshsig)
        return true;
    return opl_fail_at(err, OPL_E_INVALID, statement ? "/body/sshsig" : "/body/statement",
                       "is missing: statement and sshsig go together");
}

bool opl_rules_body(const struct opl_kind *kind, const json_t *body, struct opl_err *err)
{
    return check_exactly_one(kind, body, err) && check_countersign(kind, body, err);
}
