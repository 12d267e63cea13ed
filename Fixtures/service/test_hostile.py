"""Checks on bare sockets what the fixture service does to clients on request."""

import gzip
import http.client
import json
import re
import socket
import threading
import time
import zlib

from test_service import PATIENCE, ServiceTestCase


class HostileTestCase(ServiceTestCase):
    def switch(self, settings):
        self.assertEqual(self.ask("POST", "/_control", settings).status, 204)

    def connection(self):
        client = socket.create_connection(("127.0.0.1", self.port), PATIENCE)
        self.addCleanup(client.close)
        return client

    def send(self, client, method="GET", path="/cars/1", body=b""):
        head = f"{method} {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n"
        client.sendall(head.encode() + body)

    def rest(self, client):
        """What comes until the connection ends, and whether a reset ended it."""
        data = b""
        try:
            while True:
                part = client.recv(65536)
                if not part:
                    return data, False
                data += part
        except ConnectionResetError:
            return data, True

    def told(self, settings, method="GET", path="/cars/1", body=b""):
        self.switch({**settings, "times": 1})
        client = self.connection()
        self.send(client, method, path, body)
        return self.rest(client)

    def answer(self, client):
        """One whole answer of a kept connection: its head and its body."""
        data = b""
        while b"\r\n\r\n" not in data:
            data += client.recv(65536)
        head, _, body = data.partition(b"\r\n\r\n")
        length = int(re.search(rb"Content-Length: ([0-9]+)", head)[1])
        while len(body) < length:
            body += client.recv(65536)
        return head, body

    def year(self):
        return self.ask("GET", "/cars/1").json["year"]


class Endings(HostileTestCase):
    def test_a_connection_ends_at_each_moment_by_an_end_or_by_a_reset(self):
        whole = self.ask("GET", "/cars/1").data
        moments = (("before-acting", 1970, b""), ("after-acting", 1, b""),
                   ("before-answer", 1, b""), ("mid-head", 1, b"HTTP/1.1 200"),
                   ("mid-answer", 1, b"Content-Length"), ("after-answer", 1, b'"origin": "USA"}'))
        for kind, is_reset in (("hang_up", False), ("reset", True)):
            for moment, year, part in moments:
                self.ask("POST", "/_control/reset")
                data, was_reset = self.told({kind: moment}, "PATCH", body=b'{"year": 1}')
                if part == b"":
                    self.assertEqual(data, b"")
                # A reset may take along what was sent before it.
                self.assertTrue(part in data or is_reset, (kind, moment))
                self.assertEqual((was_reset, self.year()), (is_reset, year), (kind, moment))
        self.assertEqual(self.ask("GET", "/cars/2").status, 200)
        self.assertLess(len(self.told({"hang_up": "mid-answer"})[0].partition(b"\r\n\r\n")[2]),
                        len(whole))
        self.assertNotIn(b"\r\n\r\n", self.told({"hang_up": "mid-head"})[0])

    def test_a_kept_connection_ends_with_its_next_request_which_does_nothing(self):
        for kind, is_reset in (("close", False), ("reset", True)):
            self.ask("POST", "/_control/reset")
            self.switch({"next": kind, "times": 1})
            client = self.connection()
            self.send(client)
            self.assertTrue(self.answer(client)[0].startswith(b"HTTP/1.1 200 OK"))
            self.send(client, "PATCH", body=b'{"year": 1}' + b" " * 10_000)
            self.assertEqual(self.rest(client), (b"", is_reset), kind)
            self.assertEqual(self.year(), 1970)
            first, second = self.ask("GET", "/_control/requests").json[:2]
            self.assertEqual(first["connection"], second["connection"])
            self.assertEqual((second["method"], second["body"]), ("PATCH", None))
            self.assertNotIn("status", second)


class Forms(HostileTestCase):
    def body(self, settings):
        data, _ = self.told(settings)
        head, _, body = data.partition(b"\r\n\r\n")
        return head, body

    def test_broken_forms(self):
        whole = self.ask("GET", "/cars/1").data
        for form, line in (
            ("status-line", rb"HTTP/1\.1 OK 200\r\n"),
            ("status-number", rb"HTTP/1\.1 99999 Odd\r\n"),
            ("huge-length", rb"Content-Length: 9223372036854775807\r\n"),
            ("negative-length", rb"Content-Length: -1\r\n"),
            ("two-lengths", rb"Content-Length: \d+\r\nContent-Length: \d+\r\n"),
        ):
            head, body = self.body({"broken": form})
            self.assertRegex(head + b"\r\n", line)
            self.assertEqual(body, whole)
        self.assertEqual(self.told({"broken": "no-http"}), (b"SSH-2.0-OpenSSH_9.6p1\r\n", False))
        head, body = self.body({"broken": "huge-head"})
        self.assertGreater(len(head), 1_000_000)
        self.assertEqual(body, whole)

    def test_broken_chunks(self):
        whole = self.ask("GET", "/cars/1").data
        first = b"%x\r\n" % len(whole)
        self.assertEqual(self.body({"broken": "chunk-size"})[1], b"garbage\r\n" + whole)
        self.assertEqual(self.body({"broken": "huge-chunk"})[1], b"FFFFFFFFFFFFFFFF\r\n" + whole)
        trailers = b'0\r\nX-Checksum: 1\r\nETag: "trailer"\r\n\r\n'
        self.assertEqual(self.body({"broken": "trailers"})[1],
                         first + whole + b"\r\n" + trailers)

    def test_a_slow_head_and_a_slow_body(self):
        for part in ("head", "body"):
            self.switch({"slow": part, "seconds": 0.4, "times": 1})
            client = self.connection()
            start = time.monotonic()
            self.send(client)
            first = client.recv(1)
            begun = time.monotonic() - start
            head, body = self.answer_after(client, first)
            self.assertEqual(json.loads(body)["id"], 1)
            self.assertLess(begun, 0.3)
            self.assertGreaterEqual(time.monotonic() - start, 0.4)

    def answer_after(self, client, first):
        data = first
        while b"\r\n\r\n" not in data:
            data += client.recv(100)
        head, _, body = data.partition(b"\r\n\r\n")
        while len(body) < int(re.search(rb"Content-Length: ([0-9]+)", head)[1]):
            body += client.recv(100)
        return head, body

    def test_an_answer_without_an_end(self):
        for form, said in (("until-closed", b"Connection: close"),
                           ("chunked", b"Transfer-Encoding: chunked")):
            self.switch({"endless": form, "times": 1})
            client = self.connection()
            self.send(client)
            data = b""
            while len(data) < 3_000_000:
                data += client.recv(1_000_000)
            head, _, body = data.partition(b"\r\n\r\n")
            self.assertIn(said, head)
            self.assertNotIn(b"Content-Length", head)
            self.assertIn(b" " * 60_000, body)
            client.close()
        self.assertEqual(self.ask("GET", "/cars/1").status, 200)

    def test_cut_json_and_another_type(self):
        whole = self.ask("GET", "/cars")
        self.switch([{"truncated": True, "times": 1},
                     {"content_type": "text/html; charset=utf-8", "times": 1}])
        client = self.connection()
        self.send(client, path="/cars")
        head, body = self.answer(client)
        self.assertEqual((head[:15], body), (b"HTTP/1.1 200 OK", whole.data[:len(whole.data) // 2]))
        named = self.ask("GET", "/cars")
        self.assertEqual((named.data, named.headers.get_all("Content-Type")),
                         (whole.data, ["text/html; charset=utf-8"]))

    def test_compressed_answers(self):
        whole = self.ask("GET", "/cars").data
        for form, opened in (("gzip", gzip.decompress), ("deflate", zlib.decompress)):
            self.switch({"compressed": form, "times": 1})
            answer = self.ask("GET", "/cars")
            self.assertEqual(answer.headers["Content-Encoding"], form)
            self.assertLess(len(answer.data), len(whole) / 2)
            self.assertEqual(opened(answer.data), whole)

    def test_bombs(self):
        for form, bits in (("gzip", 31), ("deflate", 15)):
            self.switch({"bomb": form, "megabytes": 30, "times": 1})
            answer = self.ask("GET", "/cars")
            self.assertEqual(answer.headers["Content-Encoding"], form)
            self.assertLess(len(answer.data), 100_000)
            unpacker, count = zlib.decompressobj(bits), 0
            data = answer.data
            while data:
                count += len(unpacker.decompress(data, 1_000_000))
                data = unpacker.unconsumed_tail
            self.assertEqual(count, 30_000_002)

    def test_further_lines_of_a_head(self):
        odd = ["Backoff: 10", "Set-Cookie: a=1", "Set-Cookie: b=2", "X-Odd : 1", "no field",
               " folded"]
        head, body = self.read({"lines": odd})
        self.assertTrue(head.decode().endswith("\r\n".join(odd)))
        self.assertEqual(json.loads(body)["id"], 1)

    def read(self, settings):
        self.switch({**settings, "times": 1})
        client = self.connection()
        self.send(client)
        return self.answer(client)

    def test_fields_that_come_several_times(self):
        challenges = ["Bearer", 'Basic realm="a"']
        self.switch({"status": 401, "headers": {"WWW-Authenticate": challenges}, "times": 1})
        answer = self.ask("GET", "/cars")
        self.assertEqual(answer.headers.get_all("WWW-Authenticate"), challenges)

    def test_redirects_of_any_status(self):
        self.switch({"redirect": "http://x.test/", "redirect_status": 303, "times": 1})
        answer = self.ask("POST", "/cars", {"name": "a"})
        self.assertEqual((answer.status, answer.headers["Location"]), (303, "http://x.test/"))
        self.assertEqual(len(self.ask("GET", "/cars").json), 406)

    def test_any_text_of_retry_after(self):
        for text in ("9223372036854775807", "soon", "-1", "Sun, 22 Nov 2026 13:47:01 GMT"):
            self.switch({"status": 503, "headers": {"Retry-After": text}, "times": 1})
            self.assertEqual(self.ask("GET", "/cars").headers["Retry-After"], text)


class Load(HostileTestCase):
    def load(self):
        return self.ask("GET", "/_control/load").json

    def test_requests_at_once_and_connections_are_counted(self):
        self.assertEqual(self.load(), {"at_once": 0, "connections": 0})
        kept = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        self.addCleanup(kept.close)
        for _ in range(3):
            kept.request("GET", "/cars/1")
            kept.getresponse().read()
        self.assertEqual(self.load(), {"at_once": 1, "connections": 1})
        numbers = {each["connection"] for each in self.ask("GET", "/_control/requests").json}
        self.assertEqual(len(numbers), 1)
        self.switch({"delay": 0.5})
        threads = [threading.Thread(target=self.ask, args=("GET", "/cars/1")) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
        self.assertEqual(self.load(), {"at_once": 4, "connections": 5})

    def test_a_slow_answer_is_under_way_while_it_lasts(self):
        self.switch({"slow": "body", "seconds": 0.5})
        threads = [threading.Thread(target=self.ask, args=("GET", "/cars/1")) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
        self.assertEqual(self.load()["at_once"], 2)
