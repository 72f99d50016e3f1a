#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""egress.recorded: the service's own verify pass over what is said to be scrubbed."""
import hashlib
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["SOURCE_DIR"], "tests", "support"))
import opledgerd as o  # noqa: E402

GPT = {"provider": "openai", "name": "gpt-5"}


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def setUpModule():
    global server, admin, people
    server = o.Opledgerd()
    people = o.People(server)
    admin = people.admin


def tearDownModule():
    server.close()


def ok(reply):
    assert reply.status in (200, 201), reply
    return reply.json


class Egress(unittest.TestCase):
    def rules(self):
        policies = ok(admin.get("/v1/policies"))["items"]
        models = [p["sha256"] for p in policies if p["what"] == "models"]
        redact = {p["name"]: p["sha256"] for p in policies if p["what"] == "redact"}
        text = o.canonical({"models": models[0], "redact": redact, "vocabulary": 1})
        return "sha256:" + sha256(text.encode())

    def manifest(self, sent, **other):
        return {"context": "site", "decoded": 0, "engine": {}, "finished": "2026-10-01T00:00:00.000000Z",
                "format": "plain", "hits": {"secret": {"a": 1, "b": 2}, "site": {"c": 3}}, "key_id": "k",
                "output": {"sha256": sha256(sent), "size": len(sent)}, "rules": self.rules(),
                "source": {"sha256": "ab" * 32, "size": 5}, "spans": [], "truncated": 0,
                "started": "2026-10-01T00:00:00.000000Z", "type": "opledger/redaction",
                "unscannable": [{"from": 1, "to": 2, "why": "w"}], "v": 1, "verify": "passed", "weak": 0,
                **other}

    def record(self, output, manifest=None, **other):
        """With a manifest (or its bytes), and with other fields than are true."""
        incident = ok(admin.write("incident.opened", {"title": "t", "severity": "low"}))["id"]
        manifest = self.manifest(output) if manifest is None else manifest
        if not isinstance(manifest, bytes):
            manifest = o.canonical(manifest).encode()
        for data in (output, manifest):
            ok(admin.put_blob(data)[0])
        return admin.write("egress.recorded", {
            "destination": "openai-api", "model": GPT, "rules": self.rules(),
            "sent_sha256": sha256(output), "manifest_sha256": sha256(manifest), "bytes": len(output),
            "hits": {"secret": 3, "site": 3}, "unscannable": 1, "outcome": "sent", **other}, on=incident)

    def test_a_clean_output_is_recorded_and_agents_may_read_it(self):
        output = b"the save of the state took longer than the interval\n" * 3
        reply = self.record(output)
        self.assertEqual(reply.status, 201, reply)
        token = people.service_token("agent-e", ["recorder"], klass="agent", model=GPT)
        self.assertEqual(admin.get(f"/v1/blobs/{sha256(output)}", token=token).body, output)
        self.assertEqual(ok(admin.get(f"/v1/egress/{reply.json['id']}"))["status"], "sent")

    def attach(self, data):
        ok(admin.put_blob(data)[0])
        ok(admin.write("evidence.attached", {
            "sha256": sha256(data), "size": len(data), "media_type": "text/plain", "name": "f",
            "source": "strace"}, on="inc-1"))

    def read(self, data, token):
        return admin.get(f"/v1/blobs/{sha256(data)}", token=token).status

    def test_raw_evidence_stays_raw_when_somebody_records_that_it_was_sent(self):
        reader = people.service_token("svc-raw", ["reader", "recorder"])
        raw = b"a plain line that the rules find nothing in, and that is nobody else's business\n"
        self.record(b"so that there is an incident\n")
        self.attach(raw)
        self.assertEqual(self.record(raw).status, 201)
        self.assertEqual(self.read(raw, reader), 404)
        self.assertEqual(self.read(raw, admin.token), 200)
        self.attach(raw)  # nor by attaching it again
        self.assertEqual(self.read(raw, reader), 404)

    def test_an_output_that_was_recorded_before_it_was_attached_is_readable(self):
        reader = people.service_token("svc-out", ["reader", "recorder"])
        output = b"scrubbed, recorded, and only then attached\n"
        ok(self.record(output))
        self.attach(output)
        self.assertEqual(self.read(output, reader), 200)

    def test_what_the_verify_pass_finds_is_refused(self):
        size = admin.size()
        for secret in (b"-----BEGIN OPENSSH PRIVATE KEY-----\n" + b"b3BlbnNzaC1rZXktdjEAAAAA" * 8 +
                       b"\n-----END OPENSSH PRIVATE KEY-----\n", b"key=AKIAIOSFODNN7EXAMPLQ\n"):
            reply = self.record(b"harmless words\n" * 5000 + secret)
            self.assertEqual(reply.status, 422, reply)
            self.assertEqual(reply.json["field"], "/body/sent_sha256")
            self.assertNotIn(secret[:20], reply.body)
        self.assertEqual(admin.size(), size + 2)  # the two incidents

    def refused(self, reply, field):
        self.assertEqual((reply.status, reply.json.get("field")), (422, field), reply)
        self.assertTrue(reply.json["hint"], reply)
        self.assertEqual(reply.json["type"], "/problems/invalid-entry")

    def test_the_manifest_must_be_one_and_be_of_this_output(self):
        output = b"words that hold nothing\n"
        good = self.manifest(output)
        for bad in (b"{}", b"", b"not json", o.canonical(good).encode() + b"\n",
                    {**good, "type": "opledger/manifest"}, {**good, "v": 2}, {**good, "verify": "failed"},
                    {**good, "output": {"sha256": "00" * 32, "size": len(output)}},
                    {k: v for k, v in good.items() if k != "output"}):
            self.refused(self.record(output, bad), "/body/manifest_sha256")
        self.refused(self.record(output, manifest_sha256="00" * 32), "/body/manifest_sha256")
        self.assertEqual(self.record(output).status, 201)

    def test_what_the_body_says_must_be_what_the_manifest_says(self):
        output = b"words that hold nothing either\n"
        for field, value in (("bytes", len(output) + 1), ("hits", {}), ("hits", {"secret": 3, "site": 2}),
                             ("hits", {"secret": 3, "site": 3, "network": 0}), ("unscannable", 0)):
            self.refused(self.record(output, **{field: value}), "/body/" + field)
        other = self.manifest(output, rules="sha256:" + "00" * 32)
        self.refused(self.record(output, other), "/body/rules")
        other = self.manifest(output, output={"sha256": sha256(output), "size": 1})
        self.refused(self.record(output, other), "/body/bytes")
        other = self.manifest(output, destination="local-inference")
        self.refused(self.record(output, other), "/body/destination")

    def test_the_destination_must_be_allowed_to_receive_it(self):
        output = b"words for somebody\n"
        claude = {"provider": "anthropic", "name": "claude-opus-4"}
        self.refused(self.record(output, model=claude), "/body/destination")
        self.refused(self.record(output, destination="nowhere"), "/body/destination")
        config = self.manifest(output, format="config")  # openai-api takes no configuration
        self.refused(self.record(output, config), "/body/destination")
        none = {k: v for k, v in self.manifest(output).items() if k != "format"}
        self.refused(self.record(output, none), "/body/destination")

    def test_an_outcome_that_sent_nothing_needs_no_manifest_of_it(self):
        for outcome in ("refused", "failed"):
            self.assertEqual(self.record(b"nothing left\n", b"{}", outcome=outcome).status, 201)


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="ignore")
