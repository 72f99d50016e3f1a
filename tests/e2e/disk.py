#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""opledgerd where it cannot run, or cannot go on: a full disk, a read-only one, a folder that is
taken, a port that is taken, options that are wrong. It says so clearly, and nothing is lost."""
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.environ["SOURCE_DIR"], "tests", "support"))
import opledgerd as o  # noqa: E402
from cases import SANITIZED, Cli, case, check, refused, run, same, serve  # noqa: E402

HINT = "hint: "


def starts(*words, env=None, timeout=60):
    """(exit status, stderr) of an opledgerd that does not stay up."""
    done = subprocess.run([o.PROGRAM, *words], capture_output=True, timeout=timeout,
                          env={**os.environ, **(env or {})})
    err = done.stderr.decode(errors="replace")
    check(not SANITIZED.search(err), err)
    check(done.returncode >= 0, done)
    return done.returncode, err


def fails(status, words, *said, **options):
    code, err = starts(*words, **options)
    check(code == status and all(word in err for word in said), words, code, said, err)
    check("opledgerd: " in err, err)
    return err


class Mount:
    """A small tmpfs; None where the system does not let us."""

    def __init__(self, size, options="mode=0755"):
        self.path = tempfile.mkdtemp(prefix="opl-disk-", dir="/tmp")
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},{options}", "opl",
                               self.path], capture_output=True)
        self.mounted = done.returncode == 0

    def remount(self, how):
        subprocess.run(["mount", "-o", f"remount,{how}", self.path], check=True)

    def __enter__(self):
        return self if self.mounted else None

    def __exit__(self, *rest):
        for _ in range(20):
            if not self.mounted or subprocess.run(["umount", self.path],
                                                  capture_output=True).returncode == 0:
                break
            time.sleep(0.2)
        shutil.rmtree(self.path, ignore_errors=True)
        if os.path.exists(self.path + ".log"):
            os.unlink(self.path + ".log")


    def serve(self, *options):
        """opledgerd on this disk, its log elsewhere."""
        folder = os.path.join(self.path, "d")
        os.makedirs(folder, exist_ok=True)
        return serve(*options, data=folder, log=self.path + ".log")


def skipped(mount):
    if mount is None:
        print("    (skipped: no mount is allowed here)")
    return mount is None


@case("a second instance on the same folder exits 2, and the first one goes on")
def _():
    for _ in range(2):
        fails(2, ["--data", server.data, "--listen", "127.0.0.1:0"], HINT)
    same(client.write("incident.noted", {"text": "still there"}, on="inc-1").status, 201)


@case("a port that is taken exits 2, names it, and leaves no PostgreSQL behind")
def _():
    folder = tempfile.mkdtemp(prefix="opl-", dir="/tmp")
    try:
        err = fails(2, ["--data", folder, "--listen", f"127.0.0.1:{server.port}"], "--listen")
        check(str(server.port) in err, err)
        check(not os.path.exists(folder + "/postgres/postmaster.pid"), "a cluster is left running")
    finally:
        shutil.rmtree(folder)


@case("options and settings that are wrong exit 2, and say which")
def _():
    for words, said in ((["--nonsense"], "nonsense"), (["--data"], "data"), (["nonsense"], "nonsense"),
                        (["--listen", "nonsense"], "nonsense"), (["--listen", "127.0.0.1:99999"], "99999"),
                        (["--threads", "0"], "threads"), (["--threads", "x"], "threads"),
                        (["--max-blob", "12 potatoes"], "potatoes"), (["--log-level", "loud"], "loud"),
                        (["--config", "/absent"], "/absent"), (["migrate"], "--db"),
                        (["--data", "relative\nname\x1b[2J", "--threads", "0"], "threads")):
        fails(2, words, said)
    fails(2, ["--data", "/tmp/x"], "OPLEDGERD_THREADS", env={"OPLEDGERD_THREADS": "many"})


@case("a data folder that is a file, a dangling link, below a file, or without a name exits 2")
def _():
    folder = tempfile.mkdtemp(prefix="opl-", dir="/tmp")
    try:
        with open(folder + "/file", "w"):
            pass
        os.symlink("/nowhere/at/all", folder + "/link")
        for path in (folder + "/file", folder + "/link", folder + "/file/below", ""):
            code, err = starts("--data", path, "--listen", "127.0.0.1:0")
            check(code == 2 and len(err) > 20, path, code, err)
    finally:
        shutil.rmtree(folder)


@case("a database that is not there, or is no database, exits 3 or 2 and says so without its password")
def _():
    folder = tempfile.mkdtemp(prefix="opl-", dir="/tmp")
    try:
        with socket.socket() as nobody:
            nobody.bind(("127.0.0.1", 0))
            conninfo = f"host=127.0.0.1 port={nobody.getsockname()[1]} user=u password=geheim dbname=d"
            code, err = starts("--data", folder, "--listen", "127.0.0.1:0", "--db", conninfo)
        check(code == 3 and "geheim" not in err and "127.0.0.1" in err, code, err)
        code, err = starts("--data", folder, "--listen", "127.0.0.1:0", "--db", "no such=form at=all x")
        check(code in (2, 3) and err, code, err)
    finally:
        shutil.rmtree(folder)


@case("a read-only data folder exits 2 and says that it is read-only")
def _():
    with Mount("20m") as mount:
        if skipped(mount):
            return
        mount.remount("ro")
        fails(2, ["--data", mount.path + "/d", "--listen", "127.0.0.1:0"], "read-only", HINT)
        fails(2, ["--data", mount.path, "--listen", "127.0.0.1:0"], "read-only", HINT)


@case("a disk that is full at the first start exits 3 and says that it is full")
def _():
    with Mount("64k") as mount:
        if skipped(mount):
            return
        with open(mount.path + "/fill", "wb") as file:
            try:
                file.write(b"x" * 200000)
                file.flush()
            except OSError:
                pass
        fails(3, ["--data", mount.path + "/d", "--listen", "127.0.0.1:0"], "full")


@case("a disk too small for a cluster exits 3 and says that it is full, and a later start with room succeeds")
def _():
    with Mount("12m") as mount:
        if skipped(mount):
            return
        code, err = starts("--data", mount.path + "/d", "--listen", "127.0.0.1:0")
        check(code == 3 and ("full" in err or "No space left" in err), code, err)
        mount.remount("size=400m")
        again = mount.serve()
        try:
            same(again.client().write("incident.opened", {"title": "t", "severity": "low"}).status, 201)
        finally:
            same(again.stop(), 0)


def fill(path, keep=0):
    """Uses up a disk; the file that does it."""
    name = os.path.join(path, "fill")
    with open(name, "wb") as file:
        try:
            while True:
                os.write(file.fileno(), b"x" * 65536)
        except OSError:
            pass
    if keep:
        os.truncate(name, max(os.path.getsize(name) - keep, 0))
    return name


@case("below the reserve blobs are refused with 507, entries go on, and /readyz says so")
def _():
    with Mount("600m") as mount:
        if skipped(mount):
            return
        small = mount.serve("--reserve", "200MiB")
        try:
            mine = small.client()
            mine.write("incident.opened", {"title": "t", "severity": "low"})
            same(mine.put_blob(b"while there is room")[0].status, 201)
            name = fill(mount.path, keep=100 << 20)
            refused(mine, mine.put_blob(b"too late")[0], 507, "storage-full")
            same(mine.write("incident.noted", {"text": "goes on"}, on="inc-1").status, 201)
            same(mine.get("/readyz").status, 503)
            ran = Cli(small, small.token, folder=tempfile.mkdtemp(prefix="opl-", dir="/tmp"))
            try:
                said = ran.exits(3, "evidence", "attach", "inc-1", "/etc/hostname")
                check("reserve" in said.err, said)
            finally:
                shutil.rmtree(ran.home)
            os.unlink(name)
            same(mine.put_blob(b"too late")[0].status, 201)
            same(mine.get("/readyz").status, 200)
        finally:
            same(small.stop(), 0)


def acknowledge_until_refused(mine, limit=4000):
    """Writes of 16 KiB each until one is refused: {key: (data, receipt)}, and that refusal."""
    done = {}
    for _ in range(limit):
        key = secrets.token_hex(8)
        text = secrets.token_hex(8000)
        data = ('{"kind":"incident.noted","on":"inc-1","body":{"text":"' + text + '"}}').encode()
        reply = mine.write_raw(data, key)
        if reply.status != 201:
            return done, (key, data), reply
        done[key] = (data, reply.body)
    raise AssertionError("the disk does not get full")


@case("a disk that gets full while writing: 503 or 507, every acknowledged entry is there when there is room again")
def _():
    with Mount("600m") as mount:
        if skipped(mount):
            return
        small = mount.serve("--reserve", "0")
        try:
            mine = small.client()
            mine.write("incident.opened", {"title": "t", "severity": "low"})
            name = fill(mount.path, keep=3 << 20)
            done, (key, data), reply = acknowledge_until_refused(mine)
            check(reply.status in (503, 507) and "type" in reply.json, reply)
            check(len(done) > 5, len(done))
            ran = Cli(small, small.token, folder="/tmp/" + secrets.token_hex(8))
            try:
                said = ran.run("incident", "note", "inc-1", "x" * 16000)
                check(said.status in (0, 3), said)
            finally:
                shutil.rmtree(ran.home)
            os.unlink(name)
            recover(small, mine, done, key, data)
        finally:
            status = small.stop()
            check(status == 0, status, open(small.log_path).read()[-3000:])


def recover(small, mine, done, key, data):
    """With room again it serves within a minute, by itself; nothing acknowledged is lost."""
    end = time.monotonic() + 60
    while mine.get("/readyz").status != 200:
        check(time.monotonic() < end, "not ready again", mine.get("/readyz"))
        time.sleep(0.3)
    check(mine.write_raw(data, key).status in (200, 201))
    for one, (sent, receipt) in done.items():
        again = mine.write_raw(sent, one)
        same((again.status, again.body), (200, receipt))
    leaves = [o.leaf_hash(e) for e in mine.entries()]
    top = mine.head()
    same(top["root"], "sha256:" + o.tree_root(leaves[:top["size"]]).hex())


@case("a disk that came back read-only: exit 2; writable again, and nothing is lost")
def _():
    with Mount("600m") as mount:
        if skipped(mount):
            return
        small = mount.serve("--reserve", "0")
        mine = small.client()
        mine.write("incident.opened", {"title": "t", "severity": "low"})
        note = b'{"kind":"incident.noted","on":"inc-1","body":{"text":"n"}}'
        first = mine.write_raw(note, "before")
        same(first.status, 201)
        small.kill()
        os.kill(small.postmaster(), signal.SIGQUIT)
        time.sleep(1)
        mount.remount("ro")
        fails(2, ["--data", small.data, "--listen", "127.0.0.1:0"], "read-only")
        mount.remount("rw")
        small.start()
        again = small.client().write_raw(note, "before")
        same((again.status, again.body), (200, first.body))
        same(small.stop(), 0)


server = serve()
client = server.client()
client.write("incident.opened", {"title": "saves warn", "severity": "high"})
sys.exit(run(server))
