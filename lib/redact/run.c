/* SPDX-License-Identifier: Apache-2.0 */
#include "run.h"

#include "binary.h"
#include "candidate.h"
#include "learn.h"
#include "tail.h"

/* Which spool a pass reads and writes. */
struct passage {
    const struct opl_redact_io *io;
    int from, to;  /* spools; from < 0: the input */
    uint64_t size; /* of what is written */
    bool mend;
    struct tail *tail; /* of the mask pass */
};

static bool read_spool(void *ctx, uint64_t at, void *bytes, size_t len, struct opl_err *err)
{
    const struct passage *passage = ctx;

    if (passage->from < 0)
        return passage->io->read(passage->io->ctx, at, bytes, len, err);
    return passage->io->out_read(passage->io->ctx, passage->from, at, bytes, len, err);
}

static bool intact(const struct opl_redact *redact, struct opl_err *err)
{
    return (!redact->view.failed && !redact->hidden.failed && !redact->spans.failed &&
            !redact->names.failed) ||
           opl_fail(err, OPL_E_NOMEM, "no memory to go on with");
}

/* A record of a trace that no window holds is masked whole, up to its newline. */
static size_t mask_oversize(struct opl_redact *redact, const struct window *window)
{
    const char *newline = memchr(window->bytes, '\n', window->len);
    size_t len = newline ? (size_t)(newline - window->bytes) : window->len;

    if (!window->cut && !window->middle)
        return 0;
    redact->lexer.raw = window->bytes;
    lexer_mask(&redact->lexer, BUILTIN_OVERSIZE, 0, len);
    account_gap(&redact->account, window->at, window->at + len, "record longer than 1 MiB");
    return len;
}

static void account_binary(struct opl_redact *redact, const struct window *window)
{
    for (size_t i = 0; i < redact->spans.count; i++) {
        const struct span *span = &redact->spans.list[i];

        if (span->rule == redact->lexer.builtins + BUILTIN_BINARY)
            account_gap(&redact->account, window->at + span->from, window->at + span->to,
                        "no text");
    }
}

static void lex(struct opl_redact *redact, const struct window *window)
{
    view_reset(&redact->view);
    redact->spans.count = 0;
    view_reset(&redact->hidden);
    redact->lexer.view = &redact->view;
    redact->lexer.hidden = &redact->hidden;
    redact->lexer.spans = &redact->spans;
    redact->oversize = 0;
    if (redact->result.format == OPL_FORMAT_STRACE)
        redact->oversize = mask_oversize(redact, window);
    if (redact->oversize > 0)
        return;
    if (redact->result.format == OPL_FORMAT_STRACE)
        lexer_strace(&redact->lexer, window->bytes, window->len);
    else
        lexer_plain(&redact->lexer, window->bytes, window->len);
    account_binary(redact, window);
}

static bool learn_window(struct opl_redact *redact, struct candidates *candidates,
                         const struct window *window, struct opl_err *err)
{
    view_reset(&redact->view);
    candidates->bytes = window->bytes;
    candidates->len = window->len;
    return candidates_view(candidates, &redact->scanner, redact->result.format, &redact->view,
                           err) &&
           intact(redact, err) &&
           learn_text(&redact->scanner, &redact->names, redact->view.bytes, redact->view.len, err);
}

bool run_learn(struct opl_redact *redact, const struct opl_redact_io *io, struct opl_err *err)
{
    struct passage passage = {.io = io, .from = -1};
    OPL_CLEANUP(candidates_close) struct candidates candidates = {0};
    OPL_CLEANUP(window_close) struct window window = {0};
    bool more = true;

    if (!window_open(&window, read_spool, &passage, io->size, err))
        return false;
    while (window_read(&window, &more, err) && more) {
        if (window.at == 0 && !binary_refuse(window.bytes, window.len, err))
            return false;
        if (redact->result.format == OPL_FORMAT_AUTO)
            redact->result.format = lexer_guess(window.bytes, window.len);
        if (!learn_window(redact, &candidates, &window, err))
            return false;
        window_next(&window, window.len);
    }
    return !more;
}

/*
 * How much of a window is final. What a cut line may hold beyond is left for the next window,
 * together with every span that reaches into it.
 */
static size_t final_part(const struct opl_redact *redact, const struct window *window)
{
    size_t limit = window->len;

    if (redact->oversize > 0)
        return redact->oversize;
    if (!window->cut || limit <= WINDOW_OVERLAP)
        return limit;
    limit -= WINDOW_OVERLAP;
    for (size_t i = redact->spans.count; i-- > 0;) {
        const struct span *span = &redact->spans.list[i];

        if (span->from < limit && span->to > limit)
            limit = span->from > 0 ? span->from : span->to;
    }
    /* one span over all of it: it ends here, so that the run goes on */
    return limit > window->skip ? limit : window->len;
}

static void write_span(struct opl_redact *redact, const char *raw, const struct span *span)
{
    const char *value = span->vlen ? redact->view.bytes + span->value : raw + span->from;
    size_t len = span->vlen ? span->vlen : span->to - span->from;

    pseudonym_write(&redact->pseudonyms, (enum rule_as)span->as, value, len, &redact->out);
    /* the count of lines stays */
    for (const char *at = raw + span->from; (at = memchr(at, '\n', span->to - (size_t)(at - raw)));
         at++)
        opl_buf_chr(&redact->out, '\n');
}

static bool is_weak(const struct opl_redact *redact, const struct span *span)
{
    return (span->as == AS_USER || span->as == AS_HOST) && span->vlen &&
           word_is_ordinary(redact->view.bytes + span->value, span->vlen);
}

static void account_for(struct opl_redact *redact, const struct span *span, uint64_t window_at,
                        const uint64_t out[2])
{
    struct account_span entry = {window_at + span->from, window_at + span->to, out[0], out[1],
                                 span->rule};

    account_add(&redact->account, &entry);
    redact->result.hits[span->class]++;
    redact->result.weak += is_weak(redact, span);
}

static bool flush(struct opl_redact *redact, struct passage *passage, struct window *window,
                  const struct tail_source *source, struct opl_err *err)
{
    if (!opl_buf_ok(&redact->out, err))
        return false;
    passage->size += redact->out.len;
    if (passage->tail)
        return tail_put(passage->tail, &redact->out, &window->bytes, source, err);
    opl_sha256_update(redact->out_hash, redact->out.data, redact->out.len);
    if (!passage->io->out_write(passage->io->ctx, passage->to, opl_buf_text(&redact->out),
                                redact->out.len, err))
        return false;
    opl_buf_reset(&redact->out);
    return true;
}

static void emit(struct opl_redact *redact, const struct passage *passage,
                 const struct window *window, size_t used)
{
    size_t at = window->skip;

    for (size_t i = 0; i < redact->spans.count; i++) {
        const struct span *span = &redact->spans.list[i];
        uint64_t out[2];

        if (span->from >= used)
            break;
        if (span->to <= at)
            continue;
        if (span->from > at)
            opl_buf_add(&redact->out, window->bytes + at, span->from - at);
        out[0] = passage->size + redact->out.len;
        write_span(redact, window->bytes, span);
        out[1] = passage->size + redact->out.len;
        account_for(redact, span, window->at, out);
        at = span->to;
    }
    if (at < used)
        opl_buf_add(&redact->out, window->bytes + at, used - at);
}

static void masking_for(struct opl_redact *redact, bool verify, struct masking *masking)
{
    *masking = (struct masking){.scanner = &redact->scanner,
                                .rules = verify ? redact->rules->verify : redact->rules->mask,
                                .names = &redact->names,
                                .learned = redact->learned,
                                .values = verify ? redact->values : NULL,
                                .vault = &redact->vault,
                                .view = &redact->view,
                                .spans = &redact->spans,
                                .builtins = redact->rules->count};
    if (redact->rules_verified) { /* of the output as it is: only secrets are left to look for */
        masking->rules = NULL;
        masking->learned = NULL;
    }
}

static void keep_secret(void *ctx, const struct scan_hit *hit)
{
    struct opl_redact *redact = ctx;

    if (hit->match)
        vault_add(&redact->vault, redact->hidden.bytes + hit->from, hit->to - hit->from);
}

/*
 * What is masked whole is not searched where it stands; its secrets may stand elsewhere too, where
 * no rule knows them. (Its names were learned in the pass before.)
 */
static bool learn_hidden(struct opl_redact *redact, struct opl_err *err)
{
    unsigned classes = redact->scanner.classes;
    bool ok;

    if (redact->hidden.len == 0)
        return true;
    redact->scanner.classes = OPL_RULES_BIT(OPL_RULES_SECRET);
    ok = scanner_scan(&redact->scanner, redact->rules->mask, redact->hidden.bytes,
                      redact->hidden.len, keep_secret, redact, err);
    redact->scanner.classes = classes;
    return ok;
}

static bool mask_window(struct opl_redact *redact, struct passage *passage,
                        const struct window *window, struct opl_err *err)
{
    struct masking masking;
    uint64_t errors = redact->scanner.errors;

    masking_for(redact, passage->mend, &masking);
    if (passage->mend) {
        redact->oversize = 0;
        view_reset(&redact->view);
        redact->spans.count = 0;
        verify_view(&redact->view, redact->result.format, window->bytes, window->len);
    } else {
        lex(redact, window);
        if (!learn_hidden(redact, err))
            return false;
    }
    if (!mask_view(&masking, err) || !intact(redact, err))
        return false;
    if (redact->scanner.errors > errors)
        account_gap(&redact->account, window->at, window->at + window->len,
                    "a confirmation reached its limit");
    spans_merge(&redact->spans);
    return true;
}

static bool pass(struct opl_redact *redact, struct passage *passage, uint64_t size,
                 struct opl_err *err)
{
    OPL_CLEANUP(window_close) struct window window = {0};
    bool more = true;

    if (!window_open(&window, read_spool, passage, size, err) ||
        !passage->io->out_reset(passage->io->ctx, passage->to, err))
        return false;
    while (window_read(&window, &more, err) && more) {
        struct tail_source source = {.from = window.skip,
                                     .whole_lines = !window.cut && !window.middle};

        if (!mask_window(redact, passage, &window, err))
            return false;
        source.to = final_part(redact, &window);
        emit(redact, passage, &window, source.to);
        window_next(&window, source.to); /* before its bytes are given away */
        if (!flush(redact, passage, &window, &source, err))
            return false;
    }
    return !more;
}

/* What may be looked for while the output is made: all but the secrets yet to be found. */
static bool prepare_search(struct opl_redact *redact, struct opl_err *err)
{
    memset(&redact->lexer.descriptors, 0, sizeof(redact->lexer.descriptors));
    redact->lexer.truncated = 0;
    redact->view.decoded = 0;
    return scanner_ready(&redact->scanner, err) && run_selftest_mask(redact, err) &&
           names_compile(&redact->names, &redact->learned, err) &&
           (!redact->learned || anchors_scratch(&redact->scanner.scratch, redact->learned, err)) &&
           vault_compile(&redact->vault, &redact->names, &redact->values, err);
}

bool run_mask(struct opl_redact *redact, const struct opl_redact_io *io, struct opl_err *err)
{
    OPL_CLEANUP(tail_close) struct tail tail = {0};
    struct passage passage = {.io = io, .from = -1, .to = 0, .tail = &tail};

    if (!prepare_search(redact, err) || !tail_open(&tail, redact, io, passage.to, err) ||
        !pass(redact, &passage, io->size, err) || !tail_finish(&tail, err))
        return false;
    redact->rules_verified =
        tail.found == 0 && !tail.partial && redact->options.fault != OPL_FAULT_VERIFY;
    redact->verified = redact->rules_verified && redact->vault.count == 0;
    opl_sha256_final(redact->source_hash, &redact->result.source_sha256);
    opl_sha256_final(redact->out_hash, &redact->result.sha256);
    redact->result.spool = 0;
    redact->result.size = passage.size;
    redact->result.decoded = redact->view.decoded;
    redact->result.truncated = redact->lexer.truncated;
    return true;
}

bool run_mend(struct opl_redact *redact, const struct opl_redact_io *io, struct opl_err *err)
{
    struct passage passage = {
        .io = io, .from = redact->result.spool, .to = 1 - redact->result.spool, .mend = true};

    redact->rules_verified = false;
    account_round(&redact->account);
    if (!pass(redact, &passage, redact->result.size, err))
        return false;
    account_settle(&redact->account);
    opl_sha256_final(redact->out_hash, &redact->result.sha256);
    redact->result.spool = passage.to;
    redact->result.size = passage.size;
    return true;
}

bool run_verify(struct opl_redact *redact, const struct opl_redact_io *io, uint64_t *found,
                struct opl_err *err)
{
    struct passage passage = {.io = io, .from = redact->result.spool, .mend = true};
    OPL_CLEANUP(window_close) struct window window = {0};
    bool more = true;

    *found = redact->options.fault == OPL_FAULT_VERIFY;
    anchors_free(redact->values);
    redact->values = NULL;
    if (!vault_compile(&redact->vault, &redact->names, &redact->values, err) ||
        (redact->values && !anchors_scratch(&redact->scanner.scratch, redact->values, err)) ||
        !window_open(&window, read_spool, &passage, redact->result.size, err))
        return false;
    while (window_read(&window, &more, err) && more) {
        if (!mask_window(redact, &passage, &window, err))
            return false;
        *found += redact->spans.count;
        window_next(&window, final_part(redact, &window));
    }
    return !more;
}
