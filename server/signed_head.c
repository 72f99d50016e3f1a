/* SPDX-License-Identifier: Apache-2.0 */
#include "signed_head.h"

struct signed_head *signed_head_new(const struct opl_head *head, int64_t at, const char *note)
{
    size_t len = strlen(note);
    struct signed_head *made = malloc(sizeof *made + len + 1);

    if (made == NULL)
        return NULL;
    made->head = *head;
    made->at = at;
    made->note_len = len;
    atomic_init(&made->holders, 1);
    memcpy(made->note, note, len + 1);
    return made;
}

struct signed_head *signed_head_hold(struct signed_head *signed_head)
{
    atomic_fetch_add(&signed_head->holders, 1);
    return signed_head;
}

void signed_head_drop(struct signed_head *signed_head)
{
    if (signed_head != NULL && atomic_fetch_sub(&signed_head->holders, 1) == 1)
        free(signed_head);
}

void signed_head_dropp(struct signed_head **signed_head)
{
    signed_head_drop(*signed_head);
}
