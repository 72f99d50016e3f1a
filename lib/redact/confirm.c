/* SPDX-License-Identifier: Apache-2.0 */
#include "confirm.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#define MATCH_LIMIT 200000
#define DEPTH_LIMIT 2000
#define HEAP_LIMIT_KIB 8192
#define JIT_STACK_MIN ((size_t)64 << 10)
#define JIT_STACK_MAX ((size_t)2 << 20)

bool confirm_open(struct confirm *confirm, struct opl_err *err)
{
    confirm->data = pcre2_match_data_create(CONFIRM_GROUPS, NULL);
    confirm->context = pcre2_match_context_create(NULL);
    confirm->stack = pcre2_jit_stack_create(JIT_STACK_MIN, JIT_STACK_MAX, NULL);
    if (!confirm->data || !confirm->context || !confirm->stack)
        return opl_fail(err, OPL_E_NOMEM, "no memory to confirm with");
    pcre2_set_match_limit(confirm->context, MATCH_LIMIT);
    pcre2_set_depth_limit(confirm->context, DEPTH_LIMIT);
    pcre2_set_heap_limit(confirm->context, HEAP_LIMIT_KIB);
    pcre2_jit_stack_assign(confirm->context, NULL, confirm->stack);
    return true;
}

void confirm_close(struct confirm *confirm)
{
    pcre2_match_data_free(confirm->data);
    pcre2_match_context_free(confirm->context);
    pcre2_jit_stack_free(confirm->stack);
    memset(confirm, 0, sizeof(*confirm));
}

void *confirm_compile(const char *expression, struct opl_err *err)
{
    PCRE2_UCHAR message[128];
    size_t offset;
    int rc;
    pcre2_code *code = pcre2_compile((PCRE2_SPTR)expression, PCRE2_ZERO_TERMINATED,
                                     PCRE2_MULTILINE | PCRE2_NEVER_UTF | PCRE2_NEVER_BACKSLASH_C |
                                         PCRE2_USE_OFFSET_LIMIT,
                                     &rc, &offset, NULL);

    if (!code) {
        pcre2_get_error_message(rc, message, sizeof(message));
        opl_fail(err, OPL_E_INVALID, "confirm: %s at character %zu", (char *)message, offset);
        return NULL;
    }
    /* without JIT the expression still works, only slower */
    pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
    return code;
}

void confirm_code_free(void *code)
{
    pcre2_code_free(code);
}

enum confirm_answer confirm_search(struct confirm *confirm, const void *code,
                                   const struct confirm_place *place, struct confirm_match *out)
{
    const size_t *offsets;
    int rc;

    pcre2_set_offset_limit(confirm->context, place->last);
    rc = pcre2_match(code, (PCRE2_SPTR)place->bytes, place->len, place->from, 0, confirm->data,
                     confirm->context);
    if (rc == PCRE2_ERROR_NOMATCH)
        return CONFIRM_NO;
    if (rc < 0)
        return CONFIRM_ERROR;
    if (rc == 0) /* more groups than there is room for: the first ones are there */
        rc = CONFIRM_GROUPS;
    offsets = pcre2_get_ovector_pointer(confirm->data);
    out->from = offsets[0];
    out->to = offsets[1];
    for (int i = 0; i < CONFIRM_GROUPS; i++) {
        bool set = i < rc && offsets[2 * i] != PCRE2_UNSET;

        out->group_from[i] = set ? offsets[2 * i] : 1;
        out->group_to[i] = set ? offsets[2 * i + 1] : 0;
    }
    return CONFIRM_YES;
}

void confirm_engine(char *out, size_t size)
{
    char text[64] = "";

    pcre2_config(PCRE2_CONFIG_VERSION, text);
    snprintf(out, size, "%s", text);
}
