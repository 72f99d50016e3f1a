/* SPDX-License-Identifier: Apache-2.0 */
#include "client/list.h"

#include "unit.h"

#include "desk.h"

static void a_line_each_separated_by_tabs_on_a_pipe(void **state)
{
    struct desk *desk = *state;

    assert_int_equal(RUN(desk, "hypothesis", "list"), 0);
    assert_non_null(strstr(opl_buf_text(&desk->out), "hyp-1\topen\t"));
    assert_non_null(strstr(opl_buf_text(&desk->out), "\tp/m\t'=1+1\n")); /* never a formula */
}

static void filters_go_into_the_query_escaped(void **state)
{
    struct desk *desk = *state;

    assert_int_equal(
        RUN(desk, "incident", "list", "--status", "open", "--actor", "a&b=c", "--limit", "7"), 0);
    assert_string_equal(desk->ledger->last_path,
                        "/v1/incidents?limit=7&status=open&actor=a%26b%3Dc");
}

static void with_json_the_page_is_printed(void **state)
{
    struct desk *desk = *state;
    json_t *page;

    assert_int_equal(RUN(desk, "change", "list", "--json"), 0);
    page = json_loads(opl_buf_text(&desk->out), 0, NULL);
    assert_int_equal(json_array_size(json_object_get(page, "items")), 1);
    json_decref(page);
}

static void stats_count_by_model_and_status(void **state)
{
    struct desk *desk = *state;

    assert_int_equal(RUN(desk, "hypothesis", "stats"), 0);
    assert_string_equal(opl_buf_text(&desk->out), "p/m\topen\t1\n");
}

#define WITH_CHANGE(test) cmocka_unit_test_setup_teardown(test, desk_set_up_change, desk_tear_down)

static const struct CMUnitTest tests[] = {
    WITH_CHANGE(a_line_each_separated_by_tabs_on_a_pipe),
    WITH_CHANGE(filters_go_into_the_query_escaped),
    WITH_CHANGE(with_json_the_page_is_printed),
    WITH_CHANGE(stats_count_by_model_and_status),
};

UNIT_MAIN(tests)
