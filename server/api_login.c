/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Login: a challenge, signed with an enrolled SSH key, buys a token for at most 12 hours.
 *
 * The challenge carries its own expiry under a key that every process of this log has, so that
 * nothing is kept between the two requests and any of them may answer the second.
 */
#include <opledger/encode.h>
#include <opledger/json.h>

#include "api.h"
#include "auth.h"
#include "server.h"
#include "token_write.h"

#define CHALLENGE_LIFE (5 * 60 * OPL_SECOND)
#define TOKEN_LIFE_MAX (12 * 3600)
#define LOGIN_TYPE "opledger/login"

struct challenge { /* as hexadecimal digits */
    uint8_t expires[8];
    uint8_t random[16];
    uint8_t mac[16];
};

static void seal_challenge(const struct server *server, struct challenge *challenge)
{
    opl_keyed_hash(&server->ledger.challenge, challenge, offsetof(struct challenge, mac),
                   challenge->mac, sizeof challenge->mac);
}

static int64_t challenge_expires(const struct challenge *challenge)
{
    uint64_t at = 0;

    for (size_t i = 0; i < sizeof challenge->expires; i++)
        at = at << 8 | challenge->expires[i];
    return (int64_t)at;
}

bool api_login_challenge(struct request *request, struct db *db, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *body = request_json(request, err);
    int64_t at = opl_time_now() + CHALLENGE_LIFE;
    char hex[2 * sizeof(struct challenge) + 1], expires[OPL_TIME_SIZE];
    struct challenge challenge;

    (void)db;
    if (body == NULL || !request_members(body, "", err))
        return false;
    for (size_t i = 0; i < sizeof challenge.expires; i++)
        challenge.expires[i] = (uint8_t)((uint64_t)at >> (56 - 8 * i));
    opl_random(challenge.random, sizeof challenge.random);
    seal_challenge(request->server, &challenge);
    opl_hex_encode(&challenge, sizeof challenge, hex);
    opl_time_format(at, expires);
    return reply_json(&request->reply, 200,
                      json_pack("{s:s, s:s}", "challenge", hex, "expires", expires), err);
}

/* What the HTTP thread keeps for the sequencer; lives as long as the request. */
struct login {
    struct server *server;
    struct auth_token token;
    json_t *body; /* owned */
    const char *statement, *sshsig;
    char host[256]; /* as the client addressed us */
    char principal[65];
    char expires[OPL_TIME_SIZE];
};

static void login_free(void *ctx)
{
    struct login *login = ctx;

    json_decref(login->body);
    opl_wipe(login, sizeof *login);
    free(login);
}

/* One answer for every way in which a signature opens nothing: it tells no names. */
static bool closed(struct opl_err *err)
{
    opl_fail(err, OPL_E_SIGNATURE, "this signature opens no session");
    return opl_hint(err, "sign the challenge with a key that an admin has enrolled for you");
}

static bool check_challenge(const struct login *login, const json_t *about, int64_t now,
                            struct opl_err *err)
{
    const char *text = opl_json_str(about, "challenge");
    struct challenge given, made;

    if (text == NULL || !opl_hex_decode(text, &given, sizeof given, NULL))
        return closed(err);
    made = given;
    seal_challenge(login->server, &made);
    if (!opl_equal_ct(made.mac, given.mac, sizeof made.mac))
        return closed(err);
    if (challenge_expires(&given) <= now) {
        opl_fail(err, OPL_E_STALE, "the challenge has expired");
        return opl_hint(err, "ask for a new one: opledger login");
    }
    return true;
}

/* The URL that was signed must be the one we were called by, so that no other server relays it. */
static bool check_url(const struct login *login, const json_t *about, struct opl_err *err)
{
    const char *url = opl_json_str(about, "url");
    const char *host = url != NULL ? strstr(url, "://") : NULL;
    size_t len;

    if (host == NULL)
        return closed(err);
    host += 3;
    len = strcspn(host, "/");
    if (len == strlen(login->host) && strncasecmp(host, login->host, len) == 0)
        return true;
    return opl_fail(err, OPL_E_INVALID, "the Statement was signed for another URL than this one");
}

static bool token_life(const json_t *about, int64_t now, char out[static OPL_TIME_SIZE],
                       struct opl_err *err)
{
    const char *ttl = opl_json_str(about, "ttl");
    int64_t seconds;

    if (ttl == NULL || !opl_duration_parse(ttl, &seconds, err))
        return false;
    if (seconds > TOKEN_LIFE_MAX)
        return opl_fail(err, OPL_E_INVALID, "a login lasts 12 hours at most");
    opl_time_format(now + seconds * OPL_SECOND, out);
    return true;
}

static json_t *roles_json(const struct opl_principal *principal)
{
    json_t *roles = json_array();

    for (size_t i = 0; principal->roles != NULL && principal->roles[i] != NULL; i++)
        json_array_append_new(roles, json_string(principal->roles[i]));
    return roles;
}

static bool open_session(struct write *write, const struct write_moment *moment,
                         const struct opl_statement *statement, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *body = NULL;
    struct login *login = write->ctx;
    const struct opl_principal *principal =
        opl_registry_principal(opl_world_registry(moment->world), statement->signer);

    if (principal == NULL || principal->revoked || principal->class != OPL_CLASS_PERSON)
        return closed(err);
    if (!check_challenge(login, statement->about, moment->now, err) ||
        !check_url(login, statement->about, err) ||
        !token_life(statement->about, moment->now, login->expires, err))
        return false;
    snprintf(login->principal, sizeof login->principal, "%s", principal->name);
    snprintf(write->nonce, sizeof write->nonce, "%s", statement->nonce);
    body = json_pack("{s:s, s:o, s:s}", "principal", login->principal, "scope",
                     roles_json(principal), "expires", login->expires);
    if (body == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a token");
    return token_write(write, body, &login->token, err);
}

/* In the sequencer: the Statement is checked against the log as it stands. */
static bool decide(struct write *write, const struct write_moment *moment, struct opl_err *err)
{
    OPL_CLEANUP(opl_statement_close) struct opl_statement statement = {0};
    const struct login *login = write->ctx;
    const struct opl_person_key *key;
    struct opl_err why = {0};

    if (!opl_statement_check(opl_world_registry(moment->world), moment->env, login->statement,
                             login->sshsig, LOGIN_TYPE, moment->now, &statement, &key, &why)) {
        if (why.code == OPL_E_SIGNATURE)
            return closed(err);
        *err = why;
        return false;
    }
    return open_session(write, moment, &statement, err);
}

static bool opened(struct request *request, struct db *db, struct opl_err *err)
{
    const struct login *login = request->extra;

    (void)db;
    reply_header(&request->reply, "Cache-Control", "no-store");
    return reply_json(&request->reply, 201,
                      json_pack("{s:s, s:s, s:s}", "token", login->token.text, "principal",
                                login->principal, "expires", login->expires),
                      err);
}

static bool login_read(struct login *login, struct request *request, struct opl_err *err)
{
    login->server = request->server;
    login->body = request_json(request, err);
    if (login->body == NULL || !request_members(login->body, "statement sshsig", err))
        return false;
    login->statement = opl_json_str(login->body, "statement");
    login->sshsig = opl_json_str(login->body, "sshsig");
    if (login->statement == NULL || login->sshsig == NULL)
        return opl_fail(err, OPL_E_INVALID, "statement and sshsig must be strings");
    snprintf(login->host, sizeof login->host, "%s", request->host);
    auth_token_draw(&login->token);
    return true;
}

bool api_login(struct request *request, struct db *db, struct opl_err *err)
{
    struct login *login = calloc(1, sizeof *login);

    (void)db;
    request->extra = login;
    request->extra_free = login_free;
    if (login == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a login");
    if (!login_read(login, request, err))
        return false;
    request->write = write_new();
    if (request->write == NULL)
        return opl_fail(err, OPL_E_NOMEM, "no memory for a login");
    request->write->compose = decide;
    request->write->ctx = login;
    request->after = opened;
    return true;
}
