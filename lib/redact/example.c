/* SPDX-License-Identifier: Apache-2.0 */
#include "example.h"

static const char *const form_names[EXAMPLE_FORMS] = {
    [EXAMPLE_PLAIN] = "plain", [EXAMPLE_QUOTED] = "quoted", [EXAMPLE_ESCAPED] = "escaped",
    [EXAMPLE_HEX] = "hex",     [EXAMPLE_CUT] = "cut",       [EXAMPLE_SPLIT] = "split",
};

const char *example_form_name(enum example_form form)
{
    return form_names[form];
}

void example_close(struct example *example)
{
    opl_buf_close(&example->text);
}

bool example_parse(const char *text, struct example *out, struct opl_err *err)
{
    const char *open = strstr(text, "<<"), *close = open ? strstr(open + 2, ">>") : NULL;

    if (!close || close == open + 2 || strstr(close + 2, "<<"))
        return opl_fail(err, OPL_E_INVALID, "a positive example marks its value once, <<so>>");
    opl_buf_add(&out->text, text, (size_t)(open - text));
    out->from = out->text.len;
    opl_buf_add(&out->text, open + 2, (size_t)(close - open - 2));
    out->to = out->text.len;
    opl_buf_str(&out->text, close + 2);
    return opl_buf_ok(&out->text, err);
}

/* As strace writes strings by default. */
static void write_octal(struct opl_buf *out, const char *text, size_t len)
{
    static const char simple[] = "\ff\nn\rr\tt\vv\"\"\\\\";

    for (size_t i = 0; i < len; i++) {
        const char *pair = NULL;
        bool digit = i + 1 < len && text[i + 1] >= '0' && text[i + 1] <= '7';

        for (size_t j = 0; j + 1 < sizeof(simple); j += 2)
            if (simple[j] == text[i])
                pair = &simple[j];
        if (pair)
            opl_buf_fmt(out, "\\%c", pair[1]);
        else if (text[i] >= ' ' && text[i] < 127)
            opl_buf_chr(out, text[i]);
        else
            opl_buf_fmt(out, digit ? "\\%03o" : "\\%o", (unsigned char)text[i]);
    }
}

static void write_hex(struct opl_buf *out, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        opl_buf_fmt(out, "\\x%02x", (unsigned char)text[i]);
}

static void write_call(const struct example *example, enum example_form form, size_t kept,
                       struct opl_buf *out)
{
    const char *text = opl_buf_text(&example->text);
    size_t len = form == EXAMPLE_CUT ? example->from + kept : example->text.len;

    opl_buf_fmt(out, "123 04:43:43.630618 write(1</tmp/x>, \"%s", form == EXAMPLE_HEX ? "" : "\\n");
    if (form == EXAMPLE_HEX)
        write_hex(out, text, len);
    else
        write_octal(out, text, len);
    opl_buf_fmt(out, "\"%s, %zu) = %zu\n", form == EXAMPLE_CUT ? "..." : "", len, len);
}

static void write_split(const struct example *example, struct opl_buf *out)
{
    const char *text = opl_buf_text(&example->text);
    size_t middle = (example->from + example->to) / 2;

    opl_buf_str(out, "123 04:43:43.630618 writev(1</tmp/x>, [{iov_base=\"");
    write_octal(out, text, middle);
    opl_buf_fmt(out, "\", iov_len=%zu}, {iov_base=\"", middle);
    write_octal(out, text + middle, example->text.len - middle);
    opl_buf_fmt(out, "\", iov_len=%zu}], 2) = %zu\n", example->text.len - middle,
                example->text.len);
}

void example_write(const struct example *example, enum example_form form, size_t kept,
                   struct opl_buf *out)
{
    switch (form) {
    case EXAMPLE_PLAIN:
        opl_buf_fmt(out, "%s\n", opl_buf_text(&example->text));
        break;
    case EXAMPLE_QUOTED:
        opl_buf_str(out, "{\"message\":\"");
        write_octal(out, opl_buf_text(&example->text), example->text.len);
        opl_buf_str(out, "\",\"n\":1}\n");
        break;
    case EXAMPLE_SPLIT:
        write_split(example, out);
        break;
    default:
        write_call(example, form, kept, out);
    }
}
