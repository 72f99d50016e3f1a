/* SPDX-License-Identifier: Apache-2.0 */
#include <opledger/encode.h>

#include "learn.h"
#include "run.h"

static void derive_keys(struct opl_redact *redact)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf label = {0};
    struct opl_key id;

    opl_buf_fmt(&label, "opledger/redact/%s", redact->context);
    opl_key_derive(&redact->options.key, opl_buf_text(&label), &redact->pseudonyms.key);
    opl_key_derive(&redact->options.key, "opledger/redact/key id", &id);
    opl_hex_encode(id.b, 16, redact->key_id);
    opl_wipe(&redact->options.key, sizeof(redact->options.key));
}

static bool open_parts(struct opl_redact *redact, struct opl_err *err)
{
    redact->source_hash = opl_sha256_new();
    redact->out_hash = opl_sha256_new();
    redact->pseudonyms.map = json_object();
    redact->pseudonyms.names = &redact->names;
    redact->pseudonyms.recent = recent_new(&redact->pseudonyms.key, err);
    redact->lexer.builtins = redact->rules->count;
    redact->lexer.classes = redact->classes;
    if (!redact->pseudonyms.recent)
        return false;
    if (!redact->source_hash || !redact->out_hash || !redact->pseudonyms.map)
        return opl_fail(err, OPL_E_NOMEM, "no memory for the filter");
    return scanner_open(&redact->scanner, redact->rules, redact->classes, err) &&
           vault_open(&redact->vault, err) &&
           account_open(&redact->account, redact->rules->count + BUILTIN_COUNT, err) &&
           run_selftest_learn(redact, err);
}

struct opl_redact *opl_redact_new(const struct opl_rules *rules,
                                  const struct opl_redact_options *options, struct opl_err *err)
{
    struct opl_redact *redact = calloc(1, sizeof(*redact));

    if (!redact) {
        opl_fail(err, OPL_E_NOMEM, "no memory for the filter");
        return NULL;
    }
    redact->rules = rules;
    redact->options = *options;
    redact->classes = ~options->unmasked | OPL_RULES_BIT(OPL_RULES_SECRET);
    redact->context = strdup(options->context ? options->context : "site");
    redact->destination = options->destination ? strdup(options->destination) : NULL;
    if (!redact->context || (options->destination && !redact->destination))
        opl_fail(err, OPL_E_NOMEM, "no memory for the filter");
    else
        derive_keys(redact);
    if (redact->context && open_parts(redact, err)) {
        redact->scanner.break_engine = options->fault == OPL_FAULT_ENGINE;
        return redact;
    }
    opl_redact_free(redact);
    return NULL;
}

void opl_redact_free(struct opl_redact *redact)
{
    if (!redact)
        return;
    scanner_close(&redact->scanner);
    names_close(&redact->names);
    anchors_free(redact->learned);
    anchors_free(redact->values);
    vault_close(&redact->vault);
    lexer_close(&redact->lexer);
    view_close(&redact->view);
    view_close(&redact->hidden);
    spans_close(&redact->spans);
    opl_buf_close(&redact->out);
    account_close(&redact->account);
    opl_sha256_free(redact->source_hash);
    opl_sha256_free(redact->out_hash);
    json_decref(redact->pseudonyms.map);
    recent_free(redact->pseudonyms.recent);
    free(redact->context);
    free(redact->destination);
    opl_wipe(redact, sizeof(*redact));
    free(redact);
}

void opl_redact_freep(struct opl_redact **redact)
{
    opl_redact_free(*redact);
}

bool opl_redact_learn(struct opl_redact *redact, const char *text, size_t len, struct opl_err *err)
{
    return len <= WINDOW_MAX * 16
               ? learn_text(&redact->scanner, &redact->names, text, len, err)
               : opl_fail(err, OPL_E_TOO_LARGE, "a file of %zu bytes to learn names from", len);
}

/* What the verify pass finds is masked and it runs again, a few times; then the run has failed. */
static bool verify_rounds(struct opl_redact *redact, const struct opl_redact_io *io,
                          struct opl_err *err)
{
    uint64_t found = 0;

    redact->result.rounds = 1;
    if (redact->verified)
        return true;
    for (redact->result.rounds = 1; redact->result.rounds <= RUN_ROUNDS; redact->result.rounds++) {
        if (!run_verify(redact, io, &found, err))
            return false;
        if (found == 0)
            return true;
        if (redact->result.rounds < RUN_ROUNDS && !run_mend(redact, io, err))
            return false;
    }
    return opl_fail(err, OPL_E_VERIFY,
                    "the output still holds %llu things that the rules know after %d rounds",
                    (unsigned long long)found, RUN_ROUNDS);
}

bool opl_redact_run(struct opl_redact *redact, const struct opl_redact_io *io,
                    struct opl_redact_result *result, struct opl_err *err)
{
    redact->result.format = redact->options.format;
    redact->result.source_size = io->size;
    if (!run_learn(redact, io, err) || !run_mask(redact, io, err) ||
        !verify_rounds(redact, io, err))
        return false;
    redact->result.spans = redact->account.spans;
    redact->result.unscannable = redact->account.unscannable;
    redact->result.weak += redact->names.weak + redact->vault.weak;
    *result = redact->result;
    return true;
}
