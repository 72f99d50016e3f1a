/* SPDX-License-Identifier: Apache-2.0 */
#include "redact.h"

#include <opledger/json.h>
#include <opledger/time.h>

#include "files.h"
#include "redact_key.h"
#include "redact_rules.h"
#include "redact_source.h"

#define LEARN_MAX ((size_t)16 << 20)
#define PIECE ((size_t)256 << 10)

/* What one run holds. */
struct running {
    const struct redact_options *options;
    struct redact_rules rules;
    struct redact_source source;
    struct redact_outcome *outcome;
    const struct opl_destination *destination;
    struct opl_redact_options filter;
    char context[160];
};

static void running_close(struct running *running)
{
    redact_rules_close(&running->rules);
    redact_source_close(&running->source);
    opl_wipe(&running->filter, sizeof running->filter);
}

static bool read_input(void *ctx, uint64_t at, void *bytes, size_t len, struct opl_err *err)
{
    struct running *running = ctx;

    return redact_source_read(&running->source, at, bytes, len, err);
}

static bool out_reset(void *ctx, int spool, struct opl_err *err)
{
    struct redact_spool *out = &((struct running *)ctx)->outcome->spools[spool];

    return out->open ? redact_spool_reset(out, err) : redact_spool_open(out, err);
}

static bool out_write(void *ctx, int spool, const void *bytes, size_t len, struct opl_err *err)
{
    return redact_spool_write(&((struct running *)ctx)->outcome->spools[spool], bytes, len, err);
}

static bool out_read(void *ctx, int spool, uint64_t at, void *bytes, size_t len,
                     struct opl_err *err)
{
    return redact_spool_read(&((struct running *)ctx)->outcome->spools[spool], at, bytes, len, err);
}

/* A hosted destination's pseudonyms join within its incident, or, before there is one, this run. */
static void choose_context(struct running *running)
{
    const struct opl_destination *destination = running->destination;
    const char *incident = running->options->incident;
    char nonce[33];
    uint8_t random[16];

    if (destination == NULL || destination->context == OPL_CONTEXT_SHARED) {
        snprintf(running->context, sizeof running->context, "site");
    } else if (destination->context == OPL_CONTEXT_OWN) {
        snprintf(running->context, sizeof running->context, "destination:%s", destination->name);
    } else if (incident != NULL) {
        snprintf(running->context, sizeof running->context, "incident:%s", incident);
    } else {
        opl_random(random, sizeof random);
        for (size_t i = 0; i < sizeof random; i++)
            snprintf(nonce + 2 * i, 3, "%02x", random[i]);
        snprintf(running->context, sizeof running->context, "run:%s", nonce);
    }
}

static bool choose_destination(struct running *running, struct opl_err *err)
{
    const char *name = running->options->destination;

    if (name == NULL)
        return true;
    running->destination = opl_models_destination(running->rules.models, name, err);
    return running->destination != NULL;
}

static bool prepare(struct running *running, struct opl_err *err)
{
    const struct redact_options *options = running->options;
    struct opl_redact_options *filter = &running->filter;

    if (options->format != NULL && !opl_format_parse(options->format, &filter->format))
        return opl_fail(err, OPL_E_USAGE, "no format %s: auto, strace or plain", options->format);
    if (!redact_rules_open(&running->rules, options, err) || !choose_destination(running, err) ||
        !redact_key_load(options->key_file, &filter->key, err))
        return false;
    choose_context(running);
    opl_key_derive(&filter->key, "opledger/redact/map", &running->outcome->map_key);
    filter->context = running->context;
    filter->destination = options->destination;
    filter->unmasked = running->destination != NULL ? running->destination->unmasked : 0;
    filter->rules = running->rules.digest;
    filter->fault = options->fault;
    return true;
}

/* The source's kind is known only once it has been looked at. */
static bool may_receive(const struct running *running, enum opl_format format, struct opl_err *err)
{
    struct opl_model model;
    const char *text = running->options->model;

    if (running->destination == NULL)
        return true;
    if (text != NULL && !opl_model_parse(text, &model, err))
        return false;
    return opl_destination_check(running->destination, text != NULL ? &model : NULL,
                                 opl_format_name(format), opl_time_now(), err);
}

static bool learn_files(const struct redact_options *options, struct opl_redact *redact,
                        struct opl_err *err)
{
    for (size_t i = 0; i < options->learn_count; i++) {
        OPL_CLEANUP(opl_buf_close) struct opl_buf text = OPL_BUF_INIT(LEARN_MAX);

        if (!file_read(options->learn[i], &text, err) ||
            !opl_redact_learn(redact, opl_buf_text(&text), text.len, err))
            return false;
    }
    return true;
}

static bool keep_documents(const struct opl_redact *redact, struct redact_outcome *outcome,
                           int64_t started, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep)
    json_t *manifest = opl_redact_manifest(redact, started, opl_time_now(), err);
    OPL_CLEANUP(opl_json_freep) json_t *map = opl_redact_map(redact, err);

    if (manifest == NULL || map == NULL || !opl_json_canonical(manifest, &outcome->manifest, err) ||
        !opl_json_canonical(map, &outcome->map, err))
        return false;
    opl_sha256(outcome->manifest.data, outcome->manifest.len, &outcome->manifest_sha256);
    return true;
}

static bool filter(struct running *running, struct opl_err *err)
{
    struct redact_outcome *outcome = running->outcome;
    OPL_CLEANUP(opl_redact_freep)
    struct opl_redact *redact = opl_redact_new(running->rules.rules, &running->filter, err);
    int64_t started = opl_time_now();
    const struct opl_redact_io io = {.ctx = running,
                                     .size = running->source.size,
                                     .read = read_input,
                                     .out_reset = out_reset,
                                     .out_write = out_write,
                                     .out_read = out_read};

    return redact != NULL && learn_files(running->options, redact, err) &&
           opl_redact_run(redact, &io, &outcome->result, err) &&
           redact_source_check(&running->source, err) &&
           may_receive(running, outcome->result.format, err) &&
           (running->options->output_only || keep_documents(redact, outcome, started, err));
}

bool redact_run(const struct redact_options *options, const char *path, int in,
                struct redact_outcome *outcome, struct opl_err *err)
{
    struct running *running = calloc(1, sizeof *running);
    bool ok;

    if (running == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a run");
    running->options = options;
    running->outcome = outcome;
    ok = prepare(running, err) && redact_source_open(&running->source, path, in, err) &&
         filter(running, err);
    outcome->rules = running->rules.digest;
    outcome->rules_from = running->rules.from;
    running_close(running);
    free(running);
    if (!ok)
        redact_outcome_close(outcome);
    return ok;
}

void redact_outcome_close(struct redact_outcome *outcome)
{
    redact_spool_close(&outcome->spools[0]);
    redact_spool_close(&outcome->spools[1]);
    opl_buf_close(&outcome->manifest);
    opl_buf_wipe(&outcome->map);
    opl_wipe(outcome, sizeof *outcome);
}

bool redact_release(struct redact_outcome *outcome, int out, struct opl_err *err)
{
    struct redact_spool *spool = &outcome->spools[outcome->result.spool];
    uint64_t at = 0;
    char *piece = malloc(PIECE);
    bool ok = piece != NULL || opl_fail(err, OPL_E_NOMEM, "no memory to write with");

    while (ok && at < outcome->result.size) {
        uint64_t left = outcome->result.size - at;
        size_t len = left < PIECE ? (size_t)left : PIECE;

        ok = redact_spool_read(spool, at, piece, len, err) && file_write_fd(out, piece, len, err);
        at += len;
    }
    free(piece);
    return ok;
}

bool redact_write_manifest(const struct redact_outcome *outcome, const char *path,
                           struct opl_err *err)
{
    return file_replace(path, outcome->manifest.data, outcome->manifest.len, 0644, err);
}

bool redact_write_map(const struct redact_outcome *outcome, const char *path, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf sealed = {0};
    char *room = opl_buf_reserve(&sealed, outcome->map.len + OPL_SEAL_EXTRA);

    if (room == NULL)
        return opl_buf_ok(&sealed, err);
    opl_secret_seal(&outcome->map_key, outcome->map.data, outcome->map.len, (uint8_t *)room);
    return file_replace(path, room, outcome->map.len + OPL_SEAL_EXTRA, 0600, err);
}
