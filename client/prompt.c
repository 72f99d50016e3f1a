/* SPDX-License-Identifier: Apache-2.0 */
#include "prompt.h"

#include "client.h"
#include "evidence.h"
#include "fields.h"

bool prompt_add_model(struct client *client, json_t *body, struct opl_err *err)
{
    const char *given = client_option(client, "model");
    json_t *model = NULL;

    if (given == NULL)
        given = config_get(&client->config, CONFIG_MODEL);
    if (*given == '\0') {
        opl_fail(err, OPL_E_USAGE, "which model? -m PROVIDER/NAME[@VERSION] is missing");
        return opl_hint(err, "OPLEDGER_MODEL, or model = in the configuration, is meant otherwise");
    }
    return fields_model(client, given, &model, err) && fields_set_take(body, "model", model, err);
}

static bool add_file(struct client *client, const char *option, const char *field, json_t *body,
                     struct opl_err *err)
{
    const char *path = client_option(client, option);

    return path == NULL || evidence_hash_file(client, path, field, body, err);
}

bool prompt_add(struct client *client, json_t *body, struct opl_err *err)
{
    bool file = client_option(client, "prompt-file") != NULL;
    int given = file + (client_option(client, "prompt-sha256") != NULL) +
                (client_option(client, "prompt-unavailable") != NULL ||
                 json_object_get(body, "prompt_unavailable") != NULL);

    if (given != 1) {
        opl_fail(err, OPL_E_USAGE,
                 "exactly one says what was sent: --prompt-file, "
                 "--prompt-sha256 or --prompt-unavailable");
        return opl_hint(err, "--prompt-unavailable 'not given' where nobody kept it");
    }
    return add_file(client, "prompt-file", "prompt_sha256", body, err) &&
           add_file(client, "response-file", "response_sha256", body, err);
}
