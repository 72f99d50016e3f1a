/* SPDX-License-Identifier: Apache-2.0 */
#include "explain.h"

#include "blobs.h"
#include "change_manifest.h"
#include "client.h"
#include "diff.h"
#include "explain_hypothesis.h"
#include "gate_local.h"
#include "subject.h"
#include "world_view.h"

#include <opledger/json.h>

#define DIFF_FILE_MAX ((size_t)1 << 20)

/* The bytes of one side; *readable false when they are too many, binary, or not for this token. */
static void fetch_side(struct client *client, const struct opl_file_side *side, struct opl_buf *out,
                       bool *readable)
{
    struct opl_err why = {0};

    out->max = DIFF_FILE_MAX;
    *readable = !side->present || (blobs_get(client, &side->sha256, out, &why) &&
                                   (out->len == 0 || opl_is_utf8(out->data, out->len)));
}

static bool print_file(struct client *client, const struct opl_manifest_file *file,
                       struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf before = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf after = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};
    bool base_readable, next_readable;

    fetch_side(client, &file->base, &before, &base_readable);
    fetch_side(client, &file->next, &after, &next_readable);
    opl_buf_str(&text, "  ");
    output_recorded(&text, file->path, strlen(file->path), OUTPUT_INLINE);
    opl_buf_chr(&text, '\n');
    if (!base_readable || !next_readable)
        opl_buf_str(&text, "    | (not text, too large, or not readable with this token)\n");
    else if (!diff_text(&before, &after, &text, err))
        return false;
    output_text(&client->out, &text);
    return opl_buf_ok(&text, err);
}

static bool print_files(struct client *client, const struct gate_reply *reply, struct opl_err *err)
{
    OPL_CLEANUP(opl_manifest_close) struct opl_manifest manifest = {0};
    char digest[OPL_DIGEST_SIZE];

    opl_hash_digest(&reply->manifest, digest);
    if (!change_manifest_fetch(client, digest, &manifest, err))
        return false;
    output_line(&client->out, "manifest %s", digest);
    change_manifest_print(client, &manifest);
    output_line(&client->out, "files:");
    for (size_t i = 0; i < manifest.file_count; i++)
        if (!print_file(client, &manifest.files[i], err))
            return false;
    return true;
}

static bool names(const json_t *list, const char *id)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strcmp(json_string_value(json_array_get(list, i)), id) == 0)
            return true;
    return false;
}

static bool print_named(const struct explain_page *page, const json_t *hypotheses,
                        struct opl_err *err)
{
    size_t shown = 0;

    output_line(&page->client->out, "rests on:%s",
                json_array_size(hypotheses) == 0 ? " nothing" : "");
    for (size_t i = 0; i < json_array_size(hypotheses); i++)
        if (!explain_hypothesis(page, json_string_value(json_array_get(hypotheses, i)),
                                EXPLAIN_ALWAYS, &shown, err))
            return false;
    return true;
}

/* What was refuted or disputed in the same incident is shown though the change does not name it. */
static bool print_others(const struct explain_page *page, const char *incident,
                         const json_t *hypotheses, struct opl_err *err)
{
    struct client *client = page->client;
    OPL_CLEANUP(subject_close) struct subject subject = {0};
    const char *child;
    size_t shown = 0;

    if (incident == NULL || *incident == '\0')
        return true;
    if (!subject_load(client, incident, &subject, err))
        return false;
    output_line(&client->out, "refuted or disputed in %s, and not named by the change:", incident);
    for (size_t i = 0; (child = subject_child(&subject, i)) != NULL; i++)
        if (strncmp(child, "hyp-", 4) == 0 && !names(hypotheses, child) &&
            !explain_hypothesis(page, child, EXPLAIN_IF_DISPUTED, &shown, err))
            return false;
    if (shown == 0)
        output_line(&client->out, "  none");
    return true;
}

static bool print_hypotheses(struct client *client, struct opl_world *world, const char *change,
                             struct opl_err *err)
{
    const struct opl_fold *fold = NULL;
    OPL_CLEANUP(opl_json_freep) json_t *hypotheses = NULL;
    struct explain_page page = {.client = client, .world = world};
    char incident[OPL_ID_SIZE], proposer[65];

    if (!opl_world_find(world, change, &fold, err))
        return false;
    if (fold == NULL)
        return opl_fail(err, OPL_E_NOT_FOUND, "there is no %s", change);
    memcpy(incident, fold->on, sizeof(incident)); /* looking further may move the fold */
    snprintf(proposer, sizeof(proposer), "%s",
             opl_change_proposer(fold) != NULL ? opl_change_proposer(fold) : "");
    page.proposer = proposer;
    hypotheses = json_incref((json_t *)opl_change_hypotheses(fold));
    return print_named(&page, hypotheses, err) && print_others(&page, incident, hypotheses, err);
}

static bool check_outcome(struct client *client, struct opl_world *world, const char *change,
                          const struct gate_reply *reply, struct opl_err *err)
{
    struct opl_gate_result *result = gate_local(world, change, &reply->head, err);
    bool same;

    if (result == NULL)
        return false;
    gate_local_print_approvals(client, result);
    same = result->outcome == reply->outcome;
    if (!same)
        opl_fail(err, OPL_E_VERIFY, "the ledger says %s, but its log, folded here, says %s",
                 opl_gate_outcome_name(reply->outcome), opl_gate_outcome_name(result->outcome));
    free(result);
    return same;
}

bool explain_print(struct client *client, const char *change, const struct gate_reply *reply,
                   struct opl_err *err)
{
    OPL_CLEANUP(opl_world_freep) struct opl_world *world = NULL;

    return print_files(client, reply, err) && world_view_new(client, &world, err) &&
           print_hypotheses(client, world, change, err) &&
           check_outcome(client, world, change, reply, err);
}
