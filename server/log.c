/* SPDX-License-Identifier: Apache-2.0 */
#include "log.h"

#include <jansson.h>
#include <unistd.h>

#include <opledger/buf.h>
#include <opledger/time.h>

#define MAX_LINE 8192

/* Set once before threads start, read by all of them. */
static enum log_level lowest = LOG_LEVEL_INFO;
static enum log_format layout = LOG_FORMAT_TEXT;
static int output = STDERR_FILENO;

static const char *const level_names[] = {"debug", "info", "warn", "error"};

void log_setup(enum log_level level, enum log_format format, int fd)
{
    lowest = level;
    layout = format;
    output = fd;
}

bool log_wants(enum log_level level)
{
    return level >= lowest;
}

/* Words that need no quotes stay bare; control bytes never reach the terminal. */
static void add_value(struct opl_buf *line, const char *text)
{
    bool bare = *text && !strpbrk(text, " \"\\=");

    for (const char *at = text; *at; at++)
        bare = bare && (unsigned char)*at > 0x20 && (unsigned char)*at < 0x7f;
    if (bare) {
        opl_buf_str(line, text);
        return;
    }
    opl_buf_chr(line, '"');
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        if (*at < 0x20 || *at >= 0x7f)
            opl_buf_fmt(line, "\\x%02x", *at);
        else
            opl_buf_fmt(line, *at == '"' || *at == '\\' ? "\\%c" : "%c", *at);
    }
    opl_buf_chr(line, '"');
}

static void as_text(struct opl_buf *line, enum log_level level, const char *event,
                    const struct log_field *fields, size_t count)
{
    char now[OPL_TIME_SIZE];

    opl_time_format(opl_time_now(), now);
    opl_buf_fmt(line, "%s %s ", now, level_names[level]);
    add_value(line, event);
    for (size_t i = 0; i < count; i++) {
        opl_buf_fmt(line, " %s=", fields[i].name);
        if (fields[i].text)
            add_value(line, fields[i].text);
        else
            opl_buf_fmt(line, "%lld", (long long)fields[i].number);
    }
}

/* Text that is not UTF-8 becomes null rather than a broken line. */
static json_t *value_of(const struct log_field *field)
{
    json_t *value = field->text ? json_string(field->text) : json_integer(field->number);

    return value ? value : json_null();
}

static void as_json(struct opl_buf *line, enum log_level level, const char *event,
                    const struct log_field *fields, size_t count)
{
    json_t *record = json_object();
    char now[OPL_TIME_SIZE];
    char *text;

    opl_time_format(opl_time_now(), now);
    json_object_set_new(record, "time", json_string(now));
    json_object_set_new(record, "level", json_string(level_names[level]));
    json_object_set_new(record, "event", json_string(event));
    for (size_t i = 0; i < count; i++)
        json_object_set_new(record, fields[i].name, value_of(&fields[i]));
    text = json_dumps(record, JSON_COMPACT | JSON_ENSURE_ASCII);
    if (text)
        opl_buf_str(line, text);
    free(text);
    json_decref(record);
}

/* One write per record, so that records of several threads do not mix. */
static void emit(const struct opl_buf *line)
{
    const char *at = line->data;
    size_t left = line->len;
    ssize_t n;

    while (left && (n = write(output, at, left)) > 0) {
        at += n;
        left -= (size_t)n;
    }
}

void log_write(enum log_level level, const char *event, const struct log_field *fields,
               size_t count)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf line = OPL_BUF_INIT(MAX_LINE);

    if (!log_wants(level))
        return;
    if (layout == LOG_FORMAT_JSON)
        as_json(&line, level, event, fields, count);
    else
        as_text(&line, level, event, fields, count);
    if (line.failed) { /* too long: say that it happened */
        opl_buf_close(&line);
        line.max = MAX_LINE;
        as_text(&line, level, event, NULL, 0);
    }
    opl_buf_chr(&line, '\n');
    emit(&line);
}

void log_err(enum log_level level, const char *event, const struct opl_err *err)
{
    const struct log_field fields[] = {
        LOG_S("error", opl_code_slug(err->code)),
        LOG_S("detail", err->text),
        LOG_S("field", err->field),
        LOG_S("hint", err->hint),
    };

    log_write(level, event, fields, sizeof(fields) / sizeof(*fields));
}
