/* SPDX-License-Identifier: Apache-2.0 */
#include "log_view.h"

#include <opledger/json.h>

#include "api.h"
#include "client.h"
#include "tiles.h"

/* {origin, log_key} of the ledger, which must name each other. */
static bool fetch_key(struct client *client, struct opl_vkey *out, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *keys = NULL;
    const char *origin;
    const char *log_key;

    if (!api_get(client->api, "/v1/keys", &keys, err))
        return false;
    origin = opl_json_str(keys, "origin");
    log_key = opl_json_str(keys, "log_key");
    if (origin == NULL || log_key == NULL)
        return opl_fail(err, OPL_E_VERIFY, "%s names no log key", api_url(client->api));
    if (!opl_vkey_parse(log_key, out, err))
        return false;
    return strcmp(out->name, origin) == 0 ||
           opl_fail(err, OPL_E_VERIFY, "the log key is %s's, but the log says it is %s", out->name,
                    origin);
}

bool log_view_meet(struct client *client, struct opl_vkey *out, struct opl_err *err)
{
    char text[OPL_VKEY_SIZE];
    bool fresh = false;

    if (!fetch_key(client, out, err))
        return false;
    opl_vkey_format(out, text);
    if (!state_pin(&client->state, api_url(client->api), out->name, text, &fresh, err))
        return false;
    if (fresh)
        output_note(&client->out, "first contact with %s: its log key %08x is pinned", out->name,
                    (unsigned)out->id);
    return true;
}

bool log_view_before_sending(struct client *client, struct opl_err *err)
{
    struct opl_vkey now;

    if (client->ledger_met)
        return true;
    if (client->log_key_known && !fetch_key(client, &now, err))
        return false;
    if (client->log_key_known && !opl_vkey_equal(&now, &client->log_key))
        return opl_fail(err, OPL_E_VERIFY, "%s answers with the log key %08x of %s, not the pinned",
                        api_url(client->api), (unsigned)now.id, now.name);
    if (!client->log_key_known && !log_view_meet(client, &now, err))
        return false;
    client->ledger_met = true;
    return true;
}

/* A memory that is no key, or another origin's, is no reason to believe anybody. */
static bool parse_pinned(struct client *client, const char *text, const char *origin,
                         struct opl_vkey *out, struct opl_err *err)
{
    struct opl_err why = {0};

    if (opl_vkey_parse(text, out, &why) && strcmp(out->name, origin) == 0)
        return true;
    opl_fail(err, OPL_E_VERIFY, "the key pinned for %s cannot be read: %s", origin, why.text);
    return opl_hint(err, "it stands in %s/keys", client->state.folder);
}

/* What was pinned at this URL needs no asking: notes verify with it, or they do not. */
static bool recall_key(struct client *client, struct opl_vkey *out, bool *found,
                       struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf origin = {0};
    OPL_CLEANUP(opl_buf_close) struct opl_buf vkey = {0};

    if (!state_get(&client->state, "servers", api_url(client->api), &origin, found, err))
        return false;
    if (!*found)
        return true;
    if (!state_get(&client->state, "keys", opl_buf_text(&origin), &vkey, found, err))
        return false;
    return !*found || parse_pinned(client, opl_buf_text(&vkey), opl_buf_text(&origin), out, err);
}

bool log_view_key(struct client *client, struct opl_vkey *out, struct opl_err *err)
{
    bool found = false;

    if (!client->log_key_known) {
        if (!recall_key(client, &client->log_key, &found, err) ||
            (!found && !log_view_meet(client, &client->log_key, err)))
            return false;
        client->log_key_known = true;
    }
    *out = client->log_key;
    return true;
}

/* A note that cannot even be read does not verify either. */
static bool open_note(const char *whose, const char *note, size_t len, const struct opl_vkey *vkey,
                      struct opl_head *out, struct opl_err *err)
{
    struct opl_err why = {0};

    if (opl_checkpoint_open(note, len, vkey, out, &why))
        return true;
    return opl_fail(err, why.code == OPL_E_MALFORMED ? OPL_E_VERIFY : why.code,
                    "%s checkpoint: %.400s", whose, why.text);
}

/* Where the ledger's own note fails, the plainest reason is that this is another ledger. */
static bool open_its_note(struct client *client, const char *note, size_t len,
                          const struct opl_vkey *vkey, struct opl_head *out, struct opl_err *err)
{
    struct opl_err why = {0};
    struct opl_err other = {0};
    struct opl_vkey now;

    if (open_note("the ledger's", note, len, vkey, out, &why))
        return true;
    if (!log_view_meet(client, &now, &other) && other.code == OPL_E_VERIFY)
        why = other;
    opl_fail(err, why.code, "%s", why.text);
    return opl_hint(err, "%s", why.hint);
}

bool log_view_known(struct client *client, const struct opl_vkey *vkey, struct opl_head *out,
                    bool *found, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf note = {0};

    if (!state_get(&client->state, "checkpoints", vkey->name, &note, found, err))
        return false;
    return !*found || open_note("the remembered", opl_buf_text(&note), note.len, vkey, out, err);
}

static bool prove_by_tiles(struct client *client, uint64_t from, uint64_t to,
                           struct opl_proof *proof, struct opl_err *err)
{
    struct tiles *tiles = calloc(1, sizeof(*tiles));
    struct opl_tree tree;
    bool ok;

    if (tiles == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for tiles");
    tiles->api = client->api;
    tiles->size = to;
    tree = tiles_tree(tiles);
    ok = opl_tree_consistency(&tree, from, to, proof, err);
    free(tiles);
    return ok;
}

bool log_view_contains(struct client *client, const struct opl_head *head,
                       const struct opl_head *older, struct opl_err *err)
{
    struct opl_proof proof = {0};

    if (strcmp(head->origin, older->origin) != 0 || older->size > head->size)
        return opl_fail(err, OPL_E_VERIFY, "a log of %llu entries of %s is not part of this one",
                        (unsigned long long)older->size, older->origin);
    return (older->size == head->size ||
            prove_by_tiles(client, older->size, head->size, &proof, err)) &&
           opl_consistency_verify(older->size, &older->root, head->size, &head->root, &proof, err);
}

static bool fail_shrunk(const struct opl_head *known, const struct opl_head *now,
                        struct opl_err *err)
{
    opl_fail(err, OPL_E_LOG, "the log has %llu entries, but this client has seen %llu of it",
             (unsigned long long)now->size, (unsigned long long)known->size);
    return opl_hint(err, "the ledger was put back to an earlier state, or shows a false one");
}

static bool check_consistent(struct client *client, const struct opl_head *known,
                             const struct opl_head *now, const struct opl_proof *given,
                             struct opl_err *err)
{
    struct opl_proof computed = {0};
    struct opl_err why = {0};

    if (now->size < known->size)
        return fail_shrunk(known, now, err);
    if (given == NULL && now->size > known->size &&
        !prove_by_tiles(client, known->size, now->size, &computed, err))
        return false;
    if (opl_consistency_verify(known->size, &known->root, now->size, &now->root,
                               given != NULL ? given : &computed, &why))
        return true;
    opl_fail(err, OPL_E_LOG,
             "the log of %llu entries does not continue the %llu that this client "
             "has seen: it was rewritten",
             (unsigned long long)now->size, (unsigned long long)known->size);
    return opl_hint(err, "opledger log verify names the entry");
}

/* An older head than the remembered one must be its prefix too; then the newer one stays. */
static bool check_older(struct client *client, const struct opl_head *known,
                        const struct opl_head *head, struct opl_err *err)
{
    struct opl_proof proof = {0};

    if (head->size == known->size)
        return check_consistent(client, known, head, NULL, err);
    return prove_by_tiles(client, head->size, known->size, &proof, err) &&
           opl_consistency_verify(head->size, &head->root, known->size, &known->root, &proof, err);
}

bool log_view_believe(struct client *client, const char *note, const struct opl_proof *proof,
                      struct opl_head *out, struct opl_err *err)
{
    struct opl_vkey vkey;
    struct opl_head known;
    bool found = false;

    if (!log_view_key(client, &vkey, err) ||
        !open_its_note(client, note, strlen(note), &vkey, out, err) ||
        !log_view_known(client, &vkey, &known, &found, err))
        return false;
    if (found && out->size <= known.size)
        return check_older(client, &known, out, err);
    if (found && !check_consistent(client, &known, out, proof, err))
        return false;
    return state_set(&client->state, "checkpoints", vkey.name, note, err);
}

bool log_view_head(struct client *client, struct opl_head *out, struct opl_err *err)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf note = OPL_BUF_INIT(OPL_NOTE_MAX);
    struct opl_vkey vkey;
    struct opl_head known;
    bool found = false;

    if (!log_view_key(client, &vkey, err) ||
        !api_get_bytes(client->api, "/checkpoint", &note, err) ||
        !open_its_note(client, opl_buf_text(&note), note.len, &vkey, out, err) ||
        !log_view_known(client, &vkey, &known, &found, err))
        return false;
    if (found && out->size < known.size) /* the newest head there is, and yet a smaller one */
        return fail_shrunk(&known, out, err);
    return log_view_believe(client, opl_buf_text(&note), NULL, out, err);
}
