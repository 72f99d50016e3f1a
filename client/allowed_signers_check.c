/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allowed_signers_check - an approval's own signature, verified on this host.
 */
#include "allowed_signers.h"

#include <opledger/encode.h>
#include <opledger/json.h>
#include <opledger/sshsig.h>
#include <opledger/statement.h>

#include "files.h"
#include "gate_conf.h"

#define APPROVAL "opledger/approval"
#define AHEAD_MAX (5 * 60 * OPL_SECOND)

bool allowed_signers_load(const char *path, bool given, struct allowed_signers *out,
                          struct opl_err *err)
{
    bool absent = false;
    OPL_CLEANUP(file_closep) int fd = gate_conf_open(path, given, &absent, err);
    OPL_CLEANUP(opl_buf_close) struct opl_buf text = OPL_BUF_INIT(ALLOWED_SIGNERS_MAX);

    if (absent)
        return opl_fail(err, OPL_E_CONFIG, "there is no %s, which gate.conf names as signers",
                        path);
    return fd >= 0 && file_read_fd(fd, path, &text, err) &&
           allowed_signers_parse(path, opl_buf_text(&text), text.len, out, err);
}

static bool refuse(const struct opl_statement *statement, const char *why, struct opl_err *err)
{
    return opl_fail(err, OPL_E_VERIFY, "the approval of %.64s %s", statement->signer, why);
}

static bool says(const json_t *about, const char *name, const struct opl_hash *hash)
{
    const char *have = opl_json_str(about, name);
    char want[OPL_DIGEST_SIZE];

    opl_hash_digest(hash, want);
    return have != NULL && strcmp(have, want) == 0;
}

static bool check_about(const struct opl_statement *statement, const struct approval_scope *scope,
                        struct opl_err *err)
{
    const char *change = opl_json_str(statement->about, "change");

    if (strcmp(statement->type->type, APPROVAL) != 0)
        return refuse(statement, "is no approval", err);
    if (change == NULL || strcmp(change, scope->change) != 0)
        return refuse(statement, "is for another change", err);
    if (!says(statement->about, "manifest", scope->manifest))
        return refuse(statement, "is for another manifest", err);
    if (!says(statement->about, "base", scope->base))
        return refuse(statement, "is for another base", err);
    if (!says(statement->about, "policy", scope->policy))
        return refuse(statement, "was given under another policy", err);
    return true;
}

static bool check_when(const struct opl_statement *statement, const struct approval_scope *scope,
                       struct opl_err *err)
{
    if (statement->expires <= scope->now)
        return refuse(statement, "has expired", err);
    if (statement->issued > scope->now + AHEAD_MAX)
        return refuse(statement, "is from the future", err);
    if (strcmp(statement->log.origin, scope->head->origin) != 0)
        return refuse(statement, "names another log", err);
    if (statement->log.size > scope->head->size)
        return refuse(statement, "names a larger log than this one", err);
    return true;
}

/* The key stands in the signature; that it may sign at all, only the host's own file says. */
static bool check_key(const struct allowed_signers *signers, const struct opl_statement *statement,
                      const char *sshsig, const struct approval_scope *scope, struct opl_err *err)
{
    uint8_t blob[OPL_SSHSIG_MAX];
    struct opl_sshsig parsed;
    size_t len;

    if (!opl_base64_decode(sshsig, strlen(sshsig), blob, sizeof(blob), &len, err) ||
        !opl_sshsig_parse(blob, len, &parsed, err))
        return false;
    if (allowed_signers_has(signers, statement->signer, statement->type->ssh_namespace, &parsed.key,
                            scope->now))
        return true;
    return refuse(statement, "is by a key that this host does not accept for that name", err);
}

static bool check_statement(const struct allowed_signers *signers, const json_t *approval,
                            const struct approval_scope *scope, struct approval_found *out,
                            struct opl_err *err)
{
    OPL_CLEANUP(opl_statement_close) struct opl_statement statement = {0};
    const char *text = opl_json_str(approval, "statement");
    const char *sshsig = opl_json_str(approval, "sshsig");

    if (text == NULL || sshsig == NULL)
        return opl_fail(err, OPL_E_VERIFY, "an approval came without its Statement");
    if (!opl_statement_parse(text, strlen(text), &statement, err) ||
        !opl_statement_verify(&statement, text, sshsig, out->fingerprint, err) ||
        !check_about(&statement, scope, err) || !check_when(&statement, scope, err) ||
        !check_key(signers, &statement, sshsig, scope, err))
        return false;
    if (scope->proposer != NULL && strcmp(scope->proposer, statement.signer) == 0)
        return refuse(&statement, "is the proposer's own", err);
    snprintf(out->principal, sizeof(out->principal), "%s", statement.signer);
    out->log = statement.log;
    return true;
}

bool allowed_signers_check(const struct allowed_signers *signers, const json_t *approval,
                           const struct approval_scope *scope, struct approval_found *out,
                           struct opl_err *err)
{
    struct opl_err why = {0};

    return check_statement(signers, approval, scope, out, &why) ||
           opl_fail(err, OPL_E_VERIFY, "%s", why.text);
}
