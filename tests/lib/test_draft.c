/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every kind of the table is tried whole, and then wrong in every way its fields can be: the cases
 * come from the table and from tests/vectors/kinds.json.
 */
#include "vectors.h"

#include <opledger/encode.h>
#include <opledger/entry.h>
#include <opledger/json.h>
#include <opledger/time.h>

#define NOW 1790863402123456LL /* 2026-10-01T14:03:22.123456Z */

/* One example of one kind, to be spoiled. */
struct subject {
    json_t *request; /* a deep copy */
    const struct opl_kind *kind;
    const struct opl_field *field;
};

typedef void (*spoil_fn)(struct subject *subject);

static json_t *body_of(const struct subject *subject)
{
    return json_object_get(subject->request, "body");
}

static bool accepted(const json_t *request, struct opl_err *err)
{
    OPL_CLEANUP(opl_draft_close) struct opl_draft draft = {0};

    return opl_draft_parse(request, NOW, &draft, err);
}

static void assert_refused(const json_t *request, const char *pointer, const char *what)
{
    struct opl_err err = {0};

    if (accepted(request, &err))
        fail_msg("%s: accepted", what);
    if (err.code != OPL_E_INVALID || strcmp(err.field, pointer) != 0)
        fail_msg("%s: %s at \"%s\", not \"%s\": %s", what, opl_code_slug(err.code), err.field,
                 pointer, err.text);
}

/* Runs `spoil` on a copy of each example for each field of its kind. */
static void for_each_field(spoil_fn spoil)
{
    OPL_CLEANUP(opl_json_freep) json_t *examples = vectors_load("kinds.json");

    for (size_t i = 0; i < json_array_size(examples); i++) {
        const json_t *example = json_array_get(examples, i);
        const struct opl_kind *kind = opl_kind_find(opl_json_str(example, "kind"));

        for (const struct opl_field *field = kind->fields; field->name != NULL; field++) {
            struct subject subject = {json_deep_copy(example), kind, field};

            spoil(&subject);
            json_decref(subject.request);
        }
    }
}

static void pointer_to(const struct subject *subject, const char *rest, char out[static 160])
{
    (void)snprintf(out, 160, "/body/%s%s", subject->field->name, rest);
}

/* Puts a value (stolen) into the field and expects it to be refused there. */
static void refuse_value(struct subject *subject, json_t *value, const char *rest)
{
    char pointer[160], what[200];

    pointer_to(subject, rest, pointer);
    (void)snprintf(what, sizeof what, "%s%s", subject->kind->name, pointer);
    json_object_set_new(body_of(subject), subject->field->name, value);
    assert_refused(subject->request, pointer, what);
}

/* The same for one value of a field: lists hold it as their only item. */
static void refuse_item(struct subject *subject, json_t *value)
{
    bool list = subject->field->flags & OPL_FIELD_LIST;

    refuse_value(subject, list ? json_pack("[o]", value) : value, list ? "/0" : "");
}

static bool is_choice(const struct subject *subject)
{
    return subject->kind->exactly_one != NULL &&
           strstr(subject->kind->exactly_one, subject->field->name) != NULL;
}

static void every_example_is_accepted(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *examples = vectors_load("kinds.json");

    (void)state;
    assert_true(json_array_size(examples) > 40);
    for (size_t i = 0; i < json_array_size(examples); i++)
        assert_ok(accepted(json_array_get(examples, i), err));
}

static void drop_optional(struct subject *subject)
{
    if ((subject->field->flags & OPL_FIELD_OPTIONAL) && !is_choice(subject) &&
        strcmp(subject->field->name, "statement") != 0 &&
        strcmp(subject->field->name, "sshsig") != 0) {
        json_object_del(body_of(subject), subject->field->name);
        assert_ok(accepted(subject->request, err));
    }
}

static void each_optional_field_may_be_absent(void **state)
{
    (void)state;
    for_each_field(drop_optional);
}

static void the_required_fields_are_enough(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *examples = vectors_load("kinds.json");

    (void)state;
    for (size_t i = 0; i < json_array_size(examples); i++) {
        struct subject subject = {json_array_get(examples, i), NULL, NULL};

        subject.kind = opl_kind_find(opl_json_str(subject.request, "kind"));
        for (subject.field = subject.kind->fields; subject.field->name != NULL; subject.field++)
            if ((subject.field->flags & OPL_FIELD_OPTIONAL) && !is_choice(&subject))
                json_object_del(body_of(&subject), subject.field->name);
        assert_ok(accepted(subject.request, err));
    }
}

static void drop_required(struct subject *subject)
{
    char pointer[160];

    pointer_to(subject, "", pointer);
    if (subject->field->flags & OPL_FIELD_OPTIONAL)
        return;
    json_object_del(body_of(subject), subject->field->name);
    assert_refused(subject->request, pointer, subject->kind->name);
}

static void each_required_field_must_be_there(void **state)
{
    (void)state;
    for_each_field(drop_required);
}

static void set_wrong_types(struct subject *subject)
{
    refuse_value(subject, json_true(), "");
    refuse_value(subject, json_null(), "");
    if (subject->field->flags & OPL_FIELD_LIST)
        refuse_value(subject, json_string("x"), "");
    refuse_item(subject, json_false());
    refuse_item(subject, json_real(1.5));
    refuse_item(subject, json_object());
    refuse_item(subject, json_array());
}

static void set_wrong_type(struct subject *subject)
{
    /* an empty object counts nothing, and lacks fields elsewhere; an empty list lists nothing */
    if (subject->field->type == OPL_F_COUNTS || subject->field->type == OPL_F_REQUIREMENTS ||
        subject->field->type == OPL_F_MODEL || subject->field->type == OPL_F_HEAD)
        refuse_value(subject, json_true(), "");
    else
        set_wrong_types(subject);
}

static void a_value_of_another_type_is_refused(void **state)
{
    (void)state;
    for_each_field(set_wrong_type);
}

/* The other side of a choice than the example has. */
static bool is_other_choice(struct subject *subject)
{
    return is_choice(subject) && json_object_get(body_of(subject), subject->field->name) == NULL;
}

static void overfill(struct subject *subject)
{
    char text[OPL_SEALED_MAX + 2];

    memset(text, 'a', sizeof text);
    if (subject->field->type == OPL_F_TEXT) {
        text[subject->field->max] = '\0';
        json_object_set_new(body_of(subject), subject->field->name, json_string(text));
        assert_ok(accepted(subject->request, err));
        text[subject->field->max] = 'a';
        text[subject->field->max + 1] = '\0';
        refuse_item(subject, json_string(text));
    }
    if (subject->field->type == OPL_F_SEALED && !is_other_choice(subject)) {
        text[OPL_SEALED_MAX] = '\0';
        json_object_set_new(body_of(subject), subject->field->name, json_string(text));
        assert_ok(accepted(subject->request, err));
        text[OPL_SEALED_MAX] = 'a';
        text[OPL_SEALED_MAX + 1] = '\0';
        refuse_item(subject, json_string(text));
    }
}

static void a_text_of_one_byte_too_many_is_refused(void **state)
{
    (void)state;
    for_each_field(overfill);
}

static void set_nul(struct subject *subject)
{
    enum opl_field_type type = subject->field->type;

    if (type != OPL_F_INT && type != OPL_F_SEQ && type != OPL_F_MODEL && type != OPL_F_HEAD &&
        type != OPL_F_COUNTS && type != OPL_F_REQUIREMENTS)
        refuse_item(subject, json_stringn_nocheck("a\0b", 3));
}

static void nul_is_refused_in_every_string(void **state)
{
    (void)state;
    for_each_field(set_nul);
}

static void set_controls(struct subject *subject)
{
    static const char *const bad[] = {"a\nb",     "\x1b[2J",       "a\x7f",
                                      "\xc2\x85", "a\xe2\x80\xae", "\xe2\x81\xa6x"};

    for (size_t i = 0; subject->field->type == OPL_F_TEXT && i < sizeof bad / sizeof *bad; i++)
        refuse_item(subject, json_string(bad[i]));
}

static void control_and_bidi_characters_are_refused_in_plain_text(void **state)
{
    (void)state;
    for_each_field(set_controls);
}

static void set_free_text(struct subject *subject)
{
    if (subject->field->type != OPL_F_SEALED || is_other_choice(subject))
        return;
    json_object_set_new(body_of(subject), subject->field->name,
                        json_string("`rm -rf /` $(id)\n\x1b[2J\xe2\x80\xae\t=1+1"));
    assert_ok(accepted(subject->request, err));
}

static void sealed_text_may_hold_anything_but_nul(void **state)
{
    (void)state;
    for_each_field(set_free_text);
}

static void set_wrong_word(struct subject *subject)
{
    static const char *const bad[] = {"", "nonsense", "low|medium", "High"};
    struct opl_err err = {0};

    for (size_t i = 0; subject->field->type == OPL_F_ENUM && i < sizeof bad / sizeof *bad; i++)
        refuse_item(subject, json_string(bad[i]));
    if (subject->field->type == OPL_F_ENUM) {
        assert_false(accepted(subject->request, &err));
        assert_non_null(strstr(err.hint, "one of: "));
    }
}

static void a_word_outside_the_list_is_refused_with_the_list(void **state)
{
    (void)state;
    for_each_field(set_wrong_word);
}

static void set_wrong_numbers(struct subject *subject)
{
    if (subject->field->type != OPL_F_INT && subject->field->type != OPL_F_SEQ)
        return;
    refuse_item(subject, json_integer(-1));
    refuse_item(subject, json_integer(OPL_JSON_INT_MAX + 1));
    refuse_item(subject, json_string("1"));
    refuse_item(subject, json_real(1));
}

static void a_number_out_of_range_is_refused(void **state)
{
    (void)state;
    for_each_field(set_wrong_numbers);
}

static void overfill_list(struct subject *subject)
{
    json_t *list = json_object_get(body_of(subject), subject->field->name);

    if (!(subject->field->flags & OPL_FIELD_LIST))
        return;
    while (json_array_size(list) < OPL_LIST_MAX)
        json_array_append(list, json_array_get(list, 0));
    assert_ok(accepted(subject->request, err));
    json_array_append(list, json_array_get(list, 0));
    refuse_value(subject, json_incref(list), "");
    json_array_clear(list);
    assert_ok(accepted(subject->request, err));
}

static void a_list_holds_0_to_64_items(void **state)
{
    (void)state;
    for_each_field(overfill_list);
}

static void set_bad_digest(struct subject *subject)
{
    enum opl_field_type type = subject->field->type;
    const char *digits = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

    if (type != OPL_F_DIGEST && type != OPL_F_HEX)
        return;
    refuse_item(subject, json_sprintf("%s%s", type == OPL_F_HEX ? "sha256:" : "", digits));
    refuse_item(subject, json_sprintf("%s%.63s", type == OPL_F_HEX ? "" : "sha256:", digits));
    refuse_item(subject, json_sprintf("%s%s0", type == OPL_F_HEX ? "" : "sha256:", digits));
    refuse_item(subject, json_sprintf("%s%.63sA", type == OPL_F_HEX ? "" : "sha256:", digits));
}

static void a_digest_has_64_lower_case_digits(void **state)
{
    (void)state;
    for_each_field(set_bad_digest);
}

static void set_bad_id(struct subject *subject)
{
    static const char *const bad[] = {"",   "inc", "hyp-0",  "hyp-01", "usr-1",
                                      "#0", "#01", "#10001", "#-1",    "#1x"};

    if (subject->field->type != OPL_F_ID)
        return;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuse_item(subject, json_string(bad[i]));
    refuse_item(subject, json_string(subject->field->prefix == OPL_ID_INC ? "hyp-1" : "inc-1"));
}

static void an_id_has_the_prefix_of_its_field(void **state)
{
    (void)state;
    for_each_field(set_bad_id);
}

static void set_bad_time(struct subject *subject)
{
    static const char *const bad[] = {
        "", "now", "2026-10-02", "2026-13-01T00:00:00Z", "2026-10-02T06:00:00", "1790863402"};

    for (size_t i = 0; subject->field->type == OPL_F_TIME && i < sizeof bad / sizeof *bad; i++)
        refuse_item(subject, json_string(bad[i]));
}

static void a_time_is_a_moment_with_an_offset(void **state)
{
    (void)state;
    for_each_field(set_bad_time);
}

static void set_bad_salt(struct subject *subject)
{
    if (subject->field->type != OPL_F_SEALED)
        return;
    refuse_value(subject, json_pack("{s:s,s:s}", "text", "x", "salt", "00"), "");
    refuse_value(subject, json_pack("{s:s}", "text", "x"), "");
    refuse_value(subject, json_pack("{s:s}", "sealed", "sha256:00"), "");
    refuse_value(subject,
                 json_pack("{s:s,s:s,s:i}", "text", "x", "salt",
                           "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
                           "more", 1),
                 "");
    refuse_value(subject,
                 json_pack("{s:i,s:s}", "text", 1, "salt",
                           "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"),
                 "");
}

static void a_salt_is_64_digits_beside_its_text(void **state)
{
    (void)state;
    for_each_field(set_bad_salt);
}

static void add_unknown(struct subject *subject)
{
    json_object_set_new(body_of(subject), "surplus", json_integer(1));
    assert_refused(subject->request, "/body/surplus", subject->kind->name);
}

static void an_unknown_field_is_refused(void **state)
{
    (void)state;
    for_each_field(add_unknown);
}

static void spoil_on(struct subject *subject)
{
    static const char *const wrong[] = {"", "nothing", "usr-1", "call-1", "inc-0"};

    if (subject->field != subject->kind->fields)
        return;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        json_object_set_new(subject->request, "on", json_string(wrong[i]));
        assert_refused(subject->request, "/on", subject->kind->name);
    }
    if (!(subject->kind->on & OPL_ON_NOTHING)) {
        json_object_del(subject->request, "on");
        assert_refused(subject->request, "/on", subject->kind->name);
    }
}

static void a_kind_is_about_what_its_row_says(void **state)
{
    (void)state;
    for_each_field(spoil_on);
}

static void half_a_countersignature(struct subject *subject)
{
    bool half = strcmp(subject->field->name, "statement") == 0 ||
                strcmp(subject->field->name, "sshsig") == 0;
    struct opl_err err = {0};

    if (!half || !(subject->kind->flags & OPL_KIND_ADMIN))
        return;
    json_object_del(body_of(subject), subject->field->name);
    assert_false(accepted(subject->request, &err));
    assert_int_equal(err.code, OPL_E_INVALID);
}

static void a_second_signature_comes_whole(void **state)
{
    (void)state;
    for_each_field(half_a_countersignature);
}

static void exactly_one_of_a_choice_is_there(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *examples = vectors_load("kinds.json");

    (void)state;
    for (size_t i = 0; i < json_array_size(examples); i++) {
        struct subject subject = {json_array_get(examples, i), NULL, NULL};
        json_t *body = body_of(&subject);

        subject.kind = opl_kind_find(opl_json_str(subject.request, "kind"));
        if (subject.kind->exactly_one == NULL ||
            opl_kind_field(subject.kind, "prompt_sha256") == NULL)
            continue;
        json_object_set_new(body, "prompt_unavailable", json_string("lost"));
        assert_refused(subject.request, "/body/prompt_sha256", "both");
        json_object_del(body, "prompt_sha256");
        assert_ok(accepted(subject.request, err));
        json_object_del(body, "prompt_unavailable");
        assert_refused(subject.request, "/body/prompt_sha256", "none");
    }
}

static json_t *read_json(const char *text)
{
    json_t *root = NULL;

    assert_ok((root = opl_json_parse(text, strlen(text), err)) != NULL);
    return root;
}

static void erasing_names_a_field_or_a_blob(void **state)
{
    static const struct {
        const char *body;
        bool good;
    } cases[] = {
        {"{\"seq\":1,\"field\":\"/body/claim\",\"reason\":\"r\"}", true },
        {"{\"sha256\":\"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\","
         "\"reason\":\"r\"}",                             true },
        {"{\"reason\":\"r\"}",                                     false},
        {"{\"seq\":1,\"reason\":\"r\"}",                           false},
        {"{\"field\":\"/body/claim\",\"reason\":\"r\"}",           false},
        {"{\"seq\":1,\"sha256\":\"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
         "\",\"reason\":\"r\"}",                          false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OPL_CLEANUP(opl_json_freep)
        json_t *request =
            json_pack("{s:s,s:o}", "kind", "content.erased", "body", read_json(cases[i].body));

        if (accepted(request, NULL) != cases[i].good)
            fail_msg("%s", cases[i].body);
    }
}

static void inner_objects_are_checked_with_their_pointer(void **state)
{
    static const struct {
        const char *kind, *at, *value, *pointer;
    } cases[] = {
        {"hypothesis.recorded", "model",        "{\"provider\":\"A B\",\"name\":\"x\"}",
         "/body/model/provider"                                                                                               },
        {"hypothesis.recorded", "model",        "{\"name\":\"x\"}",                                     "/body/model/provider"},
        {"hypothesis.recorded", "model",        "{\"provider\":\"a\",\"name\":\"-x\"}",
         "/body/model/name"                                                                                                   },
        {"hypothesis.recorded", "model",        "{\"provider\":\"a\",\"name\":\"x\",\"family\":\"f\"}",
         "/body/model/family"                                                                                                 },
        {"hypothesis.recorded", "model",
         "{\"provider\":\"a\",\"name\":\"x\",\"endpoint\":\"no host\"}",                                "/body/model/endpoint"},
        {"hypothesis.recorded", "egress",       "[\"egr-1\",\"hyp-1\"]",                                "/body/egress/1"      },
        {"egress.recorded",     "hits",         "{\"secret\":-1}",                                      "/body/hits/secret"   },
        {"egress.recorded",     "hits",         "{\"Secret\":1}",                                       "/body/hits/Secret"   },
        {"gate.decided",        "requirements", "[{\"name\":\"approvals\",\"status\":\"MAYBE\"}]",
         "/body/requirements/0/status"                                                                                        },
        {"gate.decided",        "nonce",        "\"0123456789abcdef\"",                                 "/body/nonce"         },
        {"epoch.begun",         "previous",     "{\"origin\":\"o\",\"size\":1}",                        "/body/previous/root" },
        {"change.proposed",     "window",       "\"2026-10-02T08:00:00Z/2026-10-02T06:00:00Z\"",
         "/body/window"                                                                                                       },
        {"change.proposed",     "target",       "\"/etc\"",                                             "/body/target"        },
        {"vendor.updated",      "versions",     "\"25.11 and up\"",                                     "/body/versions"      },
        {"principal.enrolled",  "roles",        "[\"recorder\",\"root\"]",                              "/body/roles/1"       },
        {"content.erased",      "field",        "\"body/claim\"",                                       "/body/field"         },
    };

    OPL_CLEANUP(opl_json_freep) json_t *examples = vectors_load("kinds.json");

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (size_t j = 0; j < json_array_size(examples); j++) {
            OPL_CLEANUP(opl_json_freep)
            json_t *request = json_deep_copy(json_array_get(examples, j));

            if (strcmp(opl_json_str(request, "kind"), cases[i].kind) != 0)
                continue;
            json_object_set_new(json_object_get(request, "body"), cases[i].at,
                                json_loads(cases[i].value, JSON_DECODE_ANY, NULL));
            assert_refused(request, cases[i].pointer, cases[i].value);
        }
    }
}

static void a_request_of_another_shape_is_malformed(void **state)
{
    static const char *const bad[] = {
        "[]",
        "{}",
        "{\"kind\":\"incident.opened\"}",
        "{\"body\":{}}",
        "{\"kind\":1,\"body\":{}}",
        "{\"kind\":\"bootstrap.closed\",\"body\":[]}",
        "{\"kind\":\"bootstrap.closed\",\"body\":{},\"on\":1}",
        "{\"kind\":\"bootstrap.closed\",\"body\":{},\"observed_at\":null}",
        "{\"kind\":\"bootstrap.closed\",\"body\":{},\"actor\":\"alice\"}",
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        OPL_CLEANUP(opl_json_freep) json_t *request = read_json(bad[i]);

        assert_fails(accepted(request, err), OPL_E_MALFORMED);
    }
}

static void an_unknown_kind_is_refused_with_its_relatives(void **state)
{
    OPL_CLEANUP(opl_json_freep)
    json_t *request = read_json("{\"kind\":\"incident.open\",\"body\":{}}");
    struct opl_err err = {0};

    (void)state;
    assert_false(accepted(request, &err));
    assert_int_equal(err.code, OPL_E_INVALID);
    assert_string_equal(err.field, "/kind");
    assert_non_null(strstr(err.hint, "incident.opened"));
}

static json_t *observed(int64_t at)
{
    char text[OPL_TIME_SIZE];

    opl_time_format(at, text);
    return json_pack("{s:s,s:s,s:{}}", "kind", "bootstrap.closed", "observed_at", text, "body");
}

static void observed_at_may_lie_five_minutes_ahead(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *just = observed(NOW + 300 * OPL_SECOND);
    OPL_CLEANUP(opl_json_freep) json_t *over = observed(NOW + 300 * OPL_SECOND + 1);

    (void)state;
    assert_ok(accepted(just, err));
    assert_refused(over, "/observed_at", "future");
}

static void sealing_keeps_the_text_beside_the_entry(void **state)
{
    OPL_CLEANUP(opl_draft_close) struct opl_draft draft = {0};
    OPL_CLEANUP(opl_json_freep)
    json_t *request = read_json("{\"kind\":\"incident.noted\",\"on\":\"inc-1\","
                                "\"body\":{\"text\":\"a secret\"}}");
    struct opl_hash want, got;

    (void)state;
    assert_ok(opl_draft_parse(request, NOW, &draft, err));
    assert_int_equal(draft.text_count, 1);
    assert_string_equal(draft.texts[0].field, "/body/text");
    assert_string_equal(draft.texts[0].text, "a secret");
    opl_seal_hash(&draft.texts[0].salt, "a secret", 8, &want);
    assert_true(opl_seal_read(json_object_get(draft.body, "text"), &got));
    assert_true(opl_hash_equal(&want, &got));
    assert_null(strstr(draft.body_text, "a secret"));
}

static void each_seal_has_a_salt_of_its_own(void **state)
{
    OPL_CLEANUP(opl_draft_close) struct opl_draft first = {0};
    OPL_CLEANUP(opl_draft_close) struct opl_draft second = {0};
    OPL_CLEANUP(opl_json_freep)
    json_t *request = read_json("{\"kind\":\"incident.noted\",\"on\":\"inc-1\","
                                "\"body\":{\"text\":\"same\"}}");

    (void)state;
    assert_ok(opl_draft_parse(request, NOW, &first, err));
    assert_ok(opl_draft_parse(request, NOW, &second, err));
    assert_string_not_equal(first.body_text, second.body_text);
}

static void times_in_the_body_are_normalised(void **state)
{
    OPL_CLEANUP(opl_draft_close) struct opl_draft draft = {0};
    OPL_CLEANUP(opl_json_freep)
    json_t *request = read_json("{\"kind\":\"clock.corrected\","
                                "\"body\":{\"floor\":\"2026-10-02T08:00:00.5+02:00\"}}");

    (void)state;
    assert_ok(opl_draft_parse(request, NOW, &draft, err));
    assert_string_equal(draft.body_text, "{\"floor\":\"2026-10-02T06:00:00.500000Z\"}");
    assert_string_equal(json_string_value(opl_json_at(request, "/body/floor")),
                        "2026-10-02T08:00:00.5+02:00");
}

static void parse_line(const char *text, struct opl_draft *draft)
{
    OPL_CLEANUP(opl_json_freep) json_t *request = read_json(text);

    assert_ok(opl_draft_parse(request, NOW, draft, err));
}

static const char line_refs[] =
    "{\"kind\":\"hypothesis.closed\",\"on\":\"#2\",\"body\":{\"how\":\"superseded\",\"by\":\"#3\","
    "\"reason\":{\"text\":\"r\",\"salt\":"
    "\"0000000000000000000000000000000000000000000000000000000000000000\"}}}";

static void lines_of_a_batch_become_ids(void **state)
{
    static const char ids[3][OPL_ID_SIZE] = {"inc-1", "hyp-7", "hyp-8"};
    OPL_CLEANUP(opl_draft_close) struct opl_draft draft = {0};

    (void)state;
    parse_line(line_refs, &draft);
    assert_true(draft.has_line_refs);
    assert_ok(opl_draft_resolve(&draft, ids, 3, err));
    assert_false(draft.has_line_refs);
    assert_string_equal(draft.on, "hyp-7");
    assert_non_null(strstr(draft.body_text, "{\"by\":\"hyp-8\","));
}

static void lists_of_lines_become_lists_of_ids(void **state)
{
    static const char ids[2][OPL_ID_SIZE] = {"inc-1", "hyp-7"};
    OPL_CLEANUP(opl_json_freep)
    json_t *request = read_json(
        "{\"kind\":\"change.revised\",\"on\":\"chg-1\",\"body\":{\"files\":1,\"manifest\":"
        "\"sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\","
        "\"hypotheses\":[\"hyp-3\",\"#2\"]}}");
    OPL_CLEANUP(opl_draft_close) struct opl_draft draft = {0};

    (void)state;
    assert_ok(opl_draft_parse(request, NOW, &draft, err));
    assert_ok(opl_draft_resolve(&draft, ids, 2, err));
    assert_non_null(strstr(draft.body_text, "\"hypotheses\":[\"hyp-3\",\"hyp-7\"]"));
    assert_string_equal(json_string_value(opl_json_at(request, "/body/hypotheses/1")), "#2");
}

static void a_line_must_be_earlier_and_create_what_is_wanted(void **state)
{
    static const struct {
        char ids[3][OPL_ID_SIZE];
        size_t count;
        const char *field;
    } cases[] = {
        {{"inc-1", "hyp-7", ""},      2, "/body/by"},
        {{"inc-1", "hyp-7", ""},      3, "/body/by"},
        {{"inc-1", "hyp-7", "egr-1"}, 3, "/body/by"},
        {{"inc-1", "inc-2", "hyp-8"}, 3, "/on"     },
        {{"inc-1", "", "hyp-8"},      3, "/on"     },
        {{"", "", ""},                0, "/on"     },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OPL_CLEANUP(opl_draft_close) struct opl_draft draft = {0};
        struct opl_err err = {0};

        parse_line(line_refs, &draft);
        assert_false(opl_draft_resolve(&draft, cases[i].ids, cases[i].count, &err));
        assert_int_equal(err.code, OPL_E_INVALID);
        assert_string_equal(err.field, cases[i].field);
    }
}

static void a_draft_that_names_lines_cannot_be_finished(void **state)
{
    OPL_CLEANUP(opl_draft_close) struct opl_draft draft = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf bytes = {0};
    struct opl_place place = {"alice", NULL, -1, NOW};

    (void)state;
    parse_line(line_refs, &draft);
    assert_fails(opl_draft_finish(&draft, &place, &bytes, err), OPL_E_INTERNAL);
}

static void an_entry_over_its_limit_is_too_large(void **state)
{
    OPL_CLEANUP(opl_json_freep) json_t *hits = json_object();
    OPL_CLEANUP(opl_json_freep) json_t *request = NULL;
    char signature[8193], statement[8193];

    (void)state;
    memset(signature, 'A', sizeof signature - 1);
    memset(statement, '"', sizeof statement - 1);
    signature[8192] = statement[8192] = '\0';
    request = json_pack("{s:s,s:s,s:{s:i,s:s,s:s}}", "kind", "confirmation.signed", "on", "hyp-1",
                        "body", "fact", 1, "statement", statement, "sshsig", signature);
    assert_ok(accepted(request, err));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_example_is_accepted),
    cmocka_unit_test(each_optional_field_may_be_absent),
    cmocka_unit_test(the_required_fields_are_enough),
    cmocka_unit_test(each_required_field_must_be_there),
    cmocka_unit_test(a_value_of_another_type_is_refused),
    cmocka_unit_test(a_text_of_one_byte_too_many_is_refused),
    cmocka_unit_test(nul_is_refused_in_every_string),
    cmocka_unit_test(control_and_bidi_characters_are_refused_in_plain_text),
    cmocka_unit_test(sealed_text_may_hold_anything_but_nul),
    cmocka_unit_test(a_word_outside_the_list_is_refused_with_the_list),
    cmocka_unit_test(a_number_out_of_range_is_refused),
    cmocka_unit_test(a_list_holds_0_to_64_items),
    cmocka_unit_test(a_digest_has_64_lower_case_digits),
    cmocka_unit_test(an_id_has_the_prefix_of_its_field),
    cmocka_unit_test(a_time_is_a_moment_with_an_offset),
    cmocka_unit_test(a_salt_is_64_digits_beside_its_text),
    cmocka_unit_test(an_unknown_field_is_refused),
    cmocka_unit_test(a_kind_is_about_what_its_row_says),
    cmocka_unit_test(a_second_signature_comes_whole),
    cmocka_unit_test(exactly_one_of_a_choice_is_there),
    cmocka_unit_test(erasing_names_a_field_or_a_blob),
    cmocka_unit_test(inner_objects_are_checked_with_their_pointer),
    cmocka_unit_test(a_request_of_another_shape_is_malformed),
    cmocka_unit_test(an_unknown_kind_is_refused_with_its_relatives),
    cmocka_unit_test(observed_at_may_lie_five_minutes_ahead),
    cmocka_unit_test(sealing_keeps_the_text_beside_the_entry),
    cmocka_unit_test(each_seal_has_a_salt_of_its_own),
    cmocka_unit_test(times_in_the_body_are_normalised),
    cmocka_unit_test(lines_of_a_batch_become_ids),
    cmocka_unit_test(lists_of_lines_become_lists_of_ids),
    cmocka_unit_test(a_line_must_be_earlier_and_create_what_is_wanted),
    cmocka_unit_test(a_draft_that_names_lines_cannot_be_finished),
    cmocka_unit_test(an_entry_over_its_limit_is_too_large),
};

UNIT_MAIN(tests)
