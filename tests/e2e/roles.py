#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Who may write what: every kind of tests/vectors/kinds.json with every single role, class and kind
of token, against a table of its own, written from the contract and not from the product's."""
import base64
import hashlib
import json
import os
import secrets
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.environ["SOURCE_DIR"], "tests", "support"))
import opledgerd as o  # noqa: E402
from cases import FAR, Cli, Unchanged, case, check, refused, run, same, serve  # noqa: E402

STORED = "2030-01-01T00:00:00.000000Z"
ROLES = ["recorder", "reader", "gate", "reviewer", "admin", "evidence-raw", "approver.slurm"]
RECORDED, SIGNED = {"recorder"}, {"approver.slurm"}
EITHER = {"reviewer", "approver.slurm"}
APPLY = {"recorder", "gate"}
ADMIN = {"admin"}

# kind: classes (Person, Service, Agent) and roles, any one of which is enough
MAY = {
    "incident.opened": ("PS", RECORDED), "incident.noted": ("PSA", RECORDED),
    "incident.closed": ("P", RECORDED), "incident.reopened": ("P", RECORDED),
    "modelcall.recorded": ("PSA", RECORDED), "hypothesis.recorded": ("PSA", RECORDED),
    "hypothesis.closed": ("P", RECORDED), "evidence.attached": ("PSA", RECORDED),
    "verdict.recorded": ("PSA", RECORDED), "reproduction.recorded": ("PS", RECORDED),
    "vendor.updated": ("P", RECORDED), "change.proposed": ("PS", RECORDED),
    "change.revised": ("PS", RECORDED), "testrun.recorded": ("PS", RECORDED),
    "rehearsal.recorded": ("PS", RECORDED), "confirmation.signed": ("P", RECORDED | EITHER),
    "approval.signed": ("P", SIGNED), "approval.revoked": ("P", SIGNED), "gate.decided": ("", set()),
    "change.started": ("PS", APPLY), "change.finished": ("PS", APPLY),
    "override.opened": ("P", SIGNED), "override.reviewed": ("P", EITHER),
    "egress.recorded": ("PS", RECORDED), "egress.restored": ("P", RECORDED),
    "egress.rescanned": ("PS", RECORDED), "fact.withdrawn": ("PS", RECORDED | {"reviewer"}),
    **{kind: ("P", ADMIN) for kind in (
        "principal.enrolled", "principal.changed", "principal.revoked", "key.added", "key.revoked",
        "token.created", "token.revoked", "policy.adopted", "witness.added", "witness.removed",
        "content.erased", "bootstrap.closed", "epoch.begun", "clock.corrected")},
}
AGENT_MODEL = {"provider": "openai", "name": "gpt-5"}
SECOND = ["principal.enrolled", "principal.changed", "principal.revoked", "key.added", "key.revoked",
          "token.created", "policy.adopted"]


def vectors():
    with open(os.path.join(o.SOURCE_DIR, "tests", "vectors", "kinds.json")) as file:
        return json.load(file)


def send(vector, token, agent=False):
    vector = json.loads(json.dumps(vector))
    if agent and "model" in vector["body"]:
        vector["body"]["model"] = AGENT_MODEL
    return client.write_raw(json.dumps(vector).encode(), token=token)


def try_all(name, klass, roles, token):
    """Every kind as this principal: forbidden exactly where the table says so."""
    for vector in vectors():
        kind = vector["kind"]
        classes, needed = MAY[kind]
        may = klass in classes and bool(needed & set(roles))
        if may:
            reply = send(vector, token, klass == "A")
            check(reply.status not in (401, 403, 500), name, kind, reply)
        else:
            with Unchanged(client):
                refused(client, send(vector, token, klass == "A"), 403, "forbidden")


@case("the vectors hold every kind that the service knows, and so does this script's table")
def _():
    kinds = {v["kind"] for v in vectors()}
    same(kinds, set(MAY))
    described = client.get("/openapi.json").json["components"]["schemas"]
    check(kinds <= set(json.dumps(described).split('"')), "a kind that /openapi.json lacks")


@case("nobody writes anything: every kind without a token is 401")
def _():
    for vector in vectors():
        with Unchanged(client):
            refused(client, send(vector, None), 401, "unauthenticated", None, "opledger login")


def single(role):
    @case(f"every kind as a person whose only role is {role}")
    def _():
        name = "only-" + role.replace(".", "-")
        people.enroll(name, [role])
        try_all(name, "P", [role], people.token_for(name, [role]))


for one in ROLES:
    single(one)


@case("every kind as a service with every role")
def _():
    roles = [r for r in ROLES if not r.startswith("approver") and r not in ("admin", "reviewer")]
    try_all("svc-all", "S", roles, people.service_token("svc-all", roles))


@case("every kind as an agent, under its own model")
def _():
    token = people.service_token("helper", ["recorder"], klass="agent", model=AGENT_MODEL)
    try_all("helper", "A", ["recorder"], token)


@case("an agent writes under no other model, nor under its model of another provider")
def _():
    token = people.token_for("helper", ["recorder"])
    for model in ({"provider": "anthropic", "name": "claude-opus-4"},
                  {"provider": "azure.ai.openai", "name": "gpt-5"},
                  {"provider": "openai", "name": "gpt-5-mini"}):
        body = {"claim": "c", "model": model, "prompt_sha256": "00" * 32}
        with Unchanged(client):
            reply = client.write("hypothesis.recorded", body, on="inc-1", token=token)
            refused(client, reply, 403, "forbidden", "/body/model")


@case("an agent or a service that was given the roles of people has no use of them")
def _():
    for name, klass, letter, more in (("sly", "agent", "A", {"model": AGENT_MODEL}),
                                      ("cron", "service", "S", {})):
        token = people.service_token(name, ROLES, klass=klass, **more)
        try_all(name, letter, ROLES, token)
        body = {"principal": name, "scope": ["reader"], "expires": FAR}
        with Unchanged(client):
            refused(client, client.post("/v1/tokens", body, token=token), 403, "forbidden")


@case("nobody but the gate route writes gate.decided, in no form")
def _():
    vector = next(v for v in vectors() if v["kind"] == "gate.decided")
    with Unchanged(client):
        refused(client, send(vector, server.token), 403, "forbidden", "/kind")
        reply = client.write_raw(json.dumps(vector).encode() + b"\n", media=o.NDJSON)
        refused(client, reply, 403, "forbidden")


@case("the gate route takes the roles gate and recorder, and no other")
def _():
    question = {"nonce": "00" * 16, "use": "check"}
    for role in ROLES:
        people_token("only-" + role.replace(".", "-"), role)
    with Unchanged(client):
        refused(client, client.post("/v1/changes/chg-9/gate", question, token=None), 401,
                "unauthenticated")
        for role in ROLES:
            token = people_token("only-" + role.replace(".", "-"), role)
            reply = client.post("/v1/changes/chg-9/gate", question, token=token)
            same(reply.status, 404 if role in APPLY else 403, role, reply)


def people_token(name, role):
    if (name, role) not in kept:
        reply = Cli(server, server.token).json("token", "create", name, "--scope", role,
                                               "--expires", "1h")
        kept[name, role] = reply["token"]
    return kept[name, role]


kept = {}


@case("raw evidence needs the role evidence-raw, and an agent never reads it")
def _():
    _, sha256 = client.put_blob(b"raw bytes of a trace")
    body = {"sha256": sha256, "size": 20, "media_type": "text/plain", "name": "t", "source": "s"}
    same(client.write("evidence.attached", body, on="inc-1").status, 201)
    path = f"/v1/blobs/{sha256}"
    agent = people.token_for("helper", ["recorder"])
    for token, status in ((people_token("only-recorder", "recorder"), 404), (agent, 404),
                          (people_token("only-evidence-raw", "evidence-raw"), 200), (None, 401)):
        same(client.get(path, token=token).status, status)
        same(client.request("HEAD", path, token=token).status, status)
        ranged = client.get(path, headers={"Range": "bytes=0-3"}, token=token)
        same(ranged.status, 206 if status == 200 else status)


@case("a token's scope narrows the roles: every kind with the scope reader, with the scope gate")
def _():
    people.enroll("broad", ROLES)
    try_all("broad as reader", "P", ["reader"], people.token_for("broad", ["reader"]))
    try_all("broad as gate", "P", ["gate"], people.token_for("broad", ["gate"]))


@case("no token has a scope beyond its principal's roles, and none has an unknown word")
def _():
    for scope in (["admin"], ["recorder", "admin"], ["everything"], ["approver."], ["approver.*"]):
        with Unchanged(client):
            reply = client.post("/v1/tokens", {"principal": "only-recorder", "scope": scope,
                                               "expires": FAR})
            check(400 <= reply.status < 500, scope, reply)
    nothing = people.token_for("only-recorder", [])
    refused(client, client.get("/v1/incidents", token=nothing), 403, "forbidden")


@case("a role that is taken away is gone from the tokens that had it")
def _():
    people.enroll("demoted", ["recorder"])
    token = people.token_for("demoted", ["recorder"])
    same(client.write("incident.noted", {"text": "t"}, on="inc-1", token=token).status, 201)
    same(client.write("principal.changed", {"name": "demoted", "roles": ["reader"]}).status, 201)
    with Unchanged(client):
        refused(client, client.write("incident.noted", {"text": "t"}, on="inc-1", token=token), 403,
                "forbidden")


# ---- tokens ----

@case("tokens that are missing, malformed, unknown, or in the wrong place are 401, and say what to do")
def _():
    good = server.token
    bad = ["", "Bearer", "Bearer ", "Bearer x", "Bearer opl_" + "0" * 64, f"Bearer {good[:-1]}",
           f"Bearer {good}0", f"Bearer {good.upper()}", f"Basic {good}", good, f"Bearer {good} x",
           "Bearer " + "a" * 6000, "Bearer opl_" + "g" * 64]
    for value in bad:
        reply = client.request("GET", "/v1/whoami", headers={"Authorization": value}, token=None)
        refused(client, reply, 401, "unauthenticated", None, "opledger login")
        check("Bearer" in reply.headers["WWW-Authenticate"], reply)
        check(good not in reply.body.decode(), "the token is echoed")
    for path in (f"/v1/whoami?token={good}", f"/v1/whoami?access_token={good}"):
        same(client.get(path, token=None).status, 401)
    # the scheme's case is free (RFC 9110)
    same(client.request("GET", "/v1/whoami", headers={"Authorization": f"bearer {good}"},
                        token=None).status, 200)


@case("an expired token is refused and says that it expired")
def _():
    people.enroll("short", ["recorder"], "service", owner="admin")
    token = people.token_for("short", ["recorder"], o.stamp(time.time() + 1))
    same(client.get("/v1/whoami", token=token).status, 200)
    time.sleep(1.1)
    check("expired" in refused(client, client.get("/v1/whoami", token=token), 401,
                               "unauthenticated")["detail"])
    ran = Cli(server, token).exits(3, "incident", "list")
    check("expired" in ran.err and "login" in ran.err, ran)


@case("a token that was revoked is refused at once, and the others of that principal live on")
def _():
    people.enroll("svc-two", ["recorder"], "service", owner="admin")
    made = [client.post("/v1/tokens", {"principal": "svc-two", "scope": ["recorder"],
                                       "expires": FAR}).json for _ in range(2)]
    Cli(server, server.token).exits(0, "token", "revoke", made[0]["token_id"], "--reason", "lost")
    gone = client.get("/v1/whoami", token=made[0]["token"])
    check("revoked" in refused(client, gone, 401, "unauthenticated")["detail"])
    same(client.get("/v1/whoami", token=made[1]["token"]).status, 200)
    ran = Cli(server, made[0]["token"]).exits(3, "whoami")
    check("revoked" in ran.err, ran)


@case("a principal that was revoked is refused with every token")
def _():
    token = people.service_token("svc-out", ["recorder"])
    Cli(server, server.token).exits(0, "principal", "revoke", "svc-out", "--reason", "left")
    refused(client, client.get("/v1/whoami", token=token), 401, "unauthenticated")
    refused(client, client.write("incident.noted", {"text": "t"}, on="inc-1", token=token), 401,
            "unauthenticated")


@case("the log holds no token, and the server's own log neither")
def _():
    secret = server.token.split("_")[1]
    with open(server.log_path) as file:
        text = file.read()
    check("opl_" not in text and secret not in text, "a token in the server's log")
    raw = bytes.fromhex(secret)
    for form in (secret.encode(), base64.b64encode(raw)):
        check(not any(form in entry for entry in client.entries()), "a token in the log")
    digest = hashlib.sha256(raw).hexdigest().encode()
    check(any(digest in entry for entry in client.entries()), "its digest is not there either")


# ---- after the bootstrap ----

def admin_body(kind):
    _, policy = client.put_blob(b"v: 1\n", token=chen.token)
    shown = subprocess.run(["ssh-keygen", "-lf", keys["maria"] + ".pub"], capture_output=True)
    return {
        "principal.enrolled": {"name": "dora", "class": "person", "roles": ["reader"]},
        "principal.changed": {"name": "only-reader", "roles": ["reader", "recorder"]},
        "principal.revoked": {"name": "only-gate", "reason": sealed("left")},
        "key.added": {"principal": "maria", "hardware": "no", "public_key":
                      "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop"},
        "key.revoked": {"principal": "maria", "reason": sealed("lost"),
                        "fingerprint": shown.stdout.decode().split()[1]},
        "token.created": {"principal": "svc-two", "scope": ["reader"], "expires": STORED,
                          "token_id": "t-0001", "token_sha256": "66" * 32},
        "policy.adopted": {"what": "redact", "name": "site", "sha256": policy},
    }[kind]


def sealed(text):
    return {"text": text, "salt": secrets.token_hex(32)}


def seal(value):
    """What stands in the log for a text that its writer sealed."""
    if not isinstance(value, dict) or "salt" not in value:
        return value
    salted = bytes.fromhex(value["salt"]) + value["text"].encode()
    return {"sealed": "sha256:" + hashlib.sha256(salted).hexdigest()}


def second(kind, body, signer, **more):
    """The body with a second person's signature under it."""
    stands = {key: seal(value) for key, value in body.items()}
    digest = hashlib.sha256(o.canonical(stands).encode()).hexdigest()
    about = {"body_sha256": digest, "kind": kind, "on": None, **more}
    text = people.statement("admin", about, signer)
    return {**body, "statement": text, "sshsig": people.sign(text, "admin@opledger", keys[signer])}


@case("the bootstrap is not closed while fewer than two people could sign")
def _():
    with Unchanged(client):
        refused(client, client.write("bootstrap.closed", {}), 409, "wrong-state", "/kind")


@case("the bootstrap is closed once, and the first token is void with it")
def _():
    global chen
    for name, roles in (("maria", ["recorder"]), ("ben", ["recorder", "approver.slurm"]),
                        ("chen", ["recorder", "admin", "approver.lead"])):
        people.enroll(name, roles)
        keys[name] = people.key(name)
    same(client.write("bootstrap.closed", {}).status, 201)
    refused(client, client.get("/v1/whoami"), 401, "unauthenticated")
    chen = people.login("chen", keys["chen"])
    people.admin = chen
    client.token = chen.token
    refused(client, chen.write("bootstrap.closed", {}), 409, "wrong-state")


@case("administration without a second signature is refused, kind by kind")
def _():
    for kind in SECOND:
        with Unchanged(client):
            refused(client, chen.write(kind, admin_body(kind)), 403, "forbidden", "/body/statement",
                    "opledger/admin")
    with Unchanged(client):
        reply = chen.post("/v1/tokens", {"principal": "svc-two", "scope": ["reader"], "expires": FAR})
        refused(client, reply, 403, "forbidden")


@case("a second signature by oneself, by no approver, over another body or kind is refused")
def _():
    body = admin_body("principal.enrolled")
    for made, slug in ((second("principal.enrolled", body, "chen"), "forbidden"),
                       (second("principal.enrolled", body, "maria"), "forbidden"),
                       (second("principal.changed", body, "ben"), "invalid-entry"),
                       ({**second("principal.enrolled", body, "ben"), "roles": ["admin"]},
                        "invalid-entry")):
        with Unchanged(client):
            reply = chen.write("principal.enrolled", made)
            refused(client, reply, 403 if slug == "forbidden" else 422, slug)


@case("with another approver's signature it is done, and the signature cannot be used twice")
def _():
    for kind in SECOND:
        made = second(kind, admin_body(kind), "ben")
        reply = chen.write(kind, made)
        same(reply.status, 201, kind, reply)
        with Unchanged(client):
            check(chen.write(kind, made).status in (409, 422), kind)


@case("a login is no admin's, and a stolen challenge is good once")
def _():
    reply, signed = people.login_reply("ben", keys["ben"])
    same(reply.status, 201, reply)
    with Unchanged(client):
        check(o.Client(server.port).post("/v1/login", signed).status in (401, 409, 422))
        check(people.login_reply("ben", keys["chen"])[0].status == 422)
        check(people.login_reply("ben", keys["ben"], url="http://elsewhere:1")[0].status >= 400)
        check(people.login_reply("ben", keys["ben"], ttl="13h")[0].status >= 400)


server = serve()
client = server.client()
people = o.People(server)
keys = {}
chen = None
client.write("incident.opened", {"title": "saves warn", "severity": "high"})
sys.exit(run(server))
