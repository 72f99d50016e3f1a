#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Who may: every route of the table with every kind of bad, narrow or missing token."""
import os
import secrets
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["SOURCE_DIR"], "tests", "support"))
import opledgerd as o  # noqa: E402


def setUpModule():
    global server, client, people, routes
    server = o.Opledgerd()
    client = server.client()
    people = o.People(server)
    routes = []
    for path, methods in client.get("/openapi.json").json["paths"].items():
        for method, what in methods.items():
            real = path.replace("{seq}", "0").replace("{sha256}", "0" * 64)
            real = real.replace("{id}", "chg-1").replace("{slug}", "malformed")
            real = real.replace("{path}", "entries/000.p/1")
            routes.append((method.upper(), real, what))


def tearDownModule():
    server.close()


class Access(unittest.TestCase):
    def call(self, method, path, token):
        body = b"{}" if method == "POST" else (b"x" if method == "PUT" else None)
        headers = {"Content-Type": o.JSON, "Idempotency-Key": secrets.token_hex(8)}
        return client.request(method, path, body, headers, token)

    def closed(self):
        # /metrics is open to clients on loopback, as these are
        return [r for r in routes if "x-roles" in r[2] and r[1] != "/metrics"]

    def test_the_table_is_not_empty(self):
        self.assertGreater(len(self.closed()), 20)

    def test_nobody_is_refused_everywhere_but_on_public_paths(self):
        for method, path, what in self.closed():
            reply = self.call(method, path, None)
            self.assertEqual(reply.status, 401, (method, path, reply))
            self.assertIn("WWW-Authenticate", reply.headers)

    def test_bad_tokens_are_refused_everywhere(self):
        for token in ("opl_" + "0" * 64, "opl_zz", "x", server.token[:-1], server.token + "0"):
            for method, path, what in self.closed():
                self.assertEqual(self.call(method, path, token).status, 401, (method, path))

    def test_public_paths_need_no_token(self):
        public = [r for r in routes if "x-roles" not in r[2] and r[0] == "GET"]
        self.assertEqual({r[1] for r in public}, {"/v1/keys", "/checkpoint", "/healthz", "/readyz",
                                                  "/problems/malformed", "/openapi.json"})
        for method, path, what in public:
            self.assertEqual(self.call(method, path, None).status, 200, path)

    def test_a_reader_cannot_write(self):
        token = people.service_token("only-reads", ["reader"])
        for method, path, what in self.closed():
            if what["x-roles"] == "reader":
                self.assertNotIn(self.call(method, path, token).status, (401, 403), path)
            else:
                self.assertEqual(self.call(method, path, token).status, 403, (method, path))

    def test_a_scope_narrows_the_roles(self):
        token = people.service_token("svc-narrow", ["recorder", "gate"], scope=["reader"])
        reply = client.write("incident.opened", {"title": "t", "severity": "low"}, token=token)
        self.assertEqual(reply.status, 403, reply)

    def test_an_expired_token_is_refused(self):
        import time
        people.enroll("svc-short", ["reader"], "service", owner="admin")
        token = people.token_for("svc-short", ["reader"], o.stamp(time.time() + 1.5))
        self.assertEqual(self.call("GET", "/v1/whoami", token).status, 200)
        time.sleep(1.7)
        reply = self.call("GET", "/v1/whoami", token)
        self.assertEqual(reply.status, 401)
        self.assertIn("expired", reply.json["detail"])

    def test_a_revoked_token_is_refused(self):
        people.enroll("svc-gone", ["reader"], "service", owner="admin")
        made = client.post("/v1/tokens", {"principal": "svc-gone", "scope": ["reader"],
                                          "expires": "2030-01-01T00:00:00Z"}).json
        self.assertEqual(self.call("GET", "/v1/whoami", made["token"]).status, 200)
        client.write("token.revoked", {"token_id": made["token_id"], "reason": "lost"})
        reply = self.call("GET", "/v1/whoami", made["token"])
        self.assertEqual(reply.status, 401)
        self.assertIn("revoked", reply.json["detail"])

    def test_a_revoked_principal_is_refused(self):
        token = people.service_token("svc-out", ["reader"])
        client.write("principal.revoked", {"name": "svc-out", "reason": "left"})
        self.assertEqual(self.call("GET", "/v1/whoami", token).status, 401)

    def test_a_token_never_exceeds_the_roles(self):
        people.enroll("svc-small", ["reader"], "service", owner="admin")
        reply = client.post("/v1/tokens", {"principal": "svc-small", "scope": ["recorder"],
                                           "expires": "2030-01-01T00:00:00Z"})
        self.assertGreaterEqual(reply.status, 400, reply)


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="ignore")
