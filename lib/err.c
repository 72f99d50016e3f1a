/* SPDX-License-Identifier: Apache-2.0 */
#include <opledger/err.h>

#include <stdarg.h>

#include <opledger/utf8.h>

struct row {
    const char *slug;
    int http;
    int exit_status;
};

#define ROW(code, slug, http, exit_status) [code] = {slug, http, exit_status},

static const struct row rows[] = {OPL_ERRORS(ROW)};

#define ROWS (sizeof rows / sizeof *rows)

static const struct row *row_of(enum opl_code code)
{
    static const struct row success = {"", 200, 0};

    if (code == OPL_OK)
        return &success;
    return &rows[(size_t)code < ROWS ? code : OPL_E_INTERNAL];
}

const char *opl_code_slug(enum opl_code code)
{
    return row_of(code)->slug;
}

int opl_code_http(enum opl_code code)
{
    return row_of(code)->http;
}

int opl_code_exit(enum opl_code code)
{
    return row_of(code)->exit_status;
}

enum opl_code opl_code_from_slug(const char *slug)
{
    for (size_t i = OPL_OK + 1; slug != NULL && i < ROWS; i++) {
        if (strcmp(rows[i].slug, slug) == 0)
            return (enum opl_code)i;
    }
    return OPL_E_INTERNAL;
}

/*
 * Messages quote outside values and end up in JSON and on terminals: what is no UTF-8 (also a
 * character cut at the end of the array) or a control byte becomes '?'.
 */
static void make_printable(char *text)
{
    size_t left = strlen(text);

    while (left > 0) {
        uint32_t point = 0;
        size_t step = opl_utf8_next(text, left, &point);

        if (step == 0 || point < 0x20 || (point >= 0x7f && point < 0xa0)) {
            for (size_t i = 0; i < (step == 0 ? 1 : step); i++)
                text[i] = '?';
        }
        text += step == 0 ? 1 : step;
        left -= step == 0 ? 1 : step;
    }
}

static void put(char *out, size_t size, const char *fmt, va_list args) OPL_PRINTF(3, 0);

static void put(char *out, size_t size, const char *fmt, va_list args)
{
    if (vsnprintf(out, size, fmt, args) < 0)
        out[0] = '\0';
    make_printable(out);
}

bool opl_fail(struct opl_err *err, enum opl_code code, const char *fmt, ...)
{
    va_list args;

    if (err == NULL || err->code != OPL_OK)
        return false;
    err->code = code;
    va_start(args, fmt);
    put(err->text, sizeof err->text, fmt, args);
    va_end(args);
    return false;
}

bool opl_fail_at(struct opl_err *err, enum opl_code code, const char *field, const char *fmt, ...)
{
    va_list args;

    if (err == NULL || err->code != OPL_OK)
        return false;
    err->code = code;
    va_start(args, fmt);
    put(err->text, sizeof err->text, fmt, args);
    va_end(args);
    (void)snprintf(err->field, sizeof err->field, "%s", field);
    make_printable(err->field);
    return false;
}

bool opl_hint(struct opl_err *err, const char *fmt, ...)
{
    va_list args;

    if (err == NULL || err->hint[0] != '\0')
        return false;
    va_start(args, fmt);
    put(err->hint, sizeof err->hint, fmt, args);
    va_end(args);
    return false;
}

void opl_err_prefix(struct opl_err *err, const char *prefix)
{
    char field[sizeof err->field];

    if (err == NULL || err->code == OPL_OK)
        return;
    memcpy(field, err->field, sizeof field);
    /* a pointer cut at the end of the array still leads to the right place */
    int len = snprintf(err->field, sizeof err->field, "%s", prefix);
    if (len >= 0 && (size_t)len < sizeof err->field)
        (void)snprintf(err->field + len, sizeof err->field - (size_t)len, "%s", field);
    make_printable(err->field);
}
