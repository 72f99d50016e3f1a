#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gate apply over a real opledgerd and real files: what it does, what it refuses, what it records."""
import json
import os
import shutil
import signal
import sys
import tempfile
import unittest

import incident as i

o = i.o
BASE, NEW = b"SaveInterval=60\n", b"SaveInterval=300\n"


def setUpModule():
    global server, story, folder
    folder = tempfile.mkdtemp(prefix="opl-apply-", dir="/tmp")
    server = o.Opledgerd()
    story = i.Incident(server, folder)
    story.begin()


def tearDownModule():
    server.close()
    shutil.rmtree(folder, ignore_errors=True)


class Case(unittest.TestCase):
    """One change of FOLDER/a.conf, whose command leaves a mark."""

    def setUp(self):
        self.mark = os.path.join(folder, "mark")
        self.path = os.path.join(folder, "a.conf")

    def tearDown(self):
        for name in os.listdir(folder):
            if name == "mark" or name.startswith("a.conf"):
                os.unlink(os.path.join(folder, name))

    def propose(self, command=None, approve=True, files=None):
        story.propose(files or {"a.conf": (BASE, NEW)}, command or ["touch", self.mark])
        if approve:
            story.approve()
        return story.change

    def conf(self, **lines):
        if "signers" not in lines:
            lines["signers"] = story.signers("carol")
        lines.setdefault("host", "ctl1")
        return story.gate_conf(**lines)

    def apply(self, *words, conf=True, **more):
        if conf:
            words = (*words, "--gate-conf", conf if isinstance(conf, str) else self.conf())
        return story.cli("gate", "apply", story.change, *words, **more)

    def live(self):
        with open(self.path, "rb") as file:
            return file.read()

    def status(self):
        return i.ok(story.alice.get(f"/v1/changes/{story.change}"))["status"]

    def kinds(self):
        entries = i.ok(story.alice.get(f"/v1/changes/{story.change}"))["entries"]
        return [json.loads(entry["entry"]) for entry in entries]

    def nothing_happened(self, run, status, said):
        self.assertEqual(run.status, status, run)
        self.assertIn(said, run.out + run.err)
        self.assertEqual(self.live(), BASE)
        self.assertFalse(os.path.exists(self.mark), run)
        self.assertEqual(self.status(), "proposed")
        self.assertEqual(sorted(n for n in os.listdir(folder) if n.startswith(".a.conf")), [])


class Case0Open(Case):
    def test_with_the_bootstrap_open_a_host_accepts_nothing(self):
        story.support()
        self.propose()
        self.nothing_happened(self.apply(), 3, "bootstrap")
        story.close_bootstrap()


class Case1Refused(Case):
    def test_without_gate_conf_nothing_is_decided(self):
        self.propose()
        self.nothing_happened(self.apply(conf=False), 3, "there is no /etc/opledger/gate.conf")

    def test_a_change_without_approval_is_denied_and_the_next_command_is_said(self):
        self.propose(approve=False)
        run = self.apply()
        self.nothing_happened(run, 1, "next: opledger approval sign")
        self.assertEqual(run.last, "gate apply: denied (exit 1)")

    def test_a_base_that_moved_is_refused_before_anybody_is_asked(self):
        self.propose()
        size = story.alice.size()
        story.file("a.conf", b"SaveInterval=61\n")
        run = self.apply()
        self.assertEqual(run.status, 1, run)
        self.assertIn("is not the base", run.err)
        self.assertEqual(story.alice.size(), size)
        story.file("a.conf", BASE)
        self.nothing_happened(run, 1, "a.conf")

    def test_a_base_with_another_mode_is_refused(self):
        self.propose()
        os.chmod(self.path, 0o666)
        self.nothing_happened(self.apply(), 1, "another mode")

    def test_other_staged_bytes_are_refused(self):
        self.propose()
        story.file("a.conf.new", b"SaveInterval=301\n")
        self.nothing_happened(self.apply(), 4, "is not what was approved")

    def test_a_signer_whom_this_host_does_not_know_does_not_count(self):
        self.propose()
        self.nothing_happened(self.apply(conf=self.conf(signers=story.signers("dave"))), 4,
                              "0 approvals verify on this host")

    def test_a_key_of_another_namespace_does_not_count(self):
        self.propose()
        signers = story.signers("carol", options='namespaces="login@opledger"')
        self.nothing_happened(self.apply(conf=self.conf(signers=signers)), 4, "0 approvals verify")

    def test_one_approval_is_not_two(self):
        self.propose()
        signers = story.signers("carol", "dave")
        self.nothing_happened(self.apply(conf=self.conf(signers=signers, signers_min=2)), 4,
                              "1 approvals verify on this host")

    def test_another_log_key_is_refused(self):
        self.propose()
        origin = i.ok(story.alice.get("/v1/keys"))["origin"]
        key = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
        run = self.apply(conf=self.conf(origin="PeterNeumann", log_key=key))
        self.nothing_happened(run, 4, "")
        run = self.apply(conf=self.conf(log_key=key))
        self.nothing_happened(run, 2, f"not that of origin {origin}")

    def test_a_file_of_another_target_is_refused(self):
        self.propose()
        self.nothing_happened(self.apply(conf=self.conf(path=f"{folder}/* other/slurm")), 4,
                              "belongs to other/slurm on this host")

    def test_a_policy_that_came_later_is_waited_for(self):
        self.propose()
        self.nothing_happened(self.apply(conf=self.conf(policy_min=100000)), 4, "stands before the policy")
        self.nothing_happened(self.apply(conf=self.conf(policy_min=0)), 4, "adopts no policy")

    def test_a_gate_conf_that_others_can_write_is_refused(self):
        self.propose()
        conf = self.conf()
        os.chmod(conf, 0o666)
        self.nothing_happened(self.apply(conf=conf), 2, "somebody else")

    def test_a_command_that_this_host_does_not_have_is_refused_before(self):
        self.propose(command=["no-such-program"])
        self.nothing_happened(self.apply(), 2, "no program no-such-program")

    def test_a_ledger_that_does_not_answer_decides_nothing(self):
        self.propose()
        self.nothing_happened(self.apply(conf=self.conf(url="http://127.0.0.1:1")), 3, "no ledger answers")

    def test_a_dry_run_changes_nothing(self):
        self.propose()
        size = story.alice.size()
        run = self.apply("--dry-run")
        self.nothing_happened(run, 0, "allowed, nothing was done")
        self.assertIn("this is advice: nothing was recorded", run.out)
        self.assertEqual(story.alice.size(), size)
        self.assertNotIn("change.started", [entry["kind"] for entry in self.kinds()])

    def test_mistyped_options_are_refused(self):
        self.propose()
        self.nothing_happened(self.apply("--force"), 2, "force")
        run = story.cli("gate", "apply", "hyp-1", "--unpinned")
        self.assertEqual(run.status, 2, run)


class Case2Applied(Case):
    def test_an_allowed_change_is_installed_run_and_recorded(self):
        self.propose()
        run = self.apply(env={"OPLEDGER_URL": "http://127.0.0.1:1"})
        self.assertEqual(run.status, 0, run)
        self.assertEqual(run.last, "gate apply: applied (exit 0)")
        self.assertIn("OPLEDGER_URL of the environment is ignored", run.err)
        self.assertIn("approval of carol verified on this host", run.err)
        self.assertEqual(self.live(), NEW)
        self.assertTrue(os.path.exists(self.mark))
        entries = {entry["kind"]: entry["body"] for entry in self.kinds()}
        self.assertEqual(entries["change.started"]["host"], "ctl1")
        self.assertEqual(entries["change.started"].get("drift"), story.base, run)
        self.assertEqual(entries["change.finished"]["outcome"], "applied")
        self.assertEqual(entries["change.finished"]["exit_status"], 0)
        self.assertEqual(entries["change.finished"]["evidence"],
                         ["sha256:" + entries["evidence.attached"]["sha256"]])
        self.assertEqual(self.status(), "applied")

    def test_what_was_applied_is_not_applied_again(self):
        self.propose()
        self.assertEqual(self.apply().status, 0)
        os.unlink(self.mark)
        story.file("a.conf", BASE)
        run = self.apply()
        self.assertEqual(run.status, 1, run)
        self.assertFalse(os.path.exists(self.mark))

    def test_a_base_that_the_last_change_left_is_no_drift(self):
        self.propose()
        self.assertEqual(self.apply().status, 0)
        self.propose(files={"a.conf": (NEW, b"SaveInterval=600\n")})
        self.assertEqual(self.apply().status, 0)
        started = [entry["body"] for entry in self.kinds() if entry["kind"] == "change.started"]
        self.assertNotIn("drift", started[0])

    def test_unpinned_relies_on_first_contact_and_says_so(self):
        self.propose()
        run = self.apply("--unpinned", conf=False)
        self.assertEqual(run.status, 0, run)
        self.assertIn("unpinned", run.err)

    def test_json_is_one_document(self):
        self.propose()
        run = self.apply("--json")
        self.assertEqual(json.loads(run.out)["outcome"], "applied")


class Case3Failed(Case):
    def test_a_command_that_fails_is_recorded_as_failed(self):
        self.propose(command=["sh", "-c", "echo no such partition >&2; exit 7"])
        run = self.apply()
        self.assertEqual(run.status, 6, run)
        self.assertEqual(run.last, "gate apply: failed (exit 6)")
        self.assertIn("no such partition", run.err)
        self.assertEqual(self.live(), NEW)
        body = self.kinds()[-1]["body"]
        self.assertEqual((body["outcome"], body["exit_status"]), ("failed", 7))
        report = story.alice.get("/v1/blobs/" + body["evidence"][0][7:]).body
        self.assertIn(b"no such partition", report)

    def test_signals_between_start_and_finish_do_not_lose_the_outcome(self):
        self.propose(command=["sh", "-c", "kill -INT $PPID; kill -TERM $PPID; kill -HUP $PPID"])
        run = self.apply()
        self.assertEqual(run.status, 0, run)
        self.assertEqual(self.status(), "applied")

    def test_the_base_is_put_back_on_demand(self):
        self.propose(command=["false"])
        run = self.apply("--revert-on-failure")
        self.assertEqual(run.status, 6, run)
        self.assertEqual(self.live(), BASE)
        self.assertEqual(self.status(), "reverted")
        self.assertEqual(sorted(os.listdir(folder)).count(".a.conf"), 0)

    def test_a_command_that_changes_the_file_has_not_done_what_was_approved(self):
        self.propose(command=["sh", "-c", f"echo more >> {self.path}"])
        run = self.apply()
        self.assertEqual(run.status, 6, run)
        self.assertIn("is not what was approved", run.err)
        self.assertEqual(self.status(), "failed")


class Case8Verified(Case):
    def test_all_of_it_is_judged_again_and_holds(self):
        run = story.cli("log", "verify", "--deep", "--json")
        self.assertEqual(run.status, 0, run)
        result = json.loads(run.out)
        self.assertIsNone(result["wrong"], run)
        self.assertGreater(result["covered"]["decisions"], 15)
        self.assertGreater(result["covered"]["statements"], 15)
        self.assertEqual(result["not_covered"]["decisions_skipped"], 0)

    def test_one_entry_is_proven(self):
        self.assertEqual(story.cli("log", "verify", "7").last, "log verify: entry 7 is good (exit 0)")
        self.assertEqual(story.cli("log", "verify", "1000000").status, 2)

    def test_who_may_not_read_evidence_is_told_what_was_not_covered(self):
        result = json.loads(story.cli("log", "verify", "--deep", "--json", name="bob").out)
        self.assertIsNone(result["wrong"])
        self.assertGreater(result["not_covered"]["blobs_hidden"], 0)


class Case9Lost(Case):
    """The last: the command takes the ledger away."""

    def test_an_outcome_that_cannot_be_recorded_is_kept_and_said_loudly(self):
        self.propose(command=["sh", "-c", f"kill -9 {server.process.pid}"])
        run = self.apply()
        self.assertEqual(run.status, 3, run)
        self.assertIn("NOT RECORDED", run.err)
        self.assertEqual(self.live(), NEW)
        unsent = os.path.join(folder, "state-alice", "opledger", "unsent")
        with open(os.path.join(unsent, os.listdir(unsent)[0])) as file:
            kept = json.load(file)
        self.assertEqual((kept["kind"], kept["on"], kept["body"]["outcome"]),
                         ("change.finished", story.change, "applied"))
        server.process.wait()
        self.assertEqual(server.process.returncode, -signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=1))
