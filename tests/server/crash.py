#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kill -9 of opledgerd, and of PostgreSQL, while 32 clients write: every acknowledged entry is there
afterwards, the tree holds, and a retry with the same key gets the same receipt."""
import http.client
import json
import os
import secrets
import signal
import sys
import threading
import time
import unittest

sys.path.insert(0, os.path.join(os.environ["SOURCE_DIR"], "tests", "support"))
import opledgerd as o  # noqa: E402

CLIENTS = 32


class Writer(threading.Thread):
    """Writes until told to stop; keeps what was acknowledged and what has no answer."""

    def __init__(self, server, stop):
        super().__init__(daemon=True)
        self.server, self.stop = server, stop
        self.acknowledged, self.unanswered, self.refused, self.wrong = {}, {}, {}, []
        self.token = server.token

    def run(self):
        client = None
        while not self.stop.is_set():
            key = secrets.token_hex(8)
            data = json.dumps({"kind": "incident.noted", "on": "inc-1",
                               "body": {"text": key}}).encode()
            try:
                client = client or o.Client(self.server.port, self.token, timeout=20)
                reply = client.write_raw(data, key)
            except (OSError, http.client.HTTPException):
                self.unanswered[key] = data
                client = None
                time.sleep(0.05)
                continue
            if reply.status == 201:
                self.acknowledged[key] = (data, reply.body)
            elif reply.status == 504:
                self.unanswered[key] = data
            elif reply.status == 503:
                self.refused[key] = data
            else:
                self.wrong.append(reply)


class Crash(unittest.TestCase):
    def setUp(self):
        self.server = o.Opledgerd()
        self.server.client().write("incident.opened", {"title": "t", "severity": "low"})

    def tearDown(self):
        self.server.close()

    def write_while(self, break_it, before=1.0, after=0.5):
        stop = threading.Event()
        writers = [Writer(self.server, stop) for _ in range(CLIENTS)]
        for writer in writers:
            writer.start()
        time.sleep(before)
        break_it()
        time.sleep(after)
        stop.set()
        for writer in writers:
            writer.join(60)
        return writers

    def check(self, writers):
        client = self.server.client()
        entries = client.entries()
        leaves = [o.leaf_hash(e) for e in entries]
        head = client.head()
        self.assertEqual(head["root"], "sha256:" + o.tree_root(leaves[:head["size"]]).hex())
        self.assertEqual(sum(len(w.wrong) for w in writers), 0, writers[0].wrong[:1])
        acknowledged = {k: v for w in writers for k, v in w.acknowledged.items()}
        self.assertGreater(len(acknowledged), CLIENTS)
        seen = set()
        for data, body in acknowledged.values():
            receipt = json.loads(body)
            self.assertEqual("sha256:" + leaves[receipt["seq"]].hex(), receipt["leaf"])
            seen.add(receipt["seq"])
        self.assertEqual(len(seen), len(acknowledged))
        for key, (data, body) in list(acknowledged.items())[:50]:
            again = client.write_raw(data, key)
            self.assertEqual((again.status, again.body), (200, body))
        self.check_others(client, writers)
        client.close()

    def check_others(self, client, writers):
        """Without an answer it was written once or not at all; refused with 503, not at all."""
        texts = {}
        for w in writers:
            for key, data in [*w.unanswered.items(), *list(w.refused.items())[:20]]:
                reply = client.write_raw(data, key)
                self.assertIn(reply.status, (201,) if key in w.refused else (200, 201), reply)
                self.assertNotIn(reply.json["seq"], texts)
                texts[reply.json["seq"]] = key
        for seq, key in list(texts.items())[:20]:
            entry = client.get(f"/v1/entries/{seq}").json
            self.assertEqual(entry["texts"]["/body/text"]["text"], key)

    def test_kill_of_opledgerd(self):
        writers = self.write_while(self.server.kill)
        self.server.start()
        self.check(writers)

    def test_kill_of_postgresql(self):
        def kill():
            os.kill(self.server.postmaster(), signal.SIGKILL)
        writers = self.write_while(kill, after=8.0)
        deadline = time.monotonic() + 60
        while self.server.client().get("/readyz").status != 200:
            self.assertLess(time.monotonic(), deadline, "not ready again")
            time.sleep(0.2)
        self.check(writers)

    def test_kill_of_both(self):
        def kill():
            os.kill(self.server.postmaster(), signal.SIGKILL)
            self.server.kill()
        writers = self.write_while(kill)
        self.server.start()
        self.check(writers)


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="ignore")
