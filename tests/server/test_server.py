#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Starting and stopping: suspended requests are finished or failed and never abort the process; what
a person got wrong is exit 2 with words; two servers over one database keep one order."""
import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, os.path.join(os.environ["SOURCE_DIR"], "tests", "support"))
import opledgerd as o  # noqa: E402


def run(*args, timeout=60):
    return subprocess.run([o.PROGRAM, *args], capture_output=True, text=True, timeout=timeout)


class Stop(unittest.TestCase):
    def setUp(self):
        self.server = o.Opledgerd()
        self.client = self.server.client()
        self.client.write("incident.opened", {"title": "t", "severity": "low"})

    def tearDown(self):
        self.client.close()
        self.server.close()

    def hold_the_log(self):
        """A session of the superuser that holds the sequencer's lock."""
        with open(os.path.join(self.server.data, "postgres.conninfo")) as file:
            conninfo = file.read().strip()
        psql = ["psql", "-X", "-q", conninfo]
        if os.getuid() == 0:
            psql = ["runuser", "-u", "postgres", "--", *psql]
        process = subprocess.Popen(psql, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd="/")
        process.stdin.write(b"BEGIN; SELECT pg_advisory_xact_lock(6012345678); \\echo held\n")
        process.stdin.flush()
        while b"held" not in process.stdout.readline():
            pass
        return process

    def free(self, process):
        process.stdin.close()
        process.stdout.close()
        process.wait()

    def suspend(self, count):
        """Writes that wait for the log; their results appear in the list."""
        results, threads = [], []

        def write():
            client = self.server.client()
            try:
                results.append(client.write("incident.noted", {"text": "x"}, on="inc-1").status)
            except (OSError, http.client.HTTPException) as error:
                results.append(error)
            client.close()
        for _ in range(count):
            threads.append(threading.Thread(target=write))
            threads[-1].start()
        time.sleep(1)
        return results, threads

    def test_a_stop_finishes_what_is_suspended(self):
        holder = self.hold_the_log()
        results, threads = self.suspend(16)
        self.server.process.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        self.free(holder)
        self.assertEqual(self.server.process.wait(60), 0)
        for thread in threads:
            thread.join()
        self.assertEqual(results, [201] * 16)

    def test_a_stop_fails_what_cannot_be_finished(self):
        holder = self.hold_the_log()
        results, threads = self.suspend(16)
        self.server.process.send_signal(signal.SIGINT)
        for thread in threads:
            thread.join()
        self.free(holder)
        self.assertEqual(self.server.process.wait(60), 0)
        self.assertEqual(set(results), {503})

    def test_a_deadline_is_kept_while_suspended(self):
        self.server.stop()
        self.server.options = ("--request-timeout", "700ms")
        self.server.start()
        holder = self.hold_the_log()
        client = self.server.client()
        begin = time.monotonic()
        reply = client.write("incident.noted", {"text": "late"}, on="inc-1", key="late")
        self.assertEqual((reply.status, reply.json["type"]), (504, "/problems/timed-out"))
        self.assertLess(time.monotonic() - begin, 3)
        self.free(holder)
        time.sleep(0.5)
        again = client.write("incident.noted", {"text": "late"}, on="inc-1", key="late")
        self.assertIn(again.status, (200, 201))
        client.close()

    def test_clients_that_go_away_do_no_harm(self):
        holder = self.hold_the_log()
        sockets = []
        for i in range(20):
            s = socket.create_connection(("127.0.0.1", self.server.port))
            body = json.dumps({"kind": "incident.noted", "on": "inc-1", "body": {"text": "x"}})
            s.sendall((f"POST /v1/entries HTTP/1.1\r\nHost: x\r\nContent-Type: {o.JSON}\r\n"
                       f"Authorization: Bearer {self.server.token}\r\nIdempotency-Key: gone{i}\r\n"
                       f"Content-Length: {len(body)}\r\n\r\n{body}").encode())
            sockets.append(s)
        time.sleep(0.5)
        for s in sockets:
            s.close()
        self.free(holder)
        self.assertEqual(self.client.write("incident.noted", {"text": "y"}, on="inc-1").status, 201)
        self.assertEqual(self.server.stop(), 0)

    def test_a_stop_in_the_middle_of_a_body(self):
        s = socket.create_connection(("127.0.0.1", self.server.port))
        s.sendall((f"PUT /v1/blobs/{'ab' * 32} HTTP/1.1\r\nHost: x\r\nContent-Length: 9000000\r\n"
                   f"Authorization: Bearer {self.server.token}\r\n\r\n").encode() + b"x" * 3000000)
        time.sleep(0.5)
        self.assertEqual(self.server.stop(), 0)
        s.close()


class Start(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = o.Opledgerd()

    @classmethod
    def tearDownClass(cls):
        cls.server.close()

    def test_a_second_server_on_the_folder(self):
        done = run("--data", self.server.data, "--listen", "127.0.0.1:0")
        self.assertEqual(done.returncode, 2, done)
        self.assertIn(str(self.server.process.pid), done.stderr)

    def test_a_port_in_use(self):
        folder = tempfile.mkdtemp(prefix="opl-", dir="/tmp")
        done = run("--data", folder, "--listen", f"127.0.0.1:{self.server.port}")
        self.assertEqual(done.returncode, 2, done)
        self.assertIn("--listen", done.stderr)
        self.assertEqual(os.listdir(folder), [])  # it is said before a cluster is made
        shutil.rmtree(folder)

    def test_a_database_login_that_could_rewrite_the_log(self):
        folder = tempfile.mkdtemp(prefix="opl-", dir="/tmp")
        with open(os.path.join(self.server.data, "postgres.conninfo")) as file:
            superuser = file.read().strip()
        done = run("--data", folder, "--listen", "127.0.0.1:0", "--db", superuser)
        self.assertEqual(done.returncode, 2, done)
        self.assertIn("is a superuser", done.stderr)
        self.assertIn("user=opledger_service", done.stderr)
        shutil.rmtree(folder)

    def test_a_folder_that_cannot_be_one(self):
        done = run("--data", "/proc/nowhere", "--listen", "127.0.0.1:0")
        self.assertIn(done.returncode, (2, 3), done)
        self.assertIn("/proc/nowhere", done.stderr)

    def test_mistyped_words_are_exit_2(self):
        for args in (("--dta", "/tmp/x"), ("serve-it",), ("--listen", "nonsense"), ("migrate",)):
            self.assertEqual(run(*args).returncode, 2, args)

    def test_help_and_version(self):
        self.assertIn("--data", run("--help").stdout)
        self.assertEqual(run("--version").returncode, 0)

    def test_the_lines_of_a_start_say_where(self):
        with open(self.server.log_path) as file:
            ready = [line for line in file if " ready " in line][0]
        for word in ("url=http://", "data=", "origin=opledger.local/", "key="):
            self.assertIn(word, ready)

    def test_secret_files_are_private(self):
        for name in ("admin.token", "log.key"):
            mode = os.stat(os.path.join(self.server.data, name)).st_mode & 0o777
            self.assertEqual(mode, 0o600, name)


class NotReady(unittest.TestCase):
    def test_anybody_is_told_that_the_database_is_away_and_nothing_of_where_it_was(self):
        server = o.Opledgerd()
        place = os.path.join(server.data, "postgres")
        try:
            self.assertEqual(server.client().get("/readyz").status, 200)
            os.kill(server.postmaster(), signal.SIGQUIT)
            os.rename(place, place + ".away")  # so that it stays away
            for _ in range(100):
                reply = server.client(token=None).get("/readyz")
                if reply.json["checks"]["database"] != "ok":
                    break
                time.sleep(0.1)
            self.assertEqual(reply.status, 503, reply)
            self.assertEqual(reply.json["checks"]["database"], "database unavailable")
            for word in (b"socket", b"/tmp", b"FATAL", b"connection", server.data.encode()):
                self.assertNotIn(word, reply.body)
        finally:
            if os.path.exists(place + ".away"):
                os.rename(place + ".away", place)
            server.close()


class Several(unittest.TestCase):
    def test_two_servers_over_one_database_keep_one_order(self):
        one = o.Opledgerd()
        folder = tempfile.mkdtemp(prefix="opl-", dir="/tmp")
        for name in ("log.key", "origin", "admin.token"):
            shutil.copy(os.path.join(one.data, name), folder)
        with open(os.path.join(one.data, "postgres.conninfo")) as file:
            conninfo = file.read().strip()
        service = re.sub("user='[^']*'", "user='opledger_service'", conninfo)
        two = o.Opledgerd("--db", service, data=folder)
        try:
            one.client().write("incident.opened", {"title": "t", "severity": "low"})
            counts = self.write_both([one, two])
            self.check(one, two, counts)
        finally:
            two.close()
            one.close()
            shutil.rmtree(folder)

    def write_both(self, servers, each=60):
        counts, threads = [], []

        def write(server):
            client = server.client()
            for _ in range(each):
                counts.append(client.write("incident.noted", {"text": "n"}, on="inc-1"))
            client.close()
        for server in servers * 4:
            threads.append(threading.Thread(target=write, args=(server,)))
            threads[-1].start()
        for thread in threads:
            thread.join()
        return counts

    def check(self, one, two, replies):
        self.assertEqual({r.status for r in replies}, {201})
        self.assertEqual(len({r.json["seq"] for r in replies}), len(replies))
        leaves = [o.leaf_hash(e) for e in one.client().entries()]
        for reply in replies:
            head = reply.json["checkpoint"]
            root = o.tree_root(leaves[:head["size"]]).hex()
            self.assertEqual(head["root"], "sha256:" + root)
        token = o.People(one).service_token("svc-two", ["reader"])
        deadline = time.monotonic() + 5
        while two.client(token).get("/v1/whoami").status != 200:  # seen within a second or two
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="ignore")
