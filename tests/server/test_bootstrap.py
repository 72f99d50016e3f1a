#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The first entries of a log, and a folder that does not fit the log in its database."""
import json
import os
import shutil
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["SOURCE_DIR"], "tests", "support"))
import opledgerd as o  # noqa: E402


class Bootstrap(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = o.Opledgerd()

    @classmethod
    def tearDownClass(cls):
        cls.server.close()

    def again(self):
        """The server, stopped and started; the error where it does not start."""
        if self.server.process.poll() is None:
            self.assertEqual(self.server.stop(), 0)
        try:
            self.server.start()
            return None
        except RuntimeError as error:
            return str(error)

    def test_the_service_begins_the_log(self):
        entries = [json.loads(e) for e in self.server.client().entries()]
        self.assertEqual([e["kind"] for e in entries[:2]], ["principal.enrolled", "token.created"])
        self.assertEqual({e["kind"] for e in entries[2:]}, {"policy.adopted"})
        self.assertEqual({e["actor"] for e in entries}, {"opledger"})
        self.assertEqual(entries[0]["body"]["roles"], ["admin", "recorder", "gate", "evidence-raw"])
        what = [e["body"]["what"] for e in entries[2:]]
        self.assertTrue({"gate", "redact", "models"} <= set(what), what)

    def test_a_second_start_adds_nothing(self):
        size, token = self.server.client().size(), self.server.token
        origin = self.server.client().get("/v1/keys").json
        self.assertIsNone(self.again())
        self.assertEqual(self.server.client().size(), size)
        self.assertEqual(self.server.token, token)
        self.assertEqual(self.server.client().get("/v1/keys").json, origin)

    def spoiled(self, name, spoil, *words):
        path = os.path.join(self.server.data, name)
        shutil.copy2(path, path + ".kept")
        self.assertEqual(self.server.stop(), 0)
        spoil(path)
        error = self.again()
        shutil.move(path + ".kept", path)
        self.assertIsNone(self.again())
        self.assertIn("ended (2)", error)
        for word in words:
            self.assertIn(word, error)

    def test_a_log_without_its_key(self):
        self.spoiled("log.key", os.remove, "log.key", "hint")

    def test_a_key_that_others_can_read(self):
        self.spoiled("log.key", lambda path: os.chmod(path, 0o644), "chmod 600")

    def test_a_key_that_is_none(self):
        def spoil(path):
            with open(path, "w") as file:
                file.write("PRIVATE+KEY+x+00000000+AAAA\n")
        self.spoiled("log.key", spoil, "log.key")

    def test_an_origin_that_is_not_the_keys(self):
        def spoil(path):
            with open(path, "w") as file:
                file.write("ledger.example.org/2026\n")
        self.spoiled("origin", spoil, "origin")

    def test_another_logs_key(self):
        other = o.Opledgerd()
        other.stop()

        def spoil(path):
            for name in ("log.key", "origin"):
                shutil.copy2(os.path.join(other.data, name), os.path.join(self.server.data, name))
        origin = os.path.join(self.server.data, "origin")
        shutil.copy2(origin, "/tmp/opl-origin-kept")
        path = os.path.join(self.server.data, "log.key")
        shutil.copy2(path, path + ".kept")
        self.server.stop()
        spoil(path)
        error = self.again()
        shutil.move(path + ".kept", path)
        shutil.move("/tmp/opl-origin-kept", origin)
        other.close()
        self.assertIsNone(self.again())
        self.assertIn("ended (2)", error)
        self.assertIn("not signed by", error)

    def test_an_origin_that_is_missing_is_said_to_be_missing(self):
        self.spoiled("origin", os.remove, "origin is missing", "hint")

    def test_another_origin_than_the_logs_is_refused(self):
        self.server.options = ("--origin", "other.example.org/1")
        error = self.again()
        self.server.options = ()
        self.assertIsNone(self.again())
        self.assertIn("ended (2)", error)
        self.assertIn("other.example.org/1", error)


class Lost(unittest.TestCase):
    """The key is there, and the log is not."""

    def setUp(self):
        self.server = o.Opledgerd()
        self.keys = self.server.client().get("/v1/keys").json
        self.server.stop()

    def tearDown(self):
        self.server.close()

    def path(self, name):
        return os.path.join(self.server.data, name)

    def refused(self):
        with self.assertRaises(RuntimeError) as caught:
            self.server.start()
        self.assertIn("ended (2)", str(caught.exception))
        self.assertIn("move log.key and origin away", str(caught.exception))

    def test_no_second_log_begins_under_the_same_key(self):
        os.rename(self.path("postgres"), self.path("lost"))
        for kept in (("log.key", "origin"), ("log.key",), ("origin",)):
            for name in {"log.key", "origin"} - set(kept):
                os.rename(self.path(name), self.path(name + ".away"))
            self.refused()
            self.assertFalse(os.path.exists(self.path("postgres")), "a cluster was made")
            for name in {"log.key", "origin"} - set(kept):
                os.rename(self.path(name + ".away"), self.path(name))
        os.rename(self.path("lost"), self.path("postgres"))  # the first remedy
        self.server.start()
        self.assertEqual(self.server.client().get("/v1/keys").json, self.keys)

    def test_a_new_log_begins_once_the_key_is_moved_away(self):
        shutil.rmtree(self.path("postgres"))
        for name in ("log.key", "origin"):
            os.rename(self.path(name), self.path(name + ".away"))
        self.server.start()
        self.assertNotEqual(self.server.client().get("/v1/keys").json, self.keys)

    def test_a_first_start_that_died_after_its_key_goes_on(self):
        shutil.rmtree(self.path("postgres"))
        open(self.path("beginning"), "w").close()  # as it stands until the first entries are in
        for lost in ((), ("origin",)):
            for name in lost:
                os.remove(self.path(name))
                shutil.rmtree(self.path("postgres"))
                open(self.path("beginning"), "w").close()
            self.server.start()
            self.assertEqual(self.server.client().get("/v1/keys").json, self.keys)
            self.assertFalse(os.path.exists(self.path("beginning")))
            self.server.stop()


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="ignore")
