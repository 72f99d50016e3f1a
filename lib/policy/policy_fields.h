/* SPDX-License-Identifier: Apache-2.0 */
/*
 * policy_fields - the keys of a policy's mappings as tables, checked like entries.
 *
 * YAML hands every scalar over as a string; a row says what that string has to be. Keys without a
 * row are refused, so that a misspelt requirement never turns into no requirement.
 */
#ifndef OPLEDGER_LIB_POLICY_FIELDS_H
#define OPLEDGER_LIB_POLICY_FIELDS_H

#include <jansson.h>

#include <opledger/err.h>

enum policy_field_type {
    POLICY_F_WORD,     /* one of `words`, separated by | */
    POLICY_F_NAME,     /* a policy's or role's name */
    POLICY_F_GLOB,     /* over targets or paths */
    POLICY_F_TEXT,     /* one line without control characters */
    POLICY_F_DURATION, /* 30d */
    POLICY_F_NUMBER,   /* decimal, `low` to `high` */
    POLICY_F_MAPPING,  /* looked at by the caller */
    POLICY_F_SEQUENCE, /* looked at by the caller */
};

enum { POLICY_REQUIRED = 1, POLICY_LIST = 2 };

#define POLICY_LIST_MAX 64

struct policy_field {
    const char *name;
    enum policy_field_type type;
    unsigned flags;
    const char *words;
    int64_t low;
    int64_t high;
};

/* Rows of a table, which ends with POLICY_END. */
#define POLICY_FIELD(name, type, flags)                                                            \
    {                                                                                              \
        name, POLICY_F_##type, flags, NULL, 0, 0                                                   \
    }
#define POLICY_WORD(name, flags, words)                                                            \
    {                                                                                              \
        name, POLICY_F_WORD, flags, words, 0, 0                                                    \
    }
#define POLICY_NUMBER(name, flags, low, high)                                                      \
    {                                                                                              \
        name, POLICY_F_NUMBER, flags, NULL, low, high                                              \
    }
#define POLICY_END                                                                                 \
    {                                                                                              \
        NULL, POLICY_F_WORD, 0, NULL, 0, 0                                                         \
    }

/*
 * Checks a mapping against its rows (the last has a NULL name). OPL_E_CONFIG with `pointer` and the
 * key of what is wrong.
 */
OPL_MUST_CHECK bool policy_fields_check(const json_t *mapping, const struct policy_field *fields,
                                        const char *pointer, struct opl_err *err);

/* Readers of what was checked: the value, or `otherwise` when the key is absent. */
int64_t policy_number(const json_t *mapping, const char *key, int64_t otherwise);
int64_t policy_duration(const json_t *mapping, const char *key, int64_t otherwise);

/* Whether a text is one of the words separated by |. */
bool policy_is_among(const char *words, const char *text);

/* Whether object[key], a word or a list of words, holds this word. */
bool policy_has_word(const json_t *mapping, const char *key, const char *word);

#endif
