#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What HTTP asks for: methods, media types, sizes, queries, problems and their pages."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["SOURCE_DIR"], "tests", "support"))
import opledgerd as o  # noqa: E402


def setUpModule():
    global server, client
    server = o.Opledgerd()
    client = server.client()


def tearDownModule():
    server.close()


class Forms(unittest.TestCase):
    def test_unknown_paths(self):
        for path in ("/", "/v1", "/v1/entries/", "/v1/entries/0/proof/x", "/v2/entries", "/tile/",
                     "/v1/incidents//", "/healthz/"):
            reply = client.get(path)
            self.assertEqual(reply.status, 404, (path, reply))
            self.assertEqual(reply.json["type"], "/problems/not-found")

    def test_a_wrong_method_says_which_are_right(self):
        reply = client.request("DELETE", "/v1/entries")
        self.assertEqual((reply.status, reply.headers["Allow"]), (405, "POST, GET"))

    def test_head_is_get_without_a_body(self):
        reply = client.request("HEAD", "/v1/entries/0")
        self.assertEqual((reply.status, reply.body), (200, b""))
        self.assertGreater(int(reply.headers["Content-Length"]), 0)

    def test_bad_queries(self):
        for path in ("/v1/entries?limit=0", "/v1/entries?limit=1001", "/v1/entries?limit=x",
                     "/v1/entries?colour=red", "/v1/entries?from=1&from=2", "/v1/entries?from=%zz",
                     "/v1/incidents?cursor=nonsense", "/v1/incidents?since=yesterday",
                     "/v1/entries?from=%00", "/v1/entries/0/proof?size=0"):
            reply = client.get(path)
            self.assertEqual(reply.status, 400, (path, reply))

    def test_a_body_that_is_too_large(self):
        reply = client.request("POST", "/v1/login/challenge", b" " * 2000, {"Content-Type": o.JSON})
        self.assertEqual(reply.status, 413, reply)

    def test_a_chunked_body_that_is_too_large(self):
        reply = client.request("POST", "/v1/login/challenge", iter([b" " * 600] * 4),
                               {"Content-Type": o.JSON})
        self.assertEqual(reply.status, 413, reply)

    def test_a_long_path(self):
        self.assertIn(client.get("/" + "x" * 5000).status, (404, 413, 414))

    def test_every_problem_has_a_page(self):
        reply = client.get("/nowhere")
        self.assertIn(b"not-found", client.get(reply.json["type"]).body)

    def test_a_problem_names_its_request(self):
        reply = client.get("/nowhere")
        self.assertEqual(reply.json["request_id"], reply.headers["X-Request-Id"])

    def test_the_log_of_the_server_holds_no_token(self):
        with open(server.log_path) as file:
            self.assertNotIn("opl_", file.read())

    def test_metrics_and_readiness(self):
        self.assertIn(b"opledger_entries_total", client.get("/metrics").body)
        ready = client.get("/readyz").json
        self.assertEqual((ready["status"], ready["bootstrap"]), ("ready", "open"))


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="ignore")
