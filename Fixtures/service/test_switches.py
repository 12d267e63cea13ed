"""Checks the switches of service.py, and how its process starts and ends."""

import http.client
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

from test_service import DATA, HERE, PATIENCE, ServiceTestCase, ask, end, launch


class Switches(ServiceTestCase):
    def switch(self, settings):
        self.assertEqual(self.ask("POST", "/_control", settings).status, 204)

    def statuses(self, count):
        return [self.ask("GET", "/cars/1").status for _ in range(count)]

    def test_status(self):
        self.switch({"status": 503, "times": 2, "headers": {"Retry-After": "7"}, "body": "later"})
        answer = self.ask("GET", "/cars")
        self.assertEqual((answer.status, answer.data), (503, b"later"))
        self.assertEqual(answer.headers["Retry-After"], "7")
        self.assertEqual(self.statuses(2), [503, 200])

    def test_switches_follow_each_other(self):
        self.switch([{"status": 500}, {"status": 401, "times": 1}, {"status": 429, "times": 1}])
        self.assertEqual(self.statuses(4), [401, 429, 500, 500])
        self.switch({"status": 502})
        self.assertEqual(self.statuses(1), [502])
        self.ask("DELETE", "/_control")
        self.assertEqual(self.statuses(1), [200])

    def test_a_switch_for_one_method_and_path(self):
        self.switch({"status": 500, "method": "PATCH", "path": "/cars/1"})
        self.assertEqual(self.statuses(1), [200])
        self.assertEqual(self.ask("PATCH", "/cars/2", {}).status, 200)
        self.assertEqual(self.ask("PATCH", "/cars/1", {}).status, 500)

    def test_delay(self):
        self.switch({"delay": 0.3, "times": 1})
        start = time.monotonic()
        self.assertEqual(self.statuses(1), [200])
        self.assertGreaterEqual(time.monotonic() - start, 0.3)

    def test_hang_up_after_the_work(self):
        self.switch({"hang_up": "before-answer", "times": 1})
        with self.assertRaises(http.client.RemoteDisconnected):
            self.ask("PATCH", "/cars/1", {"year": 1})
        self.assertEqual(self.ask("GET", "/cars/1").json["year"], 1)
        self.switch({"hang_up": "mid-answer", "times": 1})
        with self.assertRaises(http.client.IncompleteRead) as caught:
            self.ask("GET", "/cars/1")
        self.assertAlmostEqual(len(caught.exception.partial), caught.exception.expected, delta=1)

    def test_garbage_and_redirect(self):
        self.switch([{"garbage": True, "times": 1}, {"redirect": "http://x.test/", "times": 1}])
        answer = self.ask("GET", "/cars")
        self.assertEqual((answer.status, answer.data), (200, b"<html>This is no JSON.</html>"))
        answer = self.ask("GET", "/cars")
        self.assertEqual((answer.status, answer.headers["Location"]), (307, "http://x.test/"))

    def test_chunks(self):
        whole = self.ask("GET", "/cars")
        self.switch({"chunked": "whole", "times": 1})
        answer = self.ask("GET", "/cars")
        self.assertNotIn("Content-Length", answer.headers)
        self.assertEqual((answer.status, answer.data), (200, whole.data))
        self.assertEqual(self.statuses(1), [200])

    def test_chunks_without_an_end(self):
        whole = self.ask("GET", "/cars").data
        self.switch({"chunked": "unending", "times": 1})
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request("GET", "/cars")
        answer = connection.getresponse()
        self.assertEqual(answer.read(len(whole)), whole)
        connection.close()
        self.assertEqual(self.statuses(1), [200])

    def held(self, method, path, body=None):
        """A request that the service holds back, and the list that its outcome goes to."""
        outcome = []

        def run():
            try:
                outcome.append(self.ask(method, path, body).status)
            except OSError as error:
                outcome.append(type(error))
        self.switch({"silent": True, "times": 1})
        thread = threading.Thread(target=run)
        thread.start()
        self.ask("GET", "/_control/requests?at_least=1")
        return thread, outcome

    def test_silence_ends_with_a_release(self):
        thread, outcome = self.held("GET", "/cars")
        self.assertEqual(outcome, [])
        self.ask("DELETE", "/_control")
        thread.join(PATIENCE)
        self.assertEqual(outcome, [200])

    def test_a_reset_drops_what_is_held_back(self):
        thread, outcome = self.held("DELETE", "/cars/1")
        self.ask("POST", "/_control/reset")
        thread.join(PATIENCE)
        self.assertEqual(outcome, [http.client.RemoteDisconnected])
        self.assertEqual(len(self.ids("")), 406)

    def test_requests(self):
        self.ask("PATCH", "/cars/1?a=%20b", '{"year": 1}', X_Test="yes")
        self.ask("GET", "/cars/9999")
        first, second = self.ask("GET", "/_control/requests").json
        headers, connections = first.pop("headers"), [first.pop("connection"), second["connection"]]
        self.assertEqual(first, {"method": "PATCH", "path": "/cars/1", "query": "a=%20b",
                                 "body": '{"year": 1}', "status": 200})
        self.assertEqual(headers["x-test"], "yes")
        self.assertEqual((second["body"], second["status"]), (None, 404))
        self.assertLess(*connections)

    def test_refused_switches(self):
        answers = "status, hang_up, reset, next, garbage, silent, chunked, redirect, broken, slow, "
        answers += "endless, truncated, content_type, compressed, bomb, lines"
        names = f"delay, {answers}, headers, body, redirect_status, seconds, megabytes, times, "
        names += "method, path"
        for settings, sentence in (
            ({"sleep": 1}, f"there is no switch 'sleep'; there are {names}"),
            ({"status": 99}, "the switch status takes a status from 200 to 599"),
            ({"status": 500, "times": 0}, "the switch times takes a whole number above 0"),
            ({"status": 500, "silent": True}, "one switch gives one answer, not status and silent"),
            ({"garbage": True, "body": 1}, "headers and body belong to the switch status"),
            ({"slow": "head", "megabytes": 1}, "megabytes belongs to the switch bomb"),
            ({"endless": "body"}, "the switch endless takes until-closed or chunked"),
            ({"times": 1}, f"a switch sets delay or one of {answers}"),
            (["off"], 'a switch is a JSON object, as in {"status": 500, "times": 2}'),
        ):
            self.refused(400, sentence, "POST", "/_control", settings)
        self.refused(404, "there is no control route GET /_control", "GET", "/_control")
        self.refused(400, "the requests take at_least and a whole number", "GET",
                     "/_control/requests?at_least=many")


LENDING = [sys.executable, str(HERE / "service.py"), "--lend"]


def line(*options, data=DATA / "cars.json"):
    """What asks a process that is lent for a service."""
    return json.dumps(["--data", str(data), *options]) + "\n"


class Processes(unittest.TestCase):
    def test_what_is_lent_again_shows_nothing_of_who_had_it_before(self):
        process = subprocess.Popen(LENDING, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

        def lent(*options):
            process.stdin.write(line(*options))
            process.stdin.flush()
            return int(process.stdout.readline().rsplit(":", 1)[1])

        first = lent("--bearer", "secret")
        self.assertEqual(ask(first, "DELETE", "/cars/1").status, 401)
        ask(first, "POST", "/_control", {"silent": True})
        held = http.client.HTTPConnection("127.0.0.1", first, timeout=PATIENCE)
        held.request("DELETE", "/cars/2")
        ask(first, "GET", "/_control/requests?at_least=2")
        second = lent()
        with self.assertRaises(OSError):
            held.getresponse()
        held.close()
        with self.assertRaises(ConnectionRefusedError):
            ask(first, "GET", "/cars/1")
        self.assertEqual(ask(second, "GET", "/_control/requests").json, [])
        self.assertEqual([ask(second, "GET", f"/cars/{id}").status for id in (1, 2)], [200, 200])
        process.stdin.write("[]\n")
        process.stdin.flush()
        self.assertEqual(process.stdout.readline(), "ended\n")
        with self.assertRaises(ConnectionRefusedError):
            ask(second, "GET", "/cars/1")
        process.stdin.close()
        self.assertEqual(process.wait(PATIENCE), 0)
        process.stdout.close()

    def test_signals_end_it_and_its_port_is_free_again(self):
        process, port = launch()
        kept = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        kept.request("GET", "/cars")
        kept.getresponse().read()
        self.assertEqual(end(process), -signal.SIGTERM)  # at once, and not by Python's handler
        process, again = launch("--port", str(port))
        self.assertEqual(again, port)
        self.assertEqual(end(process, signal.SIGINT), -signal.SIGINT)
        kept.close()

    def test_a_port_in_use_is_one_sentence(self):
        process, port = launch()
        command = [sys.executable, str(HERE / "service.py"), "--data", str(DATA / "cars.json")]
        second = subprocess.run([*command, "--port", str(port)], capture_output=True, text=True)
        self.assertEqual((second.returncode, second.stdout), (1, ""))
        self.assertRegex(second.stderr, rf"^port {port} cannot be had: .*\n$")
        end(process)

    def test_it_ends_when_its_parent_is_killed(self):
        parent = "import subprocess, sys; p = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE)"
        parent += "; p.stdin.write(sys.argv[1].encode()); p.stdin.flush(); p.wait()"
        process = subprocess.Popen([sys.executable, "-c", parent, line(), *LENDING],
                                   stdout=subprocess.PIPE, text=True)
        port = int(process.stdout.readline().rsplit(":", 1)[1])
        self.assertEqual(ask(port, "GET", "/cars/1").status, 200)
        os.kill(process.pid, signal.SIGKILL)
        self.assertEqual(process.stdout.read(), "")  # ends when the service, too, has let go of it
        process.stdout.close()
        process.wait(PATIENCE)
        with self.assertRaises(ConnectionRefusedError):
            ask(port, "GET", "/cars/1")

    def test_it_ends_with_its_input_while_it_still_reads_its_data(self):
        with tempfile.TemporaryDirectory() as folder:
            pipe = Path(folder, "cars.json")  # one that nobody writes
            os.mkfifo(pipe)
            process = subprocess.Popen(LENDING, stdin=subprocess.PIPE)
            process.stdin.write(line(data=pipe).encode())
            process.stdin.close()
            try:
                self.assertEqual(process.wait(PATIENCE), 0)
            finally:
                process.kill()
                process.wait()

    def test_options(self):
        with tempfile.TemporaryDirectory() as state:
            more = ["--state", state, "--bearer", "secret", "--delay", "0.1"]
            process, port = launch(*more)
            answer = ask(port, "DELETE", "/cars/1")
            self.assertEqual((answer.status, answer.headers["WWW-Authenticate"]), (401, "Bearer"))
            start = time.monotonic()
            ask(port, "DELETE", "/cars/1", Authorization="Bearer secret")
            self.assertGreaterEqual(time.monotonic() - start, 0.1)
            end(process)
            process, port = launch(*more)
            self.assertEqual(ask(port, "GET", "/cars/1", Authorization="Bearer secret").status, 404)
            ask(port, "POST", "/_control/reset")
            end(process)
            kept = Path(state, "cars.json").read_bytes()
            self.assertEqual(kept, (DATA / "cars.json").read_bytes())


if __name__ == "__main__":
    unittest.main()
