/* SPDX-License-Identifier: Apache-2.0 */
#include "lexer.h"

#include "token.h"

static const char *const format_names[] = {
    [OPL_FORMAT_AUTO] = "auto",
    [OPL_FORMAT_STRACE] = "strace",
    [OPL_FORMAT_PLAIN] = "plain",
};

const char *opl_format_name(enum opl_format format)
{
    return format_names[format];
}

bool opl_format_parse(const char *text, enum opl_format *out)
{
    for (size_t i = 0; i < sizeof(format_names) / sizeof(format_names[0]); i++)
        if (strcmp(text, format_names[i]) == 0) {
            *out = (enum opl_format)i;
            return true;
        }
    return false;
}

void lexer_close(struct lexer *lexer)
{
    free(lexer->pieces);
    memset(lexer, 0, sizeof(*lexer));
}

void lexer_mask(struct lexer *lexer, enum builtin rule, size_t from, size_t to)
{
    struct span span = {.from = (uint32_t)from,
                        .to = (uint32_t)to,
                        .rule = (uint16_t)(lexer->builtins + rule),
                        .class = (uint8_t)builtin_rules[rule].class,
                        .as = (uint8_t)builtin_rules[rule].as};

    if (to > from && token_at(lexer->raw + from, to - from) != to - from)
        spans_add(lexer->spans, &span);
}

#define GUESS_LINES 200

/* Half of the first lines are enough: messages of the traced program may stand between. */
enum opl_format lexer_guess(const char *bytes, size_t len)
{
    size_t lines = 0, calls = 0, from = 0;

    while (from < len && lines < GUESS_LINES) {
        const char *newline = memchr(bytes + from, '\n', len - from);
        size_t to = newline ? (size_t)(newline - bytes) : len;

        if (to > from) {
            lines++;
            calls += lexer_is_strace_line(bytes + from, to - from);
        }
        from = to + 1;
    }
    return calls * 2 >= lines && calls > 0 ? OPL_FORMAT_STRACE : OPL_FORMAT_PLAIN;
}
