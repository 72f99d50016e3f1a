/* SPDX-License-Identifier: Apache-2.0 */
#include "play.h"

#include <opledger/json.h>
#include <opledger/statement.h>

static void what_people_sign_in_a_scene_verifies_like_any_signature(void **state)
{
    struct play *play = play_open(PLAY_APPROVALS, "facts: [approved]");
    OPL_CLEANUP(opl_statement_close) struct opl_statement statement = {0};
    const struct opl_fold *change;
    const char *text, *sshsig;
    char fingerprint[64];

    (void)state;
    assert_ok(opl_world_find(play->situation.scene.world, "chg-1", &change, err));
    text = opl_json_str(change->facts[change->fact_count - 1].body, "statement");
    sshsig = opl_json_str(change->facts[change->fact_count - 1].body, "sshsig");
    assert_ok(opl_statement_parse(text, strlen(text), &statement, err));
    assert_ok(opl_statement_verify(&statement, text, sshsig, fingerprint, err));
    assert_non_null(opl_registry_key(opl_world_registry(play->situation.scene.world), fingerprint));
    play_close(play);
}

static void the_same_scene_has_the_same_bytes(void **state)
{
    struct play *a = play_judged(PLAY_APPROVALS, "facts: [approved]");
    struct play *b = play_judged(PLAY_APPROVALS, "facts: [approved]");

    (void)state;
    assert_string_equal(a->result->approvals[0].sshsig, b->result->approvals[0].sshsig);
    play_close(a);
    play_close(b);
}

static void an_entry_that_the_kinds_table_refuses_cannot_be_told(void **state)
{
    struct play *play = play_open(PLAY_APPROVALS, "facts: [noted]");
    struct scene *scene = &play->situation.scene;
    uint64_t size = scene->size;

    (void)state;
    assert_false(scene_tell(scene, "bob", "incident.noted", "inc-1", "{'txt':1}", NULL));
    assert_false(scene_tell(scene, "bob", "no.kind", "inc-1", "{}", NULL));
    assert_false(scene_tell(scene, "bob", "incident.noted", "inc-9", "{}", NULL));
    assert_false(scene_tell(scene, "bob", "incident.noted", "inc-1", "{", NULL));
    assert_int_equal(scene->size, size);
    play_close(play);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_people_sign_in_a_scene_verifies_like_any_signature),
        cmocka_unit_test(the_same_scene_has_the_same_bytes),
        cmocka_unit_test(an_entry_that_the_kinds_table_refuses_cannot_be_told),
    };

    return cmocka_run_group_tests(tests, unit_start, NULL);
}
