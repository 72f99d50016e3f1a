/* SPDX-License-Identifier: Apache-2.0 */
#include <opledger/kinds.h>

/* First letters differ more than words: most of the rows cost one comparison of a byte. */
const struct opl_kind *opl_kind_find(const char *name)
{
    for (const struct opl_kind *kind = opl_kinds; kind->name != NULL; kind++)
        if (kind->name[0] == name[0] && strcmp(kind->name, name) == 0)
            return kind;
    return NULL;
}

const struct opl_field *opl_field_find(const struct opl_field *fields, const char *name)
{
    for (const struct opl_field *field = fields; field->name != NULL; field++)
        if (strcmp(field->name, name) == 0)
            return field;
    return NULL;
}

const struct opl_field *opl_kind_field(const struct opl_kind *kind, const char *name)
{
    return opl_field_find(kind->fields, name);
}

bool opl_is_word(const char *words, const char *text, size_t len)
{
    for (const char *word = words; word != NULL;) {
        const char *end = strchr(word, '|');
        size_t word_len = end != NULL ? (size_t)(end - word) : strlen(word);

        if (word_len == len && memcmp(word, text, len) == 0)
            return true;
        word = end != NULL ? end + 1 : NULL;
    }
    return false;
}

const char *opl_state_name(enum opl_state state)
{
    static const char *const names[] = {
        [OPL_S_NONE] = "none",         [OPL_S_OPEN] = "open",
        [OPL_S_CLOSED] = "closed",     [OPL_S_PROPOSED] = "proposed",
        [OPL_S_STARTED] = "started",   [OPL_S_APPLIED] = "applied",
        [OPL_S_FAILED] = "failed",     [OPL_S_CALLED_OFF] = "called-off",
        [OPL_S_REVERTED] = "reverted", [OPL_S_UNKNOWN] = "unknown",
    };

    return (size_t)state < sizeof names / sizeof *names ? names[state] : "none";
}
