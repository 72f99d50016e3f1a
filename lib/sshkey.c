/* SPDX-License-Identifier: Apache-2.0 */
#include <opledger/sshkey.h>

#include <opledger/encode.h>
#include <opledger/name.h>

#include "ssh_wire.h"

#define BLOB_MAX 1024
#define BLANK " \t"

static const char *const type_names[] = {
    [OPL_SSHKEY_ED25519] = "ssh-ed25519",
    [OPL_SSHKEY_SK_ED25519] = "sk-ssh-ed25519@openssh.com",
};

#define TYPES (sizeof type_names / sizeof *type_names)

const char *opl_sshkey_type_name(enum opl_sshkey_type type)
{
    return type_names[type];
}

static bool find_type(const char *name, enum opl_sshkey_type *type)
{
    for (size_t i = 0; i < TYPES; i++) {
        if (strcmp(name, type_names[i]) == 0) {
            *type = (enum opl_sshkey_type)i;
            return true;
        }
    }
    return false;
}

static bool refuse_type(const char *name, struct opl_err *err)
{
    if (strstr(name, "-cert-v01@") != NULL)
        (void)opl_fail(err, OPL_E_INVALID,
                       "certificates are not accepted; enrol the key itself, not %.80s", name);
    else
        (void)opl_fail(err, OPL_E_INVALID, "keys of type %.80s are not accepted", name);
    return opl_hint(err, "ssh-keygen -t ed25519");
}

bool opl_sshkey_read(const void *blob, size_t len, struct opl_sshkey *out, struct opl_err *err)
{
    struct ssh_wire wire = {blob, len};
    struct opl_sshkey key = {0};
    char name[80];

    if (!ssh_wire_text(&wire, name, sizeof name))
        return opl_fail(err, OPL_E_INVALID, "no SSH public key");
    if (!find_type(name, &key.type))
        return refuse_type(name, err);
    if (!ssh_wire_fixed(&wire, key.key.b, sizeof key.key.b))
        return opl_fail(err, OPL_E_INVALID, "an Ed25519 key has 32 bytes");
    if (key.type == OPL_SSHKEY_SK_ED25519 &&
        (!ssh_wire_text(&wire, key.application, sizeof key.application) ||
         key.application[0] == '\0' || !opl_is_plain(key.application, strlen(key.application))))
        return opl_fail(err, OPL_E_INVALID, "a token's key names its application");
    if (wire.left != 0)
        return opl_fail(err, OPL_E_INVALID, "%zu bytes follow the key", wire.left);
    *out = key;
    return true;
}

/* TYPE and BASE64 of a line, each cut off; the comment, if any, is of no meaning. */
static bool split(char *line, char **base64)
{
    size_t type = strcspn(line, BLANK);

    if (line[type] == '\0')
        return false;
    line[type] = '\0';
    *base64 = line + type + 1 + strspn(line + type + 1, BLANK);
    (*base64)[strcspn(*base64, BLANK)] = '\0';
    return true;
}

bool opl_sshkey_parse(const char *line, struct opl_sshkey *out, struct opl_err *err)
{
    char copy[OPL_SSHKEY_LINE_MAX + 1], *base64;
    size_t len = strlen(line), blob_len = 0;
    uint8_t blob[BLOB_MAX];
    enum opl_sshkey_type type = OPL_SSHKEY_ED25519;
    struct opl_sshkey key = {0};

    if (len > 0 && line[len - 1] == '\n')
        len--;
    if (len > OPL_SSHKEY_LINE_MAX || memchr(line, '\n', len) != NULL)
        return opl_fail(err, OPL_E_INVALID, "a public key is one line of at most %d bytes",
                        OPL_SSHKEY_LINE_MAX);
    memcpy(copy, line, len);
    copy[len] = '\0';
    if (!split(copy, &base64))
        return opl_fail(err, OPL_E_INVALID,
                        "a public key is written TYPE BASE64, as in a .pub file");
    if (!find_type(copy, &type))
        return refuse_type(copy, err);
    if (!opl_base64_decode(base64, strlen(base64), blob, sizeof blob, &blob_len, NULL))
        return opl_fail(err, OPL_E_INVALID, "the key is not base64, or too long");
    if (!opl_sshkey_read(blob, blob_len, &key, err))
        return false;
    if (key.type != type)
        return opl_fail(err, OPL_E_INVALID, "the line says %s, its key %s", copy,
                        type_names[key.type]);
    *out = key;
    return true;
}

void opl_sshkey_write(const struct opl_sshkey *key, struct opl_buf *out)
{
    const char *name = type_names[key->type];

    ssh_wire_put(out, name, strlen(name));
    ssh_wire_put(out, key->key.b, sizeof key->key.b);
    if (key->type == OPL_SSHKEY_SK_ED25519)
        ssh_wire_put(out, key->application, strlen(key->application));
}

void opl_sshkey_line(const struct opl_sshkey *key, struct opl_buf *out)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf blob = {0};

    opl_sshkey_write(key, &blob);
    opl_buf_fmt(out, "%s ", type_names[key->type]);
    opl_buf_base64(out, blob.data, blob.len);
    out->failed |= blob.failed;
    out->no_memory |= blob.no_memory;
}

/* Written on the stack, like the key itself: a fingerprint cannot fail for want of memory. */
static size_t blob_of(const struct opl_sshkey *key, char out[static BLOB_MAX])
{
    struct opl_buf blob = {.data = out, .size = BLOB_MAX, .max = BLOB_MAX - 1};

    opl_sshkey_write(key, &blob);
    return blob.len;
}

void opl_sshkey_fingerprint(const struct opl_sshkey *key, char out[static OPL_FINGERPRINT_SIZE])
{
    char blob[BLOB_MAX], base64[OPL_BASE64_SIZE(sizeof(struct opl_hash))];
    struct opl_hash hash;

    opl_sha256(blob, blob_of(key, blob), &hash);
    opl_base64_encode(hash.b, sizeof hash.b, base64);
    (void)snprintf(out, OPL_FINGERPRINT_SIZE, "SHA256:%.*s", (int)strcspn(base64, "="), base64);
}

bool opl_sshkey_equal(const struct opl_sshkey *a, const struct opl_sshkey *b)
{
    return a->type == b->type && memcmp(a->key.b, b->key.b, sizeof a->key.b) == 0 &&
           strcmp(a->application, b->application) == 0;
}
