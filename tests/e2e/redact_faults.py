#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`opledger redact` when something is wrong: nothing is released, nothing is recorded, and the exit
status is not 0. And the sample, whose secrets are in its output in no encoding."""
import base64
import bz2
import gzip
import json
import lzma
import os
import re
import resource
import secrets
import signal
import subprocess
import sys
import tempfile
import urllib.parse

sys.path.insert(0, os.path.join(os.environ["SOURCE_DIR"], "tests", "support"))
import opledgerd as o  # noqa: E402
from cases import (CLI, SANITIZED, SLOW, Cli, Unchanged, case, check, plain_case, run,  # noqa: E402
                   same, serve)

SAMPLES = os.path.join(o.SOURCE_DIR, "tests", "e2e", "samples")
TRACE = os.path.join(SAMPLES, "slurmctld.strace")
HOSTED = ["--destination", "openai-api", "--model", "openai/gpt-5"]
SECRET = b"AKIAU2GBXDSDUHXB5ATQ"


def nothing(status, *words, said="", **options):
    """That exit status, in words, and not a byte on stdout."""
    with Unchanged(client):
        ran = cli.run("redact", *words, binary=True, **options)
    check(ran.status in status if isinstance(status, tuple) else ran.status == status, ran)
    same(ran.out, b"", ran)
    check(said in ran.err and ran.err.startswith("opledger: "), said, ran)
    return ran


def some(cases):
    """All of them, or a few where each run takes long."""
    return list(cases)[:3] if SLOW else cases


def file(name, data):
    path = os.path.join(cli.home, name)
    with open(path, "wb") as out:
        out.write(data)
    return path


@case("a destination that nobody approved: exit 1, nothing released")
def _():
    nothing(1, "--destination", "pastebin", "--model", "openai/gpt-5", TRACE, said="pastebin")


@plain_case("a model that the destination does not serve, or no model: exit 1 or 2, nothing released")
def _():
    nothing(1, "--destination", "openai-api", "--model", "anthropic/claude-opus-4", TRACE)
    nothing((1, 2), "--destination", "openai-api", "--model", "nonsense", TRACE)
    nothing(2, "--record", "inc-1", "--destination", "openai-api", TRACE)


@plain_case("a destination whose date has passed: nothing released, nothing recorded")
def _():
    with open(os.path.join(o.SOURCE_DIR, "policies", "models.yaml"), "rb") as policy:
        text = policy.read()
    expired = file("models.yaml", re.sub(rb"until: \d{4}", b"until: 2020", text))
    try:
        reply, sha256 = client.put_blob(open(expired, "rb").read())
        body = {"what": "models", "name": "models", "sha256": sha256}
        same(client.write("policy.adopted", body).status, 201)
        nothing((1, 2), "--record", "inc-1", *HOSTED, TRACE)
    finally:
        _, sha256 = client.put_blob(text)
        same(client.write("policy.adopted", {"what": "models", "name": "models",
                                             "sha256": sha256}).status, 201)


@case("a file that cannot be opened, is a folder, or cannot be read: nothing released")
def _():
    nothing(2, "/absent", said="/absent")
    nothing(2, "/tmp", said="folder")
    nothing((2, 3), "/proc/self/mem", said="/proc/self/mem")
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        path = os.path.join(folder, "secret")
        with open(path, "wb") as out:
            out.write(SECRET)
        os.chmod(path, 0)
        if os.getuid() == 0:
            os.chmod(folder, 0o755)
            done = subprocess.run([CLI, "redact", path], capture_output=True, user=65534, group=65534,
                                  extra_groups=[], cwd="/tmp",
                                  env={**cli.environment, "HOME": folder,
                                       "OPLEDGER_REDACT_KEY_FILE": "/tmp/none/redact.key"})
            check(done.returncode in (2, 3) and done.stdout == b"", done)


@plain_case("a file that says it is empty and is not, as those of /proc, is read all the same")
def _():
    ran = cli.exits(0, "redact", "/proc/self/status")
    check("VmRSS" in ran.out and "Threads" in ran.out, ran)


@plain_case("rules that do not load, are of another kind, or do not pass their own examples: nothing released")
def _():
    for text in (b"", b"\xff", b"rules: [", b"v: 1\nname: x\nrules: []\nrules: []\n",
                 open(os.path.join(o.SOURCE_DIR, "policies", "gate", "slurm-config.yaml"), "rb").read()):
        nothing((1, 2, 4), "--policy", file("rules.yaml", text), TRACE)
    nothing(2, "--policy", "/absent.yaml", TRACE)
    nothing(2, "--learn", "/absent", TRACE)
    nothing(2, "--policy", os.path.join(o.SOURCE_DIR, "policies", "redact"), "--record", "inc-1",
            *HOSTED, TRACE, said="--policy")


@plain_case("a key file that others can read, or that is none: nothing released")
def _():
    path = file("open.key", secrets.token_bytes(32))
    os.chmod(path, 0o644)
    nothing((2, 3, 4), TRACE, env={"OPLEDGER_REDACT_KEY_FILE": path})
    path = file("short.key", b"x")
    os.chmod(path, 0o600)
    nothing((2, 3, 4), TRACE, env={"OPLEDGER_REDACT_KEY_FILE": path})


@case("a full disk for the temporary files: exit 3, nothing released")
def _():
    nothing(3, TRACE, env={"TMPDIR": "/nowhere/at/all"})
    folder = tempfile.mkdtemp(prefix="opl-", dir="/tmp")
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "opl", folder],
                          capture_output=True)
    try:
        if done.returncode == 0:
            nothing(3, TRACE, env={"TMPDIR": folder}, said="space")
            nothing(3, env={"TMPDIR": folder}, stdin=b"x" * 300000, said="space")
    finally:
        if done.returncode == 0:
            subprocess.run(["umount", folder], check=True)
        os.rmdir(folder)


@plain_case("--record without its ledger, on an incident that is not there, with a token that is none: nothing released")
def _():
    recorded = ["--record", "inc-1", *HOSTED, TRACE]
    nothing(3, *recorded, env={"OPLEDGER_URL": "http://127.0.0.1:1"})
    nothing(3, *recorded, env={"OPLEDGER_TOKEN": "opl_" + "0" * 64})
    nothing(2, "--record", "inc-77", *HOSTED, TRACE)
    nothing(2, "--record", "chg-1", *HOSTED, TRACE)


@plain_case("a manifest or map that cannot be written: nothing released, nothing recorded")
def _():
    nothing((2, 3), "--manifest", "/nowhere/at/all/f", TRACE)
    nothing((2, 3), "--map", "/nowhere/at/all/f", "--record", "inc-1", *HOSTED, TRACE)


@plain_case("killed, or its reader gone, before the output has verified: nothing was released")
def _():
    data = open(TRACE, "rb").read()
    for number in (signal.SIGKILL, signal.SIGTERM):
        process = subprocess.Popen([CLI, "redact"], env=cli.environment, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        process.stdin.write(data[:len(data) // 2])
        process.stdin.flush()
        process.send_signal(number)
        out, _ = process.communicate(timeout=30)
        same((out, process.returncode != 0), (b"", True))


@case("the service's own pass: an output that holds a secret is not recorded as sent")
def _():
    cli.exits(0, "redact", "--record", "inc-1", *HOSTED, file("plain", b"nothing\n"))
    _, manifest = client.put_blob(b"{}")
    for secret in (SECRET, b'x = "' + SECRET + b'"'):
        _, sent = client.put_blob(b"a line\n" + secret + b"\n" + secrets.token_hex(4).encode())
        body = {"destination": "openai-api", "model": {"provider": "openai", "name": "gpt-5"},
                "rules": rules_digest(), "sent_sha256": sent, "manifest_sha256": manifest, "bytes": 5,
                "hits": {}, "unscannable": 0, "outcome": "sent"}
        for outcome in ("sent", "refused", "failed"):  # the last two would make raw evidence readable
            with Unchanged(client):
                reply = client.write("egress.recorded", {**body, "outcome": outcome}, on="inc-1")
                same((reply.status, reply.json["field"]), (422, "/body/sent_sha256"), reply)
                check(SECRET not in reply.body, reply)


def rules_digest():
    last = [json.loads(e) for e in client.entries()]
    return next(e["body"]["rules"] for e in reversed(last) if e["kind"] == "egress.recorded")


# ---- what comes in ----

@case("nothing, one byte, NULs, random bytes: an output that is released whole, or nothing at all")
def _():
    for data in some((b"", b"\0", secrets.token_bytes(200000), b"x", b"\0" * 100000, b"\xff" * 5000,
                      b"\r\n" * 5000 + bytes(range(256)) * 40)):
        for words in ([], [file("in", data)]):
            ran = cli.run("redact", *words, stdin=b"" if words else data, binary=True)
            check(ran.status == 0 or not ran.out, words, data[:20], ran)
            check(ran.status in (0, 1, 3, 4), data[:20], ran)
            if not data:
                same((ran.status, ran.out), (0, b""), ran)


@case("compressed and UTF-16 input: exit 1, nothing released, and the way to make text of it")
def _():
    text = b"password=hunter22\n" * 9
    nothing(1, file("in.gz", gzip.compress(text)), said="zcat")
    nothing(1, file("in.xz", lzma.compress(text)), said="xzcat")
    nothing(1, file("in.bz2", bz2.compress(text)), said="bzcat")
    nothing(1, file("in.txt", text.decode().encode("utf-16")), said="iconv")
    nothing(1, file("in.txt", text.decode().encode("utf-16-le")), said="iconv")
    nothing(1, CLI, said="ELF")


@plain_case("a secret in binary garbage, in a line of NULs, cut by a carriage return, at either end is gone")
def _():
    noise = secrets.token_bytes(3000)
    for data in some((noise + b"\n" + SECRET + b"\n" + noise, b"\0" * 999 + SECRET + b"\0" * 999, SECRET,
                      b"a\r" + SECRET + b"\rb", b"\xef\xbb\xbf" + SECRET + b"\xff\xfe")):
        ran = cli.run("redact", stdin=data, binary=True)
        check(SECRET not in ran.out, data[:30])
        check(ran.status == 0 or not ran.out, ran)


def peak(path, size):
    """Runs redact over a file; its peak memory in MiB, its output's size."""
    out = os.path.join(cli.home, "out")
    with open(path, "rb") as source, open(out, "wb") as sink:
        process = subprocess.Popen([CLI, "redact"], stdin=source, stdout=sink, stderr=subprocess.PIPE,
                                   env=cli.environment, preexec_fn=lambda: resource.setrlimit(
                                       resource.RLIMIT_CORE, (0, 0)))
        err = process.stderr.read().decode(errors="replace")
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    check(not SANITIZED.search(err), err)
    check(process.returncode == 0 or os.path.getsize(out) == 0, process.returncode, err)
    return usage.ru_maxrss / 1024, os.path.getsize(out), process.returncode


@case("a line of 200 MB without an end is done in 96 MiB of memory")
def _():
    size = (8 if SLOW else 200) << 20
    path = os.path.join(cli.home, "long")
    piece = (b"word " * 3000 + b'"' + SECRET + b'" ')
    with open(path, "wb") as out:
        for _ in range(size // len(piece) + 1):
            out.write(piece)
    try:
        memory, left, status = peak(path, size)
        check(SLOW or memory <= 96, f"{memory} MiB")
        with open(os.path.join(cli.home, "out"), "rb") as result:
            before = b""
            while data := result.read(1 << 20):
                check(SECRET not in before[-64:] + data, "the secret came through")
                before = data
        print(f"    ({memory:.0f} MiB, {size} bytes in, {left} out, exit {status})")
    finally:
        os.unlink(path)
        os.unlink(os.path.join(cli.home, "out"))


# ---- the sample ----

def encodings(secret):
    """What a reader of the output could turn back."""
    yield secret
    for shift in range(3):
        coded = base64.b64encode(b"\0" * shift + secret)
        inner = coded[4 if shift else 0:].rstrip(b"=")[:-1]
        yield inner
        yield inner.replace(b"+", b"-").replace(b"/", b"_")
    yield secret.hex().encode()
    yield secret.hex().upper().encode()
    yield "".join(f"\\x{byte:02x}" for byte in secret).encode()
    yield "".join(f"\\{byte:o}" for byte in secret).encode()
    yield "".join(f"\\u{byte:04x}" for byte in secret).encode()
    yield urllib.parse.quote(secret, safe="").encode()
    yield "".join(f"%{byte:02X}" for byte in secret).encode()
    yield json.dumps(secret.decode("latin-1"))[1:-1].encode()
    yield secret[::-1]
    yield b" ".join(b"%02x" % byte for byte in secret)
    yield secret.decode("latin-1").encode("utf-16-le")


@case("no secret of the sample is in its output, in any encoding, from a file, from a pipe, or recorded")
def _():
    with open(os.path.join(SAMPLES, "secrets.txt"), "rb") as listed:
        known = [line for line in listed.read().split(b"\n") if line]
    check(len(known) >= 5, known)
    data = open(TRACE, "rb").read()
    check(sum(secret in data for secret in known) >= 3, "the sample holds no secret")
    outputs = [] if SLOW else [cli.run("redact", TRACE, binary=True), cli.run("redact", stdin=data, binary=True)]
    outputs.append(cli.run("redact", "--record", "inc-1", *HOSTED, TRACE, binary=True))
    for ran in outputs:
        same(ran.status, 0, ran.err)
        check(len(ran.out) > len(data) // 10, len(ran.out))
        for secret in known:
            for form in encodings(secret):
                check(len(form) < 8 or form not in ran.out, secret[:4], form[:12])
                check(len(form) < 8 or form not in ran.err.encode(errors="surrogateescape"))
    manifest = os.path.join(cli.home, "manifest")
    cli.exits(0, "redact", "--manifest", manifest, TRACE)
    for secret in known:
        check(secret not in open(manifest, "rb").read(), "a value in the manifest")


@plain_case("what was recorded is what was released, and its account names the same digest")
def _():
    ran = cli.run("redact", "--record", "inc-1", *HOSTED, TRACE, binary=True)
    entry = [json.loads(e) for e in client.entries()][-1]
    same(entry["kind"], "egress.recorded")
    same(client.get("/v1/blobs/" + entry["body"]["sent_sha256"]).body, ran.out)


@plain_case("the same file gives the same output, twice, and a second pass changes nothing")
def _():
    once = cli.run("redact", TRACE, binary=True)
    same(cli.run("redact", TRACE, binary=True).out, once.out)
    again = cli.run("redact", stdin=once.out, binary=True)
    same((again.status, again.out == once.out), (0, True))


server = serve()
client = server.client()
client.write("incident.opened", {"title": "saves warn", "severity": "high"})
cli = Cli(server, server.token)
sys.exit(run(server))
