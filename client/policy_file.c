/* SPDX-License-Identifier: Apache-2.0 */
#include "policy_file.h"

#include <opledger/json.h>
#include <opledger/name.h>
#include <opledger/yaml.h>

#include "files.h"

/* The key that only one sort has at its top. */
static const char *const telling[][2] = {
    {"require",      "gate"  },
    {"rules",        "redact"},
    {"destinations", "models"},
    {"families",     "models"},
};

void policy_file_close(struct policy_file *policy)
{
    opl_buf_close(&policy->text);
    memset(policy, 0, sizeof(*policy));
}

static const char *sort_of(const json_t *root)
{
    for (size_t i = 0; i < sizeof(telling) / sizeof(telling[0]); i++)
        if (json_object_get(root, telling[i][0]) != NULL)
            return telling[i][1];
    return NULL;
}

/* ".../policies/redact/site/slurm.yaml" is "site/slurm", as the ledger adopts it at first start. */
static const char *leaf_of(const char *path, const char *what)
{
    const char *slash = strrchr(path, '/');
    const char *folder = strcmp(what, "redact") == 0 ? strstr(path, "redact/") : NULL;

    if (folder != NULL)
        return folder + strlen("redact/");
    return slash != NULL ? slash + 1 : path;
}

static void name_it(const json_t *root, const char *path, struct policy_file *out)
{
    const char *own = opl_json_str(root, "name");
    const char *leaf = leaf_of(path, out->what);

    if (own != NULL && opl_is_principal(own))
        snprintf(out->name, sizeof(out->name), "%s", own);
    else
        snprintf(out->name, sizeof(out->name), "%.*s", (int)strcspn(leaf, "."), leaf);
}

static bool sort_text(const char *path, struct policy_file *out, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep)
    json_t *root = opl_yaml_parse(opl_buf_text(&out->text), out->text.len, err);

    if (root == NULL)
        return opl_hint(err, "in %s", path);
    out->what = sort_of(root);
    if (out->what == NULL) {
        opl_fail(err, OPL_E_CONFIG, "%s is no policy of gate, redaction or models", path);
        return opl_hint(err, "these have require:, rules:, or destinations: at their top");
    }
    name_it(root, path, out);
    return true;
}

bool policy_file_sort(const char *path, const char *text, size_t len, struct policy_file *out,
                      struct opl_err *err)
{
    out->text.max = OPL_YAML_MAX;
    opl_buf_add(&out->text, text, len);
    return opl_buf_ok(&out->text, err) && sort_text(path, out, err);
}

bool policy_file_read(const char *path, struct policy_file *out, struct opl_err *err)
{
    out->text.max = OPL_YAML_MAX;
    return file_read(path, &out->text, err) && sort_text(path, out, err);
}
