/* SPDX-License-Identifier: Apache-2.0 */
#include "client/allowed_signers.h"

#include <opledger/encode.h>
#include <opledger/json.h>
#include <opledger/time.h>

#include "story.h"
#include "unit.h"

#define NS "namespaces=\"approve@opledger\""

/* A world in which bob has approved a change, and what a host would ask of that approval. */
struct scene {
    struct story *story;
    char change[OPL_ID_SIZE];
    json_t *approval; /* {statement, sshsig} */
    struct opl_hash manifest, base, policy;
    struct opl_head head;
    struct approval_scope scope;
    struct allowed_signers signers;
};

static void read_about(struct scene *scene)
{
    const char *text = opl_json_str(scene->approval, "statement");
    OPL_CLEANUP(opl_json_freep) json_t *root = opl_json_parse(text, strlen(text), NULL);
    const json_t *about = json_object_get(root, "about");

    assert_ok(opl_hash_from_digest(opl_json_str(about, "manifest"), &scene->manifest, err));
    assert_ok(opl_hash_from_digest(opl_json_str(about, "base"), &scene->base, err));
    assert_ok(opl_hash_from_digest(opl_json_str(about, "policy"), &scene->policy, err));
}

static void read_signers(struct scene *scene, const char *principal, const char *options,
                         const char *key)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    char line[128];

    story_key_line(key, line);
    opl_buf_fmt(&text, "# who approves here\n\n%s %s %s of %s\n", principal, options, line, key);
    allowed_signers_close(&scene->signers);
    assert_ok(allowed_signers_parse("f", text.data, text.len, &scene->signers, err));
}

static int setup(void **state)
{
    struct scene *scene = calloc(1, sizeof *scene);
    char inc[OPL_ID_SIZE], hyp[OPL_ID_SIZE];

    assert_non_null(scene);
    scene->story = story_begin();
    story_incident(scene->story, "alice");
    memcpy(inc, scene->story->last_id, sizeof inc);
    story_hypothesis(scene->story, "alice", inc);
    memcpy(hyp, scene->story->last_id, sizeof hyp);
    story_change(scene->story, "alice", inc, hyp);
    memcpy(scene->change, scene->story->last_id, sizeof scene->change);
    scene->approval = story_approval(scene->story, "bob", scene->change);
    assert_true(story_head(scene->story, scene->story->seq, &scene->head));
    read_about(scene);
    read_signers(scene, "bob", NS, "bob");
    scene->scope = (struct approval_scope){.change = scene->change,
                                           .manifest = &scene->manifest,
                                           .base = &scene->base,
                                           .policy = &scene->policy,
                                           .proposer = "alice",
                                           .head = &scene->head,
                                           .now = scene->story->now};
    *state = scene;
    return 0;
}

static int teardown(void **state)
{
    struct scene *scene = *state;

    allowed_signers_close(&scene->signers);
    json_decref(scene->approval);
    story_free(scene->story);
    free(scene);
    return 0;
}

static void holds(const struct scene *scene)
{
    struct approval_found found;

    assert_ok(allowed_signers_check(&scene->signers, scene->approval, &scene->scope, &found, err));
    assert_string_equal(found.principal, "bob");
    assert_int_equal(found.log.size, scene->head.size);
}

static void refused(const struct scene *scene)
{
    struct approval_found found;

    assert_fails(
        allowed_signers_check(&scene->signers, scene->approval, &scene->scope, &found, err),
        OPL_E_VERIFY);
}

static void an_approval_by_an_accepted_key_holds(void **state)
{
    holds(*state);
}

static void another_change_manifest_base_or_policy_is_refused(void **state)
{
    struct scene *scene = *state;
    const struct opl_hash other = {{1}};
    const struct approval_scope right = scene->scope;

    scene->scope.change = "chg-99";
    refused(scene);
    scene->scope = right;
    scene->scope.manifest = &other;
    refused(scene);
    scene->scope = right;
    scene->scope.base = &other;
    refused(scene);
    scene->scope = right;
    scene->scope.policy = &other;
    refused(scene);
}

static void another_log_is_refused(void **state)
{
    struct scene *scene = *state;

    scene->head.size--;
    refused(scene);
    scene->head.size++;
    snprintf(scene->head.origin, sizeof scene->head.origin, "other.example/1");
    refused(scene);
}

static void an_expired_approval_is_refused(void **state)
{
    struct scene *scene = *state;

    scene->scope.now += 400 * 86400 * OPL_SECOND;
    refused(scene);
}

static void an_approval_from_the_future_is_refused(void **state)
{
    struct scene *scene = *state;

    scene->scope.now -= 3600 * OPL_SECOND;
    refused(scene);
}

static void the_proposers_own_approval_is_refused(void **state)
{
    struct scene *scene = *state;

    scene->scope.proposer = "bob";
    refused(scene);
}

static void one_changed_byte_is_refused(void **state)
{
    struct scene *scene = *state;
    char *text = strdup(opl_json_str(scene->approval, "statement"));
    char *digit = strstr(text, "\"nonce\":\"") + 9;

    *digit = *digit == '0' ? '1' : '0';
    json_object_set_new(scene->approval, "statement", json_string(text));
    refused(scene);
    free(text);
}

static void an_approval_without_its_parts_is_refused(void **state)
{
    struct scene *scene = *state;

    json_object_set_new(scene->approval, "sshsig", json_string("AAAA"));
    refused(scene);
    json_object_del(scene->approval, "sshsig");
    refused(scene);
}

static void a_key_of_another_name_is_refused(void **state)
{
    struct scene *scene = *state;

    read_signers(scene, "carol", NS, "bob");
    refused(scene);
    read_signers(scene, "bob", NS, "carol");
    refused(scene);
    read_signers(scene, "bobby,notbob", NS, "bob");
    refused(scene);
    read_signers(scene, "carol,bob", NS, "bob");
    holds(scene);
}

static void a_key_of_another_namespace_is_refused(void **state)
{
    struct scene *scene = *state;

    read_signers(scene, "bob", "namespaces=\"login@opledger\"", "bob");
    refused(scene);
    read_signers(scene, "bob", "namespaces=\"file,approve@opledger\"", "bob");
    holds(scene);
}

static void a_key_outside_its_dates_is_refused(void **state)
{
    struct scene *scene = *state; /* 2026-10-01 */

    read_signers(scene, "bob", NS ",valid-after=\"20261002Z\"", "bob");
    refused(scene);
    read_signers(scene, "bob", NS ",valid-before=\"202610011200Z\"", "bob");
    refused(scene);
    read_signers(scene, "bob", "Valid-After=\"20261001Z\"," NS ",valid-before=\"20261002235959Z\"",
                 "bob");
    holds(scene);
}

static void a_wrong_line_spoils_the_file(void **state)
{
    static const char *const lines[] = {
        "bob",
        "bob KEY",
        "bob namespaces=\"\" KEY",
        "bob namespaces=approve@opledger KEY",
        "bob namespaces=\"*\" KEY",
        "bob namespaces=\"approve@opledger KEY",
        "bob namespaces=\"a\",namespaces=\"b\" KEY",
        "bob namespaces=\"a\",cert-authority KEY",
        "bob namespaces=\"a\",no-touch-required KEY",
        "bob namespaces=\"a\",valid-after=\"2026\" KEY",
        "bob namespaces=\"a\",valid-after=\"20261301Z\" KEY",
        "bob namespaces=\"a\",valid-after=\"2026100a\" KEY",
        "bob namespaces=\"a\", KEY",
        "* namespaces=\"a\" KEY",
        "!bob namespaces=\"a\" KEY",
        "bob,,carol namespaces=\"a\" KEY",
        "bob namespaces=\"a\" ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQ",
        "bob namespaces=\"a\" ssh-ed25519",
        "bob namespaces=\"a\" ssh-ed25519 AAAA",
        "bob namespaces=\"a\"",
    };

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
        const char *key = strstr(lines[i], "KEY");
        struct allowed_signers signers;
        char line[128];

        story_key_line("bob", line);
        opl_buf_add(&text, lines[i], key != NULL ? (size_t)(key - lines[i]) : strlen(lines[i]));
        opl_buf_str(&text, key != NULL ? line : "");
        if (allowed_signers_parse("f", opl_buf_text(&text), text.len, &signers, NULL))
            fail_msg("accepted: %s", lines[i]);
        assert_null(signers.lines);
    }
}

#define WITH_SCENE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCENE(an_approval_by_an_accepted_key_holds),
        WITH_SCENE(another_change_manifest_base_or_policy_is_refused),
        WITH_SCENE(another_log_is_refused),
        WITH_SCENE(an_expired_approval_is_refused),
        WITH_SCENE(an_approval_from_the_future_is_refused),
        WITH_SCENE(the_proposers_own_approval_is_refused),
        WITH_SCENE(one_changed_byte_is_refused),
        WITH_SCENE(an_approval_without_its_parts_is_refused),
        WITH_SCENE(a_key_of_another_name_is_refused),
        WITH_SCENE(a_key_of_another_namespace_is_refused),
        WITH_SCENE(a_key_outside_its_dates_is_refused),
        cmocka_unit_test(a_wrong_line_spoils_the_file),
    };

    return cmocka_run_group_tests(tests, unit_start, NULL);
}
