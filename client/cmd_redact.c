/* SPDX-License-Identifier: Apache-2.0 */
/*
 * redact - the filter as a command: nothing on stdout, and nothing recorded, before all of the
 * output has verified.
 */
#include "client.h"
#include "cmd.h"

#include <unistd.h>

#include <opledger/encode.h>
#include <opledger/json.h>

#include "adopted.h"
#include "egress.h"
#include "files.h"
#include "record.h"
#include "redact.h"

#define LEARN_FILES 64

const struct option_spec redact_options[] = {
    {"policy",      "P",       "a rule file, or a folder of them, over the rules in force",  0,           0  },
    {"manifest",    "F",       "where to write the account of what was masked",              0,           0  },
    {"map",         "F",       "where to write the sealed map of names, for this host only", 0,           0  },
    {"learn",       "FILE",    "learn names from slurm.conf, passwd, group or hosts",        OPTION_LIST, 0  },
    {"format",      "FORMAT",  "auto, strace or plain (default auto)",                       0,           0  },
    {"record",      "INC|HYP", "record the output as egress, sent for this",                 0,           0  },
    {"destination", "D",       "who gets it, by models.yaml: says what may pass",            0,           0  },
    {"model",       "MODEL",   "PROVIDER/NAME[@VERSION]",                                    0,           'm'},
    OPTION_END,
};

static const char *key_file(const struct client *client)
{
    const char *source = client->config.source[CONFIG_REDACT_KEY_FILE];

    return source != NULL && strcmp(source, "default") == 0
               ? NULL
               : config_get(&client->config, CONFIG_REDACT_KEY_FILE);
}

static bool check_options(const struct client *client, struct opl_err *err)
{
    if (client_option(client, "record") == NULL)
        return true;
    if (client_option(client, "destination") == NULL || client_option(client, "model") == NULL)
        return opl_fail(err, OPL_E_USAGE, "--record needs --destination and --model");
    if (client_option(client, "policy") != NULL) {
        opl_fail(err, OPL_E_USAGE, "--record takes the adopted rules only, not --policy");
        return opl_hint(err, "opledger policy adopt them first");
    }
    return true;
}

/* stdout takes no other bytes than the output: with --json there is one document instead. */
static bool check_stdout(const struct client *client, struct opl_err *err)
{
    if (!client->out.json || client_option(client, "record") != NULL)
        return true;
    opl_fail(err, OPL_E_USAGE, "--json and the output would share stdout");
    return opl_hint(err, "--manifest F has the account as JSON");
}

/* Which rules, their digest, and how old what is known of them is. */
static void describe_rules(struct client *client, const struct redact_outcome *outcome,
                           const struct adopted *adopted)
{
    char digest[OPL_DIGEST_SIZE], age[ADOPTED_AGE_SIZE];

    opl_hash_digest(&outcome->rules, digest);
    if (adopted->document == NULL) {
        output_note(&client->out, "rules: %s, %s", outcome->rules_from, digest);
        return;
    }
    adopted_age(adopted, age);
    output_note(&client->out, "rules: %s, %s, read from the ledger %s", outcome->rules_from, digest,
                age);
}

static void describe(struct client *client, const struct redact_outcome *outcome)
{
    const struct opl_redact_result *result = &outcome->result;
    struct output *out = &client->out;

    output_note(out, "%s, %llu bytes in, %llu out", opl_format_name(result->format),
                (unsigned long long)result->source_size, (unsigned long long)result->size);
    for (int i = 0; i < OPL_RULES_CLASSES; i++)
        if (result->hits[i] > 0)
            output_note(out, "  %-9s %llu", opl_rule_class_name((enum opl_rule_class)i),
                        (unsigned long long)result->hits[i]);
    if (result->unscannable > 0)
        output_note(out, "  %llu parts could not be scanned and were masked whole",
                    (unsigned long long)result->unscannable);
    output_note(out, "the output verified, in %u rounds", result->rounds);
}

/* An egress takes a file: the output is no secret any more. */
static bool record(struct client *client, struct redact_outcome *outcome, struct opl_err *err)
{
    OPL_CLEANUP(file_closep) int fd = file_temporary(err);
    OPL_CLEANUP(opl_json_freep) json_t *manifest = NULL;
    struct egress egress = {.on = client_option(client, "record"),
                            .destination = client_option(client, "destination"),
                            .model = client_option(client, "model"),
                            .outcome = "sent",
                            .output_fd = fd};
    OPL_CLEANUP(opl_receipt_close) struct opl_receipt receipt = {0};

    if (fd < 0 || !redact_release(outcome, fd, err))
        return false;
    if (lseek(fd, 0, SEEK_SET) != 0)
        return opl_fail(err, OPL_E_IO, "cannot go back in a temporary file");
    manifest = opl_json_parse(outcome->manifest.data, outcome->manifest.len, err);
    egress.manifest = manifest;
    if (manifest == NULL || !client_connect(client, err) ||
        !egress_record(client, &egress, &receipt, err))
        return false;
    output_note(&client->out, "recorded %s as entry %llu, verified in the log of %llu entries",
                receipt.id, (unsigned long long)receipt.seq,
                (unsigned long long)receipt.checkpoint.size);
    return record_json(client, &receipt, err);
}

static bool write_files(const struct client *client, const struct redact_outcome *outcome,
                        struct opl_err *err)
{
    const char *manifest = client_option(client, "manifest"), *map = client_option(client, "map");

    return (manifest == NULL || redact_write_manifest(outcome, manifest, err)) &&
           (map == NULL || redact_write_map(outcome, map, err));
}

/* Recorded before it is released: what is on stdout is in the ledger. */
static bool finish(struct client *client, struct redact_outcome *outcome, struct opl_err *err)
{
    bool records = client_option(client, "record") != NULL;

    describe(client, outcome);
    if (!write_files(client, outcome, err) || (records && !record(client, outcome, err)))
        return false;
    if (!records)
        output_note(&client->out, "nothing was recorded: --record INC does that");
    if (client->out.json)
        return true;
    fflush(client->out.result);
    return redact_release(outcome, fileno(client->out.result), err);
}

static bool wants_output_only(const struct client *client)
{
    return client_option(client, "manifest") == NULL && client_option(client, "map") == NULL &&
           client_option(client, "record") == NULL;
}

/* What is adopted wins over the built-in, --policy over both. What is recorded goes by today's. */
static bool choose_rules(struct client *client, struct redact_options *options,
                         struct adopted *adopted, struct opl_err *err)
{
    bool found = options->incident != NULL;

    if (!(found ? adopted_refresh(client, adopted, err)
                : adopted_newest(client, adopted, &found, err)))
        return false;
    if (found)
        adopted_use(adopted, options);
    return true;
}

static bool filter(struct client *client, struct redact_options *options, struct opl_err *err)
{
    OPL_CLEANUP(adopted_close) struct adopted adopted = {0};
    OPL_CLEANUP(redact_outcome_close) struct redact_outcome outcome = {0};

    if (!choose_rules(client, options, &adopted, err) ||
        !redact_run(options, args_positional(&client->args, 0), STDIN_FILENO, &outcome, err)) {
        output_note(&client->out, "nothing was released, nothing was recorded");
        return false;
    }
    describe_rules(client, &outcome, &adopted);
    return finish(client, &outcome, err);
}

bool cmd_redact(struct client *client, struct opl_err *err)
{
    const char *learn[LEARN_FILES];
    struct redact_options options = {
        .policy = client_option(client, "policy"),
        .learn = learn,
        .format = client_option(client, "format"),
        .destination = client_option(client, "destination"),
        .model = client_option(client, "model"),
        .incident = client_option(client, "record"),
        .key_file = key_file(client),
        .output_only = wants_output_only(client),
    };

    while (options.learn_count < LEARN_FILES &&
           options.learn_count < args_count(&client->args, "learn")) {
        learn[options.learn_count] = args_at(&client->args, "learn", options.learn_count);
        options.learn_count++;
    }
    return check_options(client, err) && check_stdout(client, err) && filter(client, &options, err);
}
