/* SPDX-License-Identifier: Apache-2.0 */
/*
 * log verify: the head alone, one entry, or everything (--deep).
 */
#include "client.h"
#include "cmd.h"

#include <inttypes.h>

#include <opledger/json.h>

#include "fields.h"
#include "log_view.h"
#include "verify.h"
#include "verify_proof.h"

const struct option_spec log_verify_options[] = {
    {"deep", NULL, "every entry, text, blob, signature and decision", 0, 0},
    OPTION_END,
};

static bool print_result(struct client *client, const char *tier, const struct opl_head *head,
                         const char *line, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep)
    json_t *value = json_pack("{s:s, s:s, s:I, s:n}", "tier", tier, "origin", head->origin, "size",
                              (json_int_t)head->size, "wrong");

    output_line(&client->out, "%s", line);
    return value == NULL ? opl_fail(err, OPL_E_NOMEM, "no memory for a result")
                         : output_json(&client->out, value, err);
}

static bool verify_quick(struct client *client, struct opl_err *err)
{
    struct opl_head head;
    char line[128];

    if (!log_view_head(client, &head, err))
        return false;
    output_line(&client->out, "%s: the head is signed by the pinned log key", head.origin);
    output_line(&client->out, "covered: that signature, and that the log continues what this "
                              "client has seen");
    output_line(&client->out, "not covered: the entries themselves, texts, blobs, signatures, "
                              "decisions; no independent witness has signed it");
    output_next(&client->out, "opledger log verify --deep");
    snprintf(line, sizeof(line), "log verify: %" PRIu64 " entries signed and continued (exit 0)",
             head.size);
    return print_result(client, "quick", &head, line, err);
}

static bool verify_one(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(subject_entry_close) struct subject_entry entry = {0};
    struct opl_head head;
    int64_t seq;
    char line[128];

    if (!fields_integer(client_arg(client, 0), "the sequence number", &seq, err) ||
        !log_view_head(client, &head, err) ||
        !verify_proof_entry(client, (uint64_t)seq, &head, &entry, err))
        return false;
    output_line(&client->out,
                "covered: bytes, leaf, texts under their seals, and the path to the "
                "signed head of %" PRIu64 " entries",
                head.size);
    output_line(&client->out, "not covered: whether the entry should be there, and all others");
    snprintf(line, sizeof(line), "log verify: entry %" PRId64 " is good (exit 0)", seq);
    return print_result(client, "proof", &head, line, err);
}

static bool run_deep(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(verify_close) struct verify verify = {0};

    return verify_open(&verify, client, err) && verify_deep(&verify, err) &&
           verify_report(&verify, err);
}

/* What does not verify is the last line on stdout too, whatever tier found it. */
static void say_wrong(struct client *client, const struct opl_err *why)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf reason = {0};

    output_recorded(&reason, why->text, strlen(why->text), OUTPUT_INLINE);
    if (!verify_is_finding(why))
        return;
    if (args_positional(&client->args, 0) != NULL)
        output_line(&client->out, "log verify: entry %s is wrong: %s (exit 4)",
                    client_arg(client, 0), opl_buf_text(&reason));
    else
        output_line(&client->out, "log verify: the log is wrong: %s (exit 4)",
                    opl_buf_text(&reason));
}

bool cmd_log_verify(struct client *client, struct opl_err *err)
{
    bool one = args_positional(&client->args, 0) != NULL;
    bool deep = args_has(&client->args, "deep");

    if (one && deep)
        return opl_fail(err, OPL_E_USAGE, "one entry, or --deep for all of them");
    if (deep ? run_deep(client, err) : one ? verify_one(client, err) : verify_quick(client, err))
        return true;
    say_wrong(client, err);
    return false;
}
