/* SPDX-License-Identifier: Apache-2.0 */
#include "secrets.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <opledger/kinds.h>
#include <opledger/redact.h>
#include <opledger/rules.h>

#include "client.h"
#include "files.h"
#include "staged.h"

#define RULE_FILES 64
#define TOKEN_LEAST 16
/* Of a file, so that a warning does not take longer than the rest. */
#define WARN_MAX ((off_t)16 << 20)
#define ALL_BUT_SECRETS (((1u << OPL_RULES_CLASSES) - 1) & ~OPL_RULES_BIT(OPL_RULES_SECRET))

static bool read_at(void *ctx, uint64_t at, void *bytes, size_t len, struct opl_err *err)
{
    const int *fd = ctx;
    char *to = bytes;

    while (len > 0) {
        ssize_t got = pread(*fd, to, len, (off_t)at);

        if (got <= 0)
            return opl_fail(err, OPL_E_IO, "a file was cut while it was read");
        to += got;
        at += (uint64_t)got;
        len -= (size_t)got;
    }
    return true;
}

static bool fail_found(const char *path, const struct opl_redact_finding *finding,
                       struct opl_err *err)
{
    opl_fail(err, OPL_E_WRONG_STATE, "%s holds a secret at byte %llu, by the rule %s", path,
             (unsigned long long)finding->at, finding->rule);
    return opl_hint(err, "keep it in a file of its own, outside the change");
}

/* A side that is absent has nothing to hide. */
static bool check_side(const struct opl_rules *rules, char *path, struct opl_err *err)
{
    OPL_CLEANUP(file_free) char *owned = path;
    OPL_CLEANUP(file_closep) int fd = -1;
    struct opl_redact_finding finding = {0};
    struct stat info;

    if (owned == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a path");
    fd = open(owned, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT)
        return true;
    if (fd < 0 || fstat(fd, &info) != 0)
        return opl_fail(err, OPL_E_IO, "cannot read %s: %s", owned, strerror(errno));
    return opl_redact_verify(rules, ALL_BUT_SECRETS, read_at, &fd, (uint64_t)info.st_size, &finding,
                             err) &&
           (finding.count == 0 || fail_found(owned, &finding, err));
}

static struct opl_rules *builtin_rules(struct opl_err *err)
{
    struct opl_rule_file files[RULE_FILES];

    return opl_rules_new(files, opl_rules_builtin(files, RULE_FILES), err);
}

bool secrets_absent(struct client *client, const struct opl_manifest *manifest, struct opl_err *err)
{
    struct staged_places places = staged_places(client);
    OPL_CLEANUP(opl_rules_freep) struct opl_rules *rules = builtin_rules(err);

    if (rules == NULL)
        return false;
    for (size_t i = 0; i < manifest->file_count; i++)
        if (!check_side(rules, staged_new_path(&places, manifest->files[i].path), err) ||
            !check_side(rules, staged_base_path(&places, manifest->files[i].path), err))
            return false;
    return true;
}

static bool text_at(void *ctx, uint64_t at, void *bytes, size_t len, struct opl_err *err)
{
    const struct opl_buf *text = ctx;

    if (at > text->len || len > text->len - at)
        return opl_fail(err, OPL_E_INTERNAL, "a text ends before it was read");
    memcpy(bytes, text->data + at, len);
    return true;
}

/* Those of secrets alone: who notes a line waits for no names and addresses to be compiled. */
static struct opl_rules *secret_rules(struct opl_err *err)
{
    struct opl_rule_file files[RULE_FILES];
    size_t count = opl_rules_builtin(files, RULE_FILES);
    size_t kept = 0;

    for (size_t i = 0; i < count; i++)
        if (strstr(files[i].name, "secrets") != NULL)
            files[kept++] = files[i];
    return opl_rules_new(files, kept, err);
}

/* A warning that cannot be given is none: recording goes on. */
static void warn(struct client *client, const char *what, opl_read_fn read, void *ctx,
                 uint64_t size)
{
    struct opl_redact_finding finding = {0};
    struct opl_err ignored = {0};
    OPL_CLEANUP(opl_rules_freep) struct opl_rules *rules = secret_rules(&ignored);

    if (rules == NULL ||
        !opl_redact_verify(rules, ALL_BUT_SECRETS, read, ctx, size, &finding, &ignored) ||
        finding.count == 0)
        return;
    output_note(&client->out,
                "warning: %s looks like it holds a secret at byte %llu (rule %s); what is recorded "
                "can be read by others, and stays",
                what, (unsigned long long)finding.at, finding.rule);
}

static bool is_of_a_token(char c)
{
    return isalnum((unsigned char)c) || strchr("+/_-=.", c) != NULL;
}

/* A long word of letters and digits, which few words of people are. */
static bool has_long_word(const char *text)
{
    size_t len = 0, digits = 0, letters = 0;

    for (; *text != '\0'; text++) {
        bool inside = is_of_a_token(*text);

        len = inside ? len + 1 : 0;
        digits = inside ? digits + (isdigit((unsigned char)*text) != 0) : 0;
        letters = inside ? letters + (isalpha((unsigned char)*text) != 0) : 0;
        if (len >= TOKEN_LEAST && digits > 0 && letters > 0)
            return true;
    }
    return false;
}

/* Rules take half a second to compile: only where something could be one is it asked of them. */
static bool could_hold_one(const char *text)
{
    static const char *const words[] = {"pass", "pwd", "secret", "token", "key", "bearer", "auth"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strcasestr(text, words[i]) != NULL)
            return true;
    return strstr(text, "://") != NULL || has_long_word(text);
}

void secrets_warn_texts(struct client *client, const struct opl_kind *kind, const json_t *body)
{
    OPL_CLEANUP(opl_buf_wipe) struct opl_buf all = {0};

    for (const struct opl_field *field = kind->fields; field->name != NULL; field++) {
        const json_t *value = json_object_get(body, field->name);

        if (field->type != OPL_F_SEALED || !json_is_string(value))
            continue;
        opl_buf_add(&all, json_string_value(value), json_string_length(value));
        opl_buf_chr(&all, '\n');
    }
    if (could_hold_one(opl_buf_text(&all)))
        warn(client, "the text", text_at, &all, all.len);
}

void secrets_warn_file(struct client *client, const char *path)
{
    OPL_CLEANUP(file_closep) int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    OPL_CLEANUP(opl_buf_close) struct opl_buf safe = {0};
    struct stat info;

    if (fd < 0 || fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0)
        return;
    output_recorded(&safe, path, strlen(path), OUTPUT_INLINE);
    warn(client, opl_buf_text(&safe), read_at, &fd,
         (uint64_t)(info.st_size < WARN_MAX ? info.st_size : WARN_MAX));
}
