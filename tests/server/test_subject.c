/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "server/subject.h"

static void each_list_has_its_noun(void **state)
{
    (void)state;
    assert_string_equal(subject_noun(OPL_ID_HYP), "hypotheses");
    assert_string_equal(subject_noun(OPL_ID_EGR), "egress");
    assert_null(subject_noun(OPL_ID_CALL));
    assert_null(subject_noun(OPL_ID_NONE));
}

static void notes_and_creations_move_no_status(void **state)
{
    (void)state;
    assert_false(subject_moves(opl_kind_find("incident.noted")));
    assert_false(subject_moves(opl_kind_find("hypothesis.recorded")));
    assert_false(subject_moves(opl_kind_find("gate.decided")));
    assert_true(subject_moves(opl_kind_find("incident.closed")));
    assert_true(subject_moves(opl_kind_find("vendor.updated")));
    assert_true(subject_moves(opl_kind_find("fact.withdrawn")));
    assert_true(subject_moves(opl_kind_find("change.started")));
}

static void a_model_is_written_as_people_write_it(void **state)
{
    json_t *body = json_pack("{s:{s:s, s:s, s:s}}", "model", "provider", "openai", "name", "a/b",
                             "version", "5");
    json_t *none = json_object();
    char text[64];

    (void)state;
    subject_model(body, text, sizeof text);
    assert_string_equal(text, "openai/a/b@5");
    json_object_del(json_object_get(body, "model"), "version");
    subject_model(body, text, sizeof text);
    assert_string_equal(text, "openai/a/b");
    subject_model(none, text, sizeof text);
    assert_string_equal(text, "");
    json_decref(body);
    json_decref(none);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(each_list_has_its_noun),
    cmocka_unit_test(notes_and_creations_move_no_status),
    cmocka_unit_test(a_model_is_written_as_people_write_it),
};

UNIT_MAIN(tests)
