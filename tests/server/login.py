#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Login with real SSH keys: what opens a session, and everything that does not."""
import os
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.environ["SOURCE_DIR"], "tests", "support"))
import opledgerd as o  # noqa: E402


def setUpModule():
    global server, client, people, key
    server = o.Opledgerd()
    client = server.client()
    people = o.People(server)
    people.enroll("alice", ["recorder", "approver.slurm"])
    people.enroll("bob", ["recorder"])
    key = people.key("alice")


def tearDownModule():
    server.close()


class Login(unittest.TestCase):
    def send(self, text, sshsig):
        return o.Client(server.port).post("/v1/login", {"statement": text, "sshsig": sshsig})

    def test_a_signed_challenge_opens_a_session(self):
        reply, _ = people.login_reply("alice", key)
        self.assertEqual(reply.status, 201, reply)
        self.assertEqual(reply.json["principal"], "alice")
        me = server.client(reply.json["token"]).get("/v1/whoami").json
        self.assertEqual((me["name"], me["scope"]), ("alice", ["recorder", "approver.slurm"]))
        self.assertLess(me["expires"], o.stamp(time.time() + 3700))

    def test_the_log_holds_no_token(self):
        reply, _ = people.login_reply("alice", key)
        token = reply.json["token"]
        for entry in client.entries():
            self.assertNotIn(token.encode(), entry)
            self.assertNotIn(token[4:].encode(), entry)

    def test_a_signature_opens_once(self):
        reply, signed = people.login_reply("alice", key)
        self.assertEqual(reply.status, 201)
        size = client.size()
        again = o.Client(server.port).post("/v1/login", signed)
        self.assertEqual(again.status, 422, again)
        self.assertEqual(client.size(), size)

    def test_more_than_twelve_hours_are_refused(self):
        self.assertEqual(people.login_reply("alice", key, ttl="13h")[0].status, 422)

    def test_another_servers_url_is_refused(self):
        reply, _ = people.login_reply("alice", key, url="https://evil.example:8585")
        self.assertEqual(reply.status, 422, reply)

    def test_all_ways_that_open_nothing_look_alike(self):
        replies = [
            people.login_reply("bob", key)[0],      # somebody else's key
            people.login_reply("nobody", key)[0],   # no such person
            people.login_reply("admin", key)[0],
        ]
        stranger = os.path.join(people.folder, "stranger")
        os.system(f"ssh-keygen -q -t ed25519 -N '' -f {stranger}")
        replies.append(people.login_reply("alice", stranger)[0])  # not enrolled
        text = people.statement("login", {"challenge": "00" * 40, "ttl": "1h", "url": server.url},
                                "alice")
        replies.append(self.send(text, people.sign(text, "login@opledger", key)))  # made-up challenge
        for reply in replies:
            self.assertEqual(reply.status, 422, reply)
            self.assertEqual(reply.json["type"], "/problems/bad-signature")
        self.assertEqual(len({r.json["detail"] for r in replies}), 1)

    def test_another_namespace_or_one_byte_is_refused(self):
        challenge = o.Client(server.port).post("/v1/login/challenge", {}).json["challenge"]
        text = people.statement("login", {"challenge": challenge, "ttl": "1h", "url": server.url},
                                "alice")
        self.assertEqual(self.send(text, people.sign(text, "approve@opledger", key)).status, 422)
        good = people.sign(text, "login@opledger", key)
        self.assertEqual(self.send(text.replace('"1h"', '"2h"'), good).status, 422)
        self.assertEqual(self.send(text, good[:-8] + "AAAAAAA=").status, 422)
        self.assertEqual(self.send(text, good).status, 201)

    def test_a_revoked_key_opens_nothing(self):
        people.enroll("carol", ["recorder"])
        path = people.key("carol")
        self.assertEqual(people.login_reply("carol", path)[0].status, 201)
        keys = [p for p in client.get("/v1/principals").json["items"] if p["name"] == "carol"]
        client.write("key.revoked", {"principal": "carol", "reason": "lost",
                                     "fingerprint": keys[0]["keys"][0]["fingerprint"]})
        self.assertEqual(people.login_reply("carol", path)[0].status, 422)

    def test_who_may_only_read_revokes_their_own_key_and_writes_nothing_else(self):
        for name in ("rita", "rolf"):
            people.enroll(name, ["reader"])
        path, other = people.key("rita"), people.key("rolf")
        reader = people.login("rita", path)
        rows = {p["name"]: p["keys"] for p in client.get("/v1/principals").json["items"]}

        def revoke(name):
            return reader.write("key.revoked", {"principal": name, "reason": "lost",
                                                "fingerprint": rows[name][0]["fingerprint"]})
        self.assertEqual(revoke("rolf").status, 403)
        self.assertEqual(reader.write("incident.opened", {"title": "t", "severity": "low"}).status, 403)
        line = o.canonical({"kind": "incident.opened", "body": {"title": "t", "severity": "low"}}) + "\n"
        self.assertEqual(reader.write_raw(line.encode(), media=o.NDJSON).status, 403)
        self.assertEqual(revoke("rita").status, 201)
        self.assertEqual(people.login_reply("rita", path)[0].status, 422)
        self.assertEqual(people.login_reply("rolf", other)[0].status, 201)

    def test_a_log_that_is_not_this_one_is_stale(self):
        head = {**people.head(), "root": "sha256:" + "00" * 32}
        reply, _ = people.login_reply("alice", key, head=head)
        self.assertEqual((reply.status, reply.json["type"]), (409, "/problems/stale-statement"))

    def test_the_admins_first_token_ends_with_the_bootstrap(self):
        other = o.Opledgerd()
        try:
            crew = o.People(other)
            for name in ("ann", "ben"):
                crew.enroll(name, ["recorder", "approver.slurm"])
            self.assertGreaterEqual(crew.admin.write("bootstrap.closed", {}).status, 400)
            keys = [crew.key(name) for name in ("ann", "ben")]
            self.assertEqual(crew.admin.write("bootstrap.closed", {}).status, 201)
            self.assertEqual(crew.admin.get("/v1/whoami").status, 401)
            ann = crew.login("ann", keys[0])
            self.assertEqual(ann.get("/readyz").json["bootstrap"], "closed")
            self.assertEqual(other.stop(), 0)
            other.start()
            self.assertEqual(o.Client(other.port, ann.token).get("/v1/whoami").status, 200)
        finally:
            other.close()


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="ignore")
