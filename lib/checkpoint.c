/* SPDX-License-Identifier: Apache-2.0 */
#include <opledger/checkpoint.h>

#include <inttypes.h>

#include <opledger/encode.h>
#include <opledger/merkle.h>

#define SIZE_DIGITS 19 /* OPL_TREE_MAX has as many */

/* Cuts one non-empty line off the body. */
static bool next_line(const char **body, size_t *left, const char **line, size_t *len)
{
    const char *newline = *left > 0 ? memchr(*body, '\n', *left) : NULL;

    if (newline == NULL || newline == *body)
        return false;
    *line = *body;
    *len = (size_t)(newline - *body);
    *left -= *len + 1;
    *body = newline + 1;
    return true;
}

static bool read_size(const char *text, size_t len, uint64_t *size)
{
    uint64_t value = 0;

    if (len == 0 || len > SIZE_DIGITS || (len > 1 && text[0] == '0'))
        return false;
    for (size_t i = 0; i < len; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        value = value * 10 + (uint64_t)(text[i] - '0');
    }
    *size = value;
    return value < OPL_TREE_MAX;
}

static bool read_root(const char *text, size_t len, struct opl_hash *root)
{
    size_t root_len = 0;

    return opl_base64_decode(text, len, root->b, sizeof root->b, &root_len, NULL) &&
           root_len == sizeof root->b;
}

static bool read_origin(const char *text, size_t len, struct opl_head *head)
{
    if (len >= sizeof head->origin || memchr(text, '\0', len) != NULL)
        return false;
    memcpy(head->origin, text, len);
    head->origin[len] = '\0';
    return true;
}

bool opl_checkpoint_parse(const char *body, size_t len, struct opl_head *out, struct opl_err *err)
{
    const char *line = NULL;
    size_t line_len = 0;
    struct opl_head head = {0};

    if (!next_line(&body, &len, &line, &line_len) || !read_origin(line, line_len, &head))
        return opl_fail(err, OPL_E_MALFORMED, "a checkpoint's first line is its origin");
    if (!next_line(&body, &len, &line, &line_len) || !read_size(line, line_len, &head.size))
        return opl_fail(err, OPL_E_MALFORMED, "a checkpoint's second line is its size");
    if (!next_line(&body, &len, &line, &line_len) || !read_root(line, line_len, &head.root))
        return opl_fail(err, OPL_E_MALFORMED, "a checkpoint's third line is its root");
    while (next_line(&body, &len, &line, &line_len))
        ; /* extensions of others say nothing that we rely on */
    if (len != 0)
        return opl_fail(err, OPL_E_MALFORMED, "a checkpoint has an empty or unfinished line");
    *out = head;
    return true;
}

bool opl_checkpoint_format(const struct opl_head *head, struct opl_buf *out, struct opl_err *err)
{
    if (head->origin[0] == '\0' || strchr(head->origin, '\n') != NULL || head->size >= OPL_TREE_MAX)
        return opl_fail(err, OPL_E_INVALID, "origin or size cannot stand in a checkpoint");
    opl_buf_fmt(out, "%s\n%" PRIu64 "\n", head->origin, head->size);
    opl_buf_base64(out, head->root.b, sizeof head->root.b);
    opl_buf_chr(out, '\n');
    return opl_buf_ok(out, err);
}

bool opl_checkpoint_sign(const struct opl_head *head, const struct opl_sign_seed *seed,
                         struct opl_buf *note, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf body = {0};

    return opl_checkpoint_format(head, &body, err) &&
           opl_note_sign(body.data, body.len, head->origin, seed, note, err);
}

bool opl_checkpoint_open(const char *note, size_t len, const struct opl_vkey *vkey,
                         struct opl_head *out, struct opl_err *err)
{
    struct opl_note parsed;
    struct opl_head head;

    if (!opl_note_parse(note, len, &parsed, err) || !opl_note_verify(&parsed, vkey, NULL, err) ||
        !opl_checkpoint_parse(parsed.text, parsed.text_len, &head, err))
        return false;
    if (strcmp(head.origin, vkey->name) != 0)
        return opl_fail(err, OPL_E_VERIFY, "the checkpoint is of %s, the key of %s", head.origin,
                        vkey->name);
    *out = head;
    return true;
}
