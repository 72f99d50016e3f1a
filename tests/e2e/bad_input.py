#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Bad input over HTTP: each is a problem of the right slug, pointer and hint, and the log is to the
byte what it was."""
import hashlib
import json
import os
import secrets
import sys
import time

sys.path.insert(0, os.path.join(os.environ["SOURCE_DIR"], "tests", "support"))
import opledgerd as o  # noqa: E402
from cases import Unchanged, case, check, refused, run, same, serve  # noqa: E402

HYPOTHESIS = {"claim": "lock contention", "model": {"provider": "openai", "name": "gpt-5"},
              "prompt_sha256": "00" * 32}


def entry(on="inc-1", kind="hypothesis.recorded", **changes):
    body = {**(HYPOTHESIS if kind == "hypothesis.recorded" else {}), **changes}
    made = {"kind": kind, "body": {k: v for k, v in body.items() if v is not None}}
    return {**made, "on": on} if on else made


def note(text="n", on="inc-1", **more):
    return entry(on, "incident.noted", text=text, **more)


def raw(text):
    return b'{"kind":"incident.noted","on":"inc-1","body":' + text + b"}"


def lines(*entries):
    return b"".join((e if isinstance(e, bytes) else json.dumps(e).encode()) + b"\n" for e in entries)


def nested(depth):
    return raw(b'{"text":' + b"[" * depth + b"]" * depth + b"}")


attached = {"size": 1, "media_type": "text/plain", "name": "f", "source": "s"}

# sentence, what is sent, status, slug, pointer, hint
BAD = [
    ("an unknown kind", entry(kind="incident.exploded", text="t"), 422, "invalid-entry", "/kind",
     "incident.opened"),
    ("an unknown field", entry(colour="red"), 422, "invalid-entry", "/body/colour", "claim"),
    ("an unknown field beside kind", {**note(), "id": "inc-9"}, 400, "malformed", "/id", "body"),
    ("a field that is missing", entry(claim=None), 422, "invalid-entry", "/body/claim", None),
    ("a duplicate key", raw(b'{"text":"a","text":"b"}'), 400, "malformed", None, None),
    ("a duplicate key written with an escape", raw(b'{"text":"a","te\\u0078t":"b"}'), 400,
     "malformed", None, None),
    ("a float", raw(b'{"text":"a","corrects":1.5}'), 400, "malformed", "/body/corrects", None),
    ("an exponent", raw(b'{"text":"a","corrects":1e2}'), 400, "malformed", "/body/corrects", None),
    ("an integer beyond 2^53-1", raw(b'{"text":"a","corrects":9007199254740992}'), 400, "malformed",
     "/body/corrects", None),
    ("a negative number where a count stands", note(corrects=-1), 422, "invalid-entry",
     "/body/corrects", None),
    ("a lone surrogate", raw(b'{"text":"\\ud800"}'), 400, "malformed", None, None),
    ("a lone low surrogate", raw(b'{"text":"\\udc00x"}'), 400, "malformed", None, None),
    ("a NUL", raw(b'{"text":"a\\u0000b"}'), None, None, "/body/text", None),
    ("bytes that are no UTF-8", raw(b'{"text":"\xff\xfe"}'), 400, "malformed", None, None),
    ("an over-long UTF-8 form", raw(b'{"text":"\xc0\xaf"}'), 400, "malformed", None, None),
    ("a raw control byte in a string", raw(b'{"text":"a\x01b"}'), 400, "malformed", None, None),
    ("an over-long text", entry(claim="x" * 16385), 422, "invalid-entry", "/body/claim", None),
    ("an over-long word", entry(tool="x" * 129), 422, "invalid-entry", "/body/tool", None),
    ("a control character in a word", entry(tool="a\x1b[2Jb"), 422, "invalid-entry", "/body/tool",
     None),
    ("a bidi mark in a word", entry(tool="a\u202eb"), 422, "invalid-entry", "/body/tool", None),
    ("a list that is too long", entry(egress=["egr-1"] * 65), 422, "invalid-entry", "/body/egress",
     None),
    ("a null", note(text=None) | {"body": {"text": None}}, 422, "invalid-entry", "/body/text", None),
    ("observed_at more than five minutes ahead", None, 422, "invalid-entry", "/observed_at",
     "clock"),
    ("observed_at that is no time", {**note(), "observed_at": "yesterday"}, 422, "invalid-entry",
     "/observed_at", None),
    ("observed_at on 30 February", {**note(), "observed_at": "2026-02-30T00:00:00Z"}, 422,
     "invalid-entry", "/observed_at", None),
    ("a parent of the wrong kind", entry(on="hyp-1"), 422, "invalid-entry", "/on", None),
    ("a parent that is unknown", entry(on="inc-999"), 422, "invalid-entry", "/on", None),
    ("a parent that is missing", entry(on=None), 422, "invalid-entry", "/on", None),
    ("a parent where there may be none",
     entry("inc-1", "incident.opened", title="t", severity="low"), 422, "invalid-entry", "/on", None),
    ("an id with leading zeros", entry(on="inc-01"), 422, "invalid-entry", "/on", None),
    ("an id that overflows", entry(on="inc-99999999999999999999"), 422, "invalid-entry", "/on", None),
    ("a wrong state", entry("inc-1", "incident.reopened", text="t"), 409, "wrong-state", None, None),
    ("a closing of what is closed", entry("hyp-1", "hypothesis.closed", how="withdrawn", reason="r"),
     409, "wrong-state", None, None),
    ("a digest that was never attached", entry(evidence=["sha256:" + "11" * 32]), 422,
     "invalid-entry", "/body/evidence/0", "evidence"),
    ("a blob that is not stored", entry("inc-1", "evidence.attached", sha256="22" * 32, **attached),
     422, "invalid-entry", "/body/sha256", "PUT /v1/blobs/"),
    ("a digest in capitals", entry(prompt_sha256="AB" * 32), 422, "invalid-entry",
     "/body/prompt_sha256", None),
    ("a model without a name", entry(model={"provider": "openai"}), 422, "invalid-entry",
     "/body/model/name", None),
    ("a word that is not in the list", entry("inc-1", "incident.closed", outcome="maybe"), 422,
     "invalid-entry", "/body/outcome", "resolved"),
    ("two of what excludes each other", entry(prompt_unavailable="lost"), 422, "invalid-entry", None,
     None),
    ("none of what one must be", entry(prompt_sha256=None), 422, "invalid-entry", None, None),
    ("an entry that corrects a later one", note(corrects=900000), 422, "invalid-entry",
     "/body/corrects", None),
    ("a salt that is too short", note(text={"text": "t", "salt": "00"}), 422, "invalid-entry",
     "/body/text", None),
    ("a seal that is made already", note(text={"sealed": "sha256:" + "00" * 32}), 422,
     "invalid-entry", None, None),
    ("a kind whose effect is not built yet",
     {"kind": "witness.removed", "body": {"vkey": "x", "reason": "r"}}, 409, "wrong-state", "/kind",
     None),
    ("deep nesting", nested(200), 400, "malformed", None, None),
    ("very deep nesting", nested(100000), 400, "malformed", None, None),
    ("no JSON", b"{", 400, "malformed", None, None),
    ("nothing", b"", 400, "malformed", None, None),
    ("two documents", b"{}{}", 400, "malformed", None, None),
    ("a list", b"[]", 400, "malformed", None, None),
    ("a byte order mark", b"\xef\xbb\xbf{}", 400, "malformed", None, None),
    ("an entry of more than 512 KiB", entry(claim="x" * (600 << 10)), 413, "too-large", None, None),
]


def send(sentence, sent, status, slug, field, hint):
    @case("refused: " + sentence)
    def _():
        data = sent
        if data is None:
            data = {**note(), "observed_at": o.stamp(time.time() + 301)}
        data = data if isinstance(data, bytes) else json.dumps(data).encode()
        with Unchanged(client):
            reply = client.write_raw(data)
            if slug is None:  # a NUL is refused by the reader or by the field, both name it
                check(reply.status in (400, 422), reply)
                refused(client, reply, reply.status, reply.json["type"].split("/")[-1])
            else:
                refused(client, reply, status, slug, field, hint)


for bad in BAD:
    send(*bad)


@case("observed_at up to five minutes ahead is taken")
def _():
    sent = {**note(), "observed_at": o.stamp(time.time() + 240)}
    same(client.write_raw(json.dumps(sent).encode()).status, 201)


@case("refused: a content type that is no JSON")
def _():
    for media in ("text/plain", "application/x-www-form-urlencoded", "application/jsonx", "",
                  "multipart/form-data; boundary=x"):
        with Unchanged(client):
            refused(client, client.write_raw(b"{}", media=media), 415, "unsupported-media-type")


@case("refused: no Idempotency-Key, one that is too long, one with a blank or a control byte")
def _():
    data = json.dumps(note()).encode()
    for key in (None, "", " ", "x" * 129, "a b", "a\tb", "caf\xe9"):
        headers = {"Content-Type": o.JSON} | ({} if key is None else {"Idempotency-Key": key})
        with Unchanged(client):
            refused(client, client.request("POST", "/v1/entries", data, headers), 400, "malformed",
                    None, "random")
    same(client.write_raw(data, "x" * 128).status, 201)


@case("refused: other content under a key that was used")
def _():
    key = secrets.token_hex(8)
    same(client.write_raw(json.dumps(note("one")).encode(), key).status, 201)
    with Unchanged(client):
        refused(client, client.write_raw(json.dumps(note("two")).encode(), key), 409,
                "idempotency-conflict")
        same(client.write_raw(json.dumps(note("one")).encode(), key).status, 200)


@case("refused: a key used for one entry, and now for a batch")
def _():
    key, data = secrets.token_hex(8), json.dumps(note("either")).encode()
    same(client.write_raw(data, key).status, 201)
    with Unchanged(client):
        refused(client, client.write_raw(data, key, o.NDJSON), 409, "idempotency-conflict")


@case("refused: a batch of 10,001 lines; one of 10,000 is taken")
def _():
    with Unchanged(client):
        refused(client, client.write_raw(lines(note()) * 10001, media=o.NDJSON), 413, "too-large")
    reply = client.write_raw(lines(note()) * 10000, media=o.NDJSON)
    same((reply.status, reply.json["count"]), (201, 10000), reply)


@case("refused: a batch of more than 16 MiB")
def _():
    big = lines(*[note("x" * 16000)] * 1060)
    check(len(big) > 16 << 20, len(big))
    with Unchanged(client):
        refused(client, client.write_raw(big, media=o.NDJSON), 413, "too-large")


@case("refused: a batch with bad lines, all of them listed, none of the good ones written")
def _():
    with Unchanged(client):
        reply = client.write_raw(lines(
            note(), b"{", note(colour="red"), note(), entry(kind="no.such"), b"", note(),
            raw(b'{"text":"a","corrects":0.5}')), media=o.NDJSON)
        problem = refused(client, reply, 422, "invalid-entry")
    same([e["line"] for e in problem["errors"]], [2, 3, 5, 6, 8])
    same([e.get("field", "") for e in problem["errors"]][1:3], ["/body/colour", "/kind"])
    check(all(e["detail"] for e in problem["errors"]), problem)


@case("refused: a batch whose lines do not hold in the log, all of them listed")
def _():
    with Unchanged(client):
        reply = client.write_raw(lines(
            entry(None, "incident.opened", title="t", severity="low"), note(on="inc-998"),
            note(on="#1"), note(on="inc-999"), entry("#1", "incident.reopened", text="t")),
            media=o.NDJSON)
        problem = refused(client, reply, reply.status, reply.json["type"].split("/")[-1])
    check(reply.status in (409, 422), reply)
    same([e["line"] for e in problem["errors"]], [2, 4, 5])


@case("refused: references to a later line, to the same line, to line 0, to a line that creates nothing")
def _():
    opened = entry(None, "incident.opened", title="t", severity="low")
    for bad in (lines(note(on="#2"), opened), lines(opened, note(on="#2")), lines(note(on="#1")),
                lines(opened, note(on="#0")), lines(note(), note(on="#1")),
                lines(opened, note(on="#-1")), lines(opened, note(on="#")),
                lines(opened, note(on="#99999999999999999999")),
                lines(opened, entry("#1", refines="#2")), lines(opened, entry("#1", refines="#1"))):
        with Unchanged(client):
            refused(client, client.write_raw(bad, media=o.NDJSON), 422, "invalid-entry")


@case("refused: a reference to a line outside a batch")
def _():
    with Unchanged(client):
        refused(client, client.write_raw(json.dumps(note(on="#1")).encode()), 422, "invalid-entry",
                "/on")


@case("refused: an empty batch, and one of blank lines")
def _():
    for bad in (b"", b"\n", b"\n\n\n"):
        with Unchanged(client):
            reply = client.write_raw(bad, media=o.NDJSON)
            check(reply.status in (400, 422), reply)


@case("refused: a blob under another digest, and nothing of it is kept")
def _():
    data = secrets.token_bytes(3 << 20)
    right, wrong = hashlib.sha256(data).hexdigest(), hashlib.sha256(b"x").hexdigest()
    refused(client, client.request("PUT", f"/v1/blobs/{wrong}", data), 422, "digest-mismatch")
    for sha256 in (right, wrong):
        same(client.get(f"/v1/blobs/{sha256}").status, 404)


@case("evidence that has no bytes proves nothing, whatever size is said of it")
def _():
    reply, sha256 = client.put_blob(b"")
    check(reply.status in (200, 201), reply)
    for size in (0, 5000):
        client.write("evidence.attached", {**attached, "size": size, "sha256": sha256}, on="inc-1")
        with Unchanged(client):
            sent = entry(evidence=["sha256:" + sha256])
            refused(client, client.write_raw(json.dumps(sent).encode()), 422, "invalid-entry",
                    "/body/evidence/0")


@case("the gate's questions are checked like entries")
def _():
    good = {"nonce": "00" * 16, "use": "check"}
    for changes in ({"use": "burn"}, {"nonce": "00"}, {"nonce": None}, {"record": "yes"},
                    {"manifest": "x"}, {"host": "a b"}, {"hold": "soon"}, {"known": {"size": -1}},
                    {"colour": "red"}, {"use": "explain", "record": True}):
        with Unchanged(client):
            refused(client, client.post("/v1/changes/chg-1/gate", {**good, **changes}), 422,
                    "invalid-entry")
    for path in ("chg-99", "inc-1", "chg-0", "chg-01", "x"):
        refused(client, client.post(f"/v1/changes/{path}/gate", good), 404, "not-found")


@case("after all that the log still takes an entry, and holds")
def _():
    same(client.write_raw(json.dumps(note("after")).encode()).status, 201)
    same(client.get("/readyz").status, 200)


server = serve()
client = server.client()
client.write("incident.opened", {"title": "saves warn", "severity": "high"})
client.write("hypothesis.recorded", HYPOTHESIS, on="inc-1")
client.write("hypothesis.closed", {"how": "withdrawn", "reason": "r"}, on="hyp-1")
sys.exit(run(server))
