/* SPDX-License-Identifier: Apache-2.0 */
/*
 * signed_head - one signed checkpoint, shared by every reply that names it.
 */
#ifndef OPLEDGER_SERVER_SIGNED_HEAD_H
#define OPLEDGER_SERVER_SIGNED_HEAD_H

#include <stdatomic.h>

#include <jansson.h>

#include <opledger/checkpoint.h>

struct signed_head {
    struct opl_head head;
    int64_t at;
    size_t note_len;
    atomic_int holders;
    char note[]; /* NUL-terminated */
};

/* A copy held once; NULL: no memory. */
struct signed_head *signed_head_new(const struct opl_head *head, int64_t at, const char *note);
struct signed_head *signed_head_hold(struct signed_head *signed_head);
void signed_head_drop(struct signed_head *signed_head); /* accepts NULL */
void signed_head_dropp(struct signed_head **signed_head);

#endif
