/* SPDX-License-Identifier: Apache-2.0 */
#include "output.h"

#include <stdarg.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <opledger/utf8.h>

#define GUTTER "    | "
/* What no shell reads as anything but itself. */
#define PLAIN_WORD "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-"
#define MESSAGE_MAX ((size_t)1 << 20)

struct range {
    uint32_t from, to;
};

/* Characters that are invisible, reorder the line, or drive a terminal; in order. */
static const struct range unsafe_points[] = {
    {0x00,    0x1F   }, /* C0 */
    {0x7F,    0x9F   }, /* DEL, C1 */
    {0xAD,    0xAD   }, /* soft hyphen */
    {0x34F,   0x34F  }, /* combining grapheme joiner */
    {0x61C,   0x61C  }, /* Arabic letter mark */
    {0x115F,  0x1160 }, /* Hangul fillers */
    {0x17B4,  0x17B5 },
    {0x180B,  0x180F },
    {0x200B,  0x200F }, /* zero width, left-to-right and
  right-to-left marks */
    {0x2028,  0x202E }, /* line and paragraph separators, embeddings and overrides */
    {0x2060,  0x206F }, /* word joiner, isolates */
    {0x3164,  0x3164 },
    {0xFE00,  0xFE0F }, /* variation selectors */
    {0xFEFF,  0xFEFF },
    {0xFFA0,  0xFFA0 },
    {0xFFF0,  0xFFFB },
    {0x1BCA0, 0x1BCA3},
    {0x1D173, 0x1D17A},
    {0xE0000, 0xE0FFF}, /* tags, more variation selectors */
};

static bool is_unsafe(uint32_t point)
{
    for (size_t i = 0; i < sizeof(unsafe_points) / sizeof(unsafe_points[0]); i++)
        if (point <= unsafe_points[i].to)
            return point >= unsafe_points[i].from;
    return false;
}

static void add_point(struct opl_buf *to, const char *text, size_t step, uint32_t point,
                      enum output_form form)
{
    if (point == '\n' && form == OUTPUT_BLOCK)
        opl_buf_str(to, "\n" GUTTER);
    else if (point == '\t' && form == OUTPUT_BLOCK)
        opl_buf_str(to, "    ");
    else if (point == '\n' || point == '\t' || point == '\r')
        opl_buf_str(to, point == '\n' ? "\\n" : point == '\t' ? "\\t" : "\\r");
    else if (is_unsafe(point))
        opl_buf_fmt(to, point < 0x100 ? "\\x%02x" : "\\u{%x}", (unsigned)point);
    else
        opl_buf_add(to, text, step);
}

void output_recorded(struct opl_buf *to, const char *text, size_t len, enum output_form form)
{
    size_t at = 0;

    if (form == OUTPUT_BLOCK)
        opl_buf_str(to, GUTTER);
    if (form == OUTPUT_CELL && len > 0 && strchr("=+-@", text[0]) != NULL)
        opl_buf_chr(to, '\'');
    while (at < len) {
        uint32_t point = 0;
        size_t step = opl_utf8_next(text + at, len - at, &point);

        if (step == 0)
            opl_buf_fmt(to, "\\x%02x", (unsigned)(unsigned char)text[at]);
        else
            add_point(to, text + at, step, point, form);
        at += step == 0 ? 1 : step;
    }
    if (form == OUTPUT_BLOCK)
        opl_buf_chr(to, '\n');
}

static void add_quoted(struct opl_buf *to, const char *word)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf escaped = {0};

    for (const char *at = word; *at != '\0'; at++) {
        if (*at == '\'' || *at == '\\')
            opl_buf_chr(&escaped, '\\');
        opl_buf_chr(&escaped, *at);
    }
    opl_buf_str(to, "$'");
    output_recorded(to, opl_buf_text(&escaped), escaped.len, OUTPUT_INLINE);
    opl_buf_chr(to, '\'');
}

/* As in a shell: a, 'a b', and $'a\nb' where something in it is escaped. */
static void add_word(struct opl_buf *to, const char *word)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf safe = {0};

    output_recorded(&safe, word, strlen(word), OUTPUT_INLINE);
    if (*word != '\0' && word[strspn(word, PLAIN_WORD)] == '\0')
        opl_buf_str(to, word);
    else if (strcmp(opl_buf_text(&safe), word) == 0 && strchr(word, '\'') == NULL)
        opl_buf_fmt(to, "'%s'", word);
    else
        add_quoted(to, word);
}

void output_command(struct opl_buf *to, char *const argv[])
{
    for (char *const *word = argv; *word != NULL; word++) {
        if (word != argv)
            opl_buf_chr(to, ' ');
        add_word(to, *word);
    }
}

void output_open(struct output *out, bool json)
{
    struct winsize size = {0};

    memset(out, 0, sizeof(*out));
    out->result = stdout;
    out->messages = stderr;
    out->json = json;
    out->terminal = isatty(STDOUT_FILENO) == 1;
    out->color = out->terminal && getenv("NO_COLOR") == NULL;
    out->width = 80;
    if (out->terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40)
        out->width = size.ws_col;
}

void output_close(struct output *out)
{
    json_decref(out->problem);
    out->problem = NULL;
    fflush(out->result);
}

static void print_formatted(FILE *to, const char *before, const char *fmt, va_list args)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = OPL_BUF_INIT(MESSAGE_MAX);

    opl_buf_str(&text, before);
    opl_buf_vfmt(&text, fmt, args);
    fprintf(to, "%s\n", opl_buf_text(&text));
}

void output_line(struct output *out, const char *fmt, ...)
{
    va_list args;

    if (out->json)
        return;
    va_start(args, fmt);
    print_formatted(out->result, "", fmt, args);
    va_end(args);
}

void output_note(struct output *out, const char *fmt, ...)
{
    va_list args;

    fflush(out->result);
    va_start(args, fmt);
    print_formatted(out->messages, "opledger: ", fmt, args);
    va_end(args);
}

void output_next(struct output *out, const char *fmt, ...)
{
    va_list args;

    if (out->json)
        return;
    va_start(args, fmt);
    print_formatted(out->result, "next: ", fmt, args);
    va_end(args);
}

void output_text(struct output *out, const struct opl_buf *text)
{
    if (!out->json)
        fwrite(opl_buf_text(text), 1, text->len, out->result);
}

void output_labelled(struct output *out, const char *label, const char *text)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf line = OPL_BUF_INIT(MESSAGE_MAX);
    bool block = strchr(text, '\n') != NULL || strlen(text) > 200;

    opl_buf_fmt(&line, "  %s:%s", label, block ? "\n" : " ");
    output_recorded(&line, text, strlen(text), block ? OUTPUT_BLOCK : OUTPUT_INLINE);
    if (!block)
        opl_buf_chr(&line, '\n');
    output_text(out, &line);
}

/* jansson leaves DEL as it is; in its output it can stand nowhere but inside a string. */
static int write_ascii(const char *bytes, size_t len, void *ctx)
{
    FILE *to = ctx;

    for (size_t i = 0; i < len; i++)
        if (bytes[i] == 0x7f ? fputs("\\u007f", to) < 0 : fputc(bytes[i], to) == EOF)
            return -1;
    return 0;
}

/* ASCII only, so that nothing in a text can reach a terminal unescaped. */
bool output_json(struct output *out, const json_t *value, struct opl_err *err)
{
    if (!out->json || out->wrote_result)
        return true;
    if (json_dump_callback(value, write_ascii, out->result,
                           JSON_ENSURE_ASCII | JSON_COMPACT | JSON_SORT_KEYS) != 0)
        return opl_fail(err, OPL_E_IO, "cannot write the result");
    fputc('\n', out->result);
    out->wrote_result = true;
    return true;
}

static json_t *problem_of(const struct opl_err *err)
{
    char type[96];
    json_t *problem;

    snprintf(type, sizeof(type), "/problems/%s", opl_code_slug(err->code));
    problem = json_pack("{s:s, s:s, s:i, s:s}", "type", type, "title", opl_code_slug(err->code),
                        "status", opl_code_http(err->code), "detail", err->text);
    if (problem != NULL && err->field[0] != '\0')
        json_object_set_new(problem, "field", json_string(err->field));
    if (problem != NULL && err->hint[0] != '\0')
        json_object_set_new(problem, "hint", json_string(err->hint));
    return problem;
}

static void error_json(struct output *out, const struct opl_err *err)
{
    json_t *problem = out->problem != NULL ? json_incref(out->problem) : problem_of(err);
    struct opl_err ignored = {0};

    if (problem == NULL || !output_json(out, problem, &ignored))
        fprintf(out->messages, "opledger: the problem could not be written\n");
    json_decref(problem);
}

void output_error(struct output *out, const struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = OPL_BUF_INIT(MESSAGE_MAX);

    fflush(out->result);
    opl_buf_str(&text, "opledger: ");
    output_recorded(&text, err->text, strlen(err->text), OUTPUT_INLINE);
    if (err->field[0] != '\0') {
        opl_buf_str(&text, "\n  field: ");
        output_recorded(&text, err->field, strlen(err->field), OUTPUT_INLINE);
    }
    if (err->hint[0] != '\0') {
        opl_buf_str(&text, "\n  hint: ");
        output_recorded(&text, err->hint, strlen(err->hint), OUTPUT_INLINE);
    }
    fprintf(out->messages, "%s\n", opl_buf_text(&text));
    if (out->json)
        error_json(out, err);
}
