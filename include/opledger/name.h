/* SPDX-License-Identifier: Apache-2.0 */
/*
 * name - the grammars of CONTRACT section 1: ids, principals, models, targets, hosts, versions.
 *
 * Predicates take NUL-terminated text and never fail; they say whether the whole of it matches.
 */
#ifndef OPLEDGER_NAME_H
#define OPLEDGER_NAME_H

#include <stdint.h>

#include <opledger/err.h>

enum opl_prefix {
    OPL_ID_NONE,
    OPL_ID_INC,
    OPL_ID_CALL,
    OPL_ID_HYP,
    OPL_ID_CHG,
    OPL_ID_EGR,
    OPL_ID_OVR
};

#define OPL_PREFIXES 7
#define OPL_ID_SIZE 28 /* the longest id with its NUL */

const char *opl_prefix_name(enum opl_prefix prefix); /* "inc"; "" for none */

/* Splits "hyp-12"; false, without an error, when the text is no id. */
bool opl_id_parse(const char *text, enum opl_prefix *prefix, uint64_t *number);
void opl_id_format(enum opl_prefix prefix, uint64_t number, char out[static OPL_ID_SIZE]);

bool opl_is_principal(const char *text); /* [a-z0-9][a-z0-9._-]{0,63}; also role names */
bool opl_is_role(const char *text);      /* a known role word or approver.NAME */
bool opl_is_target(const char *text);
bool opl_is_host(const char *text); /* DNS name or address, optional :port */
bool opl_is_version(const char *text);
bool opl_is_version_range(const char *text);
bool opl_is_provider(const char *text);
bool opl_is_model_name(const char *text);
bool opl_is_model_version(const char *text);

/* UTF-8 without NUL; `plain` also refuses control and bidirectional formatting characters. */
bool opl_is_utf8(const char *text, size_t len);
bool opl_is_plain(const char *text, size_t len);

struct opl_model {
    char provider[65];
    char name[129];
    char version[65]; /* "" when absent */
};

/* PROVIDER/NAME[@VERSION]: split at the first / and the last @. */
OPL_MUST_CHECK bool opl_model_parse(const char *text, struct opl_model *out, struct opl_err *err);

/* Numeric parts compare as numbers, others as bytes; < 0, 0, > 0 as strcmp. */
int opl_version_compare(const char *a, const char *b);

/* Whether a version lies in a range such as "25.11.0..25.11.3,26.05.". */
bool opl_version_in_range(const char *version, const char *range);

/* Glob over a path or target: * stays inside one part, ** does not, ? is one character. */
bool opl_glob_match(const char *glob, const char *text);

#endif
