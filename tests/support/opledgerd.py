# SPDX-License-Identifier: Apache-2.0
"""A real opledgerd for tests written in Python: started on a free port over a folder of its own,
ended by its process id. Standard library only."""
import base64
import hashlib
import http.client
import json
import os
import re
import secrets
import shutil
import signal
import subprocess
import tempfile
import time

BINARY_DIR = os.environ.get("BINARY_DIR", "build/dev")
SOURCE_DIR = os.environ.get("SOURCE_DIR", ".")
PROGRAM = os.path.join(BINARY_DIR, "bin", "opledgerd")
JSON = "application/json"
NDJSON = "application/x-ndjson"


class Reply:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return f"<{self.status} {self.body[:400]!r}>"


class Client:
    """One keep-alive connection."""

    def __init__(self, port, token=None, timeout=60):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
        self.token = token

    def request(self, method, path, body=None, headers=None, token=...):
        sent = dict(headers or {})
        token = self.token if token is ... else token
        if token:
            sent["Authorization"] = f"Bearer {token}"
        self.connection.request(method, path, body=body, headers=sent)
        reply = self.connection.getresponse()
        return Reply(reply.status, reply.headers, reply.read())

    def get(self, path, **options):
        return self.request("GET", path, **options)

    def post(self, path, value, token=..., headers=None):
        sent = {"Content-Type": JSON, **(headers or {})}
        return self.request("POST", path, json.dumps(value), sent, token)

    def write(self, kind, body, on=None, key=None, token=..., **more):
        """POST /v1/entries of one entry."""
        entry = {"kind": kind, "body": body, **more}
        if on:
            entry["on"] = on
        return self.write_raw(json.dumps(entry).encode(), key, token=token)

    def write_raw(self, data, key=None, media=JSON, token=...):
        headers = {"Content-Type": media, "Idempotency-Key": key or secrets.token_hex(8)}
        return self.request("POST", "/v1/entries", data, headers, token)

    def put_blob(self, data, token=...):
        sha256 = hashlib.sha256(data).hexdigest()
        return self.request("PUT", f"/v1/blobs/{sha256}", data, token=token), sha256

    def entries(self, size=None):
        """The canonical bytes of all entries, or of the first `size`."""
        found, at = [], 0
        while at is not None:
            page = self.get(f"/v1/entries?from={at}&limit=1000").json
            found += [item["entry"].encode() for item in page["items"]]
            at = page["next"]
        return found[:size]

    def size(self):
        return int(self.get("/checkpoint").body.split(b"\n")[1])

    def head(self):
        """The newest checkpoint as Statements name it."""
        note = self.get("/checkpoint").body.decode().split("\n")
        root = base64.b64decode(note[2]).hex()
        return {"origin": note[0], "size": int(note[1]), "root": "sha256:" + root}

    def close(self):
        self.connection.close()


class Opledgerd:
    def __init__(self, *options, data=None, wait=True, log=None):
        self.own = data is None
        self.data = data or tempfile.mkdtemp(prefix="opl-", dir="/tmp")
        self.options = options
        self.process = None
        self.log_path = log or os.path.join(self.data, "test.log")
        if wait:
            self.start()

    def start(self, timeout=60):
        log = open(self.log_path, "ab")
        begin = log.tell()
        self.process = subprocess.Popen(
            [PROGRAM, "--data", self.data, "--listen", "127.0.0.1:0", *self.options],
            stdout=log, stderr=log)
        log.close()
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            with open(self.log_path, "rb") as file:
                file.seek(begin)
                text = file.read().decode(errors="replace")
            ready = re.search(r"ready url=http://127\.0\.0\.1:(\d+)", text)
            if ready:
                self.port = int(ready.group(1))
                return self
            if self.process.poll() is not None:
                raise RuntimeError(f"opledgerd ended ({self.process.returncode}):\n{text}")
            time.sleep(0.05)
        raise RuntimeError(f"opledgerd is not ready:\n{text}")

    @property
    def token(self):
        with open(os.path.join(self.data, "admin.token")) as file:
            return file.read().strip()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def client(self, token=..., timeout=60):
        return Client(self.port, self.token if token is ... else token, timeout)

    def stop(self, number=signal.SIGTERM, timeout=90):
        """The exit status."""
        self.process.send_signal(number)
        return self.process.wait(timeout)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def postmaster(self):
        with open(os.path.join(self.data, "postgres", "postmaster.pid")) as file:
            return int(file.readline())

    def close(self):
        if self.process and self.process.poll() is None:
            self.stop()
        try:  # a cluster that a killed opledgerd left running
            os.kill(self.postmaster(), signal.SIGQUIT)
            time.sleep(0.5)
        except (OSError, ValueError):
            pass
        if self.own and "OPL_KEEP" not in os.environ:
            shutil.rmtree(self.data, ignore_errors=True)


class People:
    """Principals with real SSH keys."""

    def __init__(self, server):
        self.server = server
        self.folder = os.path.join(server.data, "keys")
        os.makedirs(self.folder, exist_ok=True)
        self.admin = server.client()

    def enroll(self, name, roles, klass="person", **more):
        body = {"name": name, "class": klass, "roles": roles, **more}
        reply = self.admin.write("principal.enrolled", body)
        assert reply.status == 201, reply
        return reply

    def key(self, name):
        """Makes and enrols an ed25519 key; its path."""
        path = os.path.join(self.folder, secrets.token_hex(4))
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", path],
                       check=True)
        with open(path + ".pub") as file:
            line = " ".join(file.read().split()[:2])
        body = {"principal": name, "public_key": line, "hardware": "no"}
        reply = self.admin.write("key.added", body)
        assert reply.status == 201, reply
        return path

    def service_token(self, name, roles, scope=None, **more):
        """Enrols a service (or what `klass` says) owned by admin; its token."""
        more.setdefault("klass", "service")
        more.setdefault("owner", "admin")
        self.enroll(name, roles, **more)
        return self.token_for(name, scope or roles)

    def token_for(self, name, scope, expires="2030-01-01T00:00:00Z"):
        reply = self.admin.post("/v1/tokens",
                                {"principal": name, "scope": scope, "expires": expires})
        assert reply.status == 201, reply
        return reply.json["token"]

    def head(self):
        return self.admin.head()

    def statement(self, kind, about, signer, head=None, life=300, **more):
        now = time.time()
        value = {"about": about, "expires": stamp(now + life), "issued": stamp(now),
                 "log": head or self.head(), "nonce": secrets.token_hex(16), "signer": signer,
                 "type": f"opledger/{kind}", "v": 1, **more}
        return canonical(value)

    def sign(self, text, namespace, key):
        """base64 of the signature over text and a line feed, as ssh-keygen makes it."""
        made = subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-n", namespace, "-f", key],
                              input=(text + "\n").encode(), capture_output=True, check=True)
        return "".join(made.stdout.decode().split("\n")[1:-2])

    def login_reply(self, name, key, ttl="1h", url=None, **more):
        challenge = Client(self.server.port).post("/v1/login/challenge", {}).json["challenge"]
        about = {"challenge": challenge, "ttl": ttl, "url": url or self.server.url}
        text = self.statement("login", about, name, **more)
        signed = {"statement": text, "sshsig": self.sign(text, "login@opledger", key)}
        return Client(self.server.port).post("/v1/login", signed), signed

    def login(self, name, key):
        reply, _ = self.login_reply(name, key)
        assert reply.status == 201, reply
        return self.server.client(token=reply.json["token"])


def stamp(seconds):
    whole = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
    return f"{whole}.{int(seconds % 1 * 1e6):06d}Z"


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


# ---- RFC 6962 by its recursive definitions, independent of the product ----

def leaf_hash(entry):
    return hashlib.sha256(b"\0" + entry).digest()


def node_hash(left, right):
    return hashlib.sha256(b"\1" + left + right).digest()


def split(n):
    k = 1
    while k * 2 < n:
        k *= 2
    return k


def tree_root(leaves):
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    k = split(len(leaves))
    return node_hash(tree_root(leaves[:k]), tree_root(leaves[k:]))


def inclusion(leaves, m):
    if len(leaves) == 1:
        return []
    k = split(len(leaves))
    if m < k:
        return inclusion(leaves[:k], m) + [tree_root(leaves[k:])]
    return inclusion(leaves[k:], m - k) + [tree_root(leaves[:k])]


def consistency(leaves, m, complete=True):
    n = len(leaves)
    if m == n:
        return [] if complete else [tree_root(leaves)]
    k = split(n)
    if m <= k:
        return consistency(leaves[:k], m, complete) + [tree_root(leaves[k:])]
    return consistency(leaves[k:], m - k, False) + [tree_root(leaves[:k])]
