/* SPDX-License-Identifier: Apache-2.0 */
/*
 * doctor - what stands between this person and the ledger, check by check, with the remedy.
 *
 * Every check runs, whatever became of the one before it.
 */
#include "client.h"
#include "cmd.h"

#include <opledger/json.h>
#include <opledger/time.h>

#include "api.h"
#include "doctor.h"
#include "log_view.h"

#define CLOCK_OFF_MAX_S 300 /* the ledger refuses Statements further ahead */

static void check_reachable(struct client *client, struct finding *finding)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf body = {0};
    struct opl_err err = {0};

    if (!api_get_bytes(client->api, "/healthz", &body, &err)) {
        finding_fail(
            finding, &err,
            "start opledgerd --data DIR on its host, or name another: opledger --url URL doctor");
        return;
    }
    opl_buf_fmt(&finding->says, "%s answers", api_url(client->api));
}

static void check_ready(struct client *client, struct finding *finding)
{
    OPL_CLEANUP(opl_json_freep) json_t *ready = NULL;
    struct opl_err err = {0};
    const char *bootstrap;

    if (!api_get(client->api, "/readyz", &ready, &err)) {
        finding_fail(finding, &err, "journalctl -u opledgerd, on its host");
        return;
    }
    bootstrap = opl_json_str(ready, "bootstrap");
    finding->good = bootstrap == NULL || strcmp(bootstrap, "open") != 0;
    opl_buf_str(&finding->says, finding->good ? "ready, bootstrap closed"
                                              : "ready, but one admin alone can enrol anybody");
    if (!finding->good)
        finding->remedy = "opledger principal close-bootstrap, once two approvers have keys";
}

static void check_key(struct client *client, struct finding *finding)
{
    struct opl_err err = {0};
    struct opl_vkey vkey;

    if (!log_view_meet(client, &vkey, &err)) {
        finding_fail(finding, &err,
                     "opledger log verify, and ask the ledger's keepers before you trust it");
        return;
    }
    opl_buf_fmt(&finding->says, "log key %08x of %s is pinned", (unsigned)vkey.id, vkey.name);
}

static void check_log(struct client *client, struct finding *finding)
{
    struct opl_err err = {0};
    struct opl_head head;

    if (!log_view_head(client, &head, &err)) {
        finding_fail(finding, &err, "opledger log verify");
        return;
    }
    opl_buf_fmt(&finding->says, "log of %llu entries continues what was seen before",
                (unsigned long long)head.size);
}

static void check_login(struct client *client, struct finding *finding)
{
    OPL_CLEANUP(opl_json_freep) json_t *who = NULL;
    struct opl_err err = {0};
    const char *name;
    const char *expires;

    if (!api_get(client->api, "/v1/whoami", &who, &err)) {
        finding_fail(finding, &err, "opledger login");
        return;
    }
    name = opl_json_str(who, "name");
    expires = opl_json_str(who, "expires");
    opl_buf_str(&finding->says, "signed in as ");
    output_recorded(&finding->says, name != NULL ? name : "?", name != NULL ? strlen(name) : 1,
                    OUTPUT_INLINE);
    if (expires != NULL) {
        opl_buf_str(&finding->says, " until ");
        output_recorded(&finding->says, expires, strlen(expires), OUTPUT_INLINE);
    }
}

/* Statements that are dated further ahead are refused, and approvals end too early or too late. */
static void check_clock(struct client *client, struct finding *finding)
{
    OPL_CLEANUP(opl_buf_close) struct opl_buf body = {0};
    struct opl_err err = {0};
    int64_t theirs, off;

    if (!api_get_bytes(client->api, "/healthz", &body, &err)) {
        finding_fail(finding, &err, "opledger doctor again, once the ledger answers");
        return;
    }
    theirs = api_date(client->api);
    if (theirs < 0) {
        opl_buf_str(&finding->says, "the ledger does not tell its time; clocks are not compared");
        return;
    }
    off = (opl_time_now() - theirs) / OPL_SECOND;
    finding->good = off <= CLOCK_OFF_MAX_S && off >= -CLOCK_OFF_MAX_S;
    opl_buf_fmt(&finding->says, "this clock is %lld s %s the ledger's",
                (long long)(off < 0 ? -off : off), off < 0 ? "behind" : "ahead of");
    finding->remedy = finding->good ? NULL : "chronyc makestep, on the host whose clock is wrong";
}

static const struct {
    const char *name;
    void (*run)(struct client *client, struct finding *finding);
} checks[] = {
    {"reach",      check_reachable  },
    {"ready",      check_ready      },
    {"key",        check_key        },
    {"login",      check_login      },
    {"log",        check_log        },
    {"clock",      check_clock      },
    {"rules",      doctor_rules     },
    {"receipts",   doctor_receipts  },
    {"ssh-keygen", doctor_ssh_keygen},
    {"ssh-key",    doctor_key_file  },
    {"gate.conf",  doctor_gate_conf },
    {"state",      doctor_state     },
};

static bool run_check(struct client *client, size_t i, json_t *results)
{
    struct finding finding = {.good = true};
    const char *says;

    checks[i].run(client, &finding);
    says = opl_buf_text(&finding.says);
    output_line(&client->out, "%-4s %-11s %s", finding.good ? "ok" : "BAD", checks[i].name, says);
    if (finding.remedy != NULL)
        output_line(&client->out, "     %-11s mend: %s", "", finding.remedy);
    json_array_append_new(results, json_pack("{s:s, s:b, s:s, s:s}", "check", checks[i].name,
                                             "good", finding.good, "says", says, "remedy",
                                             finding.remedy != NULL ? finding.remedy : ""));
    opl_buf_close(&finding.says);
    return finding.good;
}

bool cmd_doctor(struct client *client, struct opl_err *err)
{
    OPL_CLEANUP(opl_json_freep) json_t *results = json_array();
    size_t count = sizeof(checks) / sizeof(checks[0]);
    size_t bad = 0;

    for (size_t i = 0; i < count; i++)
        bad += !run_check(client, i, results);
    client->exit_status = bad > 0;
    if (bad > 0)
        output_line(&client->out, "doctor: %zu of %zu checks found something (exit 1)", bad, count);
    else
        output_line(&client->out, "doctor: all well (exit 0)");
    return output_json(&client->out, results, err);
}
