/* SPDX-License-Identifier: Apache-2.0 */
#include "ledger.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <opledger/encode.h>

#include "disk.h"
#include "queries.h"

#define KEY_PREFIX "PRIVATE+KEY+" /* as Go's note tools write a signing key */
#define KEY_FILE_MAX 1024
#define BEGINNING "beginning"

struct places {
    char key[4096], origin[4096];
};

static bool path_in(const char *dir, const char *name, char *out, size_t size, struct opl_err *err)
{
    if (snprintf(out, size, "%s/%s", dir, name) < (int)size)
        return true;
    return opl_fail(err, OPL_E_CONFIG, "the path of the data folder is too long");
}

/* Reads a small text file without its final newline; *found false when it is not there. */
static bool read_line(const char *path, char *out, size_t size, bool *found, struct opl_err *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t len;

    *found = fd >= 0;
    if (fd < 0)
        return errno == ENOENT || disk_fail(err, errno, "open", path);
    len = read(fd, out, size - 1);
    close(fd);
    if (len < 0)
        return disk_fail(err, errno, "read", path);
    out[len] = '\0';
    out[strcspn(out, "\n")] = '\0';
    return true;
}

static bool check_mode(const char *path, struct opl_err *err)
{
    struct stat st;

    if (stat(path, &st) != 0)
        return disk_fail(err, errno, "stat", path);
    if ((st.st_mode & 077) == 0)
        return true;
    opl_fail(err, OPL_E_CONFIG, "%s can be read by others", path);
    return opl_hint(err, "chmod 600 %s; whoever may have read it can sign in the log's name", path);
}

static bool bad_key(const char *path, struct opl_err *err)
{
    opl_fail(err, OPL_E_CONFIG, "%s holds no signing key of a log", path);
    return opl_hint(err, "restore it from your backup; it cannot be made again");
}

/* PRIVATE+KEY+origin+id+base64(01 || seed) */
static bool parse_key(struct ledger *ledger, const char *text, const char *path,
                      struct opl_err *err)
{
    const char *name = text + strlen(KEY_PREFIX);
    const char *id = NULL, *data = NULL;
    uint8_t bytes[1 + sizeof ledger->seed->b];
    size_t len = 0;
    bool ok;

    if (strncmp(text, KEY_PREFIX, strlen(KEY_PREFIX)) != 0 || (id = strchr(name, '+')) == NULL ||
        (data = strchr(id + 1, '+')) == NULL || (size_t)(id - name) >= sizeof ledger->origin)
        return bad_key(path, err);
    data++;
    ok = opl_base64_decode(data, strlen(data), bytes, sizeof bytes, &len, NULL) &&
         len == sizeof bytes && bytes[0] == OPL_NOTE_ED25519;
    if (ok) {
        memcpy(ledger->origin, name, (size_t)(id - name));
        ledger->origin[id - name] = '\0';
        memcpy(ledger->seed->b, bytes + 1, sizeof ledger->seed->b);
    }
    opl_wipe(bytes, sizeof bytes);
    return ok || bad_key(path, err);
}

static void format_key(const struct ledger *ledger, struct opl_buf *out)
{
    uint8_t bytes[1 + sizeof ledger->seed->b] = {OPL_NOTE_ED25519};

    memcpy(bytes + 1, ledger->seed->b, sizeof ledger->seed->b);
    opl_buf_fmt(out, "%s%s+%08x+", KEY_PREFIX, ledger->origin, ledger->vkey.id);
    opl_buf_base64(out, bytes, sizeof bytes);
    opl_buf_chr(out, '\n');
    opl_wipe(bytes, sizeof bytes);
}

static bool derive(struct ledger *ledger, struct opl_err *err)
{
    struct opl_sign_public public;
    struct opl_key root;

    opl_sign_public_from_seed(ledger->seed, &public);
    memcpy(root.b, ledger->seed->b, sizeof root.b);
    opl_key_derive(&root, "opledger idempotency", &ledger->idempotency);
    opl_key_derive(&root, "opledger login challenge", &ledger->challenge);
    opl_wipe(&root, sizeof root);
    return opl_vkey_make(ledger->origin, OPL_NOTE_ED25519, &public, &ledger->vkey, err);
}

/* Whether DIR/NAME is there. */
static bool is_in(const char *dir, const char *name, bool *yes, struct opl_err *err)
{
    char path[4096];

    if (!path_in(dir, name, path, sizeof path, err))
        return false;
    *yes = access(path, F_OK) == 0;
    return *yes || errno == ENOENT || disk_fail(err, errno, "look for", path);
}

bool ledger_may_begin(const char *data_dir, struct opl_err *err)
{
    bool begins, key, origin;

    if (!is_in(data_dir, BEGINNING, &begins, err) || !is_in(data_dir, "log.key", &key, err) ||
        !is_in(data_dir, "origin", &origin, err))
        return false;
    if (begins || (!key && !origin))
        return true;
    opl_fail(err, OPL_E_CONFIG,
             "%s has a log's %s, and the log itself is gone: the database is empty", data_dir,
             key ? "log.key" : "origin");
    return opl_hint(err,
                    "restore the database of this log (%s/postgres, or what --db names); to "
                    "begin a new log, move log.key and origin away",
                    data_dir);
}

bool ledger_has_begun(const char *data_dir, struct opl_err *err)
{
    char path[4096];

    if (!path_in(data_dir, BEGINNING, path, sizeof path, err))
        return false;
    return unlink(path) == 0 || errno == ENOENT || disk_fail(err, errno, "remove", path);
}

static bool mark_beginning(const char *data_dir, struct opl_err *err)
{
    char path[4096];

    return path_in(data_dir, BEGINNING, path, sizeof path, err) &&
           disk_write_file(path, "", 0, 0600, err);
}

static bool write_origin(const struct ledger *ledger, const char *path, struct opl_err *err)
{
    char line[sizeof ledger->origin + 1];
    int len = snprintf(line, sizeof line, "%s\n", ledger->origin);

    return disk_write_file(path, line, (size_t)len, 0644, err);
}

static bool make_key(struct ledger *ledger, const char *key_path, const char *origin_path,
                     const char *origin, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_wipe) struct opl_buf text = OPL_BUF_INIT(KEY_FILE_MAX);
    uint8_t drawn[8];
    char hex[17];

    opl_random(drawn, sizeof drawn);
    opl_hex_encode(drawn, sizeof drawn, hex);
    if (origin[0] == '\0')
        snprintf(ledger->origin, sizeof ledger->origin, "opledger.local/%s", hex);
    else
        snprintf(ledger->origin, sizeof ledger->origin, "%s", origin);
    opl_random(ledger->seed->b, sizeof ledger->seed->b);
    if (!derive(ledger, err))
        return false;
    format_key(ledger, &text);
    return opl_buf_ok(&text, err) && disk_write_file(key_path, text.data, text.len, 0600, err) &&
           write_origin(ledger, origin_path, err);
}

/* The one file must say what the other does, and --origin, if given, the same. */
static bool check_origin(const struct ledger *ledger, const char *path, const char *asked,
                         struct opl_err *err)
{
    char origin[OPL_NOTE_NAME_SIZE];
    bool found;

    if (!read_line(path, origin, sizeof origin, &found, err))
        return false;
    if (!found) {
        opl_fail(err, OPL_E_CONFIG, "%s is missing", path);
        return opl_hint(err, "it holds one line, the origin of log.key: %s", ledger->origin);
    }
    if (strcmp(origin, ledger->origin) != 0) {
        opl_fail(err, OPL_E_CONFIG, "%s does not name the origin of log.key, %s", path,
                 ledger->origin);
        return opl_hint(err, "both files belong together: take both from one folder or backup");
    }
    if (asked[0] == '\0' || strcmp(asked, origin) == 0)
        return true;
    opl_fail(err, OPL_E_CONFIG, "the log in this folder is %s, not %s", origin, asked);
    return opl_hint(err,
                    "a log keeps its origin: leave --origin out, or give another --data folder");
}

static bool load_key(struct ledger *ledger, const char *key_path, const char *text,
                     struct opl_err *err)
{
    return check_mode(key_path, err) && parse_key(ledger, text, key_path, err) &&
           derive(ledger, err);
}

/* Whether the log's last checkpoint was signed by our key under our origin. */
static bool check_note(const struct ledger *ledger, const char *note, struct opl_err *err)
{
    struct opl_head head;

    if (opl_checkpoint_open(note, strlen(note), &ledger->vkey, &head, NULL))
        return true;
    opl_fail(err, OPL_E_CONFIG, "the log in this database is not signed by this folder's log.key");
    return opl_hint(err, "use the data folder that the log began with, or copy its log.key and "
                         "origin; for a new log, an empty database");
}

static bool last_note(struct db *db, struct db_rows *rows, const char **note, struct opl_err *err)
{
    *note = NULL;
    if (!db_fetch(db, &sql_checkpoint_last, DB_NO_ARGS, rows, err))
        return false;
    return !db_rows_next(rows) || db_get_text(rows, 5, note, err);
}

static bool no_key(const char *key_path, struct opl_err *err)
{
    opl_fail(err, OPL_E_CONFIG, "the database holds a log, and there is no %s to sign it with",
             key_path);
    return opl_hint(err, "copy log.key and origin from the data folder that the log began with");
}

/* Over an empty log: draws the key, or goes on where a first start died. */
static bool begin(struct ledger *ledger, const char *data_dir, const struct places *places,
                  const char *origin, struct opl_err *err)
{
    char text[KEY_FILE_MAX];
    bool found, has_origin, ok;

    if (!ledger_may_begin(data_dir, err) || !mark_beginning(data_dir, err) ||
        !read_line(places->key, text, sizeof text, &found, err) ||
        !is_in(data_dir, "origin", &has_origin, err))
        return false;
    if (!found)
        return make_key(ledger, places->key, places->origin, origin, err);
    ok = load_key(ledger, places->key, text, err) &&
         (has_origin || write_origin(ledger, places->origin, err)) &&
         check_origin(ledger, places->origin, origin, err);
    opl_wipe(text, sizeof text);
    return ok;
}

static bool resume(struct ledger *ledger, const struct places *places, const char *origin,
                   const char *note, struct opl_err *err)
{
    char text[KEY_FILE_MAX];
    bool found, ok;

    if (!read_line(places->key, text, sizeof text, &found, err))
        return false;
    if (!found)
        return no_key(places->key, err);
    ok = load_key(ledger, places->key, text, err) &&
         check_origin(ledger, places->origin, origin, err) && check_note(ledger, note, err);
    opl_wipe(text, sizeof text);
    return ok;
}

bool ledger_open(struct ledger *ledger, const char *data_dir, const char *origin, struct db *db,
                 struct opl_err *err)
{
    OPL_CLEANUP(db_rows_close) struct db_rows rows = {0};
    struct places places;
    const char *note;

    ledger->seed = opl_secret_alloc(sizeof *ledger->seed);
    if (ledger->seed == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no protected memory for the log key");
    if (!path_in(data_dir, "log.key", places.key, sizeof places.key, err) ||
        !path_in(data_dir, "origin", places.origin, sizeof places.origin, err) ||
        !last_note(db, &rows, &note, err))
        return false;
    return note == NULL ? begin(ledger, data_dir, &places, origin, err)
                        : resume(ledger, &places, origin, note, err);
}

void ledger_close(struct ledger *ledger)
{
    opl_secret_free(ledger->seed);
    opl_wipe(ledger, sizeof *ledger);
}

bool ledger_sign(const struct ledger *ledger, const struct opl_head *head, struct opl_buf *note,
                 struct opl_err *err)
{
    return opl_checkpoint_sign(head, ledger->seed, note, err);
}
