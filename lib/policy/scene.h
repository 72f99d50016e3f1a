/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scene - a short log told in memory, with keys of its own, so that the gate itself can be asked
 * what it would say.
 *
 * `policy lint` tells the situations of a policy's tests file here, and the gate's own tests tell
 * theirs. Entries pass through the same parser and the same fold as those of a real log; nothing
 * but admission is left out. Its keys are derived from names and good for nothing else.
 */
#ifndef OPLEDGER_LIB_POLICY_SCENE_H
#define OPLEDGER_LIB_POLICY_SCENE_H

#include <opledger/manifest.h>
#include <opledger/world.h>

#define SCENE_ORIGIN "scene.example/log"
#define SCENE_START 1790812800000000LL /* 2026-10-01T00:00:00Z */

/* Digests of evidence in a scene: two different ones. */
#define SCENE_EVIDENCE "sha256:1111111111111111111111111111111111111111111111111111111111111111"
#define SCENE_OTHER_EVIDENCE                                                                       \
    "sha256:2222222222222222222222222222222222222222222222222222222222222222"

struct scene {
    struct opl_world *world;
    uint64_t size;                  /* entries so far: the next sequence number */
    int64_t now;                    /* each entry is a second later */
    uint64_t numbers[OPL_PREFIXES]; /* ids given */
    char last_id[OPL_ID_SIZE];      /* what the last entry created, or "" */
};

OPL_MUST_CHECK bool scene_open(struct scene *scene, struct opl_err *err);
void scene_close(struct scene *scene);

/*
 * Appends an entry of this kind; `body` is JSON text in which 'text' stands for "text" and $1, $2
 * for the digests of evidence. Fields that are sealed are given as {'sealed':'$1'}.
 */
OPL_MUST_CHECK bool scene_tell(struct scene *scene, const char *actor, const char *kind,
                               const char *on, const char *body, struct opl_err *err);

/* The same, with a body made by the caller, whose reference it takes. */
OPL_MUST_CHECK bool scene_add(struct scene *scene, const char *actor, const char *kind,
                              const char *on, json_t *body_take, struct opl_err *err);

/* Enrols a person with roles (a JSON list), and a key of that person, which `admin` adds: somebody
 * of that name must be enrolled first. */
OPL_MUST_CHECK bool scene_enrol(struct scene *scene, const char *name, const char *roles,
                                struct opl_err *err);

/* Hands a document to the world and adopts it as a policy. */
OPL_MUST_CHECK bool scene_adopt(struct scene *scene, const char *what, const char *name,
                                const char *text, size_t len, struct opl_err *err);

/* Writes a manifest of one file and hands it to the world; `digest` says what to name. */
OPL_MUST_CHECK bool scene_manifest(struct scene *scene, const char *target, const char *path,
                                   char digest[static 72], struct opl_err *err);

/* What an approval in a scene says; zero fields are filled with what is true. */
struct scene_approval {
    const char *signer;
    const char *role;
    const char *change;
    const char *key_of;   /* who really signs */
    const char *manifest; /* digests, as text */
    const char *base;
    const char *policy;
    const char *origin;
    const uint64_t *size; /* of the log that the signer saw */
    int64_t expires;
    bool spoil; /* one byte of the signature is changed */
};

/* Signs and records an approval. */
OPL_MUST_CHECK bool scene_approve(struct scene *scene, const struct scene_approval *approval,
                                  struct opl_err *err);

#endif
