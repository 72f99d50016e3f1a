/* SPDX-License-Identifier: Apache-2.0 */
/* filtered - short texts through the filter, and what to ask of the outcome. */
#ifndef OPLEDGER_TESTS_LIB_REDACT_FILTERED_H
#define OPLEDGER_TESTS_LIB_REDACT_FILTERED_H

#include "unit.h"

#include "redacted.h"

#define SAMPLES SOURCE_DIR "/tests/e2e/samples/"
#define LINE(call) "77 04:43:43.630618 " call "\n"

static inline struct redacted run(const char *text)
{
    return redacted_run(text, strlen(text), NULL);
}

static inline bool has(const struct redacted *redacted, const char *text)
{
    return strstr(opl_buf_text(&redacted->out), text) != NULL;
}

static inline void assert_gone(const char *text, const char *value)
{
    OPL_CLEANUP(redacted_close) struct redacted done = run(text);

    assert_true(done.ok);
    if (has(&done, value))
        fail_msg("%s survives in %s", value, opl_buf_text(&done.out));
}

static inline void assert_kept(const char *text)
{
    OPL_CLEANUP(redacted_close) struct redacted done = run(text);

    assert_true(done.ok);
    assert_string_equal(opl_buf_text(&done.out), text);
}

static inline size_t count(const struct opl_buf *text, const char *what)
{
    size_t n = 0;

    for (const char *at = text->data; (at = strstr(at, what)); at++)
        n++;
    return n;
}

/* One of the samples through the filter. */
static inline struct redacted sample(const char *name)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0}, path = {0};

    opl_buf_fmt(&path, SAMPLES "%s", name);
    text = redacted_file(opl_buf_text(&path));
    assert_true(text.len > 0);
    return redacted_run(text.data, text.len, NULL);
}

#endif
