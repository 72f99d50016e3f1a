# SPDX-License-Identifier: Apache-2.0
"""Cases told as sentences, for the end-to-end tests of bad input and faults: each prints one line
`ok - SENTENCE`, and a script fails when one of them does."""
import atexit
import json
import os
import re
import secrets
import subprocess
import sys
import time
import traceback

import opledgerd as o

CLI = os.path.join(o.BINARY_DIR, "bin", "opledger")
SANITIZED = re.compile(r"(Address|Leak|UndefinedBehavior)Sanitizer|runtime error:")
FAR = "2030-01-01T00:00:00Z"

_cases = []


def case(sentence):
    """Registers a function as the case of this sentence."""
    def register(function):
        _cases.append((sentence, function))
        return function
    return register


SLOW = re.search("[at]san", o.BINARY_DIR) is not None


def plain_case(sentence):
    """The same, left out where every run of a program takes seconds: other cases take its way."""
    return (lambda function: function) if SLOW else case(sentence)


def check(true, *what):
    if not true:
        raise AssertionError(*what)


def same(seen, wanted, *what):
    check(seen == wanted, f"{seen!r} is not {wanted!r}", *what)


def run(*servers):
    """Runs every case, then ends the servers, which must stop well; the script's exit status."""
    failed, only = 0, sys.argv[1:]
    for sentence, function in _cases:
        if only and not any(word in sentence for word in only):
            continue
        began = time.monotonic()
        try:
            function()
        except Exception:  # noqa: BLE001 - whatever it is, the next case is run all the same
            failed += 1
            print(f"not ok - {sentence}")
            print("    " + traceback.format_exc().replace("\n", "\n    "))
        else:
            slow = time.monotonic() - began
            print(f"ok - {sentence}" + (f" ({slow:.1f} s)" if slow > 2 else ""))
        sys.stdout.flush()
    for server in servers:
        failed += not ended_well(server)
    return 1 if failed else 0


def ended_well(server):
    """Stops a server: exit 0, no leak, no error of a sanitizer."""
    status = server.stop() if server.process.poll() is None else server.process.returncode
    with open(server.log_path, errors="replace") as file:
        bad = [line for line in file if SANITIZED.search(line)]
    good = status == 0 and not bad
    print(("ok" if good else "not ok") + f" - the server stops with exit 0 and no complaint ({status})")
    for line in bad[:20]:
        print("    " + line.rstrip())
    if not good:
        with open(server.log_path, errors="replace") as file:
            print("    " + "    ".join(file.readlines()[-60:]))
    server.close()
    return good


def serve(*options, **more):
    """A server that ends with the script, however that ends."""
    server = o.Opledgerd(*options, **more)
    atexit.register(server.close)
    return server


# ---- HTTP ----

def refused(client, reply, status, slug, field=None, hint=None):
    """A problem document as the contract has it; returns it."""
    same(reply.status, status, reply)
    same(reply.headers["Content-Type"], "application/problem+json")
    problem = reply.json
    same(problem["type"], "/problems/" + slug, reply)
    same(problem["status"], status)
    check(problem["title"] and problem["detail"] and problem["request_id"], reply)
    if field is not None:
        same(problem.get("field"), field, reply)
    if hint is not None:
        check(hint in problem.get("hint", ""), "no such hint", hint, reply)
    return problem


class Unchanged:
    """`with Unchanged(client):` the log is the same afterwards, to the byte of its checkpoint."""

    def __init__(self, client):
        self.client = client

    def __enter__(self):
        self.before = self.client.get("/checkpoint").body

    def __exit__(self, kind, *rest):
        if kind is None:
            same(self.client.get("/checkpoint").body, self.before, "the log has changed")


# ---- the command line ----

class Ran:
    def __init__(self, words, status, out, err):
        self.words, self.status, self.out, self.err = words, status, out, err

    def __repr__(self):
        return f"{self.words} -> exit {self.status}\n--- stdout\n{self.out[:3000]}\n--- stderr\n{self.err[:3000]}"


class Cli:
    """opledger with a memory of its own, as one person uses it."""

    def __init__(self, server, token=None, folder=None, **environment):
        self.home = folder or os.path.join(server.data, "home-" + secrets.token_hex(4))
        os.makedirs(self.home, exist_ok=True)
        keep = {k: v for k, v in os.environ.items()
                if not k.startswith("OPLEDGER_") and k not in ("EDITOR", "VISUAL")}
        self.environment = {**keep, "HOME": self.home, "XDG_STATE_HOME": self.home + "/state",
                            "XDG_CONFIG_HOME": self.home + "/config", "NO_COLOR": "1",
                            "OPLEDGER_URL": server.url, "OPLEDGER_TIMEOUT": "60s",
                            "OPLEDGER_REDACT_KEY_FILE": self.home + "/redact.key"}
        if token:
            self.environment["OPLEDGER_TOKEN"] = token
        self.environment.update(environment)

    def run(self, *words, stdin=b"", timeout=120, env=None, binary=False):
        stdin = stdin.encode() if isinstance(stdin, str) else stdin
        done = subprocess.run([CLI, *words], input=stdin, capture_output=True, timeout=timeout,
                              env={**self.environment, **(env or {})}, cwd=self.home)
        err = done.stderr.decode(errors="surrogateescape")
        out = done.stdout if binary else done.stdout.decode(errors="surrogateescape")
        ran = Ran(words, done.returncode, out, err)
        check(done.returncode >= 0 and not SANITIZED.search(err), ran)
        return ran

    def exits(self, status, *words, **options):
        ran = self.run(*words, **options)
        same(ran.status, status, ran)
        return ran

    def json(self, *words, status=0, **options):
        """The one document on stdout."""
        ran = self.exits(status, *words, "--json", **options)
        try:
            return json.loads(ran.out)
        except ValueError:
            raise AssertionError("not one JSON document", ran) from None
