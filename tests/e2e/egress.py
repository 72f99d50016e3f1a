#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What leaves a site, end to end: scrubbed by the rules that this ledger has adopted, recorded, and
listed for whoever asks later what left, to whom, under which rules."""
import hashlib
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.environ["SOURCE_DIR"], "tests", "support"))
import opledgerd as o  # noqa: E402
from cases import Cli, case, check, run, same, serve  # noqa: E402

SAMPLE = os.path.join(o.SOURCE_DIR, "tests", "e2e", "samples", "slurmctld.strace")
SHIPPED = os.path.join(o.SOURCE_DIR, "policies")
OURS = """  - id: badge
    class: secret
    anchor: 'BADGE-[0-9]'
    confirm: 'BADGE-[0-9]{1,12}'
    positive: ['door <<BADGE-123456>> opened']
"""
TEXT = b"door BADGE-424242 opened, password=hunter2hunter2\n"
TO = ("--destination", "openai-api", "--model", "openai/gpt-5")


def path(name):
    return os.path.join(cli.home, name)


def put(name, data):
    with open(path(name), "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())
    return path(name)


def shipped(name):
    with open(os.path.join(SHIPPED, name)) as file:
        return file.read()


def rules_used(ran):
    return re.search(r"rules: ([a-z -]+), (sha256:[0-9a-f]{64})", ran.err).groups()


def recorded(egress):
    """The body of an egress, as the command shows it."""
    shown = cli.json("egress", "show", egress)["subjects"][0]
    return json.loads(shown["entries"][0]["entry"])["body"]


def memory():
    folder = path("state/opledger/rules")
    return os.path.join(folder, os.listdir(folder)[0])


@case("before anything is adopted here, the built-in rules are used, and stderr says so")
def _():
    ran = cli.exits(0, "redact", stdin=TEXT, env={"OPLEDGER_TOKEN": ""})
    check("BADGE-424242" in ran.out and "hunter2" not in ran.out, ran)
    same(rules_used(ran)[0], "built in", ran)
    check("nothing was recorded" in ran.err, ran)


@case("what is recorded is what was released, and the manifest is the one that was written")
def _():
    ran = cli.exits(0, "redact", "--record", incident, *TO, "--manifest", path("m.json"), SAMPLE,
                    binary=True)
    body = recorded("egr-1")
    same(hashlib.sha256(ran.out).hexdigest(), body["sent_sha256"])
    same(server.client().get("/v1/blobs/" + body["sent_sha256"]).body, ran.out)
    with open(path("m.json"), "rb") as file:
        manifest = file.read()
    same(server.client().get("/v1/blobs/" + body["manifest_sha256"]).body, manifest)
    same(rules_used(ran), ("adopted", body["rules"]))
    same(body["bytes"], len(ran.out))
    hits = {name: sum(rules.values()) for name, rules in json.loads(manifest)["hits"].items()}
    same(body["hits"], hits)
    check(hits["secret"] > 0, hits)


@case("egress list has destination, model, bytes and counts; show has rules, digests and counts too")
def _():
    row = cli.exits(0, "egress", "list").out.split("\n")[0].split("\t")
    body = recorded("egr-1")
    check("egr-1" in row and "openai-api" in row and "openai/gpt-5" in row, row)
    check(str(body["bytes"]) in row, row)
    check(f"secret {body['hits']['secret']}" in row[-1], row)
    page = cli.exits(0, "egress", "show", "egr-1").out
    check(page.startswith("egr-1: sent"), page)  # as the list says
    for part in ("openai-api", body["rules"], body["sent_sha256"], body["manifest_sha256"], "secret"):
        check(part in page, part, page)


@case("a site's own rules, once adopted, are what redact --record goes by and what the service accepts")
def _():
    cli.exits(0, "policy", "lint", put("secrets.yaml", shipped("redact/secrets.yaml") + OURS))
    cli.exits(0, "policy", "adopt", path("secrets.yaml"))
    ran = cli.exits(0, "redact", "--record", incident, *TO, stdin=TEXT)
    check("BADGE-424242" not in ran.out and "hunter2" not in ran.out, ran)
    same(rules_used(ran)[0], "adopted", ran)
    check("recorded egr-2" in ran.err, ran)


@case("the adopted rules serve without a ledger, and their age is said")
def _():
    ran = cli.exits(0, "redact", stdin=TEXT)
    check("BADGE-424242" not in ran.out, ran)
    away = cli.exits(0, "redact", stdin=TEXT, env={"OPLEDGER_TOKEN": ""})  # nobody is asked
    same(rules_used(away), rules_used(ran))
    check("read from the ledger just now" in ran.err, ran)
    same(os.stat(memory()).st_mode & 0o777, 0o600)


@case("who only filters needs no home: nothing is remembered there, and none is made")
def _():
    nowhere = path("nowhere")
    ran = cli.exits(0, "redact", stdin=TEXT, env={"HOME": nowhere, "XDG_STATE_HOME": nowhere + "/state",
                                                       "OPLEDGER_TOKEN": "", "OPLEDGER_TOKEN_FILE": ""})
    same(rules_used(ran)[0], "built in", ran)
    check(not os.path.exists(nowhere), nowhere)


@case("a memory that cannot be read releases nothing")
def _():
    name = memory()
    os.rename(name, path("kept"))
    os.mkdir(name)
    ran = cli.run("redact", stdin=TEXT)
    os.rmdir(name)
    os.rename(path("kept"), name)
    check(ran.status in (2, 3) and ran.out == "", ran)


@case("--policy adds to what is adopted, overrides rules by their ids, and cannot be recorded")
def _():
    ran = cli.exits(0, "redact", "--policy", os.path.join(SHIPPED, "redact"), stdin=TEXT)
    check("BADGE-424242" not in ran.out, ran)
    same(rules_used(ran)[0], "adopted and --policy", ran)
    none = OURS.replace("BADGE-", "NOBADGE-")
    ran = cli.exits(0, "redact", "--policy", put("none.yaml", "v: 1\nname: none\nrules:\n" + none),
                    stdin=TEXT)
    check("BADGE-424242" in ran.out, ran)
    cli.exits(2, "redact", "--policy", os.path.join(SHIPPED, "redact"), "--record", incident, *TO,
              stdin=TEXT)


@case("an adopted models.yaml says where things may go, at once and for --record too")
def _():
    models = shipped("models.yaml").replace("name: openai-api", "name: openai-eu")
    cli.exits(0, "policy", "adopt", put("models.yaml", models))
    same(cli.exits(1, "redact", "--record", incident, *TO, stdin=TEXT).out, "")
    cli.exits(0, "redact", "--record", incident, "--destination", "openai-eu", "-m", "openai/gpt-5",
              stdin=TEXT)
    cli.exits(0, "redact", "--destination", "openai-eu", stdin=TEXT)
    same(cli.exits(1, "redact", "--destination", "openai-api", stdin=TEXT).out, "")


@case("rules remembered wrongly release nothing; the next --record, or doctor, reads them anew")
def _():
    with open(memory()) as file:
        text = file.read()
    for mend in (("redact", "--record", incident, "--destination", "openai-eu", "-m", "openai/gpt-5"),
                 ("doctor",)):
        with open(memory(), "w") as file:
            file.write(text.replace("BADGE-[0-9]{1,", "BADGE-[0-9]{7,"))
        ran = cli.exits(4, "redact", stdin=TEXT, env={"OPLEDGER_TOKEN": ""})
        same(ran.out, "")
        check("nothing was released" in ran.err, ran)
        cli.run(*mend, stdin=TEXT)
        check("BADGE-424242" not in cli.exits(0, "redact", stdin=TEXT).out)


@case("adopted rules that do not compile release nothing")
def _():
    broken = shipped("redact/network.yaml").replace("confirm: '", "confirm: '(((", 1)
    cli.exits(0, "policy", "adopt", put("network.yaml", broken))
    for words in ((), ("--record", incident, "--destination", "openai-eu", "-m", "openai/gpt-5")):
        if not words:
            cli.run("doctor")
        ran = cli.run("redact", *words, stdin=TEXT)
        check(ran.status != 0 and ran.out == "", ran)
        check("policy lint" in ran.err, ran)
    cli.exits(0, "policy", "adopt", os.path.join(SHIPPED, "redact", "network.yaml"))


@case("with --record and no ledger nothing is released")
def _():
    ran = cli.run("--url", "http://127.0.0.1:9", "redact", "--record", incident, *TO, stdin=TEXT)
    same((ran.status, ran.out), (3, ""), ran)


server = serve()
cli = Cli(server, server.token)
incident = server.client().write("incident.opened", {"title": "t", "severity": "low"}).json["id"]

if __name__ == "__main__":
    sys.exit(run(server))
