/* SPDX-License-Identifier: Apache-2.0 */
/*
 * log - one line per event on stderr, as text or JSON. Only server/ logs, and only at its edges.
 *
 * A record is an event name and named values. Never entry content, keys, tokens or SQL parameters.
 * Values are escaped, so that a record is always one line. Safe from any thread.
 *
 *     log_info("listening", LOG_S("address", address), LOG_I("threads", n));
 */
#ifndef OPLEDGER_SERVER_LOG_H
#define OPLEDGER_SERVER_LOG_H

#include <stdint.h>

#include <opledger/err.h>

enum log_level { LOG_LEVEL_DEBUG, LOG_LEVEL_INFO, LOG_LEVEL_WARN, LOG_LEVEL_ERROR };

enum log_format { LOG_FORMAT_TEXT, LOG_FORMAT_JSON };

struct log_field {
    const char *name;
    const char *text; /* NULL: the number counts */
    int64_t number;
};

static inline struct log_field log_text(const char *name, const char *value)
{
    return (struct log_field){name, value ? value : "", 0};
}

#define LOG_S(name, value) log_text((name), (value))
#define LOG_I(name, value) ((struct log_field){(name), NULL, (int64_t)(value)})

/* Before threads start; the default is info, text, stderr. */
void log_setup(enum log_level level, enum log_format format, int fd);

bool log_wants(enum log_level level);
void log_write(enum log_level level, const char *event, const struct log_field *fields,
               size_t count);

/* An error as a record: its slug, text, field and hint. */
void log_err(enum log_level level, const char *event, const struct opl_err *err);

#define LOG_FIELDS(...)                                                                            \
    (const struct log_field[]){__VA_ARGS__},                                                       \
        sizeof((const struct log_field[]){__VA_ARGS__}) / sizeof(struct log_field)

#define log_debug(event, ...) log_write(LOG_LEVEL_DEBUG, (event), LOG_FIELDS(__VA_ARGS__))
#define log_info(event, ...) log_write(LOG_LEVEL_INFO, (event), LOG_FIELDS(__VA_ARGS__))
#define log_warn(event, ...) log_write(LOG_LEVEL_WARN, (event), LOG_FIELDS(__VA_ARGS__))
#define log_error(event, ...) log_write(LOG_LEVEL_ERROR, (event), LOG_FIELDS(__VA_ARGS__))

#endif
