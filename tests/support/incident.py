# SPDX-License-Identifier: Apache-2.0
"""An incident in a few lines, over HTTP: people, a hypothesis with all that the shipped gate policy
asks for, changes of slurm.conf, and Statements that are right in everything but what a test spoils."""
import hashlib
import secrets

import opledgerd as o

GPT = {"provider": "openai", "name": "gpt-5"}
CLAUDE = {"provider": "anthropic", "name": "claude-opus-4"}
PATH = "/etc/slurm/slurm.conf"


def ok(reply):
    if reply.status not in (200, 201):
        raise AssertionError(reply)
    return reply.json


def sha256(data):
    return hashlib.sha256(data).hexdigest()


class Site:
    """A server with people that sign: maria proposes, ben and chen approve, dora only records."""
    PEOPLE = {"maria": ["recorder", "gate", "approver.slurm"], "ben": ["recorder", "approver.slurm"],
              "chen": ["recorder", "reviewer", "approver.slurm", "approver.lead"],
              "dora": ["recorder"]}

    def __init__(self, server):
        self.server, self.people = server, o.People(server)
        self.admin = self.people.admin
        self.keys, self.clients = {}, {}
        for name, roles in self.PEOPLE.items():
            self.people.enroll(name, roles)
            self.keys[name] = self.people.key(name)
            self.clients[name] = self.people.login(name, self.keys[name])

    def write(self, who, kind, body, on=None):
        return ok(self.clients[who].write(kind, body, on=on))

    def blob(self, who, data):
        reply, digest = self.clients[who].put_blob(data)
        ok(reply)
        return digest

    def attach(self, who, on, data, name="f"):
        digest = self.blob(who, data)
        self.write(who, "evidence.attached", {"sha256": digest, "size": len(data), "name": name,
                                              "media_type": "text/plain", "source": "strace"}, on)
        return "sha256:" + digest

    def incident(self, title="saves warn"):
        return self.write("maria", "incident.opened", {"title": title, "severity": "high"})["id"]

    def hypothesis(self, incident, claim="lock contention", **more):
        evidence = self.attach("maria", incident, secrets.token_bytes(100))
        body = {"claim": claim, "model": GPT, "prompt_sha256": "00" * 32, "evidence": [evidence]}
        made = Hypothesis()
        made.id = self.write("maria", "hypothesis.recorded", {**body, **more}, incident)["id"]
        made.incident, made.evidence = incident, evidence
        return made

    def confirm(self, hypothesis):
        """A blind verdict by another family, and the vendor's word, by somebody else."""
        self.write("dora", "verdict.recorded", {
            "model": CLAUDE, "mode": "blind", "verdict": "partly", "rationale": "r",
            "prompt_sha256": "11" * 32, "evidence": [hypothesis.evidence]}, hypothesis.id)
        letter = self.attach("dora", hypothesis.id, secrets.token_bytes(30))
        self.write("dora", "vendor.updated", {"vendor": "schedmd", "state": "confirmed",
                                              "statement": "yes", "evidence": [letter]},
                   hypothesis.id)

    def change(self, hypothesis, title="longer interval"):
        return Change(self, hypothesis, title)


class Hypothesis:
    pass


class Change:
    """chg-N of maria's; `statement` and `approve` do what an approver's client does."""
    files = 1


    def __init__(self, site, hypothesis, title):
        self.site, self.hypothesis = site, hypothesis
        self.base_bytes = b"# before\n"
        site.blob("maria", self.base_bytes)
        self.make_manifest()
        self.id = site.write("maria", "change.proposed", {
            "title": title, "class": "config", "target": "engaging/slurm", "files": self.files,
            "manifest": self.manifest, "hypotheses": [hypothesis.id]}, hypothesis.incident)["id"]

    def make_manifest(self):
        new = b"# after " + secrets.token_hex(8).encode() + b"\n"
        self.site.blob("maria", new)
        side = {"mode": "0644", "owner": "0:0"}
        text = o.canonical({
            "files": [{"base_mode": "0644", "base_owner": "0:0", "path": PATH, "size": len(new),
                       "base_sha256": sha256(self.base_bytes), "sha256": sha256(new), **side}],
            "command": ["true"], "target": "engaging/slurm", "type": "opledger/manifest", "v": 1})
        base = o.canonical([{"path": PATH, "sha256": sha256(self.base_bytes), **side}])
        self.manifest = "sha256:" + self.site.blob("maria", text.encode())
        self.base = "sha256:" + sha256(base.encode())

    def revise(self):
        self.make_manifest()
        self.site.write("maria", "change.revised", {
            "manifest": self.manifest, "files": 1, "hypotheses": [self.hypothesis.id]}, self.id)

    def gate(self, use="check", who="maria", **more):
        body = {"nonce": secrets.token_hex(16), "use": use, **more}
        return ok(self.site.clients[who].post(f"/v1/changes/{self.id}/gate", body))

    def about(self, **changes):
        return {"base": self.base, "change": self.id, "manifest": self.manifest, "role": "slurm",
                "policy": self.gate("explain")["policy"], **changes}

    def statement(self, signer="ben", about=None, **more):
        return self.site.people.statement("approval", about or self.about(), signer,
                                          life=more.pop("life", 3600), **more)

    def signed(self, text, key="ben", namespace="approve@opledger", role="slurm"):
        path = self.site.keys.get(key, key)
        return {"statement": text, "sshsig": self.site.people.sign(text, namespace, path),
                "role": role}

    def send(self, body, who="ben"):
        return self.site.clients[who].write("approval.signed", body, on=self.id)

    def approve(self, who="ben", **more):
        """The sequence number of a right approval."""
        return ok(self.send(self.signed(self.statement(who, **more), who), who))["seq"]
