/* SPDX-License-Identifier: Apache-2.0 */
#include <opledger/statement.h>

#include <opledger/encode.h>
#include <opledger/json.h>
#include <opledger/sshsig.h>

#include "field.h"

static const struct opl_field statement_fields[] = {
    {"about",   OPL_F_OBJECT,    0, 0,  NULL, OPL_ID_NONE, "what is signed"             },
    {"expires", OPL_F_TIME,      0, 0,  NULL, OPL_ID_NONE, "until when it counts"       },
    {"issued",  OPL_F_TIME,      0, 0,  NULL, OPL_ID_NONE, "when it was made"           },
    {"log",     OPL_F_HEAD,      0, 0,  NULL, OPL_ID_NONE, "the log that the signer saw"},
    {"nonce",   OPL_F_NONCE,     0, 0,  NULL, OPL_ID_NONE, "used once"                  },
    {"signer",  OPL_F_PRINCIPAL, 0, 0,  NULL, OPL_ID_NONE, "who signs"                  },
    {"type",    OPL_F_TEXT,      0, 64, NULL, OPL_ID_NONE, "what sort of Statement"     },
    {"v",       OPL_F_INT,       0, 0,  NULL, OPL_ID_NONE, "the version of this format" },
    {NULL,      OPL_F_TEXT,      0, 0,  NULL, OPL_ID_NONE, NULL                         },
};

void opl_nonce_draw(char out[static OPL_NONCE_SIZE])
{
    uint8_t bytes[(OPL_NONCE_SIZE - 1) / 2];

    opl_random(bytes, sizeof bytes);
    opl_hex_encode(bytes, sizeof bytes, out);
}

json_t *opl_head_json(const struct opl_head *head)
{
    char root[OPL_DIGEST_SIZE];

    opl_hash_digest(&head->root, root);
    return json_pack("{s:s,s:s,s:I}", "origin", head->origin, "root", root, "size",
                     (json_int_t)head->size);
}

/* What opl_head_fields has already found good. */
static bool copy_head(const json_t *value, struct opl_head *head, struct opl_err *err)
{
    (void)snprintf(head->origin, sizeof head->origin, "%s", opl_json_str(value, "origin"));
    head->size = (uint64_t)opl_json_int(value, "size", 0);
    return opl_hash_from_digest(opl_json_str(value, "root"), &head->root, err);
}

bool opl_head_read(const json_t *value, struct opl_head *head, struct opl_err *err)
{
    struct opl_check check = {NULL, err};

    return opl_fields_check(&check, opl_head_fields, value, NULL, NULL) &&
           copy_head(value, head, err);
}

static bool read_parts(struct opl_statement *out, struct opl_err *err)
{
    out->signer = opl_json_str(out->root, "signer");
    out->about = json_object_get(out->root, "about");
    (void)snprintf(out->nonce, sizeof out->nonce, "%s", opl_json_str(out->root, "nonce"));
    return opl_time_parse(opl_json_str(out->root, "issued"), &out->issued, err) &&
           opl_time_parse(opl_json_str(out->root, "expires"), &out->expires, err) &&
           copy_head(json_object_get(out->root, "log"), &out->log, err);
}

static bool check_type(struct opl_statement *out, struct opl_err *err)
{
    static const struct opl_spot about = {NULL, "about", 0};
    struct opl_check check = {NULL, err};

    if (opl_json_int(out->root, "v", 0) != 1)
        return opl_fail_at(err, OPL_E_INVALID, "/v", "is a version that is not known");
    out->type = opl_statement_type_find(opl_json_str(out->root, "type"));
    if (out->type == NULL)
        return opl_fail_at(err, OPL_E_INVALID, "/type", "is no type of Statement");
    return opl_fields_check(&check, out->type->about, out->about, &about, NULL);
}

/* An override that names no change was made without the ledger: it may last four hours at most. */
static bool is_offline(const struct opl_statement *statement)
{
    return json_is_null(json_object_get(statement->about, "change"));
}

static bool check_life(const struct opl_statement *statement, struct opl_err *err)
{
    int64_t max = is_offline(statement) ? OPL_OVERRIDE_OFFLINE_MAX : statement->type->max_life;

    if (statement->expires <= statement->issued)
        return opl_fail_at(err, OPL_E_INVALID, "/expires", "is not after issued");
    if (statement->expires - statement->issued > max * OPL_SECOND)
        return opl_fail_at(err, OPL_E_INVALID, "/expires", "is more than %lld seconds after issued",
                           (long long)max);
    return true;
}

/* Nobody can have seen what is not in the log that the Statement names. */
static bool check_fact(const struct opl_statement *statement, struct opl_err *err)
{
    int64_t fact = opl_json_int(statement->about, "fact", -1);

    if (fact < 0 || (uint64_t)fact < statement->log.size)
        return true;
    return opl_fail_at(err, OPL_E_INVALID, "/about/fact", "is not in the log that is named");
}

static bool read_statement(const char *text, size_t len, struct opl_statement *out,
                           struct opl_err *err)
{
    struct opl_check check = {NULL, err};

    if (len >= OPL_STATEMENT_MAX)
        return opl_fail(err, OPL_E_INVALID, "a Statement has at most %d bytes", OPL_STATEMENT_MAX);
    out->root = opl_json_parse_canonical(text, len, err);
    return out->root != NULL && opl_fields_check(&check, statement_fields, out->root, NULL, NULL) &&
           read_parts(out, err) && check_type(out, err) && check_life(out, err) &&
           check_fact(out, err);
}

bool opl_statement_parse(const char *text, size_t len, struct opl_statement *out,
                         struct opl_err *err)
{
    struct opl_err why = {0};

    *out = (struct opl_statement){0};
    if (read_statement(text, len, out, &why))
        return true;
    opl_statement_close(out);
    return opl_fail_at(err, why.code == OPL_E_NOMEM ? OPL_E_NOMEM : OPL_E_INVALID, why.field,
                       "Statement: %s", why.text);
}

void opl_statement_close(struct opl_statement *statement)
{
    json_decref(statement->root);
    *statement = (struct opl_statement){0};
}

static json_t *statement_json(const struct opl_statement_draft *draft)
{
    char issued[OPL_TIME_SIZE], expires[OPL_TIME_SIZE], nonce[OPL_NONCE_SIZE];

    opl_time_format(draft->issued, issued);
    opl_time_format(draft->expires, expires);
    opl_nonce_draw(nonce);
    return json_pack("{s:O,s:s,s:s,s:o,s:s,s:s,s:s,s:i}", "about", draft->about, "expires", expires,
                     "issued", issued, "log", opl_head_json(draft->log), "nonce",
                     draft->nonce != NULL ? draft->nonce : nonce, "signer", draft->signer, "type",
                     draft->type, "v", 1);
}

bool opl_statement_build(const struct opl_statement_draft *draft, struct opl_buf *out,
                         struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *root = statement_json(draft);
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    OPL_CLEANUP(opl_statement_close) struct opl_statement read = {0};

    if (!opl_json_canonical(root, &text, err) ||
        !opl_statement_parse(opl_buf_text(&text), text.len, &read, err))
        return false;
    opl_buf_add(out, opl_buf_text(&text), text.len);
    return opl_buf_ok(out, err);
}

static bool read_signature(const char *sshsig, struct opl_sshsig *out, struct opl_err *err)
{
    uint8_t blob[OPL_SSHSIG_MAX];
    size_t len;

    if (!opl_base64_decode(sshsig, strlen(sshsig), blob, sizeof blob, &len, NULL) ||
        !opl_sshsig_parse(blob, len, out, NULL))
        return opl_fail_at(err, OPL_E_SIGNATURE, "/sshsig",
                           "is no SSH signature by an Ed25519 key");
    if (strcmp(out->hash_name, "sha512") != 0)
        return opl_fail_at(err, OPL_E_SIGNATURE, "/sshsig", "is not made with sha512");
    return true;
}

bool opl_statement_verify(const struct opl_statement *statement, const char *text,
                          const char *sshsig, char fingerprint[static 64], struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf message = {0};
    struct opl_sshsig signature;

    opl_buf_str(&message, text);
    opl_buf_chr(&message, '\n');
    if (!opl_buf_ok(&message, err) || !read_signature(sshsig, &signature, err) ||
        !opl_sshsig_verify(&signature, message.data, message.len, statement->type->ssh_namespace,
                           err))
        return false;
    opl_sshkey_fingerprint(&signature.key, fingerprint);
    return true;
}
