/* SPDX-License-Identifier: Apache-2.0 */
#include <opledger/seal.h>

#include <opledger/encode.h>
#include <opledger/json.h>

#define SEALED_KEY "sealed"

void opl_seal_hash(const struct opl_salt *salt, const char *text, size_t len, struct opl_hash *out)
{
    opl_sha256_joined(salt->b, sizeof salt->b, text, len, out);
}

json_t *opl_seal_json(const struct opl_hash *hash)
{
    char digest[OPL_DIGEST_SIZE];

    opl_hash_digest(hash, digest);
    return json_pack("{s:s}", SEALED_KEY, digest);
}

bool opl_seal_read(const json_t *value, struct opl_hash *out)
{
    const char *digest = opl_json_str(value, SEALED_KEY);

    return digest != NULL && json_object_size(value) == 1 &&
           opl_hash_from_digest(digest, out, NULL);
}
