"""Checks the streams of what is written, over real connections."""

import http.client
import json
import socket
import unittest

from answers import Feed
from test_service import PATIENCE, ServiceTestCase, ask, end, launch


class Stream:
    """A connection that follows a service, and the events that it reads."""

    def __init__(self, port, **headers):
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self._connection.request("GET", "/events", headers=named)
        self.answer = self._connection.getresponse()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._connection.close()

    def line(self):
        """A line, or nothing once the stream has ended."""
        try:
            return self.answer.readline().decode().rstrip("\n")
        except (http.client.IncompleteRead, ConnectionError):
            return ""

    def lines(self):
        """The lines up to an empty one."""
        return list(iter(self.line, ""))

    def event(self):
        """The next event: its id, name and data."""
        lines = self.lines()
        while lines and lines[0].startswith(":"):
            lines = self.lines()
        fields = dict(line.split(": ", 1) for line in lines)
        return fields.get("id"), fields["event"], json.loads(fields["data"])

    def has_ended(self):
        return any(not self.lines() for _ in range(100))


class PlainEvents(ServiceTestCase):
    def test_each_follower_is_told_what_is_written(self):
        with Stream(self.port) as one, Stream(self.port) as other:
            self.assertEqual(one.answer.headers["Content-Type"], "text/event-stream")
            self.ask("PATCH", "/cars/1", {"year": 1999})
            self.ask("POST", "/cars", {"id": 500, "name": "new"})
            self.ask("DELETE", "/cars/2")
            for stream in (one, other):
                (first, name, data), second, third = (stream.event() for _ in range(3))
                self.assertEqual((name, data["path"]), ("stored", "cars"))
                self.assertEqual((data["model"]["id"], data["model"]["year"]), (1, 1999))
                self.assertEqual(second[1:], ("stored", {"path": "cars", "model": {"id": 500, "name": "new"}}))
                self.assertEqual(third[1:], ("removed", {"path": "cars", "id": 2}))
                self.assertEqual(len({first, second[0], third[0]}), 3)

    def test_what_is_refused_says_nothing(self):
        with Stream(self.port) as stream:
            self.refused(404, "cars has no model with the id 900", "DELETE", "/cars/900")
            self.ask("DELETE", "/cars/3")
            self.assertEqual(stream.event()[1:], ("removed", {"path": "cars", "id": 3}))

    def test_a_stream_goes_on_after_the_last_event(self):
        with Stream(self.port) as stream:
            for number in range(3):
                self.ask("PATCH", "/cars/1", {"year": number})
            ids = [stream.event()[0] for _ in range(3)]
        with Stream(self.port, Last_Event_ID=ids[0]) as stream:
            again = [stream.event() for _ in range(2)]
            self.assertEqual([each[0] for each in again], ids[1:])
            self.assertEqual([each[2]["model"]["year"] for each in again], [1, 2])
        with Stream(self.port, Last_Event_ID=ids[2]) as stream:
            self.ask("DELETE", "/cars/3")
            self.assertEqual(stream.event()[1], "removed")

    def test_an_event_that_is_not_known_any_more(self):
        with Stream(self.port) as stream:
            self.ask("DELETE", "/cars/3")
            last = stream.event()[0]
        self.ask("POST", "/_control/reset")
        for unknown in (last, "nonsense", last.replace("-1", "-9")):
            with Stream(self.port, Last_Event_ID=unknown) as stream:
                self.assertEqual(stream.event()[1:], ("missed", {"path": "cars"}))

    def test_comments_come_while_there_are_no_events(self):
        with Stream(self.port) as stream:
            self.assertEqual([stream.lines() for _ in range(2)], [[": here"], [": nothing new"]])

    def test_a_reset_ends_the_streams(self):
        with Stream(self.port) as stream:
            stream.lines()
            self.ask("POST", "/_control/reset")
            self.assertTrue(stream.has_ended())

    def test_a_stream_is_no_request_under_way(self):
        with Stream(self.port) as stream:
            stream.lines()
            self.ask("GET", "/cars/1")
            self.assertEqual(self.ask("GET", "/_control/load").json["at_once"], 1)
            self.assertEqual(self.ask("GET", "/_control/requests").json[0]["status"], 200)

    def test_switches_refuse_a_stream(self):
        self.ask("POST", "/_control", {"status": 503, "times": 1, "path": "/events"})
        with Stream(self.port) as stream:
            self.assertEqual(stream.answer.status, 503)

    def test_a_slow_reader_is_dropped_and_holds_nothing_back(self):
        reader = socket.socket()
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        reader.settimeout(PATIENCE)
        with reader:
            reader.connect(("127.0.0.1", self.port))
            reader.sendall(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            reader.recv(20)
            cars = [{"id": number, "name": "x" * 10_000} for number in range(1, 401)]
            for _ in range(6):
                self.assertEqual(self.ask("PUT", "/cars", cars).status, 200)
            try:
                while reader.recv(1 << 20):
                    pass
            except ConnectionError:
                pass  # ended too


class RowEvents(ServiceTestCase):
    arguments = ("--dialect", "postgrest", "--bearer", "secret")
    trusted = {"apikey": "public", "Authorization": "Bearer secret"}

    def write(self, method, path, body=None):
        self.assertLess(self.ask(method, path, body, **self.trusted).status, 300)

    def test_payloads_are_those_of_postgres_changes(self):
        with Stream(self.port, **self.trusted) as stream:
            self.write("POST", "/cars", {"id": 500, "name": "new"})
            self.write("PATCH", "/cars?id=eq.500", {"name": "newer"})
            self.write("DELETE", "/cars?id=eq.500")
            events = [stream.event() for _ in range(3)]
        self.assertEqual({each[:2] for each in events}, {(None, "postgres_changes")})
        payloads = [each[2]["data"] for each in events]
        self.assertEqual([each["type"] for each in payloads], ["INSERT", "UPDATE", "DELETE"])
        self.assertEqual([each["record"].get("name") for each in payloads], ["new", "newer", None])
        self.assertEqual([each["old_record"] for each in payloads], [{}, {"id": 500}, {"id": 500}])
        self.assertEqual({(each["schema"], each["table"]) for each in payloads}, {("public", "cars")})
        self.assertIn({"name": "id", "type": "int8"}, payloads[0]["columns"])

    def test_a_stream_needs_what_a_request_needs(self):
        with Stream(self.port) as stream:
            self.assertEqual(stream.answer.status, 401)
        self.assertEqual(self.ask("HEAD", "/events", **self.trusted).status, 404)


class OtherStreams(unittest.TestCase):
    def test_dialects_without_events_have_no_such_route(self):
        process, port = launch("--dialect", "links")
        try:
            self.assertEqual(ask(port, "GET", "/events").status, 404)
        finally:
            end(process)

    def test_the_end_of_a_service_ends_its_streams(self):
        process, port = launch()
        with Stream(port) as stream:
            stream.lines()
            end(process)
            self.assertTrue(stream.has_ended())

    def test_a_feed_keeps_its_last_events(self):
        feed = Feed(has_ids=True, kept=2)
        follower = feed.follow()
        for number in range(4):
            feed.tell("stored", number)
        texts = follower.next(0).decode().split("\n\n")
        ids = [text.split("\n")[0][4:] for text in texts[:4]]
        missed = [("missed", None)]
        self.assertEqual(feed.follow(ids[1], missed).next(0).count(b"stored"), 2)
        self.assertIn(b"missed", feed.follow(ids[0], missed).next(0))
        feed.end()
        self.assertIsNone(feed.follow().next(0))


if __name__ == "__main__":
    unittest.main()
