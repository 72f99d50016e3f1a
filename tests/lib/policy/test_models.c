/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <opledger/models.h>
#include <opledger/redact.h>
#include <opledger/time.h>

#define HEAD "v: 1\nname: models\nfamilies: [{name: claude, match: [\"anthropic/*\"]}]\n"
#define DEST                                                                                       \
    "destinations:\n  - name: api\n    models: [\"anthropic/*\"]\n    endpoints: "                 \
    "[api.example.com]\n"                                                                          \
    "    hosting: hosted\n    owner: Carol\n    sources: [strace]\n    until: 2027-01-31\n"

static struct opl_model model(const char *text)
{
    struct opl_model out;

    assert_true(opl_model_parse(text, &out, NULL));
    return out;
}

static int64_t at(const char *text)
{
    int64_t time;

    assert_true(opl_time_parse(text, &time, NULL));
    return time;
}

static void the_shipped_models_know_the_common_families(void **state)
{
    static const char *const expected[][2] = {
        {"anthropic/claude-opus-4-5",    "claude"  },
        {"openai/gpt-5.1@2025-11",       "gpt"     },
        {"gcp.gemini/gemini-3-pro",      "gemini"  },
        {"meta/llama-4-maverick",        "llama"   },
        {"mistral_ai/mistral-large",     "mistral" },
        {"deepseek/deepseek-v3",         "deepseek"},
        {"moonshotai/kimi-k2",           "kimi"    },
        {"vllm/Qwen/Qwen3-235B",         "qwen"    },
        {"aws.bedrock/anthropic.claude", "claude"  },
    };
    OPL_CLEANUP(opl_models_freep) struct opl_models *models = opl_models_builtin(NULL);

    (void)state;
    assert_non_null(models);
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        struct opl_model one = model(expected[i][0]);
        const char *family = opl_models_family(models, &one);

        if (!family || strcmp(family, expected[i][1]) != 0)
            fail_msg("%s is of %s", expected[i][0], family ? family : "none");
    }
}

static void an_unknown_model_has_no_family(void **state)
{
    OPL_CLEANUP(opl_models_freep) struct opl_models *models = opl_models_builtin(NULL);
    struct opl_model one = model("acme/thinker-1");

    (void)state;
    assert_null(opl_models_family(models, &one));
}

static void an_unknown_destination_is_refused_with_exit_1(void **state)
{
    OPL_CLEANUP(opl_models_freep) struct opl_models *models = opl_models_builtin(NULL);
    struct opl_err err = {0};

    (void)state;
    assert_non_null(opl_models_destination(models, "anthropic-api", &err));
    assert_null(opl_models_destination(models, "pastebin", &err));
    assert_int_equal(opl_code_exit(err.code), 1);
}

static void a_destination_is_for_its_models_sources_and_time(void **state)
{
    OPL_CLEANUP(opl_models_freep)
    struct opl_models *models = opl_models_new(HEAD DEST, strlen(HEAD DEST), NULL);
    const struct opl_destination *api = opl_models_destination(models, "api", NULL);
    struct opl_model claude = model("anthropic/claude"), other = model("openai/gpt");
    struct opl_err late = {0}, source = {0}, wrong = {0};

    (void)state;
    assert_true(api->hosted);
    assert_int_equal(api->context, OPL_CONTEXT_INCIDENT);
    assert_true(opl_destination_check(api, &claude, "strace", at("2027-01-31T22:00:00Z"), NULL));
    assert_false(opl_destination_check(api, &claude, "strace", at("2027-02-01T00:00:01Z"), &late));
    assert_non_null(strstr(late.text, "Carol"));
    assert_false(opl_destination_check(api, &claude, "plain", at("2027-01-01T00:00:00Z"), &source));
    assert_non_null(strstr(source.text, "Carol"));
    assert_false(opl_destination_check(api, &other, "strace", at("2027-01-01T00:00:00Z"), &wrong));
    assert_int_equal(opl_code_exit(wrong.code), 1);
}

static void assert_refused(const char *destination, const char *why)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf yaml = {0};
    struct opl_err err = {0};

    opl_buf_fmt(&yaml, "%s%s", HEAD, destination);
    assert_null(opl_models_new(opl_buf_text(&yaml), yaml.len, &err));
    assert_int_equal(err.code, OPL_E_CONFIG);
    if (!strstr(err.text, why) && !strstr(err.field, why))
        fail_msg("\"%s\" (%s) does not say \"%s\"", err.text, err.field, why);
}

static void what_is_mistyped_is_refused_with_its_place(void **state)
{
    (void)state;
    assert_refused("", "destinations");
    assert_refused(DEST "    unmasked: [secret]\n", "unmasked");
    assert_refused(DEST "    colour: red\n", "colour");
    assert_refused(DEST "    context: planet\n", "context");
    assert_refused("destinations:\n  - {name: a, models: [x], endpoints: [h], hosting: maybe, "
                   "owner: o, sources: [strace], until: 2027-01-01}\n",
                   "hosting");
    assert_refused("destinations:\n  - {name: a, models: [x], endpoints: [h], hosting: local, "
                   "owner: o, sources: [strace], until: soon}\n",
                   "until");
}

static void secret_never_passes(void **state)
{
    OPL_CLEANUP(opl_models_freep) struct opl_models *models = opl_models_builtin(NULL);
    const struct opl_destination *local = opl_models_destination(models, "local-inference", NULL);

    (void)state;
    assert_false(local->hosted);
    assert_int_equal(local->unmasked,
                     OPL_RULES_BIT(OPL_RULES_NETWORK) | OPL_RULES_BIT(OPL_RULES_SITE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_shipped_models_know_the_common_families),
        cmocka_unit_test(an_unknown_model_has_no_family),
        cmocka_unit_test(an_unknown_destination_is_refused_with_exit_1),
        cmocka_unit_test(a_destination_is_for_its_models_sources_and_time),
        cmocka_unit_test(what_is_mistyped_is_refused_with_its_place),
        cmocka_unit_test(secret_never_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
