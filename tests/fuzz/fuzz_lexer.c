/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a trace: views map back into the window, spans lie in it, newlines stay outside. */
#include "fuzz.h"

#include "lib/redact/lexer.h"

static void check_view(const struct view *view, size_t len)
{
    struct view_range ranges[8];

    for (size_t from = 0; from < view->len; from += 7) {
        size_t to = from + 13 < view->len ? from + 13 : view->len;
        size_t count = view_ranges(view, from, to, ranges, 8);

        for (size_t i = 0; i < count; i++)
            FUZZ_CHECK(ranges[i].from <= ranges[i].to && ranges[i].to <= len);
    }
}

static void check_spans(struct spans *spans, const char *raw, size_t len)
{
    spans_merge(spans);
    for (size_t i = 0; i < spans->count; i++) {
        const struct span *span = &spans->list[i];

        FUZZ_CHECK(span->from < span->to && span->to <= len);
        FUZZ_CHECK(!memchr(raw + span->from, '\n', span->to - span->from));
        FUZZ_CHECK(i == 0 || span->from >= spans->list[i - 1].to);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lexer *lexer = calloc(1, sizeof(*lexer));
    struct view view = {0};
    struct spans spans = {0};

    if (!lexer)
        return 0;
    lexer->classes = ~0u;
    lexer->view = &view;
    lexer->spans = &spans;
    lexer_strace(lexer, (const char *)data, size);
    check_view(&view, size);
    check_spans(&spans, (const char *)data, size);
    lexer_close(lexer);
    free(lexer);
    view_close(&view);
    spans_close(&spans);
    return 0;
}
