/* SPDX-License-Identifier: Apache-2.0 */
#include "redacted.h"

#define FILES_MAX 32

const struct opl_rules *redacted_rules(void)
{
    static struct opl_rules *rules;
    struct opl_rule_file files[FILES_MAX];

    if (!rules && opl_crypto_init(NULL))
        rules = opl_rules_new(files, opl_rules_builtin(files, FILES_MAX), NULL);
    return rules;
}

struct redacted redacted_run(const char *text, size_t len, const struct opl_redact_options *options)
{
    const struct opl_redact_options plain = {.context = "test"};
    const struct opl_rules *rules = redacted_rules();
    struct redacted run = {0};
    OPL_CLEANUP(opl_redact_freep)
    struct opl_redact *redact = opl_redact_new(rules, options ? options : &plain, &run.err);

    run.ok = redact && opl_redact_text(redact, text, len, &run.out, &run.result, &run.err);
    if (run.ok)
        run.manifest = opl_redact_manifest(redact, 1, 2, &run.err);
    return run;
}

void redacted_close(struct redacted *redacted)
{
    opl_buf_close(&redacted->out);
    json_decref(redacted->manifest);
}

struct opl_buf redacted_file(const char *path)
{
    struct opl_buf text = {0};
    FILE *file = fopen(path, "r");
    char piece[65536];
    size_t got;

    while (file && (got = fread(piece, 1, sizeof(piece), file)) > 0)
        opl_buf_add(&text, piece, got);
    if (file)
        fclose(file);
    return text;
}
