/* SPDX-License-Identifier: Apache-2.0 */
#include <opledger/sshsig.h>

#include <opledger/encode.h>

#include "ssh_wire.h"

#define MAGIC "SSHSIG"
#define MAGIC_LEN 6
#define VERSION 1
#define BEGIN "-----BEGIN SSH SIGNATURE-----\n"
#define END "\n-----END SSH SIGNATURE-----"
#define ARMOR_WIDTH 70
#define SK_FLAGS_REFUSED 0xc0 /* attested data or extensions: never in an assertion for SSH */

static bool fail_form(struct opl_err *err, const char *what)
{
    return opl_fail(err, OPL_E_MALFORMED, "not an SSH signature: %s", what);
}

/* What stands between header and footer; one LF may end the whole. */
static bool armor_body(const char *text, size_t len, const char **body, size_t *body_len)
{
    const size_t begin = sizeof BEGIN - 1, end = sizeof END - 1;

    if (len > 0 && text[len - 1] == '\n')
        len--;
    if (len < begin + end || memcmp(text, BEGIN, begin) != 0 ||
        memcmp(text + len - end, END, end) != 0)
        return false;
    *body = text + begin;
    *body_len = len - begin - end;
    return true;
}

bool opl_sshsig_dearmor(const char *text, size_t len, struct opl_buf *blob, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf base64 = {0};
    const char *body = NULL;
    size_t body_len = 0, blob_len = 0;
    char *room;

    if (len > (size_t)2 * OPL_SSHSIG_MAX || !armor_body(text, len, &body, &body_len))
        return fail_form(err, "its armour is not whole, or something stands around it");
    for (size_t i = 0; i < body_len; i++) {
        if (body[i] != '\n')
            opl_buf_chr(&base64, body[i]);
    }
    if (!opl_buf_ok(&base64, err))
        return false;
    room = opl_buf_reserve(blob, OPL_SSHSIG_MAX);
    if (room == NULL)
        return opl_buf_ok(blob, err);
    if (!opl_base64_decode(opl_buf_text(&base64), base64.len, room, OPL_SSHSIG_MAX, &blob_len, err))
        return false;
    blob->len += blob_len;
    blob->data[blob->len] = '\0';
    return true;
}

void opl_sshsig_armor(const void *blob, size_t len, struct opl_buf *out)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf base64 = {0};

    opl_buf_base64(&base64, blob, len);
    opl_buf_str(out, BEGIN);
    for (size_t i = 0; i < base64.len; i += ARMOR_WIDTH) {
        size_t left = base64.len - i;

        if (i > 0)
            opl_buf_chr(out, '\n');
        opl_buf_add(out, base64.data + i, left < ARMOR_WIDTH ? left : ARMOR_WIDTH);
    }
    opl_buf_str(out, END "\n");
    out->failed |= base64.failed;
    out->no_memory |= base64.no_memory;
}

/* string type, string sig(64); a token adds flags and counter outside of any string. */
static bool read_signature(struct ssh_wire wire, struct opl_sshsig *out, struct opl_err *err)
{
    struct ssh_wire type;

    if (!ssh_wire_string(&wire, &type))
        return fail_form(err, "it ends early");
    if (!ssh_wire_is(&type, opl_sshkey_type_name(out->key.type)))
        return fail_form(err, "key and signature are of different types");
    if (!ssh_wire_fixed(&wire, out->sig.b, sizeof out->sig.b))
        return fail_form(err, "an Ed25519 signature has 64 bytes");
    if (out->key.type == OPL_SSHKEY_SK_ED25519 &&
        (!ssh_wire_u8(&wire, &out->flags) || !ssh_wire_u32(&wire, &out->counter)))
        return fail_form(err, "a token's signature holds flags and a counter");
    return wire.left == 0 || fail_form(err, "bytes follow the signature");
}

struct parts {
    struct ssh_wire key, ssh_namespace, reserved, hash, signature;
};

static bool read_parts(struct ssh_wire *wire, struct parts *out, struct opl_err *err)
{
    uint32_t version;

    if (wire->left < MAGIC_LEN || memcmp(wire->at, MAGIC, MAGIC_LEN) != 0)
        return fail_form(err, "it does not start with " MAGIC);
    wire->at += MAGIC_LEN;
    wire->left -= MAGIC_LEN;
    if (!ssh_wire_u32(wire, &version))
        return fail_form(err, "it ends early");
    if (version != VERSION)
        return opl_fail(err, OPL_E_MALFORMED, "not an SSH signature: version %u", version);
    if (!ssh_wire_string(wire, &out->key) || !ssh_wire_string(wire, &out->ssh_namespace) ||
        !ssh_wire_string(wire, &out->reserved) || !ssh_wire_string(wire, &out->hash) ||
        !ssh_wire_string(wire, &out->signature))
        return fail_form(err, "it ends early");
    return wire->left == 0 || fail_form(err, "bytes follow it");
}

static bool put_text(const struct ssh_wire *string, char *out, size_t size)
{
    if (string->left == 0 || string->left >= size || memchr(string->at, '\0', string->left) != NULL)
        return false;
    memcpy(out, string->at, string->left);
    out[string->left] = '\0';
    return true;
}

static bool is_hash_name(const struct ssh_wire *name)
{
    return ssh_wire_is(name, "sha512") || ssh_wire_is(name, "sha256");
}

static bool check_parts(const struct parts *parts, struct opl_sshsig *out, struct opl_err *err)
{
    struct opl_err why = {0};

    if (!opl_sshkey_read(parts->key.at, parts->key.left, &out->key, &why))
        return opl_fail(err, OPL_E_SIGNATURE, "the signature's key: %s", why.text);
    if (!put_text(&parts->ssh_namespace, out->ssh_namespace, sizeof out->ssh_namespace))
        return fail_form(err, "its namespace is empty or too long");
    if (parts->reserved.left != 0)
        return fail_form(err, "its reserved field is not empty");
    if (!is_hash_name(&parts->hash))
        return opl_fail(err, OPL_E_SIGNATURE, "the signature's hash is neither sha512 nor sha256");
    return put_text(&parts->hash, out->hash_name, sizeof out->hash_name);
}

bool opl_sshsig_parse(const void *blob, size_t len, struct opl_sshsig *out, struct opl_err *err)
{
    struct ssh_wire wire = {blob, len};
    struct opl_sshsig sig = {0};
    struct parts parts = {0};

    if (len > OPL_SSHSIG_MAX)
        return fail_form(err, "it is too long");
    if (!read_parts(&wire, &parts, err) || !check_parts(&parts, &sig, err) ||
        !read_signature(parts.signature, &sig, err))
        return false;
    *out = sig;
    return true;
}

/* T: SSHSIG, then namespace, empty reserved, hash name and H(message) as strings. */
static void put_signed_bytes(const struct opl_sshsig *sig, const void *message, size_t len,
                             struct opl_buf *out)
{
    struct opl_sha512 sha512;
    struct opl_hash sha256;

    opl_buf_add(out, MAGIC, MAGIC_LEN);
    ssh_wire_put(out, sig->ssh_namespace, strlen(sig->ssh_namespace));
    ssh_wire_put(out, "", 0);
    ssh_wire_put(out, sig->hash_name, strlen(sig->hash_name));
    if (strcmp(sig->hash_name, "sha256") == 0) {
        opl_sha256(message, len, &sha256);
        ssh_wire_put(out, sha256.b, sizeof sha256.b);
    } else {
        opl_sha512(message, len, &sha512);
        ssh_wire_put(out, sha512.b, sizeof sha512.b);
    }
}

/* A token signs SHA256(application) | flags | counter | SHA256(T). */
static void put_token_bytes(const struct opl_sshsig *sig, const struct opl_buf *inner,
                            struct opl_buf *out)
{
    struct opl_hash hash;

    opl_sha256(sig->key.application, strlen(sig->key.application), &hash);
    opl_buf_add(out, hash.b, sizeof hash.b);
    opl_buf_chr(out, (char)sig->flags);
    opl_buf_u32(out, sig->counter);
    opl_sha256(inner->data, inner->len, &hash);
    opl_buf_add(out, hash.b, sizeof hash.b);
}

static bool check_touch(const struct opl_sshsig *sig, struct opl_err *err)
{
    if (sig->key.type != OPL_SSHKEY_SK_ED25519)
        return true;
    if ((sig->flags & SK_FLAGS_REFUSED) != 0)
        return opl_fail(err, OPL_E_SIGNATURE, "the token's flags 0x%02x are not for SSH",
                        sig->flags);
    if ((sig->flags & OPL_SK_TOUCHED) == 0)
        return opl_fail(err, OPL_E_SIGNATURE, "the token was not touched for this signature");
    return true;
}

bool opl_sshsig_verify(const struct opl_sshsig *sig, const void *message, size_t len,
                       const char *ssh_namespace, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf inner = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf token = {0};
    const struct opl_buf *bytes = &inner;

    if (ssh_namespace[0] == '\0' || strcmp(sig->ssh_namespace, ssh_namespace) != 0)
        return opl_fail(err, OPL_E_SIGNATURE, "signed in the namespace \"%s\", not \"%s\"",
                        sig->ssh_namespace, ssh_namespace);
    if (!check_touch(sig, err))
        return false;
    put_signed_bytes(sig, message, len, &inner);
    if (sig->key.type == OPL_SSHKEY_SK_ED25519) {
        put_token_bytes(sig, &inner, &token);
        bytes = &token;
    }
    if (!opl_buf_ok(&inner, err) || !opl_buf_ok(&token, err))
        return false;
    if (!opl_sign_verify(&sig->key.key, bytes->data, bytes->len, &sig->sig))
        return opl_fail(err, OPL_E_SIGNATURE, "the signature is not of these bytes by this key");
    return true;
}
