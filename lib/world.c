/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Subjects stand in a hash table by prefix and number. While the source loads one, entries touch
 * that one alone: what they say of others is known there already, or is loaded when it is asked.
 */
#include "world_private.h"

#include <opledger/json.h>

#define FIRST_SLOTS 64

static size_t slot_of(const struct opl_world *world, enum opl_prefix prefix, uint64_t number)
{
    uint64_t hash = (number * OPL_PREFIXES + (uint64_t)prefix) * 0x9e3779b97f4a7c15;

    return (hash >> 32) & (world->subject_slots - 1);
}

static struct opl_subject *held(const struct opl_world *world, enum opl_prefix prefix,
                                uint64_t number)
{
    struct opl_subject *subject = NULL;

    if (world->subject_slots > 0)
        subject = world->subjects[slot_of(world, prefix, number)];
    while (subject != NULL && (subject->fold.number != number || subject->fold.prefix != prefix))
        subject = subject->next;
    return subject;
}

static struct opl_subject *held_by_id(const struct opl_world *world, const char *id)
{
    enum opl_prefix prefix;
    uint64_t number;

    return opl_id_parse(id, &prefix, &number) ? held(world, prefix, number) : NULL;
}

const struct opl_fold *opl_world_held(const struct opl_world *world, const char *id)
{
    const struct opl_subject *subject = held_by_id(world, id);

    return subject == NULL ? NULL : &subject->fold;
}

static void link_subject(struct opl_world *world, struct opl_subject *subject)
{
    size_t slot = slot_of(world, subject->fold.prefix, subject->fold.number);

    subject->next = world->subjects[slot];
    world->subjects[slot] = subject;
}

static bool more_slots(struct opl_world *world, struct opl_err *err)
{
    size_t old_slots = world->subject_slots;
    size_t slots = old_slots == 0 ? FIRST_SLOTS : old_slots * 2;
    struct opl_subject **old = world->subjects, **fresh = calloc(slots, sizeof(void *));

    if (fresh == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for %zu subjects", slots);
    world->subjects = fresh;
    world->subject_slots = slots;
    for (size_t i = 0; i < old_slots; i++) {
        for (struct opl_subject *subject = old[i], *next; subject != NULL; subject = next) {
            next = subject->next;
            link_subject(world, subject);
        }
    }
    free(old);
    return true;
}

static bool add_subject(struct opl_world *world, struct opl_subject *subject, struct opl_err *err)
{
    if (world->subject_count >= world->subject_slots && !more_slots(world, err))
        return false;
    link_subject(world, subject);
    world->subject_count++;
    return true;
}

static void free_subject(struct opl_subject *subject)
{
    opl_fold_close(&subject->fold);
    free(subject);
}

struct opl_world *opl_world_new(const struct opl_source *source)
{
    struct opl_world *world = calloc(1, sizeof *world);

    if (world == NULL)
        return NULL;
    if (source != NULL)
        world->source = *source;
    world->registry = opl_registry_new();
    if (world->registry == NULL) {
        free(world);
        return NULL;
    }
    return world;
}

void opl_world_free(struct opl_world *world)
{
    if (world == NULL)
        return;
    opl_world_forget_all(world);
    opl_world_forget_documents(world);
    free(world->subjects);
    free(world->replaced);
    free(world->documents);
    opl_registry_free(world->registry);
    free(world);
}

void opl_world_freep(struct opl_world **world)
{
    opl_world_free(*world);
    *world = NULL;
}

const struct opl_registry *opl_world_registry(const struct opl_world *world)
{
    return world->registry;
}

void opl_world_set_registry_take(struct opl_world *world, struct opl_registry *registry)
{
    opl_registry_free(world->registry);
    world->registry = registry;
}

static bool apply_registry(struct opl_world *world, const struct opl_entry *entry,
                           struct opl_err *err)
{
    struct opl_registry *own;

    if (entry->kind == NULL || (entry->kind->flags & OPL_KIND_ADMIN) == 0)
        return true;
    if (opl_registry_is_shared(world->registry)) {
        own = opl_registry_clone(world->registry);
        if (own == NULL)
            return opl_fail(err, OPL_E_NOMEM, "no memory for a registry");
        opl_world_set_registry_take(world, own);
    }
    return opl_registry_apply(world->registry, entry, err);
}

/* The subject that the entry creates begins with it. */
static bool apply_creation(struct opl_world *world, const struct opl_entry *entry,
                           struct opl_err *err)
{
    struct opl_subject *subject;

    if (held_by_id(world, entry->id) != NULL)
        return opl_fail(err, OPL_E_LOG, "entry %llu creates %s, which exists",
                        (unsigned long long)entry->seq, entry->id);
    subject = calloc(1, sizeof *subject);
    if (subject == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for %s", entry->id);
    if (opl_fold_create(&subject->fold, entry, err) && opl_fold_add(&subject->fold, entry, err) &&
        add_subject(world, subject, err))
        return true;
    free_subject(subject);
    return false;
}

static bool is_closing(const struct opl_entry *entry)
{
    return entry->kind != NULL && strcmp(entry->kind->name, "hypothesis.closed") == 0;
}

/* The subject that the entry is about goes on with it, and nothing may be missing in between. */
static bool apply_about(struct opl_world *world, const struct opl_entry *entry, struct opl_err *err)
{
    struct opl_subject *subject = held_by_id(world, entry->on);

    if (subject == NULL && world->source.subject != NULL && world->loading == NULL)
        return true; /* loaded, with this entry, when somebody asks */
    if (subject == NULL)
        return opl_fail(err, OPL_E_LOG, "entry %llu is about %s, which nothing created",
                        (unsigned long long)entry->seq, entry->on);
    if (entry->prev < 0 || (uint64_t)entry->prev != subject->fold.last_seq ||
        entry->seq <= subject->fold.last_seq)
        return opl_fail(err, OPL_E_LOG,
                        "entry %llu of %s follows %lld, but the last one here is %llu",
                        (unsigned long long)entry->seq, entry->on, (long long)entry->prev,
                        (unsigned long long)subject->fold.last_seq);
    return opl_fold_add(&subject->fold, entry, err) &&
           (!is_closing(entry) || opl_world_add_replaced(world, &subject->fold, entry, err));
}

static bool is_loading_other(const struct opl_world *world, const char *id)
{
    return world->loading != NULL && strcmp(world->loading, id) != 0;
}

bool opl_world_apply(struct opl_world *world, const struct opl_entry *entry, struct opl_err *err)
{
    if (entry->on != NULL && !is_loading_other(world, entry->on) && !apply_about(world, entry, err))
        return false;
    if (entry->id != NULL && !is_loading_other(world, entry->id) &&
        !apply_creation(world, entry, err))
        return false;
    return world->loading != NULL || apply_registry(world, entry, err);
}

/* A load that fails leaves nothing half-done behind. */
static bool load(struct opl_world *world, const char *id, struct opl_err *err)
{
    bool ok;

    world->loading = id;
    ok = world->source.subject(world->source.ctx, id, world, err);
    world->loading = NULL;
    if (!ok)
        opl_world_forget(world, id);
    return ok;
}

bool opl_world_find(struct opl_world *world, const char *id, const struct opl_fold **fold,
                    struct opl_err *err)
{
    enum opl_prefix prefix;
    uint64_t number;
    struct opl_subject *subject;

    *fold = NULL;
    if (!opl_id_parse(id, &prefix, &number))
        return true;
    subject = held(world, prefix, number);
    if (subject == NULL && world->source.subject != NULL) {
        if (!load(world, id, err))
            return false;
        subject = held(world, prefix, number);
    }
    if (subject != NULL)
        *fold = &subject->fold;
    return true;
}

void opl_world_forget(struct opl_world *world, const char *id)
{
    struct opl_subject *subject = held_by_id(world, id), **link;

    if (subject == NULL)
        return;
    link = &world->subjects[slot_of(world, subject->fold.prefix, subject->fold.number)];
    while (*link != subject)
        link = &(*link)->next;
    *link = subject->next;
    opl_world_drop_replaced(world, &subject->fold);
    free_subject(subject);
    world->subject_count--;
}

void opl_world_forget_all(struct opl_world *world)
{
    for (size_t i = 0; i < world->subject_slots; i++) {
        for (struct opl_subject *subject = world->subjects[i], *next; subject != NULL;
             subject = next) {
            next = subject->next;
            free_subject(subject);
        }
        world->subjects[i] = NULL;
    }
    world->subject_count = 0;
    world->replaced_count = 0;
}

size_t opl_world_subjects(const struct opl_world *world)
{
    return world->subject_count;
}

static bool is_started_on(const struct opl_fold *fold, const char *target, const char *except,
                          int64_t now)
{
    const struct opl_fact *creation = opl_fold_creation(fold);
    const char *own = creation == NULL ? NULL : opl_json_str(creation->body, "target");

    return own != NULL && strcmp(own, target) == 0 && strcmp(fold->id, except) != 0 &&
           opl_fold_state(fold, now) == OPL_S_STARTED;
}

bool opl_world_started_on(struct opl_world *world, const char *target, const char *except,
                          int64_t now, char id[OPL_ID_SIZE], struct opl_err *err)
{
    id[0] = '\0';
    /* the source only brings them in: what a change is, its own entries say */
    if (world->source.started_on != NULL &&
        !world->source.started_on(world->source.ctx, target, world, err))
        return false;
    for (size_t i = 0; i < world->subject_slots; i++) {
        for (struct opl_subject *subject = world->subjects[i]; subject != NULL;
             subject = subject->next) {
            if (subject->fold.prefix == OPL_ID_CHG &&
                is_started_on(&subject->fold, target, except, now))
                (void)snprintf(id, OPL_ID_SIZE, "%s", subject->fold.id);
        }
    }
    return true;
}
