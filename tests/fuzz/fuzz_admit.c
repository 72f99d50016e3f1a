/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests, one a line, as `ACTOR {"kind":...,"on":...,"body":...}`: each is admitted to a log with
 * people in it or refused with a reason, and nothing that is refused leaves a trace.
 */
#include "fuzz.h"

#include "tests/support/story.h"

static void check_refusal(const struct opl_err *err)
{
    static const enum opl_code codes[] = {
        OPL_E_INVALID, OPL_E_MALFORMED, OPL_E_FORBIDDEN, OPL_E_WRONG_STATE,
        OPL_E_STALE,   OPL_E_SIGNATURE, OPL_E_TOO_LARGE, OPL_E_GATE_DENIED,
    };

    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        if (codes[i] == err->code)
            return;
    }
    (void)fprintf(stderr, "%s: %s\n", opl_code_slug(err->code), err->text);
    FUZZ_CHECK(false);
}

static void try_request(struct story *story, const char *actor, const json_t *request)
{
    const char *kind = opl_json_str(request, "kind");
    json_t *body = json_object_get(request, "body");
    struct opl_err err = {0};
    uint64_t seq = story->seq;

    if (kind == NULL || body == NULL)
        return;
    if (story_try(story, actor, kind, opl_json_str(request, "on"), json_incref(body), &err))
        FUZZ_CHECK(story->seq == seq + 1);
    else
        check_refusal(&err);
    FUZZ_CHECK(err.code == OPL_OK || story->seq == seq);
}

static void try_line(struct story *story, const char *line, size_t len)
{
    OPL_CLEANUP(opl_json_freep) json_t *request = NULL;
    const char *space = memchr(line, ' ', len);
    char actor[65];

    if (space == NULL || (size_t)(space - line) >= sizeof actor)
        return;
    (void)snprintf(actor, sizeof actor, "%.*s", (int)(space - line), line);
    request = opl_json_parse(space + 1, len - (size_t)(space + 1 - line), NULL);
    if (request != NULL)
        try_request(story, actor, request);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    OPL_CLEANUP(story_freep) struct story *story = story_begin();
    const char *at = (const char *)data;

    json_decref(story_proposal(story, NULL)); /* for its blobs */
    (void)story_blob(story, "we confirm");
    while (size > 0) {
        const char *end = memchr(at, '\n', size);
        size_t len = end == NULL ? size : (size_t)(end - at);

        try_line(story, at, len);
        len += end != NULL;
        at += len;
        size -= len;
    }
    return 0;
}
