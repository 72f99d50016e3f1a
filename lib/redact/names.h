/* SPDX-License-Identifier: Apache-2.0 */
/*
 * names - what the learn pass knows: users with their uids, hosts by the alphabetic parts of their
 * names, domains of the site.
 *
 * A name that is an ordinary word, a syscall or a system account is weak: it is masked where its
 * place says that it is a name, never wherever it occurs, so that nobody blinds the filter with a
 * job named `write`.
 */
#ifndef OPLEDGER_LIB_REDACT_NAMES_H
#define OPLEDGER_LIB_REDACT_NAMES_H

#include <stdint.h>

#include "anchors.h"

enum name_kind { NAME_USER, NAME_HOST, NAME_DOMAIN };

struct name {
    enum name_kind kind;
    bool digits; /* of a host: digits or a range follow the text */
    char *text;
    size_t len;
    uint32_t uid; /* of a user; 0: not known */
};

struct names {
    struct name *list;
    size_t count, size;
    uint32_t *slots; /* hash table of index + 1 */
    size_t slot_count;
    uint64_t weak;
    bool failed; /* no memory, or more names than NAMES_MAX */
};

#define NAMES_MAX 100000

void names_close(struct names *names);

void names_add_user(struct names *names, const char *text, size_t len, uint32_t uid);

/* A host name, FQDN or hostlist: each of its hosts, and with `fqdn` the domain as well. */
void names_add_hosts(struct names *names, const char *text, size_t len, bool fqdn);
void names_add_domain(struct names *names, const char *text, size_t len);

/* The user of a uid, or NULL. */
const struct name *names_user(const struct names *names, uint32_t uid);

/* Length of the learned domain, with its dot, that the text ends with; 0 for none. */
size_t names_domain_at_end(const struct names *names, const char *text, size_t len);

/* A set of all of them as literals; NULL with *none when nothing was learned. */
OPL_MUST_CHECK bool names_compile(const struct names *names, struct anchors **out,
                                  struct opl_err *err);

/*
 * Where the name that ends at `end` in text really begins and ends, with the digits, ranges and
 * domain that belong to it; false when it is only part of another word.
 */
struct name_place {
    size_t from, to;
    bool bare; /* of a domain: no host before it */
};

bool names_place(const struct names *names, const struct name *name, const char *text, size_t len,
                 size_t end, struct name_place *out);

/* Ordinary words, syscalls, system accounts. */
bool word_is_ordinary(const char *text, size_t len);

#endif
