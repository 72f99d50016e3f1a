/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One pass over libyaml's events with a stack of open containers. libyaml resolves no types and
 * hands aliases over as events of their own, so refusing them here also ends "billion laughs".
 */
#include <opledger/yaml.h>

#include <yaml.h>

#include <opledger/json.h>

struct level {
    json_t *value; /* borrowed: owned by its parent, the root by the reader */
    char *key;     /* of a mapping: the key whose value comes next */
};

struct reader {
    yaml_parser_t parser;
    json_t *root;
    struct level levels[OPL_JSON_DEPTH];
    int depth;
    int documents;
    struct opl_err *err;
};

static bool refuse(struct reader *reader, const yaml_mark_t *mark, const char *what)
{
    return opl_fail(reader->err, OPL_E_INVALID, "YAML line %zu: %s", mark->line + 1, what);
}

static void reader_close(struct reader *reader)
{
    for (int i = 0; i < reader->depth; i++)
        free(reader->levels[i].key);
    json_decref(reader->root);
    yaml_parser_delete(&reader->parser);
}

static void event_close(yaml_event_t *event)
{
    yaml_event_delete(event);
}

/* Gives the value, whose reference is taken, its place in the innermost container. */
static bool place(struct reader *reader, const yaml_mark_t *mark, json_t *value)
{
    struct level *level = reader->depth > 0 ? &reader->levels[reader->depth - 1] : NULL;
    int failed;

    if (!level) {
        reader->root = value;
        return true;
    }
    if (json_is_array(level->value))
        return json_array_append_new(level->value, value) == 0 ||
               opl_fail(reader->err, OPL_E_NOMEM, "no memory for YAML");
    if (!level->key) {
        json_decref(value);
        return refuse(reader, mark, "a key must be a plain word");
    }
    failed = json_object_set_new(level->value, level->key, value);
    free(level->key);
    level->key = NULL;
    return !failed || opl_fail(reader->err, OPL_E_NOMEM, "no memory for YAML");
}

static bool take_key(struct reader *reader, const yaml_event_t *event, struct level *level)
{
    const char *key = (const char *)event->data.scalar.value;

    if (json_object_get(level->value, key))
        return refuse(reader, &event->start_mark, "this key was given before");
    level->key = strdup(key);
    return level->key || opl_fail(reader->err, OPL_E_NOMEM, "no memory for YAML");
}

static bool take_scalar(struct reader *reader, const yaml_event_t *event)
{
    struct level *level = reader->depth > 0 ? &reader->levels[reader->depth - 1] : NULL;
    const char *text = (const char *)event->data.scalar.value;
    size_t len = event->data.scalar.length;
    json_t *value;

    if (event->data.scalar.anchor || event->data.scalar.tag)
        return refuse(reader, &event->start_mark, "anchors and tags are not allowed");
    if (memchr(text, 0, len))
        return refuse(reader, &event->start_mark, "a NUL in a text");
    if (level && json_is_object(level->value) && !level->key)
        return take_key(reader, event, level);
    value = json_stringn(text, len);
    if (!value)
        return refuse(reader, &event->start_mark, "a text that is not UTF-8");
    return place(reader, &event->start_mark, value);
}

static bool open_level(struct reader *reader, const yaml_mark_t *mark, json_t *value)
{
    if (!value)
        return opl_fail(reader->err, OPL_E_NOMEM, "no memory for YAML");
    if (reader->depth == OPL_JSON_DEPTH) {
        json_decref(value);
        return refuse(reader, mark, "nested too deeply");
    }
    if (!place(reader, mark, value))
        return false;
    reader->levels[reader->depth].value = value;
    reader->levels[reader->depth].key = NULL;
    reader->depth++;
    return true;
}

static bool open_mapping(struct reader *reader, const yaml_event_t *event)
{
    if (event->data.mapping_start.anchor || event->data.mapping_start.tag)
        return refuse(reader, &event->start_mark, "anchors and tags are not allowed");
    return open_level(reader, &event->start_mark, json_object());
}

static bool open_sequence(struct reader *reader, const yaml_event_t *event)
{
    if (event->data.sequence_start.anchor || event->data.sequence_start.tag)
        return refuse(reader, &event->start_mark, "anchors and tags are not allowed");
    return open_level(reader, &event->start_mark, json_array());
}

static bool open_document(struct reader *reader, const yaml_event_t *event)
{
    if (event->data.document_start.version_directive ||
        event->data.document_start.tag_directives.start !=
            event->data.document_start.tag_directives.end)
        return refuse(reader, &event->start_mark, "directives are not allowed");
    if (++reader->documents > 1)
        return refuse(reader, &event->start_mark, "a second document");
    return true;
}

static bool take_event(struct reader *reader, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        return open_document(reader, event);
    case YAML_MAPPING_START_EVENT:
        return open_mapping(reader, event);
    case YAML_SEQUENCE_START_EVENT:
        return open_sequence(reader, event);
    case YAML_MAPPING_END_EVENT:
    case YAML_SEQUENCE_END_EVENT:
        reader->depth--;
        return true;
    case YAML_SCALAR_EVENT:
        return take_scalar(reader, event);
    case YAML_ALIAS_EVENT:
        return refuse(reader, &event->start_mark, "aliases are not allowed");
    default:
        return true;
    }
}

static bool next_event(struct reader *reader, bool *ended)
{
    OPL_CLEANUP(event_close) yaml_event_t event = {0};

    if (!yaml_parser_parse(&reader->parser, &event))
        return refuse(reader, &reader->parser.problem_mark,
                      reader->parser.problem ? reader->parser.problem : "not readable");
    *ended = event.type == YAML_STREAM_END_EVENT;
    return take_event(reader, &event);
}

json_t *opl_yaml_parse(const char *text, size_t len, struct opl_err *err)
{
    OPL_CLEANUP(reader_close) struct reader reader = {.err = err};
    bool ended = false;
    json_t *root;

    if (!yaml_parser_initialize(&reader.parser)) {
        opl_fail(err, OPL_E_NOMEM, "no memory for YAML");
        return NULL;
    }
    if (len > OPL_YAML_MAX) {
        opl_fail(err, OPL_E_TOO_LARGE, "a YAML file of %zu bytes; %zu are allowed", len,
                 OPL_YAML_MAX);
        return NULL;
    }
    yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&reader.parser, (const unsigned char *)text, len);
    while (!ended)
        if (!next_event(&reader, &ended))
            return NULL;
    if (!json_is_object(reader.root) && !json_is_array(reader.root)) {
        opl_fail(err, OPL_E_INVALID, "YAML line 1: an empty document");
        return NULL;
    }
    root = reader.root;
    reader.root = NULL;
    return root;
}
