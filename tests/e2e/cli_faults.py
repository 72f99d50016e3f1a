#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command line when it is mistyped, when the ledger is absent, breaks off, hangs, answers
nonsense or is another one: the exit status is never 0, and with --json there is one document."""
import http.server
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.environ["SOURCE_DIR"], "tests", "support"))
import opledgerd as o  # noqa: E402
from cases import CLI, SANITIZED, Cli, case, check, plain_case, run, same, serve  # noqa: E402
from incident import Site, ok  # noqa: E402

LOCAL = {"redact", "policy lint", "completion", "help", "version"}
MISTYPED = [
    (), ("incidnet", "list"), ("incident",), ("incident", "lsit"), ("incident", "list", "x"),
    ("incident", "list", "--staus", "open"), ("incident", "list", "--stat", "open"),
    ("incident", "list", "--limit"), ("incident", "list", "--limit="), ("incident", "list", "-x"),
    ("incident", "list", "--limit", "many"), ("incident", "list", "--limit", "0"),
    ("incident", "list", "--limit", "-1"), ("incident", "list", "--limit", "1001x"),
    ("incident", "list", "--since", "yesterday"), ("incident", "list", "--json=yes"),
    ("incident", "show"), ("incident", "show", ""), ("incident", "show", "inc-"),
    ("incident", "show", "inc-01"), ("incident", "show", "hyp-1"), ("incident", "show", "inc-1", "x"),
    ("incident", "show", "../../checkpoint"), ("incident", "show", "inc-1/../hyp-1"),
    ("incident", "show", "inc-1%2f"), ("incident", "show", "inc-1?x=1"), ("incident", "show", "inc-1 "),
    ("incident", "open", "--title", "t", "--severity", "worst"), ("incident", "close", "inc-1"),
    ("incident", "close", "inc-1", "--outcome", "maybe"), ("incident", "open", "--title", ""),
    ("incident", "note", "inc-1", "text", "--corrects", "1.5"),
    ("incident", "note", "inc-1", "text", "--corrects", "99999999999999999999"),
    ("hypothesis", "record", "inc-1", "--claim", "c", "--prompt-sha256", "00" * 32),
    ("hypothesis", "record", "inc-1", "--claim", "c", "-m", "nomodel", "--prompt-sha256", "00" * 32),
    ("hypothesis", "record", "inc-1", "--claim", "c", "-m", "a/b", "--prompt-sha256", "xyz"),
    ("hypothesis", "record", "inc-1", "--claim", "c", "-m", "a/b", "--prompt-file", "/absent"),
    ("hypothesis", "record", "inc-1", "--claim", "c", "-m", "a/b"),
    ("evidence", "attach", "inc-1", "/absent"), ("evidence", "attach", "inc-1", "/tmp"),
    ("evidence", "get", "xyz"), ("evidence", "get", "AB" * 32),
    ("gate",), ("gate", "chekc", "chg-1"), ("gate", "check"), ("gate", "check", "chg-x"),
    ("gate", "check", "inc-1"), ("gate", "check", "chg-1", "chg-2"), ("gate", "check", "--", "chg"),
    ("gate", "check", "chg-1", "--no-overide"), ("gate", "apply", "chg-1", "--unpined"),
    ("gate", "apply"), ("gate", "apply", "chg-1", "--gate-conf", "/absent"),
    ("approval", "sign", "chg-1"), ("approval", "sign", "chg-1", "--role"),
    ("approval", "revoke", "chg-1", "x"), ("confirm", "hyp-1"), ("confirm", "hyp-1", "-1"),
    ("redact", "--destination", "openai-api", "--record", "inc-1", "/etc/hostname"),
    ("redact", "/absent"), ("redact", "/tmp"), ("redact", "--format", "xml", "/etc/hostname"),
    ("redact", "--polcy", "x"), ("redact", "--policy", "/absent", "/etc/hostname"),
    ("token", "create", "svc", "--scope", "reader"), ("token", "create", "--expires", "1d"),
    ("principal", "add", "x"), ("principal", "key"), ("principal", "key", "ad"),
    ("policy", "adopt"), ("completion", "tcsh"),
    ("help", "nonsense"), ("--nonsense",), ("--url",), ("--json",), ("--url", "x", "incident", "list"),
    ("--url", "ftp://127.0.0.1/", "incident", "list"), ("--url", "file:///etc/passwd", "whoami"),
    ("log", "verifi"), ("change", "propose", "inc-1", "--title", "t"),
    ("change", "finish", "chg-1", "--outcome", "perhaps"), ("logn",),
]


def commands():
    """Every command, from the overview that people read."""
    for line in cli.exits(0, "--help").out.split("\n"):
        found = re.match(r"  (\w+) +(.*)", line)
        if not found:
            continue
        verbs = found.group(2)
        if verbs[0].isupper():
            yield (found.group(1),)
        else:
            yield from ((found.group(1), *verb.split()) for verb in verbs.split(" | "))


@case("exit 2, a message and nothing on stdout: whatever is mistyped or missing")
def _():
    for words in MISTYPED:
        ran = cli.run(*words)
        same(ran.status, 2, ran)
        same(ran.out, "", ran)
        check(ran.err.startswith(("opledger: ", "usage: ")), ran)


@plain_case("exit 2 for an option that no command has, command by command")
def _():
    seen = list(commands())
    check(len(seen) > 35, len(seen))
    for command in seen:
        ran = cli.exits(2, *command, "--nonsense")
        check("nonsense" in ran.err, ran)


@case("a mistyped word is answered with the word that was meant")
def _():
    for words, hint in ((("incidnet", "list"), "incident"), (("incident", "lsit"), "list"),
                        (("incident", "list", "--staus", "x"), "status"),
                        (("gate", "chekc", "chg-1"), "check")):
        ran = cli.exits(2, *words)
        check(f"did you mean" in ran.err and hint in ran.err.split("did you mean")[1], ran)


@plain_case("with --json a mistyped command is one problem document on stdout")
def _():
    for words in MISTYPED:
        ran = cli.run("--json", *words)
        same(ran.status, 2, ran)
        if ran.out:
            problem = json.loads(ran.out)
            check(problem["type"].startswith("/problems/") and problem["detail"], ran)
        else:  # a noun alone, or nothing at all, is answered with the usage
            check("usage" in ran.err, ran)


# ---- no ledger ----

EXAMPLES = {
    ("incident", "open"): ["--title", "t"], ("incident", "note"): ["inc-1", "t"],
    ("incident", "close"): ["inc-1", "--outcome", "resolved"], ("incident", "show"): ["inc-1"],
    ("incident", "reopen"): ["inc-1", "--text", "t"], ("incident", "list"): [],
    ("hyp",): ["inc-1", "t", "-m", "a/b"],
    ("hypothesis", "record"): ["inc-1", "--claim", "c", "-m", "a/b", "--prompt-unavailable", "r"],
    ("hypothesis", "show"): ["hyp-1"], ("hypothesis", "list"): [], ("hypothesis", "stats"): [],
    ("hypothesis", "close"): ["hyp-1", "--how", "withdrawn", "--reason", "r"],
    ("evidence", "attach"): ["inc-1", "/etc/hostname"],
    ("evidence", "get"): ["00" * 32, "-o", "bytes"],
    ("evidence", "list"): ["inc-1"],
    ("vendor", "update"): ["hyp-1", "--vendor", "v", "--state", "asked"],
    ("change", "show"): ["chg-1"], ("change", "list"): [],
    ("gate", "check"): ["chg-1"], ("gate", "explain"): ["chg-1"],
    ("gate", "apply"): ["chg-1", "--unpinned"],
    ("approval", "list"): ["chg-1"], ("approval", "sign"): ["chg-1", "--role", "slurm"],
    ("egress", "list"): [], ("egress", "show"): ["egr-1"], ("log", "checkpoint"): [],
    ("principal", "list"): [], ("principal", "close-bootstrap"): [], ("whoami",): [],
    ("token", "revoke"): ["0000", "--reason", "r"],
}


def try_each(status, *said, env=None, only=None):
    """Every example ends like this, in words, and as one document."""
    for command, words in EXAMPLES.items():
        if only and command not in only:
            continue
        ran = cli.run(*command, *words, env=env)
        same(ran.status, status, ran)
        check(all(word in ran.err for word in said), said, ran)
        as_json = cli.run(*command, *words, "--json", env=env)
        same(as_json.status, status, as_json)
        problem = json.loads(as_json.out)
        check(problem["detail"] and problem["type"].startswith("/problems/"), as_json)


@case("server absent: exit 3, and the message says where nobody answers")
def _():
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # bound and not listening: refused
        url = f"http://127.0.0.1:{nobody.getsockname()[1]}"
        try_each(3, "no ledger answers at " + url, "doctor", env={"OPLEDGER_URL": url})
        ran = cli.run("doctor", env={"OPLEDGER_URL": url})
        check(ran.status == 1 and "no ledger answers" in ran.out and "mend:" in ran.out, ran)
    ran = cli.exits(3, "whoami", env={"OPLEDGER_URL": "http://no-such-host.invalid:1"})
    check("no ledger answers" in ran.err, ran)


class Peer:
    """A TCP peer on loopback that reads a request and then does what it was told."""

    def __init__(self, act, read=True):
        self.act, self.read = act, read
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            with connection:
                try:
                    if self.read:
                        connection.recv(65536)
                    self.act(connection)
                except OSError:
                    pass

    def __enter__(self):
        return {"OPLEDGER_URL": self.url, "OPLEDGER_TIMEOUT": "1s"}

    def __exit__(self, *rest):
        self.listener.close()


def replying(text):
    data = text if isinstance(text, bytes) else text.replace("\n", "\r\n").encode()
    return lambda connection: connection.sendall(data)


SOME = {("incident", "open"), ("gate", "check"), ("gate", "apply"), ("log", "checkpoint")}


@case("stopped mid-request: a peer that closes after the request is exit 3, said plainly")
def _():
    with Peer(lambda connection: None) as env:
        try_each(3, "broke off", env=env)


@case("stopped mid-request: a peer that closes at once, or resets")
def _():
    def reset(connection):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    for peer in (Peer(lambda connection: None, read=False), Peer(reset)):
        with peer as env:
            try_each(3, env=env, only=SOME)


@case("stopped mid-answer: half a header, half a body")
def _():
    for text in ("HTTP/1.1 200", "HTTP/1.1 200 OK\nContent-Length: 500\n\n{\"items\":[",
                 "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n500\n{\"items\":["):
        with Peer(replying(text)) as env:
            try_each(3, env=env, only=SOME)


@case("a peer that never answers is given up: exit 3, and whether it was done is said to be unknown")
def _():
    with Peer(lambda connection: time.sleep(5)) as env:
        for words in (("gate", "check", "chg-1"),):
            began = time.monotonic()
            ran = cli.exits(3, *words, env=env)
            check(time.monotonic() - began < 4, "waited too long")
            check("in time" in ran.err and "unknown" in ran.err, ran)


@case("a peer that is no ledger is never a success: HTML, another JSON, a redirect, garbage, an empty 200")
def _():
    for text in ("HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Length: 15\n\n<html>hi</html>",
                 "HTTP/1.1 200 OK\nContent-Length: 2\n\n{}", "HTTP/1.1 200 OK\nContent-Length: 2\n\n[]",
                 "HTTP/1.1 200 OK\nContent-Length: 4\n\nnull", "HTTP/1.1 204 No Content\n\n",
                 "HTTP/1.1 200 OK\nContent-Length: 0\n\n",
                 "HTTP/1.1 200 OK\nContent-Length: 21\n\n{\"outcome\":\"allowed\"}",
                 "HTTP/1.1 302 Found\nLocation: http://127.0.0.1:1/\nContent-Length: 0\n\n",
                 "HTTP/1.1 500 Oops\nContent-Length: 0\n\n", "\0\1\2garbage\n\n", "SSH-2.0-x\n",
                 "HTTP/1.1 407 No\nContent-Length: 0\n\n"):
        with Peer(replying(text)) as env:
            for command in (("gate", "check", "chg-1"), ("gate", "apply", "chg-1", "--unpinned"),
                            ("incident", "open", "--title", "t"), ("log", "checkpoint"),
                            ("approval", "list", "chg-1"), ("whoami",), ("principal", "list"),
                            ("incident", "list"), ("hypothesis", "stats"), ("incident", "show", "inc-1"),
                            ("egress", "list", "--unaccounted")):
                ran = cli.run(*command, "--json", env=env)
                check(ran.status in (3, 4), text, ran)
                check(isinstance(json.loads(ran.out), dict), ran)


@case("a problem from a hostile peer is shown harmless")
def _():
    body = json.dumps({"type": "/problems/forbidden", "title": "t\x1b[31m", "status": 403,
                       "detail": "a\x1b[2J\u202eb\x07\nnext: rm -rf /", "hint": "c\x1b]0;x\x07d"})
    text = f"HTTP/1.1 403 No\nContent-Type: application/problem+json\nContent-Length: {len(body)}\n\n"
    with Peer(replying(text.replace("\n", "\r\n").encode() + body.encode())) as env:
        ran = cli.exits(3, "incident", "list", env=env)
        check(not re.search("[\x00-\x09\x0b-\x1f\x7f\u202e]", ran.err + ran.out), ran)
        check(not any(line.startswith("next:") for line in ran.err.split("\n")), ran)
        ran = cli.exits(3, "incident", "list", "--json", env=env)
        check(ran.out.isascii() and "\x1b" not in ran.out, ran)


# ---- the real one, stopped ----

@case("opledgerd held up: exit 3 in time, and once it goes on all is well")
def _():
    os.kill(server.process.pid, signal.SIGSTOP)
    try:
        for words in (("gate", "check", "chg-1"),):
            ran = cli.exits(3, *words, env={"OPLEDGER_TIMEOUT": "1s"})
            check("in time" in ran.err, ran)
    finally:
        os.kill(server.process.pid, signal.SIGCONT)
    cli.exits(0, "incident", "list")


@case("opledgerd killed mid-request: exit 3; after its restart the same commands succeed")
def _():
    os.kill(server.process.pid, signal.SIGSTOP)
    waiting = [subprocess.Popen([CLI, *words, "--json"], env=cli.environment, cwd=cli.home,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
               for words in (("incident", "list"), ("gate", "check", "chg-1"),
                             ("incident", "note", "inc-1", "text"))]
    time.sleep(1)
    server.kill()
    for process in waiting:
        out, err = process.communicate(timeout=20)
        same(process.returncode, 3, out, err)
        check(json.loads(out)["type"] == "/problems/unavailable", out)
        check(not SANITIZED.search(err.decode()), err)
    server.options = ("--listen", f"127.0.0.1:{server.port}")
    server.start()
    cli.exits(0, "incident", "list")
    cli.exits(1, "gate", "check", "chg-1")
    for tier in ((), ("--deep",)):
        check("(exit 0)" in cli.exits(0, "log", "verify", *tier).out, tier)


# ---- the wrong one ----

def pinned(name="keys"):
    folder = os.path.join(cli.home, "state", "opledger", name)
    return [os.path.join(folder, file) for file in os.listdir(folder)]


@case("a log key that is not the pinned one: exit 4, and nothing is believed")
def _():
    cli.exits(0, "log", "checkpoint")
    path = pinned()[0]
    with open(path) as file:
        good = file.read()
    vkey = o.Client(server.port).get("/v1/keys").json["log_key"]
    foreign = "+".join(["+".join(vkey.split("+")[:1]), "deadbeef", vkey.split("+", 2)[2]])
    for bad in (foreign, good.replace(good.strip()[-6], "A" if good.strip()[-6] != "A" else "B"),
                good.strip()[:-4] + "AAAA\n", "nonsense\n", "", "\0\0\0"):
        with open(path, "w") as file:
            file.write(bad)
        for words in (("log", "checkpoint"), ("gate", "check", "chg-1"),
                      ("incident", "note", "inc-1", "text")):
            ran = cli.run(*words, "--json")
            same(ran.status, 4, bad, ran)
            check(json.loads(ran.out)["detail"], ran)
            same(open(path).read(), bad, "the pinned key was replaced")
    with open(path, "w") as file:
        file.write(good)
    cli.exits(0, "log", "checkpoint")


@case("another ledger at an address that is known: exit 4")
def _():
    other = serve()
    try:
        stranger = Cli(other, other.token, folder=cli.home)
        known = next(p for p in pinned("servers") if p.endswith(str(server.port)))
        shutil.copy(known, known.replace(str(server.port), str(other.port)))
        for words in (("log", "checkpoint"), ("incident", "open", "--title", "t")):
            check("pinned at first contact" in stranger.exits(4, *words).err, words)
    finally:
        same(other.stop(), 0)
        other.close()


@case("a remembered checkpoint that was tampered with: exit 4")
def _():
    path = pinned("checkpoints")[0]
    with open(path) as file:
        good = file.read()
    for bad in (good.replace("\n", "\n9", 1), good[:-10] + "AAAAAAAA\n", "nonsense", ""):
        with open(path, "w") as file:
            file.write(bad)
        ran = cli.run("log", "checkpoint")
        check(ran.status == 4 and "remembered checkpoint" in ran.err, bad, ran)
    with open(path, "w") as file:
        file.write(good)
    cli.exits(0, "log", "checkpoint")


# ---- around the program ----

def shell(text, **options):
    return subprocess.run(["sh", "-c", text], env={**cli.environment, "CLI": CLI}, cwd=cli.home,
                          capture_output=True, timeout=60, **options)


@case("a result that cannot be written is no success: a full disk behind stdout, a closed stdout")
def _():
    for words in ("incident list", "incident list --json", "version", "whoami --json",
                  "completion bash", "help"):
        done = shell(f'"$CLI" {words} > /dev/full')
        check(done.returncode == 3 and b"could not be written" in done.stderr, words, done)
    done = shell('"$CLI" gate check chg-1 > /dev/full')
    same(done.returncode, 1, done)
    done = shell('"$CLI" redact /etc/hostname > /dev/full')
    check(done.returncode == 3 and b"space" in done.stderr, done)


@case("a reader that has read enough: exit 3, and no word about it")
def _():
    done = shell('{ sleep 0.3; "$CLI" completion bash; echo "exit $?" >&2; } | { exec <&-; sleep 1; }')
    same(done.stderr, b"exit 3\n", done)


@case("run: an option without its value is a usage error")
def _():
    run = os.path.join(os.environ["SOURCE_DIR"], "run")
    for words in ("--data", "--data --once", "--data ''", "--listen"):
        done = shell(f"{run} {words}")
        check(done.returncode == 2 and b"needs" in done.stderr, words, done)


@case("a token goes into a file of its own, which only its owner can read")
def _():
    path = os.path.join(cli.home, "a.token")
    done = shell(f'umask 0; "$CLI" token create admin --scope recorder --expires 1h -o {path}')
    check(done.returncode == 0 and b"token " in done.stdout, done)
    same(os.stat(path).st_mode & 0o7777, 0o600)
    with open(path) as file:
        token = file.read().strip()
    check(len(token) > 40 and token.encode() not in done.stdout + done.stderr, done)
    done = shell('"$CLI" token create admin --scope recorder --expires 1h -o /nonexistent/t')
    check(done.returncode == 3 and b"opledger token revoke" in done.stderr, done)
    cli.exits(0, "log", "checkpoint")  # what comes next compares


@case("stdin, stdout and stderr closed: no file of ours is taken for them")
def _():
    before = {path: open(path).read() for path in pinned() + pinned("checkpoints")}
    for closing in (">&-", "2>&-", "<&- >&- 2>&-", "<&-"):
        shell(f'"$CLI" incident list {closing}')
        shell(f'"$CLI" log checkpoint {closing}')
        shell(f'"$CLI" whoami --json {closing}')
    same({path: open(path).read() for path in before}, before)
    cli.exits(0, "log", "checkpoint")


@case("a state folder that others can write to, or that is a file, is refused: exit 2")
def _():
    folder = os.path.join(cli.home, "open-state")
    os.makedirs(folder + "/opledger")
    os.chmod(folder + "/opledger", 0o777)
    ran = cli.exits(2, "incident", "list", env={"XDG_STATE_HOME": folder})
    check("chmod" in ran.err, ran)
    cli.exits(2, "incident", "list", env={"XDG_STATE_HOME": "/etc/hostname"})
    cli.exits(2, "incident", "list", env={"XDG_STATE_HOME": "", "HOME": ""})


@case("a configuration file with a key that does not exist: exit 2, line and key named")
def _():
    os.makedirs(os.path.join(cli.home, "config", "opledger"))
    path = os.path.join(cli.home, "config", "opledger", "config")
    for text, said in (("# mine\nurrl = x\n", "line 2"), ("url\n", "line 1"),
                       ("timeout = soon\n", "timeout, from the file, is soon")):
        with open(path, "w") as file:
            file.write(text)
        ran = cli.exits(2, "version", env={"OPLEDGER_TIMEOUT": ""})
        check(said in ran.err, ran)
    os.unlink(path)


server = serve()
site = Site(server)
cli = Cli(server, server.token, OPLEDGER_SSH_KEY=site.keys["ben"])
confirmed = site.hypothesis(site.incident())
site.change(confirmed)
sys.exit(run(server))
