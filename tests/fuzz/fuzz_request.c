/* SPDX-License-Identifier: Apache-2.0 */
/* What a client's first lines say: path, query, cursor, range, bearer token. */
#include <stdlib.h>

#include "fuzz.h"
#include "server/auth.h"
#include "server/byte_range.h"
#include "server/read_head.h"
#include "server/routes.h"

static void try_target(const char *text)
{
    static const char *const methods[] = {"GET", "POST", "PUT", "HEAD", "DELETE"};

    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        struct request *request = request_new(NULL, text);
        struct opl_err err = {0};

        if (request == NULL)
            return;
        snprintf(request->method, sizeof request->method, "%s", methods[i]);
        if (request_parse_target(request, &err))
            (void)!routes_find(request, &err);
        request_drop(request);
    }
}

static void try_headers(const char *text)
{
    struct identity identity = {0};
    struct byte_range range;
    struct opl_err err = {0};
    uint64_t size, next;

    if (byte_range_read(text, 1000, &range) && (range.len > 1000 || range.from > 1000 - range.len))
        abort();
    (void)!read_cursor_parse(text, &size, &next, &err);
    /* there is no registry here that a well-formed token could be looked up in */
    if (strstr(text, AUTH_TOKEN_PREFIX) == NULL && auth_identify(NULL, text, &identity, &err))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);

    if (text == NULL)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    try_target(text);
    try_headers(text);
    free(text);
    return 0;
}
