/* SPDX-License-Identifier: Apache-2.0 */
#include "auth.h"

#include <opledger/encode.h>
#include <opledger/time.h>

#include "server.h"

void auth_token_draw(struct auth_token *token)
{
    uint8_t secret[32], id[8];

    opl_random(secret, sizeof secret);
    opl_random(id, sizeof id);
    snprintf(token->text, sizeof token->text, "%s", AUTH_TOKEN_PREFIX);
    opl_hex_encode(secret, sizeof secret, token->text + strlen(AUTH_TOKEN_PREFIX));
    opl_hex_encode(id, sizeof id, token->id);
    opl_sha256(secret, sizeof secret, &token->sha256);
    opl_wipe(secret, sizeof secret);
}

static bool unknown(struct opl_err *err, const char *why)
{
    opl_fail(err, OPL_E_UNAUTHENTICATED, "%s", why);
    return opl_hint(err, "opledger login");
}

/* The digest of a token's 32 bytes; false when the header holds none. */
static bool read_token(const char *header, struct opl_hash *sha256)
{
    static const char scheme[] = "Bearer ";
    size_t prefix = strlen(AUTH_TOKEN_PREFIX);
    uint8_t secret[32];
    bool ok;

    if (strncasecmp(header, scheme, sizeof scheme - 1) != 0)
        return false;
    header += sizeof scheme - 1;
    header += strspn(header, " ");
    if (strncmp(header, AUTH_TOKEN_PREFIX, prefix) != 0)
        return false;
    ok = strlen(header + prefix) == OPL_HEX_LEN &&
         opl_hex_decode(header + prefix, secret, sizeof secret, NULL);
    if (ok)
        opl_sha256(secret, sizeof secret, sha256);
    opl_wipe(secret, sizeof secret);
    return ok;
}

static void copy_scope(struct identity *identity, char *const *words)
{
    for (size_t i = 0; words != NULL && words[i] != NULL && i < IDENTITY_SCOPE_MAX; i++)
        snprintf(identity->scope_words[identity->scope_count++], sizeof identity->scope_words[0],
                 "%s", words[i]);
}

static bool identify(const struct opl_registry *registry, const struct opl_hash *sha256,
                     struct identity *identity, struct opl_err *err)
{
    const struct opl_token *token = opl_registry_token(registry, sha256);
    const struct opl_principal *principal;

    if (token == NULL || !opl_equal_ct(&token->sha256, sha256, sizeof *sha256))
        return unknown(err, "this token is not known");
    if (token->revoked)
        return unknown(err, "this token was revoked");
    if (token->expires <= opl_time_now())
        return unknown(err, "this token has expired");
    principal = opl_registry_principal(registry, token->principal);
    if (principal == NULL || principal->revoked)
        return unknown(err, "this token's principal was revoked");
    identity->known = true;
    identity->class = principal->class;
    identity->expires = token->expires;
    snprintf(identity->principal, sizeof identity->principal, "%s", token->principal);
    copy_scope(identity, token->scope);
    return true;
}

bool auth_identify(struct server *server, const char *header, struct identity *identity,
                   struct opl_err *err)
{
    OPL_CLEANUP(opl_registry_freep) struct opl_registry *registry = NULL;
    struct opl_hash sha256;

    if (header == NULL)
        return true;
    if (!read_token(header, &sha256))
        return unknown(err, "the header Authorization holds no bearer token of this service");
    registry = published_registry(&server->published);
    if (registry == NULL)
        return opl_fail(err, OPL_E_UNAVAILABLE, "the log is not open yet");
    return identify(registry, &sha256, identity, err);
}

struct opl_writer identity_writer(const struct identity *identity,
                                  char *scope[static IDENTITY_SCOPE_MAX + 1])
{
    size_t i;

    if (!identity->known)
        return (struct opl_writer){.principal = OPL_SELF};
    for (i = 0; i < identity->scope_count; i++)
        scope[i] = (char *)identity->scope_words[i];
    scope[i] = NULL;
    return (struct opl_writer){.principal = identity->principal, .scope = scope};
}

bool auth_may(struct server *server, const struct identity *identity, const char *roles)
{
    OPL_CLEANUP(opl_registry_freep)
    struct opl_registry *registry = published_registry(&server->published);
    char *scope[IDENTITY_SCOPE_MAX + 1];
    struct opl_writer writer = identity_writer(identity, scope);

    return identity->known && registry != NULL && opl_writer_may(registry, &writer, roles);
}

bool auth_permit(struct server *server, const struct identity *identity, const char *roles,
                 struct opl_err *err)
{
    if (!identity->known)
        return unknown(err, "this needs a token");
    if (auth_may(server, identity, roles))
        return true;
    opl_fail(err, OPL_E_FORBIDDEN, "%s lacks the role for this, or the token its scope",
             identity->principal);
    return opl_hint(err, "one of these roles is needed: %s", roles);
}
