/* SPDX-License-Identifier: Apache-2.0 */
#include "learn.h"

#include "token.h"

struct learning {
    struct names *names;
    const char *text;
};

/* The uid in a group of the match: 0 where it is none of a person's. */
static uint32_t uid_of(const struct learning *learning, const struct confirm_match *match,
                       int group)
{
    char text[12] = "";
    size_t len = match->group_to[group] - match->group_from[group];
    unsigned long uid;

    if (match->group_from[group] >= match->group_to[group] || len >= sizeof(text))
        return 0;
    memcpy(text, learning->text + match->group_from[group], len);
    uid = strtoul(text, NULL, 10);
    return uid >= 1000 && uid < UINT32_MAX && uid != 65534 ? (uint32_t)uid : 0;
}

static void learn_mail(struct names *names, const char *value, size_t len)
{
    const char *at = memchr(value, '@', len);

    if (!at)
        return;
    names_add_user(names, value, (size_t)(at - value), 0);
    names_add_domain(names, at + 1, len - (size_t)(at - value) - 1);
}

static void learn_one(void *ctx, const struct scan_hit *hit)
{
    struct learning *learning = ctx;
    const char *value = learning->text + hit->from;
    size_t len = hit->to - hit->from;
    uint32_t uid;

    if (!hit->match || token_at(value, len))
        return;
    switch (hit->rule->learn) {
    case LEARN_USER:
        names_add_user(learning->names, value, len, 0);
        break;
    case LEARN_PASSWD:
    case LEARN_PAIR:
        uid = uid_of(learning, hit->match, 2);
        if (uid)
            names_add_user(learning->names, value, len, uid);
        break;
    case LEARN_HOST:
    case LEARN_FQDN:
        names_add_hosts(learning->names, value, len, hit->rule->learn == LEARN_FQDN);
        break;
    case LEARN_DOMAIN:
        names_add_domain(learning->names, value, len);
        break;
    case LEARN_MAIL:
        learn_mail(learning->names, value, len);
        break;
    default:
        break;
    }
}

bool learn_text(struct scanner *scanner, struct names *names, const char *text, size_t len,
                struct opl_err *err)
{
    struct learning learning = {names, text};

    return scanner_scan(scanner, scanner->rules->learn, text, len, learn_one, &learning, err) &&
           (!names->failed ||
            opl_fail(err, OPL_E_TOO_LARGE, "more than %d names to learn", NAMES_MAX));
}
