/* SPDX-License-Identifier: Apache-2.0 */
#include "redact_rules.h"

#include <dirent.h>
#include <sys/stat.h>

#include "files.h"

static bool add_file(struct redact_rules *rules, const char *path, struct opl_err *err)
{
    struct opl_rule_file *file = &rules->files[rules->count];
    struct opl_buf *text = &rules->texts[rules->count];

    if (rules->count == REDACT_RULE_FILES)
        return opl_fail(err, OPL_E_USAGE, "more than %d rule files", REDACT_RULE_FILES);
    text->max = (size_t)1 << 20;
    rules->count++;
    if (!file_read(path, text, err))
        return false;
    file->name = rules->names[rules->count - 1] = strdup(path);
    if (file->name == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a path");
    file->text = opl_buf_text(text);
    file->len = text->len;
    file->overrides = true;
    return true;
}

static int is_rule_file(const struct dirent *entry)
{
    size_t len = strlen(entry->d_name);

    return len > 5 && strcmp(entry->d_name + len - 5, ".yaml") == 0 &&
           strstr(entry->d_name, ".tests.") == NULL;
}

static bool add_folder(struct redact_rules *rules, const char *folder, struct opl_err *err)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_rule_file, alphasort);
    bool ok = count > 0 || opl_fail(err, OPL_E_USAGE, "no rule files (*.yaml) in %s", folder);

    for (int i = 0; i < count; i++) {
        OPL_CLEANUP(file_free) char *path = NULL;

        if (ok && asprintf(&path, "%s/%s", folder, entries[i]->d_name) < 0) {
            path = NULL;
            ok = opl_fail(err, OPL_E_NOMEM, "no memory for a path");
        }
        ok = ok && add_file(rules, path, err);
        free(entries[i]);
    }
    free(entries);
    return ok;
}

/* The set in force: adopted, or, where nobody adopted any, built in. */
static bool take_base(struct redact_rules *rules, const struct redact_options *options,
                      struct opl_err *err)
{
    rules->from = options->adopted != NULL ? "adopted" : "built in";
    if (options->adopted == NULL) {
        rules->count = opl_rules_builtin(rules->files, REDACT_RULE_FILES);
        return rules->count <= REDACT_RULE_FILES;
    }
    for (size_t i = 0; i < options->adopted_count && i < REDACT_RULE_FILES; i++)
        rules->files[rules->count++] = options->adopted[i];
    return options->adopted_count <= REDACT_RULE_FILES ||
           opl_fail(err, OPL_E_USAGE, "more than %d rule files", REDACT_RULE_FILES);
}

/* Over the set in force, never instead of it: what a file forgets must not pass. */
static bool choose_files(struct redact_rules *rules, const struct redact_options *options,
                         struct opl_err *err)
{
    struct stat is;

    if (!take_base(rules, options, err))
        return false;
    if (options->policy == NULL)
        return true;
    rules->from = options->adopted != NULL ? "adopted and --policy" : "built in and --policy";
    if (stat(options->policy, &is) == 0 && S_ISDIR(is.st_mode))
        return add_folder(rules, options->policy, err);
    return add_file(rules, options->policy, err);
}

static bool compile(struct redact_rules *rules, const char *models, size_t len, struct opl_err *err)
{
    struct opl_hash sha256;

    opl_sha256(models, len, &sha256);
    rules->models = opl_models_new(models, len, err);
    if (rules->models == NULL ||
        !opl_rules_digest(&sha256, rules->files, rules->count, &rules->digest, err))
        return false;
    rules->rules = opl_rules_start(rules->files, rules->count, err);
    return rules->rules != NULL;
}

bool redact_rules_open(struct redact_rules *rules, const struct redact_options *options,
                       struct opl_err *err)
{
    const char *models = options->models;
    size_t len = options->models_len;

    if (models == NULL)
        models = opl_models_builtin_text(&len);
    if (!choose_files(rules, options, err))
        return false;
    return compile(rules, models, len, err) ||
           opl_hint(err, "opledger policy lint FILE says more; no other rules are taken instead");
}

void redact_rules_close(struct redact_rules *rules)
{
    opl_rules_free(rules->rules);
    opl_models_free(rules->models);
    for (size_t i = 0; i < REDACT_RULE_FILES; i++)
        opl_buf_close(&rules->texts[i]);
    for (size_t i = 0; i < REDACT_RULE_FILES; i++)
        free(rules->names[i]);
}
