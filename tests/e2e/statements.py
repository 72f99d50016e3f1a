#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Approvals that are refused at the door with the right slug, and approvals that are recorded, do not
count, and of which `gate explain` says why."""
import base64
import json
import os
import secrets
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.environ["SOURCE_DIR"], "tests", "support"))
import opledgerd as o  # noqa: E402
from cases import Cli, Unchanged, case, check, refused, run, same, serve  # noqa: E402
from incident import Site, ok  # noqa: E402

SIGNATURE = (422, "bad-signature", "/body/sshsig")
STATEMENT = (422, "invalid-entry", "/body/statement")
STALE = (409, "stale-statement", "/body/statement")


def at_the_door(body, wanted, who="ben", change=None):
    change = change or proposed
    with Unchanged(site.admin):
        return refused(site.admin, change.send(body, who), *wanted)


def flip(text, at):
    """The text with one character changed, and still canonical."""
    other = "0" if text[at] != "0" else "1"
    return text[:at] + other + text[at + 1:]


def new_key(kind="ed25519"):
    path = os.path.join(site.people.folder, secrets.token_hex(4))
    subprocess.run(["ssh-keygen", "-q", "-t", kind, "-N", "", "-C", "x", "-f", path], check=True)
    return path


# ---- refused at the door ----

@case("refused: one byte of the manifest, base, policy, nonce, time or signer changed after signing")
def _():
    body = proposed.signed(proposed.statement())
    text = body["statement"]
    spots = [text.index(f'"{name}":"') + len(name) + 14 for name in ("manifest", "base", "policy")]
    spots += [text.index('"nonce":"') + 12, text.index('"root":"sha256:') + 20]
    for at in spots:
        at_the_door({**body, "statement": flip(text, at)}, SIGNATURE)
    at_the_door({**body, "statement": text.replace('"signer":"ben"', '"signer":"bem"')},
                (422, "bad-signature", None))


@case("refused: any one byte of the signature changed")
def _():
    body = proposed.signed(proposed.statement())
    blob = base64.b64decode(body["sshsig"])
    for at in list(range(0, 60, 5)) + list(range(60, len(blob), 7)) + [len(blob) - 1]:
        bad = blob[:at] + bytes([blob[at] ^ 1]) + blob[at + 1:]
        with Unchanged(site.admin):
            reply = proposed.send({**body, "sshsig": base64.b64encode(bad).decode()})
            same((reply.status, reply.json["type"]), (422, "/problems/bad-signature"), at, reply)


@case("refused: a signature cut short, continued, empty, in armor, or no base64")
def _():
    body = proposed.signed(proposed.statement())
    blob = base64.b64decode(body["sshsig"])
    for bad in (base64.b64encode(blob[:-1]).decode(), base64.b64encode(blob + b"\0").decode(), "",
                "-----BEGIN SSH SIGNATURE-----", "%%%", "AAAA", body["sshsig"] + "=",
                body["sshsig"][:40] + "\n" + body["sshsig"][40:]):
        with Unchanged(site.admin):
            reply = proposed.send({**body, "sshsig": bad})
            same(reply.status, 422, bad[:30], reply)


@case("refused: a signature in another namespace")
def _():
    text = proposed.statement()
    for namespace in ("confirm@opledger", "admin@opledger", "login@opledger", "file", "git",
                      "approve@opledgerX"):
        at_the_door(proposed.signed(text, namespace=namespace), SIGNATURE)


@case("refused: a Statement of another type, signed in the approvals' namespace and in its own")
def _():
    text = site.people.statement("confirmation", {"fact": 1}, "ben")
    at_the_door(proposed.signed(text), (422, "invalid-entry", None))
    at_the_door(proposed.signed(text, namespace="confirm@opledger"), (422, "invalid-entry", None))


@case("refused: a key that is not enrolled, and the enrolled key of another person")
def _():
    problem = at_the_door(proposed.signed(proposed.statement(), new_key()), SIGNATURE)
    check("key add" in problem["hint"], problem)
    at_the_door(proposed.signed(proposed.statement(), "chen"), SIGNATURE)


@case("refused: a key that was revoked")
def _():
    old = site.people.key("ben")
    shown = subprocess.run(["ssh-keygen", "-lf", old + ".pub"], capture_output=True, check=True)
    body = proposed.signed(proposed.statement(), old)
    ok(site.admin.write("key.revoked", {"principal": "ben", "reason": "lost",
                                        "fingerprint": shown.stdout.decode().split()[1]}))
    problem = at_the_door(body, SIGNATURE)
    check("revoked" in problem["detail"], problem)


@case("refused: a key that is not valid yet")
def _():
    path = new_key()
    with open(path + ".pub") as file:
        line = " ".join(file.read().split()[:2])
    ok(site.admin.write("key.added", {"principal": "ben", "public_key": line, "hardware": "no",
                                      "not_before": "2030-01-01T00:00:00Z"}))
    at_the_door(proposed.signed(proposed.statement(), path), SIGNATURE)


@case("refused: a signature over the text without its line feed, and one with SHA-256")
def _():
    text = proposed.statement()
    for options, message in (([], text), (["-O", "hashalg=sha256"], text + "\n")):
        made = subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-n", "approve@opledger", *options,
                               "-f", site.keys["ben"]], input=message.encode(), capture_output=True,
                              check=True)
        sshsig = "".join(made.stdout.decode().split("\n")[1:-2])
        at_the_door({"statement": text, "sshsig": sshsig, "role": "slurm"}, SIGNATURE)


@case("refused: by an agent, though it holds the role and its user's key")
def _():
    token = site.people.service_token("helper", ["recorder", "approver.slurm"], klass="agent",
                                      owner="ben", model={"provider": "openai", "name": "gpt-5"})
    for signer in ("ben", "helper"):
        body = proposed.signed(proposed.statement(signer))
        with Unchanged(site.admin):
            reply = site.admin.write("approval.signed", body, on=proposed.id, token=token)
            refused(site.admin, reply, 403, "forbidden", "/kind")


@case("refused: a key enrolled for an agent or a service")
def _():
    site.people.enroll("robot", ["recorder"], "service", owner="ben")
    for name in ("helper", "robot"):
        with open(new_key() + ".pub") as file:
            line = " ".join(file.read().split()[:2])
        with Unchanged(site.admin):
            reply = site.admin.write("key.added", {"principal": name, "public_key": line,
                                                   "hardware": "no"})
            check(reply.status in (403, 422), reply)


@case("refused: a person without the role, with another role, or for somebody else")
def _():
    at_the_door(proposed.signed(proposed.statement("dora"), "dora"), (403, "forbidden", None), "dora")
    lead = proposed.about(role="lead")
    at_the_door(proposed.signed(proposed.statement(about=lead), role="lead"),
                (403, "forbidden", None))
    with Unchanged(site.admin):
        reply = proposed.send(proposed.signed(proposed.statement()), "chen")
        check(reply.status in (403, 422), reply)


@case("refused: another role in the body than in the Statement")
def _():
    with Unchanged(site.admin):
        reply = proposed.send(proposed.signed(proposed.statement("chen"), "chen", role="lead"),
                              "chen")
        same(reply.status, 422, reply)


@case("refused: a Statement about another change, of no change, or with a field too many or too few")
def _():
    other = site.change(hypothesis)
    at_the_door(proposed.signed(proposed.statement(about=other.about())), STATEMENT)
    short = proposed.about()
    del short["policy"]
    for about in (proposed.about(change="chg-999"), proposed.about(colour="red"), short,
                  proposed.about(manifest="x"), {}):
        with Unchanged(site.admin):
            same(proposed.send(proposed.signed(proposed.statement(about=about or {"x": 1}))).status,
                 422, about)


@case("refused: a Statement that is not in canonical form")
def _():
    value = json.loads(proposed.statement())
    for text in (json.dumps(value, sort_keys=True), json.dumps(value, separators=(",", ":")) + " ",
                 o.canonical(value) + "\n", o.canonical(value).replace('"ben"', '"\\u0062en"'),
                 o.canonical(value)[:-1] + ',"v":1}', "{}", "", "x"):
        with Unchanged(site.admin):
            reply = proposed.send(proposed.signed(text))
            same(reply.status, 422, text[-30:], reply)


@case("refused: a Statement that is too long")
def _():
    text = proposed.statement(about=proposed.about(manifest="sha256:" + "0" * 9000))
    with Unchanged(site.admin):
        same(proposed.send(proposed.signed(text)).status, 422)


@case("refused: a nonce that was used")
def _():
    change = site.change(hypothesis)
    body = change.signed(change.statement())
    ok(change.send(body))
    at_the_door(body, STATEMENT, change=change)


@case("refused: a log that is not on this history: another root, origin, or more entries than there are")
def _():
    head = site.people.head()
    for changes in ({"root": "sha256:" + "00" * 32}, {"origin": "elsewhere.example/2026"},
                    {"size": head["size"] + 1000}, {"size": head["size"] - 1}):
        text = proposed.statement(head={**head, **changes})
        at_the_door(proposed.signed(text), STALE)


@case("refused: a Statement that has expired, and one from the future")
def _():
    past = o.stamp(time.time() - 100)
    at_the_door(proposed.signed(proposed.statement(issued=past, life=-5)), STALE)
    with Unchanged(site.admin):
        same(proposed.send(proposed.signed(proposed.statement(life=-5))).status, 422)
    later = o.stamp(time.time() + 400)
    at_the_door(proposed.signed(proposed.statement(issued=later)), STATEMENT)


@case("refused: a confirmation of one's own fact, and one of a fact that is not there")
def _():
    seq = site.write("dora", "reproduction.recorded", {
        "where": "box", "outcome": "reproduced", "evidence": [hypothesis.evidence]},
        hypothesis.id)["seq"]
    for who, fact, statuses in (("dora", seq, (403, 422)), ("ben", seq + 1000, (422,)),
                                ("ben", 0, (422,))):
        text = site.people.statement("confirmation", {"fact": fact}, who)
        body = {"fact": fact, "statement": text,
                "sshsig": site.people.sign(text, "confirm@opledger", site.keys[who])}
        with Unchanged(site.admin):
            reply = site.clients[who].write("confirmation.signed", body, on=hypothesis.id)
            check(reply.status in statuses, who, fact, reply)


# ---- recorded, and not counted ----

def not_counted(change, seq, *words):
    """The gate denies, and explain and approval list say of this approval why."""
    outcome = change.gate()["outcome"]
    same(outcome, "denied")
    ran = reader.exits(1, "gate", "check", change.id)
    check("gate check: denied (exit 1)" == ran.out.rstrip().split("\n")[-1], ran)
    page = reader.run("gate", "explain", change.id)
    check(page.status in (0, 1), page)
    listed = {a["seq"]: a for a in reader.json("approval", "list", change.id)["approvals"]}
    check(seq in listed and not listed[seq]["counts"], listed)
    for word in words:
        check(word in listed[seq]["why_not"], word, listed[seq])
        check(word in page.out, word, page)


@case("recorded, not counted: by the proposer")
def _():
    change = site.change(confirmed)
    not_counted(change, change.approve("maria"), "propos")


@case("recorded, not counted: over an older manifest")
def _():
    change = site.change(confirmed)
    seq = change.approve()
    same(change.gate()["outcome"], "allowed")
    change.revise()
    not_counted(change, seq, "manifest")
    change.approve()
    same(change.gate()["outcome"], "allowed")


@case("recorded, not counted: over another base")
def _():
    change = site.change(confirmed)
    body = change.signed(change.statement(about=change.about(base="sha256:" + "11" * 32)))
    not_counted(change, ok(change.send(body))["seq"], "base")


@case("recorded, not counted: over an older policy, which counts no more once another is adopted")
def _():
    change = site.change(confirmed)
    seq = change.approve()
    same(change.gate()["outcome"], "allowed")
    with open(os.path.join(o.SOURCE_DIR, "policies", "gate", "slurm-config.yaml"), "rb") as file:
        text = file.read() + b"# " + secrets.token_hex(4).encode() + b"\n"
    sha256 = site.admin.put_blob(text)[1]
    ok(site.admin.write("policy.adopted", {"what": "gate", "name": "slurm-config",
                                           "sha256": sha256}))
    not_counted(change, seq, "polic")
    change.approve()
    same(change.gate()["outcome"], "allowed")


@case("recorded, not counted: signed before the facts that it rests on")
def _():
    fresh = site.hypothesis(incident)
    change = site.change(fresh)
    seq = change.approve()
    site.confirm(fresh)
    not_counted(change, seq, "sign")
    change.approve()
    same(change.gate()["outcome"], "allowed")


@case("recorded, not counted: its Statement names a log from before the facts, sent after them")
def _():
    fresh = site.hypothesis(incident)
    change = site.change(fresh)
    head = site.people.head()
    site.confirm(fresh)
    seq = ok(change.send(change.signed(change.statement(head=head))))["seq"]
    not_counted(change, seq, "sign")


@case("recorded, not counted: overtaken by a person's disagreement")
def _():
    fresh = site.hypothesis(incident)
    site.confirm(fresh)
    change = site.change(fresh)
    seq = change.approve()
    same(change.gate()["outcome"], "allowed")
    site.write("dora", "reproduction.recorded", {
        "where": "box", "outcome": "not-reproduced", "evidence": [fresh.evidence]}, fresh.id)
    not_counted(change, seq)


@case("recorded, not counted: expired, revoked by its signer, its key revoked, its role taken away")
def _():
    change = site.change(confirmed)
    expired = change.approve(life=1)
    time.sleep(1.1)
    not_counted(change, expired, "expired")

    revoked = change.approve()
    site.write("ben", "approval.revoked", {"approval": revoked, "reason": "the base moved"},
               change.id)
    not_counted(change, revoked, "revoked")

    key = site.people.key("ben")
    lost = ok(change.send(change.signed(change.statement(), key)))["seq"]
    same(change.gate()["outcome"], "allowed")
    shown = subprocess.run(["ssh-keygen", "-lf", key + ".pub"], capture_output=True, check=True)
    ok(site.admin.write("key.revoked", {"principal": "ben", "reason": "lost",
                                        "fingerprint": shown.stdout.decode().split()[1]}))
    not_counted(change, lost, "key")

    late = change.approve("chen")
    same(change.gate()["outcome"], "allowed")
    ok(site.admin.write("principal.changed", {"name": "chen", "roles": ["recorder"]}))
    not_counted(change, late, "role")
    ok(site.admin.write("principal.changed", {"name": "chen", "roles": site.PEOPLE["chen"]}))


@case("the persons behind a service and its owner are one: an owner's service cannot propose for them")
def _():
    token = site.people.service_token("bens-cron", ["recorder"], owner="ben")
    change = site.change(confirmed)
    reply = site.admin.write("change.proposed", {
        "title": "by cron", "class": "config", "target": "engaging/slurm", "files": 1,
        "manifest": change.manifest, "hypotheses": [confirmed.id]}, on=incident, token=token)
    change.id = ok(reply)["id"]
    not_counted(change, change.approve(), "propos")


@case("removing a positive fact never allows: what was withdrawn denies")
def _():
    fresh = site.hypothesis(incident)
    site.confirm(fresh)
    change = site.change(fresh)
    change.approve()
    same(change.gate()["outcome"], "allowed")
    entries = [json.loads(e) for e in site.admin.entries()]
    letter = max(i for i, e in enumerate(entries)
                 if e.get("on") == fresh.id and e["kind"] == "evidence.attached")
    site.write("dora", "fact.withdrawn", {"fact": letter, "reason": "another cluster"}, fresh.id)
    same(change.gate()["outcome"], "denied")


server = serve()
site = Site(server)
incident = site.incident()
hypothesis = site.hypothesis(incident)
confirmed = site.hypothesis(incident)
site.confirm(confirmed)
proposed = site.change(hypothesis)
reader = Cli(server, site.clients["dora"].token)
sys.exit(run(server))
