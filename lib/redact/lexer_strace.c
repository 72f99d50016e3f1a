/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strace: one call a line. Strings are decoded where they will be searched and skipped where they
 * are masked whole. Lines without strings, and strings without escapes, are not touched: they get
 * into the view with the next copy (`copied` lags behind).
 */
#include "lexer.h"

#include <ctype.h>

/* What a call moves or names. */
enum call_kind { CALL_OTHER, CALL_READ, CALL_WRITE, CALL_CONNECT, CALL_CLOSE, CALL_EXEC };

#define CALL(name, kind)                                                                           \
    {                                                                                              \
        name, sizeof(name) - 1, kind                                                               \
    }

static const struct {
    const char *name;
    size_t len;
    enum call_kind kind;
} calls[] = {
    CALL("accept", CALL_CONNECT),  CALL("accept4", CALL_CONNECT), CALL("close", CALL_CLOSE),
    CALL("connect", CALL_CONNECT), CALL("execve", CALL_EXEC),     CALL("execveat", CALL_EXEC),
    CALL("pread64", CALL_READ),    CALL("preadv", CALL_READ),     CALL("preadv2", CALL_READ),
    CALL("pwrite64", CALL_WRITE),  CALL("pwritev", CALL_WRITE),   CALL("pwritev2", CALL_WRITE),
    CALL("read", CALL_READ),       CALL("readv", CALL_READ),      CALL("recv", CALL_READ),
    CALL("recvfrom", CALL_READ),   CALL("recvmmsg", CALL_READ),   CALL("recvmsg", CALL_READ),
    CALL("send", CALL_WRITE),      CALL("sendmmsg", CALL_WRITE),  CALL("sendmsg", CALL_WRITE),
    CALL("sendto", CALL_WRITE),    CALL("write", CALL_WRITE),     CALL("writev", CALL_WRITE),
};

/* One line while it is read. */
struct line {
    size_t from, args, to; /* its bytes in the window; args: after the name */
    uint32_t pid;
    enum call_kind kind;
    bool resumed;
    bool quiet; /* a call that moves no text */
    struct descriptor fd;
    int rule; /* builtin that masks its strings, or -1 */
    size_t strings;
};

static enum call_kind kind_of(const char *name, size_t len)
{
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
        if (calls[i].len == len && calls[i].name[0] == name[0] &&
            memcmp(calls[i].name, name, len) == 0)
            return calls[i].kind;
    return CALL_OTHER;
}

/*
 * Calls that move no text and name nobody: a quarter of a trace. A line of one without a string and
 * without a descriptor's name is left out of the view that is masked; the verify pass reads it like
 * all others, so that a line that only looks like one hides nothing.
 */
static const char *const quiet_calls[] = {
    "futex", "clock_nanosleep", "rt_sigprocmask", "rt_sigaction",   "mprotect", "madvise",
    "rseq",  "set_robust_list", "munmap",         "restart_syscall"};

static bool is_quiet_call(const char *name, size_t len)
{
    for (size_t i = 0; i < sizeof(quiet_calls) / sizeof(quiet_calls[0]); i++)
        if (quiet_calls[i][0] == name[0] && strlen(quiet_calls[i]) == len &&
            memcmp(quiet_calls[i], name, len) == 0)
            return true;
    return false;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || is_digit(c) || c == '_' || (c >= 'A' && c <= 'Z');
}

/* `123 `, `[pid   123] `, `123<comm> ` */
static size_t skip_pid(const char *raw, size_t at, size_t to, uint32_t *pid)
{
    size_t digits = at;

    if (to - at > 5 && memcmp(raw + at, "[pid ", 5) == 0)
        digits = at + 5;
    while (digits < to && raw[digits] == ' ')
        digits++;
    if (digits == to || !is_digit(raw[digits]))
        return at;
    for (*pid = 0; digits < to && is_digit(raw[digits]); digits++)
        *pid = *pid * 10 + (uint32_t)(raw[digits] - '0');
    if (digits < to && raw[digits] == '<')
        while (digits < to && raw[digits] != '>')
            digits++;
    while (digits < to && (raw[digits] == '>' || raw[digits] == ']'))
        digits++;
    if (digits == to || raw[digits] != ' ')
        return at;
    while (digits < to && raw[digits] == ' ')
        digits++;
    return digits;
}

/* `04:43:43.63`, `1796100226.1`, `     0.000123` */
static size_t skip_time(const char *raw, size_t at, size_t to)
{
    size_t end = at;

    /* `:` follows the digits */
    while (end < to && ((raw[end] >= '0' && raw[end] <= ':') || raw[end] == '.'))
        end++;
    if (end == at || end == to || raw[end] != ' ')
        return at;
    while (end < to && raw[end] == ' ')
        end++;
    return end;
}

static size_t name_len(const char *raw, size_t at, size_t to)
{
    size_t end = at;

    while (end < to && is_name_byte(raw[end]))
        end++;
    return end - at;
}

static bool read_name(struct line *line, const char *raw, size_t at)
{
    size_t len;

    line->resumed = line->to - at > 5 && memcmp(raw + at, "<... ", 5) == 0;
    if (line->resumed)
        at += 5;
    len = name_len(raw, at, line->to);
    line->kind = len ? kind_of(raw + at, len) : CALL_OTHER;
    line->quiet = line->kind == CALL_OTHER && len && is_quiet_call(raw + at, len);
    line->args = at + len + 1;
    if (line->resumed) {
        const char *close = memchr(raw + at, '>', line->to - at);

        line->args = close ? (size_t)(close - raw) + 1 : line->to;
        return len > 0;
    }
    return len > 0 && at + len < line->to && raw[at + len] == '(' &&
           !isdigit((unsigned char)raw[at]);
}

static bool read_head(struct line *line, const char *raw)
{
    size_t at = skip_pid(raw, line->from, line->to, &line->pid);
    size_t after = skip_time(raw, at, line->to);

    if (after == at && at == line->from)
        return read_name(line, raw, at);
    if (read_name(line, raw, after))
        return true;
    /* a time taken for a pid */
    line->pid = 0;
    return read_name(line, raw, skip_time(raw, line->from, line->to));
}

bool lexer_is_strace_line(const char *text, size_t len)
{
    struct line line = {.to = len};
    size_t at;

    if (read_head(&line, text))
        return memchr(text + line.args - 1, ')', len - line.args + 1) ||
               memmem(text, len, "<unfinished ...>", 16);
    at = skip_pid(text, 0, len, &line.pid);
    at = skip_time(text, at, len);
    return len - at > 4 && (memcmp(text + at, "+++ ", 4) == 0 || memcmp(text + at, "--- ", 4) == 0);
}

/* `11</path>` or `11<TCP:[...]>`; inside, > is escaped, but not that of `->`. */
static void read_fd(struct line *line, const char *raw)
{
    size_t at = line->args;
    const char *close;

    line->fd = (struct descriptor){.pid = line->pid, .fd = UINT32_MAX};
    if (at >= line->to || !isdigit((unsigned char)raw[at]))
        return;
    line->fd.fd = (uint32_t)strtoul(raw + at, NULL, 10);
    while (at < line->to && isdigit((unsigned char)raw[at]))
        at++;
    if (at + 1 >= line->to || raw[at] != '<')
        return;
    at++;
    close = memchr(raw + at, '>', line->to - at);
    while (close && close[-1] == '-')
        close = memchr(close + 1, '>', line->to - (size_t)(close + 1 - raw));
    if (!close)
        return;
    line->fd.note = raw + at;
    line->fd.note_len = (size_t)(close - raw) - at;
}

static bool is_unfinished(const struct line *line, const char *raw)
{
    return line->to - line->from > 16 && raw[line->to - 1] == '>' &&
           memcmp(raw + line->to - 16, "<unfinished ...>", 16) == 0;
}

/* Says what becomes of the strings of a line, from its descriptor or the call that it resumes. */
static void judge(struct lexer *lexer, struct line *line)
{
    struct descriptor_pending call = {.rule = BUILTIN_UNPAIRED, .fd = UINT32_MAX};
    bool moves = line->kind == CALL_READ || line->kind == CALL_WRITE;

    line->rule = -1;
    if (line->resumed) {
        bool known = descriptor_resume(&lexer->descriptors, line->pid, &call);

        line->fd = (struct descriptor){.pid = line->pid, .fd = call.fd};
        if (moves || (known && call.rule == BUILTIN_ARGV))
            line->rule = call.rule;
        return;
    }
    read_fd(line, lexer->raw);
    if (moves)
        line->rule = descriptor_rule(&lexer->descriptors, &line->fd);
    if (line->rule < 0 && line->kind == CALL_READ && descriptor_is_terminal(&line->fd))
        line->rule = BUILTIN_TERMINAL;
    if (line->kind == CALL_EXEC)
        line->rule = BUILTIN_ARGV;
    if (line->kind == CALL_CLOSE)
        descriptor_closed(&lexer->descriptors, &line->fd);
    if (line->kind == CALL_CONNECT)
        descriptor_connected(&lexer->descriptors, &line->fd, lexer->raw + line->args,
                             line->to - line->args);
    call =
        (struct descriptor_pending){line->pid, line->fd.fd, line->rule, line->kind == CALL_WRITE};
    if (is_unfinished(line, lexer->raw))
        descriptor_suspend(&lexer->descriptors, &call);
}

/* The quote that ends the string whose content begins at `at`; `to` when the line ends first. */
static size_t string_end(const char *raw, size_t at, size_t to)
{
    size_t from = at;

    while (from < to) {
        const char *quote = memchr(raw + from, '"', to - from);
        size_t slashes = 0, end;

        if (!quote)
            return to;
        end = (size_t)(quote - raw);
        while (end - slashes > at && raw[end - slashes - 1] == '\\')
            slashes++;
        if (slashes % 2 == 0)
            return end;
        from = end + 1;
    }
    return to;
}

static bool is_masked(const struct lexer *lexer, const struct line *line)
{
    if (line->rule < 0 || (line->kind == CALL_EXEC && line->strings == 0 && !line->resumed))
        return false;
    return lexer->classes & OPL_RULES_BIT(builtin_rules[line->rule].class);
}

static bool ends_record(const char *raw, size_t from, size_t to)
{
    return to - from >= 2 && raw[to - 2] == '\\' && (raw[to - 1] == 'n' || raw[to - 1] == '0');
}

static void keep_piece(struct lexer *lexer, const struct line *line, size_t from, size_t to)
{
    if (line->kind != CALL_READ && line->kind != CALL_WRITE && line->kind != CALL_EXEC)
        return;
    if (!lexer->pieces)
        lexer->pieces = calloc(LEXER_PIECES, sizeof(*lexer->pieces));
    if (!lexer->pieces || lexer->piece_count == LEXER_PIECES)
        return;
    lexer->pieces[lexer->piece_count++] =
        (struct lexer_piece){.pid = line->pid,
                             .fd = line->fd.fd,
                             .from = (uint32_t)from,
                             .to = (uint32_t)to,
                             .write = line->kind != CALL_READ,
                             .ended = ends_record(lexer->raw, from, to)};
}

static void take_string(struct lexer *lexer, struct line *line, size_t from, size_t to)
{
    const char *raw = lexer->raw;

    if (is_masked(lexer, line)) {
        view_copy(lexer->view, raw, lexer->copied, from);
        lexer->copied = to;
        lexer_mask(lexer, (enum builtin)line->rule, from, to);
        if (lexer->hidden) {
            view_unescape(lexer->hidden, raw, from, to);
            view_mark(lexer->hidden, '\n');
        }
    } else {
        if (memchr(raw + from, '\\', to - from)) {
            view_copy(lexer->view, raw, lexer->copied, from);
            view_unescape(lexer->view, raw, from, to);
            lexer->copied = to;
        }
        keep_piece(lexer, line, from, to);
    }
    line->strings++;
}

static void take_strings(struct lexer *lexer, struct line *line)
{
    const char *raw = lexer->raw;
    size_t at = line->args < line->to ? line->args : line->to;

    while (at < line->to) {
        const char *quote = memchr(raw + at, '"', line->to - at);
        size_t from, end;

        if (!quote)
            return;
        from = (size_t)(quote - raw) + 1;
        end = string_end(raw, from, line->to);
        take_string(lexer, line, from, end);
        lexer->truncated += line->to - end > 3 && memcmp(raw + end + 1, "...", 3) == 0;
        at = end + 1;
    }
}

/* `-e read=fd` prints the data once more, in hexadecimal and as text, cut every 16 bytes. */
static bool take_dump(struct lexer *lexer, const struct line *line)
{
    const char *raw = lexer->raw + line->from;

    if (line->to - line->from < 10 || memcmp(raw, " | ", 3) != 0 || !isxdigit(raw[3]) ||
        !isxdigit(raw[7]))
        return false;
    view_copy(lexer->view, lexer->raw, lexer->copied, line->from + 3);
    lexer->copied = line->to;
    lexer_mask(lexer, BUILTIN_DUMP, line->from + 3, line->to);
    return true;
}

#define UNFINISHED "<unfinished ...>"

static bool is_quiet(const char *raw, const struct line *line)
{
    const char *text = raw + line->args;
    size_t len = line->to > line->args ? line->to - line->args : 0;
    size_t mark = sizeof UNFINISHED - 1;

    if (line->quiet && len >= mark && memcmp(text + len - mark, UNFINISHED, mark) == 0)
        len -= mark;
    return line->quiet && !memchr(text, '"', len) && !memchr(text, '<', len) &&
           !memchr(text, '\\', len) && !memchr(text, '/', len);
}

/* A run of quiet lines leaves one line end in the view. */
static void leave_out(struct lexer *lexer, const struct line *line)
{
    bool follows = line->from > 0 && lexer->copied == line->from - 1 && lexer->left_out;

    if (!follows)
        view_copy(lexer->view, lexer->raw, lexer->copied, line->from);
    lexer->copied = line->to;
    lexer->left_out = true;
}

static void take_line(struct lexer *lexer, size_t from, size_t to)
{
    struct line line = {.from = from, .to = to};

    if (take_dump(lexer, &line)) {
        lexer->left_out = false;
        return;
    }
    if (!read_head(&line, lexer->raw)) {
        lexer->left_out = false;
        view_copy(lexer->view, lexer->raw, lexer->copied, to);
        lexer->copied = to;
        lexer_plain_lines(lexer, lexer->raw, from, to);
        lexer_mask_binary(lexer, from, to);
        return;
    }
    if (is_quiet(lexer->raw, &line)) {
        leave_out(lexer, &line);
        return;
    }
    lexer->left_out = false;
    if (line.kind != CALL_OTHER || line.resumed)
        judge(lexer, &line);
    else
        line.rule = -1;
    take_strings(lexer, &line);
}

static int by_stream(const void *a, const void *b)
{
    const struct lexer_piece *left = a, *right = b;

    if (left->pid != right->pid)
        return left->pid < right->pid ? -1 : 1;
    if (left->fd != right->fd)
        return left->fd < right->fd ? -1 : 1;
    if (left->write != right->write)
        return left->write ? -1 : 1;
    return (left->from > right->from) - (left->from < right->from);
}

static bool continues(const struct lexer_piece *piece, const struct lexer_piece *before)
{
    return piece->pid == before->pid && piece->fd == before->fd && piece->write == before->write &&
           !before->ended;
}

#define PIECE_EDGE 512

/* A long piece matters at its ends only: its middle was searched where it stands. */
static void add_piece(struct lexer *lexer, const struct lexer_piece *piece)
{
    if (piece->to - piece->from <= 2 * PIECE_EDGE) {
        view_unescape(lexer->view, lexer->raw, piece->from, piece->to);
        return;
    }
    view_unescape(lexer->view, lexer->raw, piece->from, piece->from + PIECE_EDGE);
    view_mark(lexer->view, '\n');
    view_unescape(lexer->view, lexer->raw, piece->to - PIECE_EDGE, piece->to);
}

/* One buffer over many calls or vectors: each stream of this window once more, joined. */
static void join_pieces(struct lexer *lexer)
{
    qsort(lexer->pieces, lexer->piece_count, sizeof(*lexer->pieces), by_stream);
    for (size_t i = 0; i < lexer->piece_count; i++) {
        bool after = i > 0 && continues(&lexer->pieces[i], &lexer->pieces[i - 1]);
        bool before =
            i + 1 < lexer->piece_count && continues(&lexer->pieces[i + 1], &lexer->pieces[i]);

        if (!after)
            view_mark(lexer->view, '\n');
        if (after || before)
            add_piece(lexer, &lexer->pieces[i]);
        if (lexer->pieces[i].fd == UINT32_MAX) /* arguments of a command */
            view_mark(lexer->view, ' ');
    }
    view_mark(lexer->view, '\n');
}

void lexer_strace(struct lexer *lexer, const char *raw, size_t len)
{
    size_t from = 0;

    lexer->raw = raw;
    lexer->copied = 0;
    lexer->left_out = false;
    lexer->piece_count = 0;
    while (from < len) {
        const char *newline = memchr(raw + from, '\n', len - from);
        size_t to = newline ? (size_t)(newline - raw) : len;

        take_line(lexer, from, to);
        from = to + 1;
    }
    view_copy(lexer->view, raw, lexer->copied, len);
    if (lexer->piece_count > 1)
        join_pieces(lexer);
}
