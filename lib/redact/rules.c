/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

#include <opledger/embedded.h>
#include <opledger/gate.h>

#include "anchors.h"
#include "confirm.h"
#include "rule.h"
#include "token.h"

static const char *const class_names[OPL_RULES_CLASSES] = {
    [OPL_RULES_SECRET] = "secret",     [OPL_RULES_IDENTITY] = "identity",
    [OPL_RULES_NETWORK] = "network",   [OPL_RULES_SITE] = "site",
    [OPL_RULES_USERTEXT] = "usertext",
};

const char *opl_rule_class_name(enum opl_rule_class class)
{
    return class_names[class];
}

bool opl_rule_class_parse(const char *text, enum opl_rule_class *out)
{
    for (int i = 0; i < OPL_RULES_CLASSES; i++)
        if (strcmp(class_names[i], text) == 0) {
            *out = (enum opl_rule_class)i;
            return true;
        }
    return false;
}

#define RULE_FOLDER "redact/"

static bool is_rule_file(const char *path)
{
    return strncmp(path, RULE_FOLDER, strlen(RULE_FOLDER)) == 0;
}

size_t opl_rules_builtin(struct opl_rule_file *out, size_t max)
{
    size_t count = 0;

    for (const struct embedded_file *file = embedded_policies; file->path; file++) {
        if (!is_rule_file(file->path))
            continue;
        if (count < max)
            out[count] =
                (struct opl_rule_file){.name = file->path, .text = file->text, .len = file->len};
        count++;
    }
    return count;
}

static bool compile_rule(struct rule *rule, struct opl_err *err)
{
    struct opl_err inner = {0};

    for (size_t i = 0; i < rule->anchor_count; i++)
        if (!anchors_width(rule->anchors[i], &rule->anchor_back[i], &inner))
            return opl_fail(err, OPL_E_INVALID, "rule %s: %s", rule->id, inner.text);
    rule->code = confirm_compile(rule->confirm, &inner);
    return rule->code || opl_fail(err, OPL_E_INVALID, "rule %s: %s", rule->id, inner.text);
}

/*
 * A set of all rules that mask, or of those that learn. The verify pass has its own, in reverse
 * order, since Vectorscan has lost matches in some sets of expressions and not in others.
 */
static struct anchors *compile_set(const struct opl_rules *rules, bool learn, bool reverse,
                                   struct opl_err *err)
{
    struct anchor *list = calloc(rules->count * RULE_ANCHORS + 1, sizeof(*list));
    struct anchors *anchors;
    size_t count = 0;

    if (!list) {
        opl_fail(err, OPL_E_NOMEM, "no memory for rules");
        return NULL;
    }
    for (size_t n = 0; n < rules->count; n++) {
        size_t i = reverse ? rules->count - 1 - n : n;
        const struct rule *rule = &rules->rules[i];

        for (size_t j = 0; j < rule->anchor_count; j++)
            if (learn ? rule->learn != LEARN_NONE : !rule->learn_only)
                list[count++] = (struct anchor){.text = rule->anchors[j],
                                                .id = (unsigned)(i * RULE_ANCHORS + j),
                                                .set = rule->set};
    }
    anchors = anchors_new(list, count, err);
    free(list);
    return anchors;
}

/*
 * A rule that takes its own replacement, or another's, for a value would change it on every pass.
 * Values that are tokens are dropped before; so what is looked for is a match that begins or ends
 * inside one.
 */
static bool spares_tokens(const struct rule *rule, struct confirm *confirm, struct opl_err *err)
{
    static const struct opl_key key;
    char token[TOKEN_MAX], text[64];
    struct confirm_place place = {.bytes = text};
    struct confirm_match match;

    for (int kind = 0; kind < TOKEN_KINDS; kind++) {
        token_make(&key, (enum token_kind)kind, "", rule->id, strlen(rule->id), token);
        snprintf(text, sizeof(text), " %s ", token);
        place.len = place.last = strlen(text);
        if (confirm_search(confirm, rule->code, &place, &match) == CONFIRM_YES && match.from != 1 &&
            !token_only(text + match.from, match.to - match.from))
            return opl_fail(err, OPL_E_INVALID, "rule %s: matches part of its own replacement",
                            rule->id);
    }
    return true;
}

/* The compilation of the sets that are needed after the first pass. */
struct rules_later {
    struct opl_rules *rules;
    pthread_t thread;
    pthread_mutex_t lock; /* over `running`, and so over who joins */
    bool running;
    struct opl_err err;
};

static void *compile_later(void *ctx)
{
    struct rules_later *later = ctx;
    struct opl_rules *rules = later->rules;

    rules->mask = compile_set(rules, false, false, &later->err);
    if (rules->mask)
        rules->verify = compile_set(rules, false, true, &later->err);
    return NULL;
}

static bool start_later(struct opl_rules *rules, struct opl_err *err)
{
    struct rules_later *later = calloc(1, sizeof(*later));

    if (!later)
        return opl_fail(err, OPL_E_NOMEM, "no memory for rules");
    later->rules = rules;
    pthread_mutex_init(&later->lock, NULL);
    rules->later = later;
    later->running = pthread_create(&later->thread, NULL, compile_later, later) == 0;
    if (!later->running)
        compile_later(later);
    return true;
}

static void join_later(struct rules_later *later)
{
    pthread_mutex_lock(&later->lock);
    if (later->running)
        pthread_join(later->thread, NULL);
    later->running = false;
    pthread_mutex_unlock(&later->lock);
}

static void end_later(struct rules_later *later)
{
    if (!later)
        return;
    join_later(later);
    pthread_mutex_destroy(&later->lock);
    free(later);
}

bool opl_rules_ready(const struct opl_rules *rules, struct opl_err *err)
{
    join_later(rules->later);
    return rules->verify || opl_fail(err, rules->later->err.code, "%s", rules->later->err.text);
}

static bool compile_rules(struct opl_rules *rules, struct opl_err *err)
{
    OPL_CLEANUP(confirm_close) struct confirm confirm = {0};

    if (!confirm_open(&confirm, err))
        return false;
    for (size_t i = 0; i < rules->count; i++)
        if (!compile_rule(&rules->rules[i], err) || !spares_tokens(&rules->rules[i], &confirm, err))
            return false;
    return true;
}

static bool compile_learn(struct opl_rules *rules, struct opl_err *err)
{
    rules->learn = compile_set(rules, true, false, err);
    return rules->learn != NULL;
}

struct opl_rules *opl_rules_start(const struct opl_rule_file *files, size_t count,
                                  struct opl_err *err)
{
    struct opl_rules *rules = calloc(1, sizeof(*rules));
    bool ok = rules && (rules->documents = json_array());

    if (!ok)
        opl_fail(err, OPL_E_NOMEM, "no memory for rules");
    for (size_t i = 0; ok && i < count; i++)
        ok = rule_parse_file(rules, &files[i], err);
    if (ok && rules->count == 0)
        ok = opl_fail(err, OPL_E_INVALID, "no rules: nothing would be masked");
    if (ok && compile_rules(rules, err) && start_later(rules, err) && compile_learn(rules, err))
        return rules;
    opl_rules_free(rules);
    return NULL;
}

struct opl_rules *opl_rules_new(const struct opl_rule_file *files, size_t count,
                                struct opl_err *err)
{
    struct opl_rules *rules = opl_rules_start(files, count, err);

    if (rules && opl_rules_ready(rules, err))
        return rules;
    opl_rules_free(rules);
    return NULL;
}

void opl_rules_free(struct opl_rules *rules)
{
    if (!rules)
        return;
    end_later(rules->later);
    for (size_t i = 0; i < rules->count; i++)
        confirm_code_free(rules->rules[i].code);
    anchors_free(rules->mask);
    anchors_free(rules->verify);
    anchors_free(rules->learn);
    free(rules->rules);
    json_decref(rules->documents);
    free(rules);
}

void opl_rules_freep(struct opl_rules **rules)
{
    opl_rules_free(*rules);
}

void opl_rules_anchors(const struct opl_rules *rules, struct opl_buf *out)
{
    for (size_t i = 0; i < rules->count; i++)
        for (size_t j = 0; j < rules->rules[i].anchor_count && !rules->rules[i].learn_only; j++) {
            opl_buf_str(out, rules->rules[i].anchors[j]);
            opl_buf_chr(out, '\n');
        }
}

/*
 * "policies/redact/site/slurm.yaml" is adopted as "site/slurm". What goes over the adopted rules
 * has a name that none of them has.
 */
static void adopted_name(const struct opl_rule_file *file, char out[65])
{
    const char *name = file->name, *folder = strstr(name, RULE_FOLDER), *end;

    if (folder)
        name = folder + strlen(RULE_FOLDER);
    end = strstr(name, ".yaml");
    snprintf(out, 65, "%s%.*s", file->overrides ? "over:" : "", end ? (int)(end - name) : 64, name);
}

bool opl_rules_digest(const struct opl_hash *models, const struct opl_rule_file *files,
                      size_t count, struct opl_hash *out, struct opl_err *err)
{
    struct opl_named_hash *names = calloc(count + 1, sizeof(*names));
    bool ok;

    if (!names)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a digest");
    for (size_t i = 0; i < count; i++) {
        adopted_name(&files[i], names[i].name);
        opl_sha256(files[i].text, files[i].len, &names[i].sha256);
    }
    ok = opl_policies_digest("redact", models, names, count, out, err);
    free(names);
    return ok;
}
