/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What json_read does not take, jansson reads; what that accepts and we do not (floats, integers
 * that others would round, deep nesting) is found by one walk over the result.
 */
#include <opledger/json.h>

#include <opledger/crypto.h>

#include "json_path.h"
#include "json_read.h"

struct walk {
    struct opl_buf *pointer;
    struct opl_err *err;
};

static bool check_value(struct walk *walk, const json_t *value, int depth);

static bool check_member(struct walk *walk, const char *key, const json_t *value, int depth)
{
    struct opl_buf *pointer = walk->pointer;
    size_t len = pointer->len;
    bool ok;

    opl_json_pointer_add(pointer, key);
    ok = check_value(walk, value, depth);
    if (pointer->data != NULL && !pointer->failed) {
        pointer->len = len;
        pointer->data[len] = '\0';
    }
    return ok;
}

static bool check_items(struct walk *walk, const json_t *array, int depth)
{
    char key[24];

    for (size_t i = 0; i < json_array_size(array); i++) {
        (void)snprintf(key, sizeof key, "%zu", i);
        if (!check_member(walk, key, json_array_get(array, i), depth))
            return false;
    }
    return true;
}

static bool check_members(struct walk *walk, json_t *object, int depth)
{
    const char *key;
    json_t *value;

    json_object_foreach(object, key, value)
    {
        if (!check_member(walk, key, value, depth))
            return false;
    }
    return true;
}

static bool check_integer(struct walk *walk, json_int_t value)
{
    if (value > OPL_JSON_INT_MAX || value < -OPL_JSON_INT_MAX)
        return opl_fail_at(walk->err, OPL_E_MALFORMED, opl_buf_text(walk->pointer),
                           "the integer is beyond 2^53 - 1");
    return true;
}

static bool check_value(struct walk *walk, const json_t *value, int depth)
{
    if (json_is_real(value))
        return opl_fail_at(walk->err, OPL_E_MALFORMED, opl_buf_text(walk->pointer),
                           "numbers are integers, written without fraction or exponent");
    if (json_is_integer(value))
        return check_integer(walk, json_integer_value(value));
    if (!json_is_object(value) && !json_is_array(value))
        return true;
    if (depth >= OPL_JSON_DEPTH)
        return opl_fail_at(walk->err, OPL_E_MALFORMED, opl_buf_text(walk->pointer),
                           "nested deeper than %d levels", OPL_JSON_DEPTH);
    return json_is_array(value) ? check_items(walk, value, depth + 1)
                                : check_members(walk, (json_t *)value, depth + 1);
}

static bool check_document(const json_t *root, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf pointer = {0};
    struct walk walk = {&pointer, err};

    return check_value(&walk, root, 0);
}

/* jansson quotes the text near the error; the place is enough and repeats nobody's content. */
static json_t *fail_syntax(const char *text, size_t len, const json_error_t *error,
                           struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf pointer = OPL_BUF_INIT(sizeof err->field);
    const char *near = strstr(error->text, " near ");
    int shown = near != NULL ? (int)(near - error->text) : (int)strlen(error->text);
    size_t at = error->position > 0 ? (size_t)error->position : 0;

    if (json_error_code(error) == json_error_out_of_memory) {
        (void)opl_fail(err, OPL_E_NOMEM, "no memory for a JSON document of %zu bytes", len);
        return NULL;
    }
    opl_json_path_at(text, at < len ? at : len, &pointer);
    (void)opl_fail_at(err, OPL_E_MALFORMED, opl_buf_text(&pointer), "%.*s at line %d, column %d",
                      shown, error->text, error->line, error->column);
    return NULL;
}

json_t *opl_json_parse(const char *text, size_t len, struct opl_err *err)
{
    json_error_t error;
    json_t *root = opl_json_read(text, len);

    if (root != NULL)
        return root;
    root = json_loadb(text, len, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL)
        return fail_syntax(text, len, &error, err);
    if (!check_document(root, err)) {
        json_decref(root);
        return NULL;
    }
    return root;
}

json_t *opl_json_parse_canonical(const char *text, size_t len, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf form = {0};
    OPL_CLEANUP(opl_json_freep) json_t *root = opl_json_parse(text, len, err);

    if (root == NULL || !opl_json_canonical(root, &form, err))
        return NULL;
    if (form.len != len || memcmp(form.data, text, len) != 0) {
        (void)opl_fail(err, OPL_E_MALFORMED, "the JSON is not in its canonical form (RFC 8785)");
        return NULL;
    }
    return json_incref(root);
}

bool opl_json_hash(const json_t *value, struct opl_hash *out, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf form = {0};

    if (!opl_json_canonical(value, &form, err))
        return false;
    opl_sha256(form.data, form.len, out);
    return true;
}

const char *opl_json_str(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

int64_t opl_json_int(const json_t *object, const char *key, int64_t otherwise)
{
    const json_t *value = json_object_get(object, key);

    return json_is_integer(value) ? json_integer_value(value) : otherwise;
}

void opl_json_freep(json_t **value)
{
    json_decref(*value);
    *value = NULL;
}
