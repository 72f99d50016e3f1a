#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The gate route: advice, decisions that are entries, proofs; a change that is denied, then allowed."""
import hashlib
import json
import os
import secrets
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["SOURCE_DIR"], "tests", "support"))
import opledgerd as o  # noqa: E402

GPT = {"provider": "openai", "name": "gpt-5"}
CLAUDE = {"provider": "anthropic", "name": "claude-4"}


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def setUpModule():
    global server, admin, people, alice, bob, carol, carol_key
    server = o.Opledgerd()
    people = o.People(server)
    admin = people.admin
    for name, roles in (("alice", ["recorder", "gate"]), ("bob", ["recorder"]),
                        ("carol", ["recorder", "approver.slurm"])):
        people.enroll(name, roles)
    carol_key = people.key("carol")
    alice = people.login("alice", people.key("alice"))
    bob = people.login("bob", people.key("bob"))
    carol = people.login("carol", carol_key)


def tearDownModule():
    server.close()


def ok(reply):
    assert reply.status in (200, 201), reply
    return reply.json


def attach(client, on, data):
    reply, digest = client.put_blob(data)
    ok(reply)
    ok(client.write("evidence.attached", {"sha256": digest, "size": len(data), "name": "f",
                                          "media_type": "text/plain", "source": "strace"}, on=on))
    return "sha256:" + digest


class Change:
    """A change of slurm.conf that rests on one hypothesis."""

    def __init__(self, target="engaging/slurm"):
        self.incident = ok(alice.write("incident.opened", {"title": "saves warn", "severity": "high"}))["id"]
        self.evidence = attach(alice, self.incident, secrets.token_bytes(100))
        self.hypothesis = ok(alice.write("hypothesis.recorded", {
            "claim": "lock contention", "model": GPT, "prompt_sha256": "00" * 32,
            "evidence": [self.evidence]}, on=self.incident))["id"]
        new, base = secrets.token_bytes(50), secrets.token_bytes(40)
        for data in (new, base):
            ok(alice.put_blob(data)[0])
        side = {"mode": "0644", "owner": "0:0"}
        text = o.canonical({
            "files": [{"base_mode": "0644", "base_owner": "0:0", "base_sha256": sha256(base),
                       "path": "/etc/slurm/slurm.conf", "sha256": sha256(new), "size": 50, **side}],
            "command": ["true"], "target": target, "type": "opledger/manifest", "v": 1}).encode()
        self.manifest = "sha256:" + sha256(text)
        base_text = o.canonical([{"path": "/etc/slurm/slurm.conf", "sha256": sha256(base), **side}])
        self.base = "sha256:" + sha256(base_text.encode())
        ok(alice.put_blob(text)[0])
        self.id = ok(alice.write("change.proposed", {
            "title": "longer interval", "class": "config", "target": target, "files": 1,
            "manifest": self.manifest, "hypotheses": [self.hypothesis]}, on=self.incident))["id"]

    def ask(self, use="check", client=None, **more):
        body = {"nonce": secrets.token_hex(16), "use": use, **more}
        return (client or alice).post(f"/v1/changes/{self.id}/gate", body)

    def approve(self):
        policy = ok(self.ask("explain"))["policy"]
        about = {"base": self.base, "change": self.id, "manifest": self.manifest, "policy": policy,
                 "role": "slurm"}
        text = people.statement("approval", about, "carol", life=3600)
        return carol.write("approval.signed", {
            "statement": text, "sshsig": people.sign(text, "approve@opledger", carol_key),
            "role": "slurm"}, on=self.id)

    def support(self):
        """What the policy asks for besides the approval."""
        ok(bob.write("verdict.recorded", {
            "model": CLAUDE, "mode": "blind", "verdict": "partly", "rationale": "r",
            "prompt_sha256": "11" * 32, "evidence": [self.evidence]}, on=self.hypothesis))
        letter = attach(bob, self.hypothesis, secrets.token_bytes(30))
        ok(bob.write("vendor.updated", {"vendor": "schedmd", "state": "confirmed",
                                        "statement": "yes", "evidence": [letter]}, on=self.hypothesis))


class Decisions(unittest.TestCase):
    def status(self, answer, name):
        return [r["status"] for r in answer["requirements"] if r["name"] == name]

    def test_denied_then_allowed(self):
        change = Change()
        ok(change.approve())
        answer = ok(change.ask())
        self.assertEqual((answer["outcome"], answer["advice"]), ("denied", True))
        self.assertEqual(self.status(answer, "hypothesis"), ["UNSATISFIED"])
        self.assertTrue(all(r["next"] or r["status"] == "SATISFIED" for r in answer["requirements"]))
        change.support()
        answer = ok(change.ask())
        self.assertEqual(answer["outcome"], "denied")  # the signer could not see it
        self.assertEqual(self.status(answer, "approvals"), ["UNSATISFIED"])
        ok(change.approve())
        answer = ok(change.ask())
        self.assertEqual(answer["outcome"], "allowed", answer)
        decision = ok(change.ask("apply", host="mgmt01", manifest=change.manifest, base=change.base))
        self.assertEqual(decision["outcome"], "allowed")
        seq = decision["decision"]["seq"]
        self.assertEqual(ok(alice.write("change.started", {"decision": seq, "host": "mgmt01"},
                                        on=change.id))["kind"], "change.started")
        self.assertEqual(ok(alice.get(f"/v1/changes/{change.id}"))["status"], "started")
        ok(alice.write("change.finished", {"outcome": "applied", "exit_status": 0, "evidence": []}, on=change.id))
        self.assertEqual(ok(change.ask())["outcome"], "denied")

    def test_a_decision_is_an_entry_with_its_proof(self):
        change = Change()
        nonce = secrets.token_hex(16)
        answer = ok(alice.post(f"/v1/changes/{change.id}/gate", {"nonce": nonce, "use": "apply"}))
        decision, head = answer["decision"], answer["checkpoint"]
        entry = json.loads(decision["entry"])
        self.assertEqual((entry["actor"], entry["kind"], entry["on"]),
                         ("opledger", "gate.decided", change.id))
        self.assertEqual((entry["body"]["nonce"], entry["body"]["outcome"]), (nonce, "denied"))
        self.assertEqual((entry["body"]["manifest"], entry["body"]["base"]),
                         (change.manifest, change.base))
        leaves = [o.leaf_hash(e) for e in alice.entries(head["size"])]
        self.assertEqual(leaves[decision["seq"]], o.leaf_hash(decision["entry"].encode()))
        self.assertEqual(decision["proof"], ["sha256:" + h.hex()
                                             for h in o.inclusion(leaves, decision["seq"])])

    def test_a_check_is_recorded_on_demand_only(self):
        change = Change()
        size = alice.size()
        self.assertNotIn("decision", ok(change.ask()))
        self.assertNotIn("decision", ok(change.ask("explain")))
        self.assertEqual(alice.size(), size)
        self.assertIn("decision", ok(change.ask(record=True)))
        self.assertEqual(alice.size(), size + 1)

    def test_a_known_head_is_led_to_the_new_one(self):
        change = Change()
        known = people.head()
        for i in range(3):
            ok(alice.write("incident.noted", {"text": "n"}, on=change.incident))
        answer = ok(change.ask("apply", known={"size": known["size"], "root": known["root"]}))
        leaves = [o.leaf_hash(e) for e in alice.entries(answer["checkpoint"]["size"])]
        self.assertEqual(answer["consistency"], ["sha256:" + h.hex()
                                                 for h in o.consistency(leaves, known["size"])])

    def test_a_head_of_another_history_is_said(self):
        change = Change()
        for known in ({"size": 3, "root": "sha256:" + "00" * 32},
                      {"size": 10**9, "root": "sha256:" + "00" * 32}):
            reply = change.ask(known=known)
            self.assertEqual(reply.json["type"], "/problems/log-inconsistent", reply)

    def test_other_files_than_proposed_are_denied(self):
        change = Change()
        answer = ok(change.ask(manifest="sha256:" + "22" * 32))
        self.assertEqual(answer["outcome"], "denied")

    def test_a_start_that_is_not_allowed_is_refused(self):
        change = Change()
        seq = ok(change.ask("start"))["decision"]["seq"]
        size = alice.size()
        reply = alice.write("change.started", {"decision": seq}, on=change.id)
        self.assertEqual((reply.status, reply.json["type"]), (409, "/problems/gate-denied"))
        self.assertEqual(alice.size(), size)

    def test_bad_questions(self):
        change = Change()
        size = alice.size()
        good = {"nonce": "ab" * 16, "use": "apply"}
        for bad in ({"use": "apply"}, {"nonce": "ab" * 16}, {**good, "use": "look"},
                    {**good, "nonce": "xyz"}, {**good, "colour": 1}, {**good, "manifest": "22" * 32},
                    {**good, "record": "yes"}, {**good, "known": {"size": -1}}, {**good, "host": "a b"},
                    {**good, "hold": "4h"}, {**good, "use": "explain", "record": True}):
            reply = alice.post(f"/v1/changes/{change.id}/gate", bad)
            self.assertEqual(reply.status, 422, (bad, reply))
        self.assertEqual(alice.size(), size)
        for missing in ("chg-999", "inc-1", "x"):
            self.assertEqual(alice.post(f"/v1/changes/{missing}/gate", good).status, 404, missing)


class Approvals(unittest.TestCase):
    def test_what_is_refused_at_the_door(self):
        change = Change()
        policy = ok(change.ask("explain"))["policy"]
        about = {"base": change.base, "change": change.id, "manifest": change.manifest,
                 "policy": policy, "role": "slurm"}
        text = people.statement("approval", about, "carol", life=3600)
        good = people.sign(text, "approve@opledger", carol_key)
        size = alice.size()

        def send(text, sshsig, client=carol):
            return client.write("approval.signed", {"statement": text, "sshsig": sshsig,
                                                    "role": "slurm"}, on=change.id)
        other = people.sign(text, "confirm@opledger", carol_key)
        for reply in (send(text.replace(change.manifest[-5:], "00000"), good), send(text, other)):
            self.assertEqual(reply.json["type"], "/problems/bad-signature", reply)
        self.assertEqual(send(text, good, bob).status, 403)
        self.assertEqual(alice.size(), size)
        ok(send(text, good))
        self.assertGreaterEqual(send(text, good).status, 400)  # its nonce was used


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="ignore")
