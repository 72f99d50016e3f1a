/* SPDX-License-Identifier: Apache-2.0 */
/* refused - an entry of a story that must be refused, for the right reason, leaving no trace. */
#ifndef OPLEDGER_TESTS_REFUSED_H
#define OPLEDGER_TESTS_REFUSED_H

#include "unit.h"

#include "story.h"

/* What is tried: by whom, which kind, on what ("" or NULL: nothing). */
struct attempt {
    const char *actor;
    const char *kind;
    const char *on;
};

static inline void assert_refused(struct story *story, const struct attempt *attempt, json_t *body,
                                  enum opl_code code, const char *field)
{
    struct opl_err err = {0};
    uint64_t seq = story->seq;

    if (story_try(story, attempt->actor, attempt->kind, attempt->on, body, &err))
        fail_msg("%s by %s was accepted", attempt->kind, attempt->actor);
    if (err.code != code || strcmp(err.field, field) != 0)
        fail_msg("%s by %s: %s at \"%s\", not %s at \"%s\": %s", attempt->kind, attempt->actor,
                 opl_code_slug(err.code), err.field, opl_code_slug(code), field, err.text);
    assert_int_equal(story->seq, seq);
    assert_int_equal(story->admission.blob_count, 0);
}

#define REFUSED(story, actor_, kind_, on_, body, code, field)                                      \
    assert_refused(story, &(struct attempt){actor_, kind_, on_}, body, code, field)

#endif
