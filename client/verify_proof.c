/* SPDX-License-Identifier: Apache-2.0 */
#include "verify_proof.h"

#include <inttypes.h>

#include <opledger/encode.h>
#include <opledger/json.h>

#include "api.h"
#include "client.h"

bool verify_proof_read(const json_t *list, struct opl_proof *out, struct opl_err *err)
{
    size_t count = json_array_size(list);

    memset(out, 0, sizeof(*out));
    if (!json_is_array(list) || count > OPL_PROOF_MAX)
        return opl_fail(err, OPL_E_VERIFY, "this is no proof");
    while (out->count < count) {
        const char *text = json_string_value(json_array_get(list, out->count));

        if (text == NULL || !opl_hash_from_digest(text, &out->hash[out->count], NULL))
            return opl_fail(err, OPL_E_VERIFY, "a proof holds something else than digests");
        out->count++;
    }
    return true;
}

static bool check_inclusion(struct client *client, uint64_t seq, const struct opl_head *head,
                            const struct opl_hash *leaf, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *reply = NULL;
    struct opl_proof proof;
    char path[96];

    snprintf(path, sizeof(path), "/v1/entries/%" PRIu64 "/proof?size=%" PRIu64, seq, head->size);
    return api_get(client->api, path, &reply, err) &&
           verify_proof_read(json_object_get(reply, "proof"), &proof, err) &&
           opl_inclusion_verify(leaf, seq, head->size, &proof, &head->root, err);
}

bool verify_proof_entry(struct client *client, uint64_t seq, const struct opl_head *head,
                        struct subject_entry *out, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *item = NULL;
    const char *bytes;
    struct opl_hash leaf;
    char path[64];

    snprintf(path, sizeof(path), "/v1/entries/%" PRIu64, seq);
    if (!api_get(client->api, path, &item, err) || !subject_entry_read(item, out, err))
        return false;
    if (out->entry.seq != seq)
        return opl_fail(err, OPL_E_VERIFY, "asked for entry %" PRIu64 ", entry %" PRIu64 " came",
                        seq, out->entry.seq);
    bytes = opl_json_str(item, "entry");
    opl_leaf_hash(bytes, strlen(bytes), &leaf);
    return check_inclusion(client, seq, head, &leaf, err);
}
