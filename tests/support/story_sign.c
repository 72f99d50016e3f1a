/* SPDX-License-Identifier: Apache-2.0 */
/* Keys made from names, and SSHSIG blobs as ssh-keygen -Y sign would make them. */
#include "story.h"

#define HOUR (3600 * OPL_SECOND)

static void must(bool ok, const struct opl_err *err)
{
    if (ok)
        return;
    (void)fprintf(stderr, "story: %s (%s)\n", err->text, err->field);
    abort();
}

static void seed_of(const char *name, struct opl_sign_seed *seed)
{
    struct opl_hash hash;

    opl_sha256(name, strlen(name), &hash);
    memcpy(seed->b, hash.b, sizeof seed->b);
}

void story_key(const char *name, struct opl_sshkey *key)
{
    struct opl_sign_seed seed;

    seed_of(name, &seed);
    *key = (struct opl_sshkey){.type = OPL_SSHKEY_ED25519};
    opl_sign_public_from_seed(&seed, &key->key);
}

void story_key_line(const char *name, char line[static 128])
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    struct opl_sshkey key;

    story_key(name, &key);
    opl_sshkey_line(&key, &text);
    (void)snprintf(line, 128, "%s", opl_buf_text(&text));
}

void story_fingerprint(const char *name, char out[static OPL_FINGERPRINT_SIZE])
{
    struct opl_sshkey key;

    story_key(name, &key);
    opl_sshkey_fingerprint(&key, out);
}

static void put(struct opl_buf *out, const void *bytes, size_t len)
{
    opl_buf_u32(out, (uint32_t)len);
    opl_buf_add(out, bytes, len);
}

static void put_text(struct opl_buf *out, const char *text)
{
    put(out, text, strlen(text));
}

/* What the key signs: PROTOCOL.sshsig, "Signed Data". */
static void sign(const char *name, const char *ssh_namespace, const struct opl_buf *message,
                 struct opl_signature *out)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf data = {0};
    struct opl_sign_seed seed;
    struct opl_sha512 hash;

    opl_sha512(opl_buf_text(message), message->len, &hash);
    opl_buf_add(&data, "SSHSIG", 6);
    put_text(&data, ssh_namespace);
    put_text(&data, "");
    put_text(&data, "sha512");
    put(&data, hash.b, sizeof hash.b);
    seed_of(name, &seed);
    opl_sign(&seed, data.data, data.len, out);
}

static json_t *sshsig(const char *name, const char *ssh_namespace, const struct opl_buf *message)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf blob = {0}, key = {0}, sig = {0}, text = {0};
    struct opl_signature signature;
    struct opl_sshkey public;

    story_key(name, &public);
    opl_sshkey_write(&public, &key);
    sign(name, ssh_namespace, message, &signature);
    put_text(&sig, "ssh-ed25519");
    put(&sig, signature.b, sizeof signature.b);
    opl_buf_add(&blob, "SSHSIG", 6);
    opl_buf_u32(&blob, 1);
    put(&blob, key.data, key.len);
    put_text(&blob, ssh_namespace);
    put_text(&blob, "");
    put_text(&blob, "sha512");
    put(&blob, sig.data, sig.len);
    opl_buf_base64(&text, blob.data, blob.len);
    return json_string(opl_buf_text(&text));
}

/* One digit of the nonce: the text stays canonical, and is not what was signed. */
static void spoil(struct opl_buf *text)
{
    char *digit = strstr(text->data, "\"nonce\":\"");

    digit += strlen("\"nonce\":\"");
    *digit = *digit == '0' ? '1' : '0';
}

json_t *story_sign(struct story *story, const struct story_statement *statement)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0}, message = {0};
    const struct opl_statement_type *type = opl_statement_type_find(statement->type);
    int64_t issued = statement->issued == 0 ? story->now : statement->issued;
    struct opl_head head;
    struct opl_statement_draft draft = {.type = statement->type,
                                        .signer = statement->signer,
                                        .about = statement->about,
                                        .log = &head,
                                        .issued = issued,
                                        .nonce = statement->nonce};
    struct opl_err err = {0};
    json_t *body = json_object();

    draft.expires = statement->expires == 0 ? issued + HOUR : statement->expires;
    (void)story_head(story, statement->size == 0 ? story->seq : statement->size, &head);
    if (statement->origin != NULL)
        (void)snprintf(head.origin, sizeof head.origin, "%s", statement->origin);
    must(opl_statement_build(&draft, &text, &err), &err);
    json_decref(statement->about);
    opl_buf_str(&message, opl_buf_text(&text));
    opl_buf_chr(&message, '\n');
    json_object_set_new(
        body, "sshsig",
        sshsig(statement->key == NULL ? statement->signer : statement->key,
               statement->ssh_namespace == NULL ? type->ssh_namespace : statement->ssh_namespace,
               &message));
    if (statement->spoiled)
        spoil(&text);
    json_object_set_new(body, "statement", json_string(opl_buf_text(&text)));
    return body;
}

/* Seals are drawn first, so that the digest is of the body as it will stand. */
static json_t *sealed_body(struct story *story, const char *kind, const json_t *body)
{
    OPL_CLEANUP(opl_json_freep)
    json_t *request = json_pack("{s:s, s:O}", "kind", kind, "body", body);
    OPL_CLEANUP(opl_draft_close) struct opl_draft draft = {0};
    struct opl_err err = {0};

    must(opl_draft_parse(request, story->now, &draft, &err), &err);
    return json_incref(draft.body);
}

/* Fixes the salt of a sealed text, for two drafts of it must have one seal. */
static void fix_reason(json_t *body)
{
    const char *reason = opl_json_str(body, "reason");

    if (reason != NULL)
        json_object_set_new(body, "reason", story_body("{'text':'%s','salt':'%064d'}", reason, 7));
}

json_t *story_second(struct story *story, const char *signer, const char *kind, json_t *body)
{
    OPL_CLEANUP(opl_json_freep) json_t *sealed = NULL, *signature = NULL;
    struct opl_hash hash;
    struct opl_err err = {0};
    char hex[OPL_HEX_SIZE];

    fix_reason(body);
    sealed = sealed_body(story, kind, body);
    must(opl_json_hash(sealed, &hash, &err), &err);
    opl_hash_hex(&hash, hex);
    signature =
        story_sign(story, &(struct story_statement){.type = "opledger/admin",
                                                    .signer = signer,
                                                    .about = story_body("{'kind':'%s','on':null,"
                                                                        "'body_sha256':'%s'}",
                                                                        kind, hex)});
    json_object_update(body, signature);
    return body;
}
