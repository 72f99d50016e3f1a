#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""POST /v1/entries: batches, and everything that must be refused with the log unchanged."""
import json
import os
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.environ["SOURCE_DIR"], "tests", "support"))
import opledgerd as o  # noqa: E402


def setUpModule():
    global server, client
    server = o.Opledgerd()
    client = server.client()
    client.write("incident.opened", {"title": "saves warn", "severity": "high"})


def tearDownModule():
    server.close()


HYPOTHESIS = {"claim": "lock contention", "model": {"provider": "openai", "name": "gpt"},
              "prompt_sha256": "00" * 32}


class BadInput(unittest.TestCase):
    def refused(self, data, status, slug, field=None, media=o.JSON):
        size = client.size()
        data = data if isinstance(data, bytes) else json.dumps(data).encode()
        reply = client.write_raw(data, media=media)
        self.assertEqual(reply.status, status, reply)
        self.assertEqual(reply.headers["Content-Type"], "application/problem+json")
        self.assertEqual(reply.json["type"], f"/problems/{slug}")
        self.assertEqual(client.size(), size)
        if field is not None:
            self.assertEqual(reply.json.get("field"), field, reply)
        return reply.json

    def entry(self, **changes):
        body = {**HYPOTHESIS, **changes}
        return {"kind": "hypothesis.recorded", "on": "inc-1",
                "body": {k: v for k, v in body.items() if v is not None}}

    def test_unknown_kind(self):
        self.refused({"kind": "incident.imagined", "body": {}}, 422, "invalid-entry", "/kind")

    def test_unknown_field(self):
        problem = self.refused(self.entry(colour="red"), 422, "invalid-entry", "/body/colour")
        self.assertIn("hint", problem)

    def test_duplicate_key(self):
        self.refused(b'{"kind":"incident.noted","on":"inc-1","body":{"text":"a","text":"b"}}', 400,
                     "malformed")

    def test_float(self):
        problem = self.refused(
            b'{"kind":"incident.noted","on":"inc-1","body":{"text":"a","corrects":1.5}}', 400,
            "malformed")
        self.assertEqual(problem["field"], "/body/corrects")

    def test_lone_surrogate(self):
        self.refused(b'{"kind":"incident.noted","on":"inc-1","body":{"text":"\\ud800"}}', 400,
                     "malformed")

    def test_over_long_text(self):
        self.refused(self.entry(claim="x" * 16385), 422, "invalid-entry", "/body/claim")

    def test_over_long_request(self):
        self.refused(self.entry(claim="x" * (600 << 10)), 413, "too-large")

    def test_future_observed_at(self):
        later = o.stamp(time.time() + 600)
        self.refused({**self.entry(), "observed_at": later}, 422, "invalid-entry", "/observed_at")

    def test_wrong_parent(self):
        self.refused({**self.entry(), "on": "hyp-1"}, 422, "invalid-entry", "/on")

    def test_unknown_parent(self):
        self.refused({**self.entry(), "on": "inc-999"}, 422, "invalid-entry", "/on")

    def test_wrong_state(self):
        self.refused({"kind": "incident.reopened", "on": "inc-1", "body": {"text": "t"}}, 409,
                     "wrong-state")

    def test_digest_never_attached(self):
        self.refused(self.entry(evidence=["sha256:" + "11" * 32]), 422, "invalid-entry")

    def test_blob_that_is_absent(self):
        self.refused({"kind": "evidence.attached", "on": "inc-1",
                      "body": {"sha256": "22" * 32, "size": 1, "media_type": "text/plain",
                               "name": "f", "source": "s"}}, 422, "invalid-entry")

    def test_two_prompts_or_none(self):
        self.refused(self.entry(prompt_sha256=None), 422, "invalid-entry")
        self.refused(self.entry(prompt_unavailable="lost"), 422, "invalid-entry")

    def test_nobody_writes_gate_decided(self):
        reply = client.write("gate.decided", {}, on="chg-1")
        self.assertIn(reply.status, (403, 422), reply)

    def test_kinds_whose_effect_comes_later(self):
        self.refused({"kind": "witness.removed", "body": {"vkey": "x", "reason": "r"}}, 409,
                     "wrong-state")

    def test_wrong_media_type(self):
        self.refused(b"kind=incident.noted", 415, "unsupported-media-type",
                     media="application/x-www-form-urlencoded")

    def test_no_json_at_all(self):
        for data in (b"", b"[", b'"x"', b"{}{}", b"\xff\xfe"):
            size = client.size()
            reply = client.write_raw(data)
            self.assertIn(reply.status, (400, 422), reply)
            self.assertEqual(client.size(), size)


class Batches(unittest.TestCase):
    def lines(self, *entries):
        return b"".join(e if isinstance(e, bytes) else json.dumps(e).encode() + b"\n" for e in entries)

    def note(self, on="inc-1", **body):
        return {"kind": "incident.noted", "on": on, "body": body or {"text": "n"}}

    opened = {"kind": "incident.opened", "body": {"title": "t", "severity": "low"}}

    def test_references_to_earlier_lines(self):
        reply = client.write_raw(self.lines(
            self.opened, self.note(on="#1"),
            {"kind": "hypothesis.recorded", "on": "#1", "body": HYPOTHESIS},
            {"kind": "hypothesis.recorded", "on": "#1", "body": {**HYPOTHESIS, "refines": "#3"}}),
            media=o.NDJSON)
        self.assertEqual(reply.status, 201, reply)
        ids = reply.json["ids"]
        self.assertEqual(ids[1], None)
        last = client.get(f"/v1/entries/{reply.json['first'] + 3}").json["entry"]
        self.assertEqual(json.loads(last)["body"]["refines"], ids[2])
        self.assertEqual(json.loads(last)["on"], ids[0])

    def test_a_reference_forward_or_to_nothing_is_refused(self):
        size = client.size()
        for data in (self.lines(self.note(on="#2"), self.opened),
                     self.lines(self.note(), self.note(on="#1"))):
            reply = client.write_raw(data, media=o.NDJSON)
            self.assertEqual(reply.status, 422, reply)
        self.assertEqual(client.size(), size)

    def test_every_bad_line_is_listed_and_nothing_written(self):
        size = client.size()
        reply = client.write_raw(self.lines(
            self.note(), b"{\n", self.note(colour="red"), self.note(), {"kind": "no.such", "body": {}}),
            media=o.NDJSON)
        self.assertEqual(reply.status, 422, reply)
        self.assertEqual([e["line"] for e in reply.json["errors"]], [2, 3, 5])
        self.assertEqual(client.size(), size)

    def test_lines_that_do_not_hold_are_listed_too(self):
        size = client.size()
        reply = client.write_raw(self.lines(self.opened, self.note(on="inc-998"), self.note(on="#1"),
                                            self.note(on="inc-999")), media=o.NDJSON)
        self.assertEqual(reply.status, 422, reply)
        self.assertEqual([e["line"] for e in reply.json["errors"]], [2, 4])
        self.assertEqual(client.size(), size)
        self.assertEqual(client.write("incident.noted", {"text": "after"}, on="inc-1").status, 201)

    def test_too_many_lines(self):
        reply = client.write_raw(self.lines(self.note()) * 10001, media=o.NDJSON)
        self.assertEqual(reply.status, 413, reply)

    def test_a_large_batch_is_one_group(self):
        count = 2000
        reply = client.write_raw(self.lines(self.note()) * count, media=o.NDJSON)
        self.assertEqual(reply.status, 201, reply)
        self.assertEqual(reply.json["count"], count)
        self.assertEqual(client.size(), reply.json["first"] + count)


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="ignore")
