# SPDX-License-Identifier: Apache-2.0
"""One incident over a real opledgerd, with a change of a real file, for tests of the CLI: people with
keys, a closed bootstrap, evidence, a second model, a vendor, approvals. Standard library only."""
import hashlib
import os
import secrets
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ["SOURCE_DIR"], "tests", "support"))
import opledgerd as o  # noqa: E402

CLI = os.path.join(os.environ["BINARY_DIR"], "bin", "opledger")
GPT = {"provider": "openai", "name": "gpt-5"}
CLAUDE = {"provider": "anthropic", "name": "claude-4"}
TARGET = "engaging/slurm"


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def ok(reply):
    assert reply.status in (200, 201), reply
    return reply.json


class Run:
    """What the program printed, and how it ended."""

    def __init__(self, done):
        self.status, self.out, self.err = done.returncode, done.stdout, done.stderr

    @property
    def last(self):
        lines = self.out.strip().split("\n")
        return lines[-1]

    def __repr__(self):
        return f"exit {self.status}\n{self.out}\n--\n{self.err}"


class Incident:
    def __init__(self, server, folder):
        self.server, self.folder = server, folder
        self.people = o.People(server)
        for name, roles in (("alice", ["recorder", "gate", "evidence-raw"]), ("bob", ["recorder"]),
                            ("carol", ["recorder", "approver.slurm"]),
                            ("dave", ["recorder", "approver.slurm"])):
            self.people.enroll(name, roles)
        self.keys = {name: self.people.key(name) for name in ("alice", "bob", "carol", "dave")}
        self.client = {name: self.people.login(name, key) for name, key in self.keys.items()}
        self.alice, self.bob, self.carol = (self.client[n] for n in ("alice", "bob", "carol"))

    def close_bootstrap(self):
        ok(self.people.admin.write("bootstrap.closed", {}))
        self.people.admin = self.alice

    def attach(self, client, on, data):
        reply, digest = client.put_blob(data)
        ok(reply)
        ok(client.write("evidence.attached", {
            "sha256": digest, "size": len(data), "name": "a file", "media_type": "text/plain",
            "source": "strace"}, on=on))
        return "sha256:" + digest

    def begin(self):
        self.incident = ok(self.alice.write("incident.opened", {
            "title": "the state save warns every minute", "severity": "high"}))["id"]
        self.evidence = self.attach(self.alice, self.incident, b"a trace of a controller\n" * 50)
        self.hypothesis = ok(self.alice.write("hypothesis.recorded", {
            "claim": "lock contention", "model": GPT, "prompt_sha256": "00" * 32,
            "evidence": [self.evidence]}, on=self.incident))["id"]

    def support(self):
        """What the policy asks for besides the approval."""
        ok(self.bob.write("verdict.recorded", {
            "model": CLAUDE, "mode": "blind", "verdict": "partly", "rationale": "it may be",
            "prompt_sha256": "11" * 32, "evidence": [self.evidence]}, on=self.hypothesis))
        letter = self.attach(self.bob, self.hypothesis, b"we confirm this " + secrets.token_bytes(9))
        ok(self.bob.write("vendor.updated", {
            "vendor": "schedmd", "state": "confirmed", "statement": "yes", "evidence": [letter]},
            on=self.hypothesis))

    def file(self, name, text, mode=0o644):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as out:
            out.write(text)
        os.chmod(path, mode)
        return path

    def side(self, data):
        return {"mode": "0644", "owner": f"{os.getuid()}:{os.getgid()}", "sha256": sha256(data)}

    def propose(self, files, command):
        """files: {name: (base or None, new)}; the base is put in place, the new bytes are staged."""
        entries, bases = [], []
        for name in sorted(files):
            base, new = files[name]
            path = self.file(name, base) if base is not None else os.path.join(self.folder, name)
            self.file(name + ".new", new)
            ok(self.alice.put_blob(new)[0])
            entry = {"path": path, "size": len(new), **self.side(new), "base_sha256": None,
                     "base_mode": None, "base_owner": None}
            old = {"path": path, "mode": None, "owner": None, "sha256": None}
            if base is not None:
                ok(self.alice.put_blob(base)[0])
                entry.update({f"base_{key}": value for key, value in self.side(base).items()})
                old.update(self.side(base))
            entries.append(entry)
            bases.append(old)
        text = o.canonical({"files": entries, "command": command, "target": TARGET,
                            "type": "opledger/manifest", "v": 1}).encode()
        ok(self.alice.put_blob(text)[0])
        self.manifest = "sha256:" + sha256(text)
        self.base = "sha256:" + sha256(o.canonical(bases).encode())
        self.change = ok(self.alice.write("change.proposed", {
            "title": "a longer interval", "class": "config", "target": TARGET, "files": len(files),
            "manifest": self.manifest, "hypotheses": [self.hypothesis]}, on=self.incident))["id"]
        return self.change

    def ask(self, use="explain", **more):
        body = {"nonce": secrets.token_hex(16), "use": use, **more}
        return ok(self.alice.post(f"/v1/changes/{self.change}/gate", body))

    def approve(self, name="carol", **about):
        about = {"base": self.base, "change": self.change, "manifest": self.manifest,
                 "policy": self.ask()["policy"], "role": "slurm", **about}
        text = self.people.statement("approval", about, name, life=3600)
        return ok(self.client[name].write("approval.signed", {
            "statement": text, "sshsig": self.people.sign(text, "approve@opledger", self.keys[name]),
            "role": "slurm"}, on=self.change))

    def signers(self, *names, options='namespaces="approve@opledger"'):
        lines = []
        for name in names:
            with open(self.keys[name] + ".pub") as file:
                lines.append(f"{name} {options} {' '.join(file.read().split()[:2])}\n")
        return self.file("signers", "".join(lines).encode(), 0o600)

    def gate_conf(self, **lines):
        keys = ok(self.alice.get("/v1/keys"))
        text = {"url": self.server.url, "origin": keys["origin"], "log_key": keys["log_key"], **lines}
        return self.file("gate.conf", "".join(f"{key} = {value}\n" for key, value in text.items()
                                              if value is not None).encode(), 0o600)

    def cli(self, *words, name="alice", state=None, url=None, env=None, token=None):
        home = state or os.path.join(self.folder, "state-" + name)
        os.makedirs(home, mode=0o700, exist_ok=True)
        done = subprocess.run(
            [CLI, *words], capture_output=True, text=True, timeout=120,
            env={"PATH": os.environ["PATH"], "HOME": home, "XDG_STATE_HOME": home,
                 "OPLEDGER_URL": url or self.server.url,
                 "OPLEDGER_TOKEN": token or self.client[name].token, **(env or {})})
        return Run(done)
