/* SPDX-License-Identifier: Apache-2.0 */
/*
 * published - what the sequencer has made durable and everybody may see: the newest signed
 * checkpoint and the registry at it.
 *
 * Both are replaced as a whole; a reader holds what it took as long as it likes.
 */
#ifndef OPLEDGER_SERVER_PUBLISHED_H
#define OPLEDGER_SERVER_PUBLISHED_H

#include <pthread.h>

#include <opledger/registry.h>

#include "signed_head.h"

struct published {
    pthread_mutex_t lock;
    struct signed_head *head; /* NULL while the log is empty */
    struct opl_registry *registry;
};

void published_init(struct published *published);
void published_close(struct published *published);

/* Takes both over; registry NULL: the one there stays. */
void published_set(struct published *published, struct signed_head *head,
                   struct opl_registry *registry);

/* The newest checkpoint, held for the caller; NULL while there is none. */
struct signed_head *published_head(struct published *published);

/* The registry, for the caller to opl_registry_free(); NULL while there is none. */
struct opl_registry *published_registry(struct published *published);

#endif
