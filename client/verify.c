/* SPDX-License-Identifier: Apache-2.0 */
#include "verify.h"

#include <stdarg.h>

#include <opledger/json.h>

#include "api.h"
#include "blobs.h"
#include "client.h"
#include "log_view.h"

#define DOCUMENT_MAX ((size_t)4 << 20)

static void find(struct verify *verify, uint64_t entry, const char *what, const char *fmt,
                 va_list args)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

    if (verify->wrong.found)
        return;
    opl_buf_vfmt(&text, fmt, args);
    verify->wrong = (struct verify_finding){.found = true, .entry = entry, .last = entry};
    snprintf(verify->wrong.what, sizeof(verify->wrong.what), "%s", what);
    snprintf(verify->wrong.reason, sizeof(verify->wrong.reason), "%s", opl_buf_text(&text));
    verify->wrong.good = entry == VERIFY_NO_ENTRY ? verify->head.size : entry;
}

void verify_wrong(struct verify *verify, uint64_t entry, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    find(verify, entry, "", fmt, args);
    va_end(args);
}

void verify_wrong_thing(struct verify *verify, const char *what, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    find(verify, VERIFY_NO_ENTRY, what, fmt, args);
    va_end(args);
}

bool verify_is_finding(const struct opl_err *err)
{
    return opl_code_exit(err->code) == opl_code_exit(OPL_E_VERIFY);
}

/* What this reader may not see is no proof of anything, in either direction. */
static bool load_document(void *ctx, const struct opl_hash *sha256, struct opl_buf *out,
                          bool *found, struct opl_err *err)
{
    struct verify *verify = ctx;
    struct opl_err why = {0};

    out->max = DOCUMENT_MAX;
    *found = blobs_get(verify->client, sha256, out, &why);
    if (*found)
        return true;
    if (why.code == OPL_E_FORBIDDEN || (why.code == OPL_E_NOT_FOUND && verify->is_agent))
        verify->document_hidden = true;
    if (why.code == OPL_E_FORBIDDEN || why.code == OPL_E_NOT_FOUND || verify_is_finding(&why))
        return true;
    return opl_fail(err, why.code, "%s", why.text);
}

static bool open_state(struct verify *verify, struct opl_err *err)
{
    const struct opl_source source = {.ctx = verify, .document = load_document};

    verify->world = opl_world_new(&source);
    verify->blobs = json_object();
    verify->nonces = json_object();
    verify->statuses = json_object();
    verify->moved = json_object();
    verify->kin = json_object();
    verify->erased = json_object();
    verify->erasures = json_object();
    verify->last_at = INT64_MIN;
    return (verify->world != NULL && verify->blobs != NULL && verify->nonces != NULL &&
            verify->statuses != NULL && verify->moved != NULL && verify->kin != NULL &&
            verify->erased != NULL && verify->erasures != NULL) ||
           opl_fail(err, OPL_E_NOMEM, "no memory to verify with");
}

/* What this reader may see; where that cannot be learnt, nothing that is missing proves anything.
 */
static bool read_rights(struct verify *verify, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *who = NULL;
    const char *class;
    const json_t *word;
    size_t i;

    if (!api_get(verify->client->api, "/v1/whoami", &who, err))
        return false;
    class = opl_json_str(who, "class");
    verify->is_agent = class == NULL || strcmp(class, "agent") == 0;
    json_array_foreach(json_object_get(who, "scope"), i, word)
    {
        const char *text = json_string_value(word);

        verify->sees_raw = verify->sees_raw || (text != NULL && strcmp(text, "evidence-raw") == 0);
    }
    return true;
}

bool verify_open(struct verify *verify, struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf note = OPL_BUF_INIT(OPL_NOTE_MAX);

    verify->client = client;
    if (!log_view_key(client, &verify->vkey, err) ||
        !log_view_known(client, &verify->vkey, &verify->known, &verify->has_known, err) ||
        !api_get_bytes(client->api, "/checkpoint", &note, err) ||
        !opl_checkpoint_open(opl_buf_text(&note), note.len, &verify->vkey, &verify->head, err))
        return false;
    verify->note = opl_buf_take(&note);
    if (verify->note == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a checkpoint");
    return read_rights(verify, err) && open_state(verify, err);
}

void verify_close(struct verify *verify)
{
    verify_tree_close(&verify->tree);
    opl_world_free(verify->world);
    json_decref(verify->blobs);
    json_decref(verify->nonces);
    json_decref(verify->statuses);
    json_decref(verify->moved);
    json_decref(verify->kin);
    json_decref(verify->erased);
    json_decref(verify->erasures);
    free(verify->note);
    memset(verify, 0, sizeof(*verify));
}

static void print_note(struct verify *verify, const char *what, const char *note)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = {0};

    output_line(&verify->client->out, "%s", what);
    output_recorded(&text, note, strlen(note), OUTPUT_BLOCK);
    output_text(&verify->client->out, &text);
}

/* A log only grows: what this client has seen of it was there. */
static bool check_shrunk(struct verify *verify, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf known = {0};
    bool found = false;

    if (!verify->has_known || verify->head.size >= verify->known.size)
        return true;
    if (!state_get(&verify->client->state, "checkpoints", verify->vkey.name, &known, &found, err))
        return false;
    print_note(verify, "seen before:", opl_buf_text(&known));
    print_note(verify, "shown now:", verify->note);
    verify_wrong(verify, verify->head.size,
                 "it was in the log of %llu entries that this client has seen, and is not in the "
                 "%llu that the ledger shows now",
                 (unsigned long long)verify->known.size, (unsigned long long)verify->head.size);
    return true;
}

/* Only once the entries are what was signed does it mean something to compare the rest with them.
 */
static bool check_beside(struct verify *verify, struct opl_err *err)
{
    typedef bool part_fn(struct verify * verify, struct opl_err * err);
    static part_fn *const parts[] = {verify_tiles, verify_registry, verify_lists};

    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        struct opl_err why = {0};

        if (verify->wrong.found)
            return true;
        if (parts[i](verify, &why))
            continue;
        if (!verify_is_finding(&why))
            return opl_fail(err, why.code, "%s", why.text);
        verify_wrong_thing(verify, "what the ledger serves beside the entries", "%s", why.text);
    }
    return true;
}

bool verify_deep(struct verify *verify, struct opl_err *err)
{
    struct opl_head believed;

    if (!check_shrunk(verify, err))
        return false;
    if (verify->wrong.found)
        return true;
    if (!verify_walk(verify, err) || !verify_roots(verify, err))
        return false;
    verify_erasures(verify);
    if (!check_beside(verify, err))
        return false;
    return verify->wrong.found ||
           log_view_believe(verify->client, verify->note, NULL, &believed, err);
}
