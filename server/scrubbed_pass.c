/* SPDX-License-Identifier: Apache-2.0 */
#include "scrubbed_pass.h"

#include <pthread.h>

#include <opledger/redact.h>

#include "log.h"

#define RULE_FILE_MAX ((size_t)1 << 20)

/* One compiled set, shared by the passes that run with it. */
struct compiled {
    struct opl_hash key; /* of names and digests */
    struct opl_rules *rules;
    size_t holders;
};

struct scrubbed_rules {
    pthread_mutex_t lock;
    struct compiled *current; /* held once by this */
};

static void drop(struct scrubbed_rules *rules, struct compiled *compiled)
{
    bool last;

    if (compiled == NULL)
        return;
    pthread_mutex_lock(&rules->lock);
    last = --compiled->holders == 0;
    pthread_mutex_unlock(&rules->lock);
    if (!last)
        return;
    opl_rules_free(compiled->rules);
    free(compiled);
}

struct scrubbed_rules *scrubbed_rules_new(void)
{
    struct scrubbed_rules *rules = calloc(1, sizeof *rules);

    if (rules != NULL)
        pthread_mutex_init(&rules->lock, NULL);
    return rules;
}

void scrubbed_rules_free(struct scrubbed_rules *rules)
{
    if (rules == NULL)
        return;
    drop(rules, rules->current);
    pthread_mutex_destroy(&rules->lock);
    free(rules);
}

static void set_key(const struct scrubbed_file *files, size_t count, struct opl_hash *key)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf all = {0};

    for (size_t i = 0; i < count; i++) {
        opl_buf_add(&all, files[i].name, strlen(files[i].name) + 1);
        opl_buf_add(&all, files[i].sha256.b, sizeof files[i].sha256.b);
    }
    opl_sha256(opl_buf_text(&all), all.len, key);
}

static struct compiled *held(struct scrubbed_rules *rules, const struct opl_hash *key)
{
    struct compiled *found = NULL;

    pthread_mutex_lock(&rules->lock);
    if (rules->current != NULL && opl_hash_equal(&rules->current->key, key)) {
        found = rules->current;
        found->holders++;
    }
    pthread_mutex_unlock(&rules->lock);
    return found;
}

/* Texts of the files, one buffer each, while they are compiled. */
struct texts {
    struct opl_buf buf[SCRUBBED_FILES_MAX];
};

static void texts_freep(struct texts **texts)
{
    for (size_t i = 0; *texts != NULL && i < SCRUBBED_FILES_MAX; i++)
        opl_buf_close(&(*texts)->buf[i]);
    free(*texts);
}

static struct opl_rules *compile(const struct scrubbed_file *files, size_t count, struct db *db,
                                 struct opl_err *err)
{
    OPL_CLEANUP(texts_freep) struct texts *texts = calloc(1, sizeof *texts);
    struct opl_rule_file sources[SCRUBBED_FILES_MAX];

    if (texts == NULL) {
        opl_fail(err, OPL_E_NOMEM, "no memory for redaction rules");
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        texts->buf[i].max = RULE_FILE_MAX;
        if (!blob_get(db, &files[i].sha256, &texts->buf[i], err))
            return NULL;
        sources[i] = (struct opl_rule_file){
            .name = files[i].name, .text = opl_buf_text(&texts->buf[i]), .len = texts->buf[i].len};
    }
    return opl_rules_new(sources, count, err);
}

/* The compiled set, held for the caller; NULL on failure. */
static struct compiled *take(struct scrubbed_rules *rules, const struct scrubbed_file *files,
                             size_t count, struct db *db, struct opl_err *err)
{
    struct compiled *made, *old;
    struct opl_hash key;

    set_key(files, count, &key);
    made = held(rules, &key);
    if (made != NULL)
        return made;
    made = calloc(1, sizeof *made);
    if (made == NULL) {
        opl_fail(err, OPL_E_NOMEM, "no memory for redaction rules");
        return NULL;
    }
    made->key = key;
    made->rules = compile(files, count, db, err);
    if (made->rules == NULL) {
        free(made);
        return NULL;
    }
    made->holders = 2; /* the caller and the set that is kept */
    pthread_mutex_lock(&rules->lock);
    old = rules->current;
    rules->current = made;
    pthread_mutex_unlock(&rules->lock);
    drop(rules, old);
    log_info("redaction rules compiled", LOG_I("files", count));
    return made;
}

/* A blob as text that is read forward, mostly. */
struct text {
    struct db *db;
    const struct blob_info *blob;
    struct blob_reader *reader;
    const uint8_t *piece;
    uint64_t from; /* of the piece */
    size_t len;
};

static void text_close(struct text *text)
{
    blob_reader_free(text->reader);
}

/* Makes the piece that holds `at` the current one. */
static bool seek(struct text *text, uint64_t at, struct opl_err *err)
{
    const void *bytes;

    if (text->reader != NULL && at >= text->from && at < text->from + text->len)
        return true;
    if (text->reader == NULL || at != text->from + text->len) {
        blob_reader_free(text->reader);
        text->reader = NULL;
        text->from = at;
        text->len = 0;
        if (!blob_reader_open(&text->reader, text->blob, at, text->blob->size - at, err))
            return false;
    }
    text->from += text->len;
    if (!blob_reader_next(text->reader, text->db, &bytes, &text->len, err))
        return false;
    text->piece = bytes;
    return text->len > 0 || opl_fail(err, OPL_E_DIGEST, "an output ends before its size");
}

static bool read_text(void *ctx, uint64_t at, void *bytes, size_t len, struct opl_err *err)
{
    struct text *text = ctx;
    uint8_t *out = bytes;

    while (len > 0) {
        size_t part;

        if (!seek(text, at, err))
            return false;
        part = text->len - (size_t)(at - text->from);
        if (part > len)
            part = len;
        memcpy(out, text->piece + (at - text->from), part);
        out += part;
        at += part;
        len -= part;
    }
    return true;
}

bool scrubbed_pass(struct scrubbed_rules *rules, const struct scrubbed_file *files, size_t count,
                   unsigned unmasked, const struct blob_info *output, struct db *db,
                   struct opl_err *err)
{
    OPL_CLEANUP(text_close) struct text text = {.db = db, .blob = output};
    struct opl_redact_finding finding;
    struct compiled *compiled = take(rules, files, count, db, err);
    bool ok;

    if (compiled == NULL)
        return false;
    ok =
        opl_redact_verify(compiled->rules, unmasked, read_text, &text, output->size, &finding, err);
    drop(rules, compiled);
    if (!ok || finding.count == 0)
        return ok;
    opl_fail_at(err, OPL_E_INVALID, "/body/sent_sha256",
                "the service's own pass finds %llu places, the first at byte %llu by rule %s (%s)",
                (unsigned long long)finding.count, (unsigned long long)finding.at, finding.rule,
                opl_rule_class_name(finding.class));
    return opl_hint(err, "run opledger redact again with the adopted rules");
}
