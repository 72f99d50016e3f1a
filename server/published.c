/* SPDX-License-Identifier: Apache-2.0 */
#include "published.h"

void published_init(struct published *published)
{
    *published = (struct published){.lock = PTHREAD_MUTEX_INITIALIZER};
}

void published_close(struct published *published)
{
    signed_head_drop(published->head);
    opl_registry_free(published->registry);
    pthread_mutex_destroy(&published->lock);
}

void published_set(struct published *published, struct signed_head *head,
                   struct opl_registry *registry)
{
    struct signed_head *old_head;
    struct opl_registry *old_registry = NULL;

    pthread_mutex_lock(&published->lock);
    old_head = published->head;
    published->head = head;
    if (registry != NULL) {
        old_registry = published->registry;
        published->registry = registry;
    }
    pthread_mutex_unlock(&published->lock);
    signed_head_drop(old_head);
    opl_registry_free(old_registry);
}

struct signed_head *published_head(struct published *published)
{
    struct signed_head *head = NULL;

    pthread_mutex_lock(&published->lock);
    if (published->head != NULL)
        head = signed_head_hold(published->head);
    pthread_mutex_unlock(&published->lock);
    return head;
}

struct opl_registry *published_registry(struct published *published)
{
    struct opl_registry *registry = NULL;

    pthread_mutex_lock(&published->lock);
    if (published->registry != NULL)
        registry = opl_registry_share(published->registry);
    pthread_mutex_unlock(&published->lock);
    return registry;
}
