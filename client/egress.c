/* SPDX-License-Identifier: Apache-2.0 */
#include "egress.h"

#include <opledger/encode.h>
#include <opledger/json.h>

#include "api.h"
#include "blobs.h"
#include "client.h"
#include "fields.h"
#include "files.h"
#include "log_view.h"
#include "record.h"

/* {class: {rule: n}} as {class: n}. */
static json_t *counts_of(const json_t *hits)
{
    json_t *counts = json_object();
    const char *class, *rule;
    json_t *rules, *n;

    json_object_foreach((json_t *)hits, class, rules)
    {
        json_int_t total = json_is_integer(rules) ? json_integer_value(rules) : 0;

        json_object_foreach(rules, rule, n)
        {
            total += json_integer_value(n);
        }
        json_object_set_new(counts, class, json_integer(total));
    }
    return counts;
}

static bool put_output(struct client *client, const struct egress *egress, json_t *body,
                       struct opl_err *err)
{
    const json_t *output = json_object_get(egress->manifest, "output");
    const char *said = output != NULL ? opl_json_str(output, "sha256") : NULL;
    struct opl_hash sha256;
    char hex[OPL_HEX_SIZE];
    int64_t size;

    if (!file_digest(egress->output_fd, "the output", &sha256, &size, err))
        return false;
    opl_hash_hex(&sha256, hex);
    if (said == NULL || strcmp(said + (strncmp(said, "sha256:", 7) == 0 ? 7 : 0), hex) != 0)
        return opl_fail(err, OPL_E_DIGEST, "the redaction manifest is of another output");
    return client_connect(client, err) && log_view_before_sending(client, err) &&
           api_put_blob(client->api, &sha256, egress->output_fd, size, err) &&
           fields_set_take(body, "sent_sha256", json_string(hex), err) &&
           fields_set_take(body, "bytes", json_integer(size), err);
}

static bool put_manifest(struct client *client, const struct egress *egress, json_t *body,
                         struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf bytes = {0};
    const json_t *unscannable = json_object_get(egress->manifest, "unscannable");
    const char *rules = opl_json_str(egress->manifest, "rules");
    struct opl_hash sha256;
    char hex[OPL_HEX_SIZE];

    if (rules == NULL)
        return opl_fail(err, OPL_E_INVALID, "the redaction manifest names no rules");
    if (!opl_json_canonical(egress->manifest, &bytes, err) ||
        !blobs_put_bytes(client, bytes.data, bytes.len, &sha256, err))
        return false;
    opl_hash_hex(&sha256, hex);
    return fields_set_take(body, "manifest_sha256", json_string(hex), err) &&
           fields_set_take(body, "rules", json_string(rules), err) &&
           fields_set_take(body, "hits", counts_of(json_object_get(egress->manifest, "hits")),
                           err) &&
           fields_set_take(body, "unscannable",
                           json_integer((json_int_t)json_array_size(unscannable)), err);
}

static bool put_words(struct client *client, const struct egress *egress, json_t *body,
                      struct opl_err *err)
{
    json_t *model = NULL;

    if (egress->source_sha256 != NULL &&
        !fields_set_take(body, "source_sha256", json_string(egress->source_sha256), err))
        return false;
    return fields_model(client, egress->model, &model, err) &&
           fields_set_take(body, "model", model, err) &&
           fields_set_take(body, "destination", json_string(egress->destination), err) &&
           fields_set_take(body, "outcome", json_string(egress->outcome), err);
}

bool egress_record(struct client *client, const struct egress *egress, struct opl_receipt *receipt,
                   struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *body = json_object();
    struct record record = {"egress.recorded", egress->on, body};

    return put_words(client, egress, body, err) && put_output(client, egress, body, err) &&
           put_manifest(client, egress, body, err) && record_entry(client, &record, receipt, err);
}
