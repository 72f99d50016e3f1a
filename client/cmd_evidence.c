/* SPDX-License-Identifier: Apache-2.0 */
/*
 * evidence - bytes that a claim rests on: put in, taken out, listed.
 */
#include "client.h"
#include "cmd.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <opledger/encode.h>
#include <opledger/json.h>

#include "api.h"
#include "evidence.h"
#include "fields.h"
#include "files.h"
#include "record.h"
#include "subject.h"

#define ANY (OPL_ON(OPL_ID_INC) | OPL_ON(OPL_ID_HYP) | OPL_ON(OPL_ID_CHG))

const struct option_spec evidence_attach_options[] = {
    {"source",      "S",   "what it is, as strace or slurm.conf (default: file)", 0, 0},
    {"media-type",  "M",   NULL,                                                  0, 0},
    {"host",        "H",   NULL,                                                  0, 0},
    {"command",     "T",   NULL,                                                  0, 0},
    {"at-version",  "V",   NULL,                                                  0, 0},
    {"baseline-of", "SHA", NULL,                                                  0, 0},
    {"egress",      "EGR", NULL,                                                  0, 0},
    OPTION_OBSERVED,
    OPTION_END,
};
const struct option_spec evidence_get_options[] = {
    {"output", "F", "where the bytes go (default: stdout, but not a terminal)", 0, 'o'},
    OPTION_END,
};

bool cmd_evidence_attach(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *body = json_object();
    char id[OPL_ID_SIZE];
    const char *subject;

    if (!fields_id(client, 0, ANY, &subject, err) ||
        !evidence_upload(client, client_arg(client, 1), body, err))
        return false;
    if (client_option(client, "source") == NULL &&
        !fields_set_take(body, "source", json_string("file"), err))
        return false;
    if (!record_command(client, subject, body, id, err))
        return false;
    output_line(&client->out, "evidence sha256:%s", opl_json_str(body, "sha256"));
    return true;
}

static bool parse_digest(const char *text, struct opl_hash *out, struct opl_err *err)
{
    struct opl_err ignored = {0};

    return opl_hash_from_hex(text, out, &ignored) || opl_hash_from_digest(text, out, err);
}

/* Beside the target first: what does not verify never gets its name. */
static bool get_to_file(struct client *client, const struct opl_hash *sha256, const char *path,
                        struct opl_err *err)
{
    OPL_CLEANUP(file_free) char *beside = NULL;
    OPL_CLEANUP(file_closep) int fd = -1;

    if (asprintf(&beside, "%s.XXXXXX", path) < 0) {
        beside = NULL;
        return opl_fail(err, OPL_E_NOMEM, "no memory for a path");
    }
    fd = mkostemp(beside, O_CLOEXEC);
    if (fd < 0)
        return opl_fail(err, OPL_E_IO, "cannot write %s: %s", path, strerror(errno));
    if (api_get_blob(client->api, sha256, fd, err) && rename(beside, path) == 0)
        return true;
    unlink(beside);
    return opl_fail(err, OPL_E_IO, "cannot write %s: %s", path, strerror(errno));
}

static bool copy_to_stdout(int fd, struct opl_err *err)
{
    char piece[16384];
    ssize_t got;

    while ((got = read(fd, piece, sizeof(piece))) > 0)
        if (!file_write_fd(STDOUT_FILENO, piece, (size_t)got, err))
            return false;
    return got == 0 || opl_fail(err, OPL_E_IO, "cannot read a temporary file");
}

static bool get_to_stdout(struct client *client, const struct opl_hash *sha256, struct opl_err *err)
{
    OPL_CLEANUP(file_closep) int fd = -1;

    if (client->out.terminal || client->out.json) {
        opl_fail(err, OPL_E_USAGE, "evidence is bytes, and may drive a terminal");
        return opl_hint(err, "-o FILE, or a pipe");
    }
    fd = file_temporary(err);
    if (fd < 0 || !api_get_blob(client->api, sha256, fd, err))
        return false;
    if (lseek(fd, 0, SEEK_SET) != 0)
        return opl_fail(err, OPL_E_IO, "cannot rewind a temporary file");
    return copy_to_stdout(fd, err);
}

bool cmd_evidence_get(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *value = NULL;
    const char *path = client_option(client, "output");
    char digest[OPL_DIGEST_SIZE];
    struct opl_hash sha256;

    if (!parse_digest(client_arg(client, 0), &sha256, err))
        return false;
    if (path == NULL)
        return get_to_stdout(client, &sha256, err);
    if (!get_to_file(client, &sha256, path, err))
        return false;
    opl_hash_digest(&sha256, digest);
    output_line(&client->out, "%s verified", digest);
    value = json_pack("{s:s, s:s}", "digest", digest, "file", path);
    return value == NULL ? opl_fail(err, OPL_E_NOMEM, "no memory for the result")
                         : output_json(&client->out, value, err);
}

static void add_row(struct table *table, const struct subject_entry *entry)
{
    const json_t *body = entry->entry.body;

    table_add_fmt(table, "%llu", (unsigned long long)entry->entry.seq);
    table_add_fmt(table, "sha256:%s", opl_json_str(body, "sha256"));
    table_add_fmt(table, "%lld", (long long)opl_json_int(body, "size", 0));
    table_add(table, opl_json_str(body, "source"));
    table_add(table, entry->entry.actor);
    table_add(table, subject_text(entry, "/body/name"));
}

bool cmd_evidence_list(struct client *client, struct opl_err *err)
{
    static const char *const titles[] = {"seq", "digest", "bytes", "source", "by", "name", NULL};
    OPL_CLEANUP(subject_close) struct subject subject = {0};
    struct table table = {.titles = titles, .whole = true};
    const char *id;

    if (!fields_id(client, 0, ANY, &id, err) || !subject_load(client, id, &subject, err))
        return false;
    for (size_t i = 0; i < subject.count; i++)
        if (strcmp(subject.entries[i].entry.kind_name, "evidence.attached") == 0)
            add_row(&table, &subject.entries[i]);
    table_print(&table, &client->out);
    table_close(&table);
    return output_json(&client->out, subject.reply, err);
}
