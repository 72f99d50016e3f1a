/* SPDX-License-Identifier: Apache-2.0 */
#include "vectors.h"

#include <opledger/entry.h>
#include <opledger/json.h>
#include <opledger/kinds.h>

static json_t *example_of(const json_t *examples, const char *kind)
{
    for (size_t i = 0; i < json_array_size(examples); i++)
        if (strcmp(opl_json_str(json_array_get(examples, i), "kind"), kind) == 0)
            return json_array_get(examples, i);
    return NULL;
}

static void every_kind_of_the_contract_is_a_row(void **state)
{
    static const char *const names[] = {
        "incident.opened",     "incident.noted",        "incident.closed",
        "incident.reopened",   "modelcall.recorded",    "hypothesis.recorded",
        "hypothesis.closed",   "evidence.attached",     "verdict.recorded",
        "vendor.updated",      "reproduction.recorded", "change.proposed",
        "change.revised",      "testrun.recorded",      "rehearsal.recorded",
        "confirmation.signed", "approval.signed",       "approval.revoked",
        "gate.decided",        "change.started",        "change.finished",
        "override.opened",     "override.reviewed",     "egress.recorded",
        "egress.restored",     "egress.rescanned",      "fact.withdrawn",
        "principal.enrolled",  "principal.changed",     "principal.revoked",
        "key.added",           "key.revoked",           "token.created",
        "token.revoked",       "policy.adopted",        "witness.added",
        "witness.removed",     "content.erased",        "bootstrap.closed",
        "epoch.begun",         "clock.corrected",
    };
    size_t count = 0;

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct opl_kind *kind = opl_kind_find(names[i]);

        if (kind == NULL)
            fail_msg("%s is missing", names[i]);
        assert_string_equal(kind->name, names[i]);
    }
    while (opl_kinds[count].name != NULL)
        count++;
    assert_int_equal(count, sizeof names / sizeof *names);
}

static void a_name_that_is_no_row_is_not_found(void **state)
{
    (void)state;
    assert_null(opl_kind_find(""));
    assert_null(opl_kind_find("incident"));
    assert_null(opl_kind_find("incident.openedx"));
    assert_null(opl_kind_find("Incident.opened"));
}

static void every_row_says_who_where_and_what(void **state)
{
    (void)state;
    for (const struct opl_kind *kind = opl_kinds; kind->name != NULL; kind++) {
        if (kind->writers == 0 || kind->on == 0 || kind->roles == NULL || kind->fields == NULL ||
            kind->summary == NULL)
            fail_msg("%s is incomplete", kind->name);
        if ((kind->flags & OPL_KIND_SIGNED) && kind->statement == NULL)
            fail_msg("%s is signed, but by which Statement?", kind->name);
    }
}

static bool may_be_alone(const struct opl_field *field)
{
    return field->type == OPL_F_TEXT ? field->max > 0 : field->max == 0 || field->words == NULL;
}

static void every_field_has_help_and_what_its_type_needs(void **state)
{
    (void)state;
    for (const struct opl_kind *kind = opl_kinds; kind->name != NULL; kind++)
        for (const struct opl_field *field = kind->fields; field->name != NULL; field++) {
            if (field->help == NULL || field->help[0] == '\0' || !may_be_alone(field))
                fail_msg("%s.%s is incomplete", kind->name, field->name);
            if ((field->type == OPL_F_ENUM) != (field->words != NULL))
                fail_msg("%s.%s: words", kind->name, field->name);
            if ((field->type == OPL_F_ID) != (field->prefix != OPL_ID_NONE))
                fail_msg("%s.%s: prefix", kind->name, field->name);
        }
}

static void no_kind_has_more_texts_than_a_draft_holds(void **state)
{
    (void)state;
    for (const struct opl_kind *kind = opl_kinds; kind->name != NULL; kind++) {
        size_t texts = 0, fields = 0;

        for (const struct opl_field *field = kind->fields; field->name != NULL; field++) {
            texts += field->type == OPL_F_SEALED;
            fields++;
        }
        if (texts > OPL_DRAFT_TEXTS || fields > 64)
            fail_msg("%s has too many fields", kind->name);
    }
}

static void only_people_may_administer_approve_and_review(void **state)
{
    (void)state;
    for (const struct opl_kind *kind = opl_kinds; kind->name != NULL; kind++) {
        if ((kind->flags & (OPL_KIND_ADMIN | OPL_KIND_SIGNED)) &&
            (kind->writers & (OPL_W_AGENT | OPL_W_SERVICE)))
            fail_msg("%s may be written by a machine", kind->name);
    }
    assert_int_equal(opl_kind_find("gate.decided")->writers, OPL_W_ITSELF);
}

/* DESIGN section 7 */
static void agents_may_write_five_kinds(void **state)
{
    static const char *const theirs = "incident.noted|modelcall.recorded|hypothesis.recorded|"
                                      "verdict.recorded|evidence.attached";
    (void)state;
    for (const struct opl_kind *kind = opl_kinds; kind->name != NULL; kind++)
        if (!!(kind->writers & OPL_W_AGENT) != opl_is_word(theirs, kind->name, strlen(kind->name)))
            fail_msg("%s", kind->name);
}

static void what_has_no_effect_yet_is_marked(void **state)
{
    static const char *const later =
        "content.erased|witness.added|witness.removed|epoch.begun|clock.corrected|"
        "override.opened|override.reviewed|egress.restored|egress.rescanned";
    (void)state;
    for (const struct opl_kind *kind = opl_kinds; kind->name != NULL; kind++)
        if (!!(kind->flags & OPL_KIND_LATER) != opl_is_word(later, kind->name, strlen(kind->name)))
            fail_msg("%s", kind->name);
}

static void every_kind_has_an_example_with_every_field(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *examples = vectors_load("kinds.json");

    (void)state;
    for (const struct opl_kind *kind = opl_kinds; kind->name != NULL; kind++) {
        const json_t *example = example_of(examples, kind->name);

        if (example == NULL)
            fail_msg("%s has no example", kind->name);
        for (const struct opl_field *field = kind->fields; field->name != NULL; field++) {
            if (json_object_get(json_object_get(example, "body"), field->name) == NULL &&
                (kind->exactly_one == NULL || strstr(kind->exactly_one, field->name) == NULL))
                fail_msg("the example of %s lacks %s", kind->name, field->name);
        }
    }
}

static void a_field_is_found_by_its_name(void **state)
{
    const struct opl_kind *kind = opl_kind_find("hypothesis.recorded");

    (void)state;
    assert_int_equal(opl_kind_field(kind, "claim")->type, OPL_F_SEALED);
    assert_null(opl_kind_field(kind, "title"));
}

static void words_match_whole(void **state)
{
    (void)state;
    assert_true(opl_is_word("a|bc|d", "bc", 2));
    assert_true(opl_is_word("a|bc|d", "d", 1));
    assert_false(opl_is_word("a|bc|d", "b", 1));
    assert_false(opl_is_word("a|bc|d", "bc|d", 4));
    assert_false(opl_is_word("a|bc|d", "", 0));
}

static void states_have_the_contracts_names(void **state)
{
    (void)state;
    assert_string_equal(opl_state_name(OPL_S_CALLED_OFF), "called-off");
    assert_string_equal(opl_state_name(OPL_S_UNKNOWN), "unknown");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_kind_of_the_contract_is_a_row),
    cmocka_unit_test(a_name_that_is_no_row_is_not_found),
    cmocka_unit_test(every_row_says_who_where_and_what),
    cmocka_unit_test(every_field_has_help_and_what_its_type_needs),
    cmocka_unit_test(no_kind_has_more_texts_than_a_draft_holds),
    cmocka_unit_test(only_people_may_administer_approve_and_review),
    cmocka_unit_test(agents_may_write_five_kinds),
    cmocka_unit_test(what_has_no_effect_yet_is_marked),
    cmocka_unit_test(every_kind_has_an_example_with_every_field),
    cmocka_unit_test(a_field_is_found_by_its_name),
    cmocka_unit_test(words_match_whole),
    cmocka_unit_test(states_have_the_contracts_names),
};

UNIT_MAIN(tests)
