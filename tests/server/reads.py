#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reading: lists and cursors, folds, entries, proofs, tiles and bundles against an independent
tree, blobs with ranges and their rights."""
import hashlib
import json
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["SOURCE_DIR"], "tests", "support"))
import opledgerd as o  # noqa: E402

MODEL = {"provider": "openai", "name": "gpt", "version": "5"}


def setUpModule():
    global server, client, people, leaves, entries
    server = o.Opledgerd()
    client = server.client()
    people = o.People(server)
    client.write("incident.opened", {"title": "first", "severity": "high"})
    line = json.dumps({"kind": "incident.noted", "on": "inc-1", "body": {"text": "n"}}) + "\n"
    reply = client.write_raw(line.encode() * 700, media=o.NDJSON)  # across two full tiles
    assert reply.status == 201, reply
    for i in range(7):
        client.write("incident.opened", {"title": f"more {i}", "severity": "low"})
    client.write("hypothesis.recorded", {"claim": "lock", "model": MODEL, "prompt_sha256": "00" * 32},
                 on="inc-1")
    entries = client.entries()
    leaves = [o.leaf_hash(e) for e in entries]


def tearDownModule():
    server.close()


class Tree(unittest.TestCase):
    def test_the_checkpoint_is_the_root_of_the_entries(self):
        head = people.head()
        now = [o.leaf_hash(e) for e in client.entries(head["size"])]
        self.assertEqual(head["root"], "sha256:" + o.tree_root(now).hex())
        self.assertEqual(now[:len(leaves)], leaves)

    def test_inclusion_proofs_at_many_sizes(self):
        for seq, size in ((0, 1), (0, 255), (255, 256), (256, 257), (300, 511), (511, 512), (0, 513),
                          (600, 700), (len(leaves) - 1, len(leaves))):
            reply = client.get(f"/v1/entries/{seq}/proof?size={size}").json
            self.assertEqual(reply["proof"], ["sha256:" + h.hex()
                                              for h in o.inclusion(leaves[:size], seq)], (seq, size))

    def test_bundles_hold_the_entries(self):
        for path, first, count in (("000", 0, 256), ("001", 256, 256), ("001.p/17", 256, 17)):
            data, found = client.get(f"/tile/entries/{path}").body, []
            while data:
                length = int.from_bytes(data[:2], "big")
                found.append(data[2:2 + length])
                data = data[2 + length:]
            self.assertEqual(found, entries[first:first + count])

    def test_tiles_hold_the_hashes(self):
        for path, first, count in (("0/000", 0, 256), ("0/001", 256, 256), ("0/002.p/100", 512, 100)):
            self.assertEqual(client.get(f"/tile/{path}").body, b"".join(leaves[first:first + count]))
        above = [o.tree_root(leaves[i:i + 256]) for i in (0, 256)]
        self.assertEqual(client.get("/tile/1/000.p/2").body, b"".join(above))

    def test_tiles_that_are_not_there(self):
        for path in ("0/005", "0/002", "1/000", "2/000.p/1", "entries/009", "0/0", "x/000",
                     "0/000.p/0", "0/000.p/256", "00/000", "63/000.p/1", "64/000"):
            self.assertEqual(client.get(f"/tile/{path}").status, 404, path)


class Lists(unittest.TestCase):
    def test_pages_do_not_shift_when_more_is_written(self):
        seen, cursor = [], None
        while True:
            page = client.get("/v1/incidents?limit=3" + (f"&cursor={cursor}" if cursor else "")).json
            seen += [item["id"] for item in page["items"]]
            cursor = page["next"]
            client.write("incident.opened", {"title": "later", "severity": "medium"})
            if cursor is None:
                break
        self.assertEqual(seen, [f"inc-{i}" for i in range(8, 0, -1)])

    def test_filters(self):
        client.write("incident.closed", {"outcome": "resolved"}, on="inc-2")
        closed = client.get("/v1/incidents?status=closed").json
        self.assertEqual([i["id"] for i in closed["items"]], ["inc-2"])
        self.assertEqual(closed["size"], client.size())
        self.assertEqual(len(client.get("/v1/hypotheses?model=openai/gpt").json["items"]), 1)
        self.assertEqual(len(client.get("/v1/hypotheses?model=openai/gpt@4").json["items"]), 0)
        self.assertEqual(client.get("/v1/incidents?actor=nobody").json["items"], [])
        self.assertEqual(client.get("/v1/incidents?since=2100-01-01T00:00:00Z").json["items"], [])

    def test_a_subject_is_its_entries(self):
        fold = client.get("/v1/hypotheses/hyp-1").json
        self.assertEqual((fold["status"], fold["children"]), ("unconfirmed", []))
        item = fold["entries"][0]
        salt, text = (item["texts"]["/body/claim"][k] for k in ("salt", "text"))
        seal = hashlib.sha256(bytes.fromhex(salt) + text.encode()).hexdigest()
        self.assertEqual(json.loads(item["entry"])["body"]["claim"], {"sealed": "sha256:" + seal})
        self.assertEqual(item["leaf"], "sha256:" + o.leaf_hash(item["entry"].encode()).hex())
        self.assertIn("hyp-1", client.get("/v1/incidents/inc-1").json["children"])

    def test_what_is_not_there(self):
        for path in ("/v1/incidents/inc-999", "/v1/incidents/hyp-1", "/v1/hypotheses/hyp-0",
                     "/v1/changes/chg-1", "/v1/incidents/x", "/v1/entries/999999", "/v1/entries/01",
                     "/v1/entries/-1", "/v1/entries/1e3", "/v1/entries/999999/proof"):
            self.assertEqual(client.get(path).status, 404, path)

    def test_whoami_principals_and_policies(self):
        me = client.get("/v1/whoami").json
        self.assertEqual((me["name"], me["class"], me["owner"]), ("admin", "person", None))
        self.assertIn("admin", [p["name"] for p in client.get("/v1/principals").json["items"]])
        what = {p["what"] for p in client.get("/v1/policies").json["items"]}
        self.assertTrue({"gate", "redact"} <= what)

    def test_the_shipped_policies_can_be_read(self):
        for policy in client.get("/v1/policies").json["items"]:
            data = client.get(f"/v1/blobs/{policy['sha256']}").body
            self.assertEqual(hashlib.sha256(data).hexdigest(), policy["sha256"])


class Blobs(unittest.TestCase):
    def attach(self, data):
        reply, sha256 = client.put_blob(data)
        self.assertIn(reply.status, (200, 201), reply)
        reply = client.write("evidence.attached", {
            "sha256": sha256, "size": len(data), "media_type": "text/plain", "name": "f",
            "source": "strace"}, on="inc-1")
        self.assertEqual(reply.status, 201, reply)
        return sha256

    def test_large_bytes_come_back_whole_and_in_ranges(self):
        data = b"".join(hashlib.sha256(b"%d" % i).digest() for i in range(100000))
        sha256 = self.attach(data)
        self.assertEqual(client.get(f"/v1/blobs/{sha256}").body, data)
        for text, a, b in (("bytes=0-0", 0, 1), ("bytes=1048570-1048590", 1048570, 1048591),
                           ("bytes=3199990-", 3199990, 3200000), ("bytes=-5", 3199995, 3200000),
                           ("bytes=3199999-9999999", 3199999, 3200000)):
            reply = client.get(f"/v1/blobs/{sha256}", headers={"Range": text})
            self.assertEqual((reply.status, reply.body), (206, data[a:b]), text)
            self.assertEqual(reply.headers["Content-Range"], f"bytes {a}-{b - 1}/3200000")
        reply = client.get(f"/v1/blobs/{sha256}", headers={"Range": "bytes=3200000-"})
        self.assertEqual((reply.status, reply.headers["Content-Range"]), (416, "bytes */3200000"))
        head = client.request("HEAD", f"/v1/blobs/{sha256}")
        self.assertEqual((head.status, head.headers["Content-Length"]), (200, "3200000"))

    def test_an_empty_blob(self):
        reply, sha256 = client.put_blob(b"")
        self.assertIn(reply.status, (200, 201), reply)

    def test_putting_again_is_200(self):
        self.assertEqual(client.put_blob(b"again")[0].status, 201)
        self.assertEqual(client.put_blob(b"again")[0].status, 200)

    def test_other_bytes_keep_nothing(self):
        for data in (b"x", b"y" * 3000000):
            reply = client.request("PUT", "/v1/blobs/" + "ab" * 32, data)
            self.assertEqual(reply.status, 422, reply)
            self.assertEqual(reply.json["type"], "/problems/digest-mismatch")
        self.assertEqual(client.get("/v1/blobs/" + "ab" * 32).status, 404)

    def test_chunked_upload(self):
        data = b"z" * 2500000
        sha256 = hashlib.sha256(data).hexdigest()
        pieces = (data[i:i + 70000] for i in range(0, len(data), 70000))
        reply = client.request("PUT", f"/v1/blobs/{sha256}", pieces)
        self.assertEqual(reply.status, 201, reply)

    def test_raw_evidence_needs_its_role_and_names_tell_nothing(self):
        sha256 = self.attach(b"password=hunter2")
        token = people.service_token("svc-reads", ["reader", "recorder"])
        reads = b"opledger_evidence_reads_total "
        count = int(client.get("/metrics").body.split(reads)[-1].split()[0])
        hidden = client.get(f"/v1/blobs/{sha256}", token=token)
        absent = client.get("/v1/blobs/" + "cd" * 32, token=token)
        self.assertEqual((hidden.status, absent.status), (404, 404))
        self.assertEqual(hidden.json["detail"], absent.json["detail"])
        self.assertEqual(client.get(f"/v1/blobs/{sha256}").status, 200)
        self.assertEqual(int(client.get("/metrics").body.split(reads)[-1].split()[0]), count + 1)

    def test_agents_read_no_policies_and_no_evidence(self):
        token = people.service_token("agent-a", ["recorder"], klass="agent", model=MODEL)
        policy = client.get("/v1/policies").json["items"][0]["sha256"]
        self.assertEqual(client.get(f"/v1/blobs/{policy}", token=token).status, 404)

    def test_bad_names(self):
        for name in ("x", "AB" * 32, "ab" * 31, "sha256:" + "ab" * 32):
            self.assertEqual(client.request("PUT", f"/v1/blobs/{name}", b"x").status, 404, name)


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="ignore")
