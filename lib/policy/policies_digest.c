/* SPDX-License-Identifier: Apache-2.0 */
#include <opledger/gate.h>

#include <opledger/encode.h>
#include <opledger/json.h>

static json_t *hex_json(const struct opl_hash *hash)
{
    char hex[OPL_HEX_SIZE];

    if (!hash)
        return json_null();
    opl_hash_hex(hash, hex);
    return json_string(hex);
}

static json_t *named_json(const struct opl_named_hash *policies, size_t count)
{
    json_t *object = json_object();

    for (size_t i = 0; object && i < count; i++) {
        if (json_object_set_new(object, policies[i].name, hex_json(&policies[i].sha256)) != 0) {
            json_decref(object);
            return NULL;
        }
    }
    return object;
}

bool opl_policies_digest(const char *set, const struct opl_hash *models,
                         const struct opl_named_hash *policies, size_t count, struct opl_hash *out,
                         struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep)
    json_t *root = json_pack("{s:o, s:o, s:i}", set, named_json(policies, count), "models",
                             hex_json(models), "vocabulary", OPL_GATE_VOCABULARY);

    if (!root)
        return opl_fail(err, OPL_E_NOMEM, "no memory for the digest of policies");
    return opl_json_hash(root, out, err);
}
