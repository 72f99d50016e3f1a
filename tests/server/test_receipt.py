#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The receipt of a write proves it, and the same request gets the same bytes again."""
import json
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["SOURCE_DIR"], "tests", "support"))
import opledgerd as o  # noqa: E402


def setUpModule():
    global server, client, people
    server = o.Opledgerd()
    client = server.client()
    people = o.People(server)
    client.write("incident.opened", {"title": "saves warn", "severity": "high"})


def tearDownModule():
    server.close()


class Receipts(unittest.TestCase):
    def test_a_receipt_proves_the_entry(self):
        reply = client.write("incident.noted", {"text": "first"}, on="inc-1")
        self.assertEqual(reply.status, 201, reply)
        receipt = reply.json
        size = receipt["checkpoint"]["size"]
        entry = client.get(f"/v1/entries/{receipt['seq']}").json
        self.assertEqual(receipt["leaf"], "sha256:" + o.leaf_hash(entry["entry"].encode()).hex())
        leaves = [o.leaf_hash(e) for e in client.entries(size)]
        self.assertEqual(receipt["checkpoint"]["root"], "sha256:" + o.tree_root(leaves).hex())
        proof = ["sha256:" + h.hex() for h in o.inclusion(leaves, receipt["seq"])]
        self.assertEqual(receipt["proof"], proof)
        self.assertIn(f"\n{size}\n", receipt["note"])
        self.assertEqual(json.loads(entry["entry"])["prev"], receipt["prev"])

    def test_a_repeat_gives_the_same_bytes(self):
        for media, data in ((o.JSON, b'{"kind":"incident.noted","on":"inc-1","body":{"text":"x"}}'),
                            (o.NDJSON, b'{"kind":"incident.opened","body":{"title":"t","severity":"low"}}\n'
                                       b'{"kind":"incident.noted","on":"#1","body":{"text":"x"}}\n')):
            key = o.secrets.token_hex(8)
            first = client.write_raw(data, key, media)
            client.write("incident.noted", {"text": "between"}, on="inc-1")
            size = client.size()
            again = client.write_raw(data, key, media)
            self.assertEqual((first.status, again.status), (201, 200))
            self.assertEqual(first.body, again.body)
            self.assertEqual(client.size(), size)

    def test_other_content_under_a_key_is_a_conflict(self):
        client.write("incident.noted", {"text": "one"}, on="inc-1", key="same")
        size = client.size()
        reply = client.write("incident.noted", {"text": "two"}, on="inc-1", key="same")
        self.assertEqual(reply.status, 409)
        self.assertEqual(reply.json["type"], "/problems/idempotency-conflict")
        self.assertEqual(client.size(), size)

    def test_two_principals_may_use_one_key(self):
        token = people.service_token("svc-key", ["recorder"])
        one = client.write("incident.noted", {"text": "a"}, on="inc-1", key="shared")
        two = client.write("incident.noted", {"text": "b"}, on="inc-1", key="shared", token=token)
        self.assertEqual((one.status, two.status), (201, 201))

    def test_a_missing_or_bad_key_is_refused(self):
        for key in ("", "a b", "x" * 129, "caf\xe9"):
            reply = client.request("POST", "/v1/entries", b"{}", {"Content-Type": o.JSON,
                                   **({"Idempotency-Key": key} if key else {})})
            self.assertEqual(reply.status, 400, reply)


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="ignore")
