/* SPDX-License-Identifier: Apache-2.0 */
/*
 * apply_read - what is to be done, and what lies on this host: all of it before the gate is asked.
 */
#include "apply.h"

#include <unistd.h>

#include <opledger/json.h>

#include "apply_command.h"
#include "change_manifest.h"
#include "client.h"
#include "files.h"
#include "subject.h"

void apply_close(struct apply *apply)
{
    apply_files_close(&apply->files);
    gate_reply_close(&apply->reply);
    opl_manifest_close(&apply->manifest);
    gate_conf_close(&apply->conf);
    opl_buf_close(&apply->report);
    file_free(&apply->program);
}

static bool read_conf(struct apply *apply, struct opl_err *err)
{
    struct client *client = apply->client;

    if (!gate_conf_enforce(client, &apply->conf, err))
        return false;
    if (apply->conf.file != NULL) {
        output_note(&client->out, "%s is in force", apply->conf.file);
        return true;
    }
    if (args_has(&client->args, "unpinned")) {
        output_note(&client->out, "unpinned: whose answer this is rests on first contact alone");
        return true;
    }
    opl_fail(err, OPL_E_UNAVAILABLE, "there is no %s: this host cannot tell which ledger to obey",
             GATE_CONF_STANDARD);
    return opl_hint(err, "install one, name one with --gate-conf, or say --unpinned");
}

static bool read_host(struct apply *apply, struct opl_err *err)
{
    if (apply->conf.host != NULL) {
        snprintf(apply->host, sizeof(apply->host), "%s", apply->conf.host);
        return true;
    }
    if (gethostname(apply->host, sizeof(apply->host) - 1) != 0 || !opl_is_host(apply->host))
        return opl_fail(err, OPL_E_CONFIG, "this host has no name that can be recorded");
    return true;
}

/* The newest proposal or revision says what is to be done; whether it may be, the gate. */
static bool read_change(struct apply *apply, char digest[static OPL_DIGEST_SIZE],
                        struct opl_err *err)
{
    OPL_CLEANUP(subject_close) struct subject subject = {0};
    const char *manifest = NULL;

    if (!subject_load(apply->client, apply->change, &subject, err))
        return false;
    for (size_t i = 0; i < subject.count; i++) {
        const struct opl_entry *entry = &subject.entries[i].entry;

        if (strcmp(entry->kind_name, "change.proposed") == 0)
            snprintf(apply->proposer, sizeof(apply->proposer), "%s", entry->actor);
        else if (strcmp(entry->kind_name, "change.revised") != 0)
            continue;
        manifest = opl_json_str(entry->body, "manifest");
    }
    if (manifest == NULL || apply->proposer[0] == '\0')
        return opl_fail(err, OPL_E_VERIFY, "%s has no manifest", apply->change);
    snprintf(digest, OPL_DIGEST_SIZE, "%s", manifest);
    return true;
}

static bool read_manifest(struct apply *apply, struct opl_err *err)
{
    char digest[OPL_DIGEST_SIZE];

    return read_change(apply, digest, err) &&
           opl_hash_from_digest(digest, &apply->manifest_sha256, err) &&
           change_manifest_fetch(apply->client, digest, &apply->manifest, err) &&
           opl_manifest_base(&apply->manifest, &apply->base, err) &&
           gate_conf_check_paths(&apply->conf, &apply->manifest, err);
}

static bool find_program(struct apply *apply, struct opl_err *err)
{
    char *const *command = apply->manifest.command;

    if (command == NULL || command[0] == NULL)
        return true;
    apply->program = apply_command_find(command[0], err);
    return apply->program != NULL;
}

bool apply_read(struct apply *apply, struct opl_err *err)
{
    const struct staged_places places = {.from = client_option(apply->client, "from")};
    struct output *out = &apply->client->out;

    if (!read_conf(apply, err) || !client_connect(apply->client, err) || !read_host(apply, err) ||
        !read_manifest(apply, err) || !find_program(apply, err))
        return false;
    output_note(out, "%s: %zu files of %s on %s", apply->change, apply->manifest.file_count,
                apply->manifest.target, apply->host);
    if (!apply_files_open(&apply->manifest, &places, &apply->files, err) ||
        !apply_files_check_base(&apply->files, err))
        return false;
    output_note(out, "staged bytes and live base are those of the manifest");
    return true;
}
