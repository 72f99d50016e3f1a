/* SPDX-License-Identifier: Apache-2.0 */
/* Plain text: searched as it is, and each line with escapes once more, decoded. */
#include "lexer.h"

#include "binary.h"

void lexer_mask_binary(struct lexer *lexer, size_t from, size_t to)
{
    size_t end;

    for (; binary_next(lexer->raw, to, &from, &end); from = end)
        lexer_mask(lexer, BUILTIN_BINARY, from, end);
}

void lexer_plain_lines(struct lexer *lexer, const char *raw, size_t from, size_t to)
{
    while (from < to) {
        const char *slash = memchr(raw + from, '\\', to - from);
        const char *start, *end;

        if (!slash)
            return;
        start = memrchr(raw + from, '\n', (size_t)(slash - raw) - from);
        end = memchr(slash, '\n', to - (size_t)(slash - raw));
        start = start ? start + 1 : raw + from;
        end = end ? end : raw + to;
        view_mark(lexer->view, '\n');
        view_unescape(lexer->view, raw, (size_t)(start - raw), (size_t)(end - raw));
        view_mark(lexer->view, '\n');
        from = (size_t)(end - raw);
    }
}

void lexer_plain(struct lexer *lexer, const char *raw, size_t len)
{
    lexer->raw = raw;
    view_copy(lexer->view, raw, 0, len);
    if (lexer->spans)
        lexer_mask_binary(lexer, 0, len);
    lexer_plain_lines(lexer, raw, 0, len);
}
