/* SPDX-License-Identifier: Apache-2.0 */
/*
 * policy lint - every policy against its own examples, by the code that will enforce it.
 *
 * Without files the policies that are built in are linted. A gate policy's situations stand beside
 * it in NAME.tests.yaml; rules carry their examples themselves.
 */
#include "client.h"
#include "cmd.h"

#include <opledger/embedded.h>
#include <opledger/gate_policy.h>
#include <opledger/json.h>
#include <opledger/models.h>
#include <opledger/redact.h>

#include "files.h"
#include "policy_file.h"

#define POLICIES_MAX 64
#define TESTS_ENDING ".tests.yaml"

const struct option_spec policy_lint_options[] = {
    {"anchors", NULL, "print the anchor expressions of the redaction rules instead", 0, 0},
    OPTION_END,
};

/* What is linted, and what was found. */
struct lint {
    struct client *client;
    struct policy_file policy[POLICIES_MAX];
    char *path[POLICIES_MAX]; /* owned */
    size_t count;
    struct opl_rule_file rules[POLICIES_MAX];
    size_t rule_count;
    json_t *findings; /* owned */
};

static void lint_close(struct lint *lint)
{
    for (size_t i = 0; i < lint->count; i++) {
        policy_file_close(&lint->policy[i]);
        free(lint->path[i]);
    }
    json_decref(lint->findings);
}

static void lint_freep(struct lint **lint)
{
    if (*lint != NULL)
        lint_close(*lint);
    free(*lint);
}

static bool is_tests(const char *path)
{
    size_t len = strlen(path), ending = strlen(TESTS_ENDING);

    return len >= ending && strcmp(path + len - ending, TESTS_ENDING) == 0;
}

static void report(void *ctx, const char *where, const char *what)
{
    struct lint *lint = ctx;
    OPL_CLEANUP(opl_buf_close) struct opl_buf line = {0};

    output_recorded(&line, where, strlen(where), OUTPUT_INLINE);
    opl_buf_str(&line, ": ");
    output_recorded(&line, what, strlen(what), OUTPUT_INLINE);
    opl_buf_chr(&line, '\n');
    output_text(&lint->client->out, &line);
    json_array_append_new(lint->findings, json_pack("{s:s, s:s}", "where", where, "what", what));
}

static bool add_slot(struct lint *lint, const char *path, struct opl_err *err)
{
    if (lint->count == POLICIES_MAX)
        return opl_fail(err, OPL_E_TOO_LARGE, "more than %d policies", POLICIES_MAX);
    lint->path[lint->count] = strdup(path);
    return lint->path[lint->count++] != NULL || opl_fail(err, OPL_E_NOMEM, "no memory for a path");
}

/* A file that cannot be read or sorted is a finding, and the others are linted still. */
static bool add_file(struct lint *lint, const char *path, const struct embedded_file *built_in,
                     struct opl_err *err)
{
    struct policy_file *policy = &lint->policy[lint->count];
    struct opl_err why = {0};

    if (is_tests(path))
        return true;
    if (!add_slot(lint, path, err))
        return false;
    if (built_in != NULL ? policy_file_sort(path, built_in->text, built_in->len, policy, &why)
                         : policy_file_read(path, policy, &why))
        return true;
    report(lint, path, why.text);
    return true;
}

static bool gather(struct lint *lint, struct opl_err *err)
{
    struct client *client = lint->client;

    for (size_t i = 0; i < client->args.positional_count; i++)
        if (!add_file(lint, client->args.positional[i], NULL, err))
            return false;
    if (client->args.positional_count > 0)
        return true;
    for (const struct embedded_file *file = embedded_policies; file->path != NULL; file++)
        if (!add_file(lint, file->path, file, err))
            return false;
    return true;
}

static bool is_sort(const struct lint *lint, size_t i, const char *what)
{
    return lint->policy[i].what != NULL && strcmp(lint->policy[i].what, what) == 0;
}

static void gather_rules(struct lint *lint)
{
    for (size_t i = 0; i < lint->count; i++) {
        const struct policy_file *policy = &lint->policy[i];

        if (!is_sort(lint, i, "redact"))
            continue;
        lint->rules[lint->rule_count++] = (struct opl_rule_file){
            .name = policy->name, .text = opl_buf_text(&policy->text), .len = policy->text.len};
    }
}

/* The text beside a policy that tells its situations. */
static bool read_tests(const char *path, struct opl_buf *out, struct opl_err *err)
{
    OPL_CLEANUP(file_free) char *tests = NULL;
    size_t len = strlen(path), ending = strlen(".yaml");

    if (len < ending || asprintf(&tests, "%.*s%s", (int)(len - ending), path, TESTS_ENDING) < 0) {
        tests = NULL;
        return opl_fail(err, OPL_E_USAGE, "%s is no .yaml file", path);
    }
    return file_read(tests, out, err);
}

static bool run_situations(const struct lint *lint, size_t i, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf tests = {0};
    const struct policy_file *policy = &lint->policy[i];
    size_t situations = 0;

    if (!read_tests(lint->path[i], &tests, err) ||
        !opl_gate_policy_lint(opl_buf_text(&policy->text), policy->text.len, opl_buf_text(&tests),
                              tests.len, &situations, err))
        return false;
    output_line(&lint->client->out, "%s: %zu situations come out as told", policy->name,
                situations);
    return true;
}

/* What is built in comes without its situations, which are no part of the program. */
static bool parse_only(const struct lint *lint, size_t i, struct opl_err *err)
{
    OPL_CLEANUP(opl_gate_policy_close) struct opl_gate_policy parsed = {0};
    const struct policy_file *policy = &lint->policy[i];

    if (!opl_gate_policy_parse(opl_buf_text(&policy->text), policy->text.len, &parsed, err))
        return false;
    output_line(&lint->client->out, "%s: holds; name its file to run its situations", policy->name);
    return true;
}

static void lint_gate(struct lint *lint, size_t i)
{
    bool built_in = lint->client->args.positional_count == 0;
    struct opl_err why = {0};

    if (!(built_in ? parse_only(lint, i, &why) : run_situations(lint, i, &why)))
        report(lint, lint->path[i], why.text);
}

static void lint_models(struct lint *lint, size_t i)
{
    const struct policy_file *policy = &lint->policy[i];
    struct opl_err why = {0};
    OPL_CLEANUP(opl_models_freep)
    struct opl_models *models = opl_models_new(opl_buf_text(&policy->text), policy->text.len, &why);

    if (models == NULL)
        report(lint, lint->path[i], why.text);
    else
        output_line(&lint->client->out, "models: families and destinations hold");
}

static void lint_all(struct lint *lint)
{
    for (size_t i = 0; i < lint->count; i++) {
        if (is_sort(lint, i, "gate"))
            lint_gate(lint, i);
        if (is_sort(lint, i, "models"))
            lint_models(lint, i);
    }
    if (lint->rule_count > 0 && opl_rules_lint(lint->rules, lint->rule_count, report, lint))
        output_line(&lint->client->out, "redaction: %zu files of rules, every example is masked",
                    lint->rule_count);
}

/* One expression a line, for rg -f; with --json a list of them. */
static bool print_anchors(struct lint *lint, struct opl_err *err)
{
    OPL_CLEANUP(opl_rules_freep)
    struct opl_rules *rules = opl_rules_new(lint->rules, lint->rule_count, err);
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    OPL_CLEANUP(opl_json_freep) json_t *list = json_array();
    const char *at;

    if (rules == NULL)
        return false;
    opl_rules_anchors(rules, &text);
    if (!opl_buf_ok(&text, err))
        return false;
    output_text(&lint->client->out, &text);
    for (at = opl_buf_text(&text); *at != '\0'; at += *at == '\n') {
        size_t len = strcspn(at, "\n");

        json_array_append_new(list, json_stringn(at, len));
        at += len;
    }
    return output_json(&lint->client->out, list, err);
}

static bool finish(struct lint *lint, struct opl_err *err)
{
    size_t found = json_array_size(lint->findings);
    OPL_CLEANUP(opl_json_freep) json_t *value = json_pack("{s:O}", "findings", lint->findings);

    lint->client->exit_status = found > 0;
    if (found > 0)
        output_line(&lint->client->out, "policy lint: %zu problems (exit 1)", found);
    else
        output_line(&lint->client->out, "policy lint: %zu policies good (exit 0)", lint->count);
    return value == NULL ? opl_fail(err, OPL_E_NOMEM, "no memory for the findings")
                         : output_json(&lint->client->out, value, err);
}

bool cmd_policy_lint(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(lint_freep) struct lint *lint = calloc(1, sizeof(*lint));

    if (lint == NULL || (lint->findings = json_array()) == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for the policies");
    lint->client = client;
    if (!gather(lint, err))
        return false;
    gather_rules(lint);
    if (args_has(&client->args, "anchors"))
        return print_anchors(lint, err);
    lint_all(lint);
    return finish(lint, err);
}
