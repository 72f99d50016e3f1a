/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A terminal in bracketed paste mode puts ESC [ 200 ~ before a paste and ESC [ 201 ~ behind it. So
 * a Ctrl-D inside a paste is text, and one that was typed ends it.
 */
#include "text_input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <opledger/kinds.h>
#include <opledger/name.h>
#include <opledger/utf8.h>

#include "client.h"
#include "files.h"
#include "process.h"

#define PASTE_ON "\033[?2004h"
#define PASTE_OFF "\033[?2004l"
#define PASTE_BEGIN "[200~"
#define PASTE_END "[201~"
#define KEY_END 4     /* Ctrl-D */
#define KEY_EDITOR 7  /* Ctrl-G */
#define KEY_GIVE_UP 3 /* Ctrl-C */
#define KEY_ESCAPE 27
#define ESCAPE_WAIT_MS 50 /* the rest of an escape sequence follows at once */
#define EDITOR_WORDS 16

enum paste_end { PASTE_GOING, PASTE_DONE, PASTE_EDITOR, PASTE_GIVEN_UP, PASTE_CLOSED };

struct paste {
    int fd;
    bool inside; /* between the marks */
    struct opl_buf *out;
    char unshown[4]; /* a character of several bytes, not complete yet */
    size_t unshown_len;
};

struct raw_mode {
    int fd;
    bool on;
    struct termios before;
};

static void raw_leave(struct raw_mode *mode)
{
    struct opl_err ignored = {0};

    if (!mode->on)
        return;
    if (file_write_fd(mode->fd, PASTE_OFF, strlen(PASTE_OFF), &ignored))
        tcsetattr(mode->fd, TCSADRAIN, &mode->before);
    mode->on = false;
}

static bool raw_enter(struct raw_mode *mode, struct opl_err *err)
{
    struct termios raw;

    if (tcgetattr(mode->fd, &mode->before) != 0)
        return opl_fail(err, OPL_E_IO, "cannot read from the terminal: %s", strerror(errno));
    raw = mode->before;
    raw.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IXON);
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG | IEXTEN);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    mode->on = tcsetattr(mode->fd, TCSADRAIN, &raw) == 0;
    if (!mode->on)
        return opl_fail(err, OPL_E_IO, "cannot read from the terminal: %s", strerror(errno));
    return file_write_fd(mode->fd, PASTE_ON, strlen(PASTE_ON), err);
}

static bool next_byte(int fd, int timeout_ms, char *byte)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};

    return poll(&ready, 1, timeout_ms) > 0 && read(fd, byte, 1) == 1;
}

/* A terminal that shows nothing still takes text. */
static void show(const struct paste *paste, const char *text, size_t len)
{
    struct opl_err ignored = {0};
    bool shown = file_write_fd(paste->fd, text, len, &ignored);

    (void)shown;
}

static void show_unshown(struct paste *paste)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

    output_recorded(&text, paste->unshown, paste->unshown_len, OUTPUT_INLINE);
    show(paste, opl_buf_text(&text), text.len);
    paste->unshown_len = 0;
}

static void echo_part(struct paste *paste, char byte)
{
    uint32_t point;

    paste->unshown[paste->unshown_len++] = byte;
    if (opl_utf8_next(paste->unshown, paste->unshown_len, &point) > 0 ||
        paste->unshown_len == sizeof(paste->unshown))
        show_unshown(paste);
}

/* What is typed or pasted is echoed as recorded text is: it may hold escape sequences. */
static void echo(struct paste *paste, char byte)
{
    char text[8];

    if (paste->unshown_len > 0 && ((unsigned char)byte & 0xC0) != 0x80)
        show_unshown(paste);
    if ((unsigned char)byte >= 0x80) {
        echo_part(paste, byte);
        return;
    }
    if (byte == '\n')
        snprintf(text, sizeof(text), "\r\n");
    else if ((unsigned char)byte < ' ' || byte == 127)
        snprintf(text, sizeof(text), "^%c", byte ^ 64);
    else
        snprintf(text, sizeof(text), "%c", byte);
    show(paste, text, strlen(text));
}

static void keep(struct paste *paste, char byte)
{
    if (byte == '\r')
        byte = '\n';
    opl_buf_chr(paste->out, byte);
    echo(paste, byte);
}

/* An escape: a paste mark is swallowed; inside a paste anything else is text, outside a key. */
static void take_escape(struct paste *paste)
{
    char seen[8];
    size_t len = 0;

    while (len < strlen(PASTE_BEGIN) && next_byte(paste->fd, ESCAPE_WAIT_MS, &seen[len])) {
        len++;
        if (seen[0] != '[' || seen[len - 1] == '~')
            break;
        if (len > 1 && (seen[len - 1] < '0' || seen[len - 1] > ';'))
            break;
    }
    if (len == strlen(PASTE_BEGIN) && memcmp(seen, PASTE_BEGIN, len) == 0 && !paste->inside) {
        paste->inside = true;
        return;
    }
    if (len == strlen(PASTE_END) && memcmp(seen, PASTE_END, len) == 0) {
        paste->inside = false;
        return;
    }
    if (!paste->inside)
        return;
    keep(paste, KEY_ESCAPE);
    for (size_t i = 0; i < len; i++)
        keep(paste, seen[i]);
}

/* Backspace takes back one character of what was typed, however many bytes it has. */
static void take_back(struct paste *paste)
{
    struct opl_buf *out = paste->out;

    paste->unshown_len = 0;
    while (out->len > 0 && ((unsigned char)out->data[out->len - 1] & 0xC0) == 0x80)
        out->len--;
    if (out->len == 0 || out->data[out->len - 1] == '\n')
        return;
    out->data[--out->len] = '\0';
    show(paste, "\b \b", 3);
}

static enum paste_end take(struct paste *paste, char byte)
{
    if (byte == KEY_ESCAPE)
        take_escape(paste);
    else if (paste->inside)
        keep(paste, byte);
    else if (byte == KEY_END)
        return PASTE_DONE;
    else if (byte == KEY_EDITOR)
        return PASTE_EDITOR;
    else if (byte == KEY_GIVE_UP)
        return PASTE_GIVEN_UP;
    else if (byte == 127 || byte == '\b')
        take_back(paste);
    else
        keep(paste, byte);
    return PASTE_GOING;
}

static enum paste_end read_paste(struct paste *paste)
{
    enum paste_end end = PASTE_GOING;
    char byte;

    while (end == PASTE_GOING && !paste->out->failed)
        end = next_byte(paste->fd, -1, &byte) ? take(paste, byte) : PASTE_CLOSED;
    return end;
}

static const char *editor(void)
{
    const char *visual = getenv("VISUAL");
    const char *plain = getenv("EDITOR");

    if (visual != NULL && *visual != '\0')
        return visual;
    return plain != NULL && *plain != '\0' ? plain : "vi";
}

bool text_input_paste(int fd, const char *what, struct opl_buf *out, struct opl_err *err)
{
    OPL_CLEANUP(raw_leave) struct raw_mode mode = {.fd = fd};
    struct paste paste = {.fd = fd, .out = out};
    enum paste_end end;

    dprintf(fd, "%s: paste or type it, Ctrl-D ends it, Ctrl-G opens the editor, Ctrl-C gives up\n",
            what);
    if (!raw_enter(&mode, err))
        return false;
    end = read_paste(&paste);
    raw_leave(&mode);
    dprintf(fd, "\n");
    if (end == PASTE_EDITOR)
        return text_input_edit(editor(), out, err);
    if (end != PASTE_DONE)
        return opl_fail(err, OPL_E_USAGE, "given up: nothing was recorded");
    return opl_buf_ok(out, err);
}

static void remove_file(char **path)
{
    if (*path != NULL)
        unlink(*path);
    free(*path);
    *path = NULL;
}

/* "code --wait" is a program and an argument; quoting is not understood. */
static bool run_editor(const char *command, const char *path, struct opl_err *err)
{
    OPL_CLEANUP(file_free) char *copy = strdup(command);
    const char *words[EDITOR_WORDS + 2];
    char *rest = copy;
    char *word;
    size_t count = 0;
    int status = 0;

    while (rest != NULL && count < EDITOR_WORDS && (word = strsep(&rest, " \t")) != NULL)
        if (*word != '\0')
            words[count++] = word;
    if (copy == NULL || count == 0)
        return opl_fail(err, OPL_E_USAGE, "EDITOR names no program");
    words[count++] = path;
    words[count] = NULL;
    if (!process_run(words, &status, err))
        return false;
    return status == 0 ||
           opl_fail(err, OPL_E_USAGE, "the editor ended with %d: nothing was recorded", status);
}

bool text_input_edit(const char *command, struct opl_buf *out, struct opl_err *err)
{
    const char *folder = getenv("XDG_RUNTIME_DIR");
    OPL_CLEANUP(remove_file) char *path = NULL;
    OPL_CLEANUP(file_closep) int fd = -1;

    if (folder == NULL || *folder != '/')
        folder = "/tmp";
    if (asprintf(&path, "%s/opledger-text-XXXXXX", folder) < 0) {
        path = NULL;
        return opl_fail(err, OPL_E_NOMEM, "no memory for a path");
    }
    fd = mkostemp(path, O_CLOEXEC);
    if (fd < 0)
        return opl_fail(err, OPL_E_IO, "cannot create a file in %s: %s", folder, strerror(errno));
    if (!file_write_fd(fd, opl_buf_text(out), out->len, err) || !run_editor(command, path, err))
        return false;
    opl_buf_reset(out);
    return file_read(path, out, err); /* by name: editors replace files */
}

bool text_input_stdin(struct client *client, struct opl_buf *out, struct opl_err *err)
{
    if (client->stdin_taken) {
        opl_fail(err, OPL_E_USAGE, "only one text can come from stdin");
        return opl_hint(err, "give the other one as an option or from a file");
    }
    client->stdin_taken = true;
    return file_read_fd(STDIN_FILENO, "stdin", out, err);
}

static bool read_any(struct client *client, const char *given, const char *what,
                     struct opl_buf *out, struct opl_err *err)
{
    if (given != NULL && strcmp(given, "-") != 0) {
        opl_buf_str(out, given);
        return opl_buf_ok(out, err);
    }
    if (given == NULL && isatty(STDIN_FILENO) == 1)
        return text_input_paste(STDIN_FILENO, what, out, err);
    return text_input_stdin(client, out, err);
}

static void drop_last_break(struct opl_buf *out)
{
    if (out->len > 0 && out->data[out->len - 1] == '\n')
        out->data[--out->len] = '\0';
}

bool text_input(struct client *client, const char *given, const char *what, struct opl_buf *out,
                struct opl_err *err)
{
    out->max = OPL_SEALED_MAX + 2; /* one more tells too long from full */
    if (!read_any(client, given, what, out, err))
        return false;
    if (given == NULL || strcmp(given, "-") == 0)
        drop_last_break(out);
    if (out->len == 0)
        return opl_fail(err, OPL_E_USAGE, "the %s is empty", what);
    if (out->len > OPL_SEALED_MAX)
        return opl_fail(err, OPL_E_TOO_LARGE, "the %s has more than %d bytes", what,
                        OPL_SEALED_MAX);
    return opl_is_utf8(out->data, out->len) ||
           opl_fail(err, OPL_E_MALFORMED, "the %s is not UTF-8, or holds NUL", what);
}
