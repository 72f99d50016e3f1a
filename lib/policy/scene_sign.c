/* SPDX-License-Identifier: Apache-2.0 */
/* What people in a scene sign: SSHSIG by the layout of OpenSSH's PROTOCOL.sshsig. */
#include "scene.h"

#include <opledger/encode.h>
#include <opledger/gate.h>
#include <opledger/json.h>
#include <opledger/sshkey.h>
#include <opledger/statement.h>
#include <opledger/time.h>

#define DAY (86400 * OPL_SECOND)
#define MAGIC "SSHSIG"

/* A person's key follows from the name: the same scene has the same bytes every time. */
static void seed_of(const char *name, struct opl_sign_seed *seed)
{
    struct opl_hash hash;

    opl_sha256(name, strlen(name), &hash);
    memcpy(seed->b, hash.b, sizeof seed->b);
}

static void key_of(const char *name, struct opl_sshkey *key)
{
    struct opl_sign_seed seed;

    seed_of(name, &seed);
    *key = (struct opl_sshkey){.type = OPL_SSHKEY_ED25519};
    opl_sign_public_from_seed(&seed, &key->key);
}

static void add_string(struct opl_buf *out, const void *bytes, size_t len)
{
    opl_buf_u32(out, (uint32_t)len);
    opl_buf_add(out, bytes, len);
}

static void add_word(struct opl_buf *out, const char *word)
{
    add_string(out, word, strlen(word));
}

static void sign_text(const char *name, const char *space, const char *text,
                      struct opl_signature *out)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf message = {0}, line = {0};
    struct opl_sign_seed seed;
    struct opl_sha512 hash;

    opl_buf_fmt(&line, "%s\n", text);
    opl_sha512(line.data, line.len, &hash);
    opl_buf_add(&message, MAGIC, strlen(MAGIC));
    add_word(&message, space);
    add_word(&message, "");
    add_word(&message, "sha512");
    add_string(&message, hash.b, sizeof hash.b);
    seed_of(name, &seed);
    opl_sign(&seed, message.data, message.len, out);
}

/* Appends the base64 of the SSHSIG blob by this person over the text and its line feed. */
static void add_sshsig(struct opl_buf *out, const char *name, const char *space, const char *text,
                       bool spoil)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf blob = {0}, part = {0};
    struct opl_signature signature;
    struct opl_sshkey key;

    key_of(name, &key);
    sign_text(name, space, text, &signature);
    signature.b[0] ^= spoil ? 1 : 0;
    opl_buf_add(&blob, MAGIC, strlen(MAGIC));
    opl_buf_u32(&blob, 1);
    opl_sshkey_write(&key, &part);
    add_string(&blob, part.data, part.len);
    add_word(&blob, space);
    add_word(&blob, "");
    add_word(&blob, "sha512");
    opl_buf_reset(&part);
    add_word(&part, "ssh-ed25519");
    add_string(&part, signature.b, sizeof signature.b);
    add_string(&blob, part.data, part.len);
    opl_buf_base64(out, blob.data, blob.len);
}

bool scene_enrol(struct scene *scene, const char *name, const char *roles, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf body = {0}, line = {0};
    struct opl_sshkey key;

    key_of(name, &key);
    opl_sshkey_line(&key, &line);
    opl_buf_fmt(&body, "{'name':'%s','class':'person','roles':%s}", name, roles);
    return scene_tell(scene, OPL_SELF, "principal.enrolled", NULL, opl_buf_text(&body), err) &&
           scene_add(scene, "admin", "key.added", NULL,
                     json_pack("{s:s, s:s, s:s}", "principal", name, "public_key",
                               opl_buf_text(&line), "hardware", "no"),
                     err);
}

/* What is true of the change now: manifest, base and gate digest as text. */
struct truth {
    char manifest[OPL_DIGEST_SIZE];
    char base[OPL_DIGEST_SIZE];
    char policy[OPL_DIGEST_SIZE];
};

static bool find_truth(struct scene *scene, const char *change, struct truth *truth,
                       struct opl_err *err)
{
    struct opl_gate_result *result = calloc(1, sizeof *result);
    const struct opl_gate_input input = {.change = change, .size = scene->size, .now = scene->now};
    bool ok;

    if (!result)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a result");
    ok = opl_gate_evaluate(scene->world, &input, result, err);
    opl_hash_digest(&result->manifest, truth->manifest);
    opl_hash_digest(&result->base, truth->base);
    opl_hash_digest(&result->policy, truth->policy);
    free(result);
    return ok;
}

static const char *either(const char *given, const char *otherwise)
{
    return given ? given : otherwise;
}

static bool build(const struct scene *scene, const struct scene_approval *approval,
                  const struct truth *truth, struct opl_buf *out, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep)
    json_t *about = json_pack(
        "{s:s, s:s, s:s, s:s, s:s}", "change", either(approval->change, "chg-1"), "manifest",
        either(approval->manifest, truth->manifest), "base", either(approval->base, truth->base),
        "policy", either(approval->policy, truth->policy), "role", approval->role);
    struct opl_head head = {.size = approval->size ? *approval->size : scene->size};
    char nonce[OPL_NONCE_SIZE];
    const struct opl_statement_draft draft = {.type = "opledger/approval",
                                              .signer = approval->signer,
                                              .about = about,
                                              .log = &head,
                                              .issued = scene->now,
                                              .expires = approval->expires ? approval->expires
                                                                           : scene->now + 14 * DAY,
                                              .nonce = nonce};

    if (!about)
        return opl_fail(err, OPL_E_NOMEM, "no memory for an approval");
    (void)snprintf(head.origin, sizeof head.origin, "%s", either(approval->origin, SCENE_ORIGIN));
    (void)snprintf(nonce, sizeof nonce, "%032llx", (unsigned long long)scene->size);
    return opl_statement_build(&draft, out, err);
}

bool scene_approve(struct scene *scene, const struct scene_approval *approval, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0}, sshsig = {0};
    struct truth truth;

    if (!find_truth(scene, "chg-1", &truth, err) || !build(scene, approval, &truth, &text, err))
        return false;
    add_sshsig(&sshsig, either(approval->key_of, approval->signer), "approve@opledger",
               opl_buf_text(&text), approval->spoil);
    return scene_add(scene, approval->signer, "approval.signed", "chg-1",
                     json_pack("{s:s, s:s, s:s}", "statement", opl_buf_text(&text), "sshsig",
                               opl_buf_text(&sshsig), "role", approval->role),
                     err);
}
