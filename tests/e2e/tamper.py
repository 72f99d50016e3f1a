#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tampering. A story is written over the embedded default and the cluster is copied. Then, for every
stored column of the log, a database superuser changes it in a copy of its own, opledgerd is started
on that, and either it refuses to start or to go on, or `log verify --deep` says what is wrong."""
import concurrent.futures
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import incident as i

o = i.o
POSTGRES = "/usr/lib/postgresql/15/bin"
NOTES = 270  # across the first full hash tile

FLIP = "set_byte({0}, {1}, get_byte({0}, {1}) # 1)"
HYP = "(SELECT seq FROM entry WHERE id = 'hyp-1')"
VENDOR = "(SELECT seq FROM entry WHERE convert_from(bytes, 'UTF8')::json ->> 'kind' = 'vendor.updated')"
DECISION = "(SELECT max(seq) FROM entry WHERE convert_from(bytes, 'UTF8')::json ->> 'kind' = 'gate.decided')"
LAST = "(SELECT max(size) FROM checkpoint)"
NOTE_AT = "(SELECT max(seq) - 5 FROM entry WHERE convert_from(bytes, 'UTF8')::json ->> 'kind' = 'incident.noted')"

# name, SQL, what the last line must hold; NULL: any finding is one; REFUSED:
# nothing less than a server that does not start. Dollar signs quote in SQL.
CASES = [
    ("entry.bytes of a hypothesis, one byte",
     f"UPDATE entry SET bytes = {FLIP.format('bytes', 30)} WHERE seq = {HYP}", "entry {hyp} is wrong"),
    ("entry.bytes of an administration entry, one byte",
     f"UPDATE entry SET bytes = {FLIP.format('bytes', 30)} WHERE seq = 2", None),
    ("entry.leaf of a hypothesis",
     f"UPDATE entry SET leaf = {FLIP.format('leaf', 3)} WHERE seq = {HYP}", "entry {hyp} is wrong"),
    ("entry.bytes and entry.leaf of a vendor's answer, together",
     f"UPDATE entry SET bytes = convert_to(replace(convert_from(bytes, 'UTF8'), 'confirmed', 'cOnfirmed'), "
     f"'UTF8') WHERE seq = {VENDOR}; "
     f"UPDATE entry SET leaf = sha256('\\x00'::bytea || bytes) WHERE seq = {VENDOR}",
     "entry {vendor} is wrong"),
    ("entry.bytes and entry.leaf of the newest note, where no full tile holds it",
     "UPDATE entry SET bytes = convert_to(replace(convert_from(bytes, 'UTF8'), 'alice', 'alicf'), 'UTF8') "
     f"WHERE seq = (SELECT max(seq) FROM entry); "
     "UPDATE entry SET leaf = sha256('\\x00'::bytea || bytes) WHERE seq = (SELECT max(seq) FROM entry)",
     "entry {newest} is wrong"),
    ("two entries swapped",
     f"UPDATE entry a SET bytes = b.bytes, leaf = b.leaf FROM entry b WHERE (a.seq = {NOTE_AT} AND "
     f"b.seq = {NOTE_AT} - 1) OR (a.seq = {NOTE_AT} - 1 AND b.seq = {NOTE_AT})", "entry {swapped} is wrong"),
    ("an entry taken out", f"DELETE FROM entry WHERE seq = {NOTE_AT}", None),
    ("the newest entries and heads taken away",
     f"DELETE FROM checkpoint WHERE size > {LAST} - 3; "
     "DELETE FROM entry WHERE seq >= (SELECT max(size) FROM checkpoint)", "is wrong: it was in the log"),
    ("entry.id of a hypothesis", f"UPDATE entry SET id = 'hyp-9' WHERE seq = {HYP}", None),
    ("entry.on_id of a vendor's answer, hidden from its hypothesis",
     f"UPDATE entry SET on_id = 'inc-1' WHERE seq = {VENDOR}", "REFUSED"),
    ("entry.on_id of an adopted policy, hidden from administration",
     "UPDATE entry SET on_id = 'inc-1' WHERE seq = (SELECT max(seq) FROM entry WHERE convert_from(bytes, 'UTF8')::json ->> 'kind' = 'policy.adopted')",
     None),
    ("entry.id of a revoked key, hidden from administration",
     "UPDATE entry SET id = 'inc-9' WHERE seq = (SELECT max(seq) FROM entry WHERE convert_from(bytes, 'UTF8')::json ->> 'kind' = 'key.revoked')",
     "REFUSED"),
    ("entry.on_id of a revoked key, hidden from administration",
     "UPDATE entry SET on_id = 'inc-1' WHERE seq = (SELECT max(seq) FROM entry WHERE convert_from(bytes, 'UTF8')::json ->> 'kind' = 'key.revoked')",
     "REFUSED"),
    ("entry.on_id of a note, which then belongs to administration",
     f"UPDATE entry SET on_id = NULL WHERE seq = {NOTE_AT}", "REFUSED"),
    ("sealed.text of a claim",
     f"UPDATE sealed SET text = 'lock c0ntention' WHERE seq = {HYP} AND field = '/body/claim'",
     "entry {hyp} is wrong"),
    ("sealed.salt of a claim",
     f"UPDATE sealed SET salt = {FLIP.format('salt', 0)} WHERE seq = {HYP}", "entry {hyp} is wrong"),
    ("sealed.field of a claim",
     f"UPDATE sealed SET field = '/body/predicts' WHERE seq = {HYP}", "entry {hyp} is wrong"),
    ("sealed.seq of a claim",
     f"UPDATE sealed SET seq = {NOTE_AT} WHERE seq = {HYP}", "is wrong"),
    ("a sealed text taken away", f"DELETE FROM sealed WHERE seq = {HYP}", "entry {hyp} is wrong"),
    ("checkpoint.root", f"UPDATE checkpoint SET root = {FLIP.format('root', 0)} WHERE size = {LAST}", None),
    ("checkpoint.edge", f"UPDATE checkpoint SET edge = {FLIP.format('edge', 0)} WHERE size = {LAST}", None),
    ("checkpoint.note",
     f"UPDATE checkpoint SET note = replace(note, 'opledger.local', 'opledger.locaI') WHERE size = {LAST}",
     None),
    ("checkpoint.size", f"UPDATE checkpoint SET size = size + 1 WHERE size = {LAST}", None),
    ("checkpoint.counters, seen once the next incident is opened",
     f"UPDATE checkpoint SET counters[2] = counters[2] + 5 WHERE size = {LAST}", "WRITE"),
    ("checkpoint.at, two hours ahead, seen at the next write",
     f"UPDATE checkpoint SET at = at + 7200000000 WHERE size = {LAST}", "WRITE"),
    ("tile.bytes", f"UPDATE tile SET bytes = {FLIP.format('bytes', 77)} WHERE level = 0 AND n = 0", None),
    ("a tile taken away", "DELETE FROM tile WHERE level = 0 AND n = 0", None),
    ("blob_chunk.data", "UPDATE blob_chunk SET data = " + FLIP.format("data", 12) +
     " WHERE upload = (SELECT upload FROM blob JOIN blob_ref USING (sha256) JOIN entry USING (seq) "
     "WHERE convert_from(bytes, 'UTF8')::json ->> 'kind' = 'evidence.attached' ORDER BY seq LIMIT 1)", "is wrong"),
    ("blob.size", "UPDATE blob SET size = size - 1 WHERE sha256 IN (SELECT sha256 FROM blob_ref "
     "JOIN entry USING (seq) WHERE convert_from(bytes, 'UTF8')::json ->> 'kind' = 'evidence.attached')", "is wrong"),
    ("blob.upload, two blobs exchanged",
     "UPDATE blob SET upload = -upload WHERE upload IN (1, 2); "
     "UPDATE blob SET upload = 3 + upload WHERE upload < 0", "is wrong"),
    ("a blob taken away", "DELETE FROM blob_ref; DELETE FROM blob WHERE sha256 IN (SELECT sha256 FROM "
     "blob WHERE upload = (SELECT max(upload) FROM blob))", "is wrong"),
    ("subject.status", "UPDATE subject SET status = 'vendor-c0nfirmed' WHERE id = 'hyp-1'",
     "hyp-1 is wrong"),
    ("subject.actor", "UPDATE subject SET actor = 'mallory' WHERE id = 'hyp-1'", "hyp-1 is wrong"),
    ("subject.target", "UPDATE subject SET target = 'other/slurm' WHERE id = 'chg-1'", "chg-1 is wrong"),
    ("subject.on_id", "UPDATE subject SET on_id = NULL WHERE id = 'hyp-1'", "hyp-1 is wrong"),
    ("subject.kind", "UPDATE subject SET kind = 'incident.opened' WHERE id = 'hyp-1'", "hyp-1 is wrong"),
    ("subject.at", "UPDATE subject SET at = at - 1 WHERE id = 'hyp-1'", "hyp-1 is wrong"),
    ("subject.model", "UPDATE subject SET model = 'openai/gpt-4' WHERE id = 'hyp-1'", "hyp-1 is wrong"),
    ("subject.updated_at", "UPDATE subject SET updated_at = updated_at + 1 WHERE id = 'hyp-1'",
     "hyp-1 is wrong"),
    ("subject.prefix", "UPDATE subject SET prefix = 'ovr' WHERE id = 'hyp-1'", "is wrong"),
    ("subject.since_seq", "UPDATE subject SET since_seq = since_seq - 1 WHERE id = 'hyp-1'", "hyp-1 is wrong"),
    ("subject.number", "UPDATE subject SET number = 7 WHERE id = 'hyp-1'", "hyp-2 is wrong"),
    ("a subject taken away", "DELETE FROM subject WHERE id = 'hyp-1'", "is wrong"),
    ("a subject invented",
     "INSERT INTO subject SELECT 'hyp-3', prefix, 3, kind, status, on_id, actor, model, target, since_seq, "
     "status_seq, updated_seq, at, updated_at FROM subject WHERE id = 'hyp-1'", "is wrong"),
    ("a decision forged: denied becomes allowed, with its leaf",
     "UPDATE entry SET bytes = convert_to(replace(convert_from(bytes, 'UTF8'), '\"outcome\":\"denied\"', "
     f"'\"outcome\":\"allowed\"'), 'UTF8') WHERE seq = {DECISION}; "
     f"UPDATE entry SET leaf = sha256('\\x00'::bytea || bytes) WHERE seq = {DECISION}",
     "entry {decision} is wrong"),
]

# What is not part of the log and changes nothing that anybody is told: said, so that nobody thinks
# that it would be found. (Without its nonce or key a request can be repeated; a second use of a
# Statement is then found in the log itself.)
UNREAD = [
    ("subject.status_seq", "UPDATE subject SET status_seq = 0 WHERE id = 'hyp-1'"),
    ("subject.updated_seq", "UPDATE subject SET updated_seq = 0 WHERE id = 'hyp-1'"),
    ("blob.at", "UPDATE blob SET at = at - interval '1 hour'"),
    ("the head of an earlier size", f"DELETE FROM checkpoint WHERE size < {LAST}"),
    ("checkpoint.counters of an earlier size",
     f"UPDATE checkpoint SET counters[2] = counters[2] + 5 WHERE size < {LAST}"),
    ("nonce", "DELETE FROM nonce"),
    ("idempotency", "DELETE FROM idempotency"),
]


def as_postgres(*words):
    """Runs as the cluster's owner, who is not root."""
    if os.getuid() == 0:
        words = ("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", *words)
    subprocess.run(words, check=True, capture_output=True, cwd="/")


class Cluster:
    """The copy, run as it is: one database per case, made from the one that was copied."""

    def __init__(self, source):
        self.folder = tempfile.mkdtemp(prefix="opl-tamper-", dir="/tmp")
        self.data = os.path.join(self.folder, "cluster")
        os.chmod(self.folder, 0o755)
        shutil.copytree(source, self.data)
        owner = pwd.getpwnam("postgres") if os.getuid() == 0 else pwd.getpwuid(os.getuid())
        self.user = owner.pw_name
        with open(os.path.join(self.data, "pg_hba.conf"), "w", encoding="ascii") as file:
            file.write("local all all trust\n")
        for root, folders, files in os.walk(self.folder):
            for name in [*folders, *files, "."]:
                os.chown(os.path.join(root, name), owner.pw_uid, owner.pw_gid)
        for name in ("postmaster.pid", "postmaster.opts"):
            if os.path.exists(os.path.join(self.data, name)):
                os.unlink(os.path.join(self.data, name))
        as_postgres(f"{POSTGRES}/pg_ctl", "-w", "-s", "-D", self.data, "-l", f"{self.data}/log", "-o",
                    f"-c listen_addresses= -c unix_socket_directories={self.folder} -c fsync=off", "start")

    def psql(self, text, database="postgres"):
        done = subprocess.run(
            [f"{POSTGRES}/psql", "-qtAX", "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-U", self.user, database],
            input=text, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{text}\n{done.stderr}")
        return done.stdout.strip()

    def database(self, name, sql):
        self.psql(f"CREATE DATABASE {name} TEMPLATE opledger STRATEGY file_copy; "
                  f"ALTER DATABASE {name} OWNER TO opledger_owner")
        self.psql(sql, name)
        return f"host={self.folder} dbname={name} user=opledger_service"

    def close(self):
        as_postgres(f"{POSTGRES}/pg_ctl", "-s", "-m", "immediate", "-D", self.data, "stop")
        shutil.rmtree(self.folder, ignore_errors=True)


def write_story(folder):
    server = o.Opledgerd()
    story = i.Incident(server, folder)
    lost = story.people.key("bob")  # his second one
    shown = subprocess.run(["ssh-keygen", "-lf", lost + ".pub"], capture_output=True, text=True, check=True)
    i.ok(story.people.admin.write("key.revoked", {"principal": "bob", "reason": "lost",
                                                  "fingerprint": shown.stdout.split()[1]}))
    story.close_bootstrap()
    story.begin()
    i.ok(story.bob.write("hypothesis.recorded", {"claim": "a slow disk", "model": i.CLAUDE,
                                                 "prompt_sha256": "22" * 32}, on=story.incident))
    story.propose({"slurm.conf": (b"old\n", b"new\n")}, ["true"])
    story.approve()
    story.ask("apply", host="ctl1")
    story.support()
    line = o.canonical({"kind": "incident.noted", "on": story.incident, "body": {"text": "a note"}}) + "\n"
    i.ok(story.alice.write_raw(line.encode() * NOTES, media=o.NDJSON))
    for number in range(4):
        i.ok(story.alice.write("incident.noted", {"text": f"after it {number}"}, on=story.incident))
    return server, story


def verify(story, url, name):
    """A client that has seen the whole log before."""
    home = os.path.join(story.folder, "state-" + name)
    shutil.copytree(os.path.join(story.folder, "state-seen"), home, symlinks=True)
    servers = os.path.join(home, "opledger", "servers")  # the copy answers at another URL
    shutil.rmtree(servers, ignore_errors=True)
    return story.cli("log", "verify", "--deep", state=home, url=url)


class Tamper:
    def __init__(self, story, data, cluster):
        self.story, self.data, self.cluster = story, data, cluster
        self.numbers, self.lock = iter(range(1000)), threading.Lock()
        seqs = cluster.psql(f"SELECT {HYP}, {VENDOR}, {DECISION}, {NOTE_AT} - 1, (SELECT max(seq) FROM entry)",
                            "opledger")
        self.seqs = dict(zip(("hyp", "vendor", "decision", "swapped", "newest"), seqs.split("|")))

    def start(self, conninfo, name):
        """The server on a data folder of its own, with the log's key; what it says when it refuses."""
        folder = os.path.join(self.story.folder, f"data-{name}")
        os.mkdir(folder, 0o700)
        for kept in ("log.key", "origin", "admin.token"):
            shutil.copy2(os.path.join(self.data, kept), folder)
        server = o.Opledgerd("--db", conninfo, data=folder, wait=False)
        try:
            server.start(timeout=20)
        except RuntimeError as error:
            if server.process.poll() is None:
                server.kill()
            return None, str(error).strip().split("\n")[-1]
        return server, None

    def look(self, sql, write=False):
        with self.lock:  # one copy of the template at a time
            name = f"case{next(self.numbers)}"
            conninfo = self.cluster.database(name, sql)
        server, refused = self.start(conninfo, name)
        if server is None:
            return "refused", refused
        try:
            if write:
                client = server.client(token=self.story.alice.token)
                reply = client.write("incident.opened", {"title": "another", "severity": "low"})
                if reply.status == 503:
                    return "refused", reply.json["detail"]
            run = verify(self.story, server.url, name)
        finally:
            server.stop(signal.SIGTERM)
        return run.status, run.last if run.out.strip() else run.err.strip()


def check(tamper, case):
    name, sql, want = case
    status, said = tamper.look(sql, want == "WRITE")
    only_refused = want == "REFUSED"
    want = "" if want in (None, "WRITE", "REFUSED") else want.format(**tamper.seqs)
    found = status == "refused" or (status == 4 and want in said and not only_refused)
    print(f"{'found' if found else 'NOT FOUND'}: {name}: "
          f"{'the server refuses: ' if status == 'refused' else ''}{said}", flush=True)
    return found


def check_unread(tamper, case):
    name, sql = case
    status, said = tamper.look(sql)
    print(f"{'without effect' if status == 0 else 'found'}: {name}: {said}", flush=True)
    return status in (0, 4, "refused")


def main():
    begin = time.monotonic()
    folder = tempfile.mkdtemp(prefix="opl-story-", dir="/tmp")
    server, story = write_story(folder)
    cluster = None
    try:
        good = story.cli("log", "verify", "--deep", state=os.path.join(folder, "state-seen"))
        assert good.status == 0, good
        print(good.last)
        server.stop()
        cluster = Cluster(os.path.join(server.data, "postgres"))
        tamper = Tamper(story, server.data, cluster)
        status, said = tamper.look("SELECT 1")
        assert status == 0, (status, said)
        print(f"untouched copy: {said}")
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            results = [*pool.map(lambda case: check(tamper, case), CASES),
                       *pool.map(lambda case: check_unread(tamper, case), UNREAD)]
    finally:
        if cluster:
            cluster.close()
        server.close()
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{sum(results)} of {len(results)} in {time.monotonic() - begin:.0f} s")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
