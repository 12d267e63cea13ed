"""The connections of the fixture service: what it reads of them, and how it lets them go."""

import contextlib
import itertools
import re
import socket
import socketserver
import struct
import sys
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import hostile
from answers import Request, answer


HEARTBEAT = 2  # the seconds between two comments of a stream


class Handler(BaseHTTPRequestHandler):
    """HTTP/1.1 with connections kept; an answer is one write, so that no packet waits."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def setup(self):
        super().setup()
        self.number = next(self.server.numbers)
        self.is_counted, self.doom = False, None

    def handle_any(self):
        if "Transfer-Encoding" in self.headers:
            return self.send_error(411, "a body comes with its Content-Length")
        length = self.headers.get("Content-Length", "0")
        if not re.fullmatch(r"[0-9]+", length):
            return self.send_error(400, f"'{length}' is no Content-Length")
        request = self.request_with(self.rfile.read(int(length)))
        self.is_counted = self.server.service.begin(request)
        try:
            given = self.server.service.answer(request)
            if given.follower:
                return self.follow(given)
            hostile.send(self, given)
        finally:
            self.finished()

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

    def do_HEAD(self):
        if not self.server.service.has_head:
            return self.send_error(501, f"Unsupported method ({self.command!r})")
        self.handle_any()

    def parse_request(self):
        """Reads a head; on a connection that is to end with its next request, ends it here."""
        if not super().parse_request():
            return False
        if self.doom is None:
            return True
        self.server.service.saw(self.request_with(b""))
        self.hang_up(with_reset=self.doom == "reset")
        return False

    def request_with(self, body):
        path, _, query = self.path.partition("?")
        headers = {name.lower(): ", ".join(self.headers.get_all(name)) for name in self.headers}
        return Request(self.command, path, query, headers, body, self.number)

    def follow(self, given):
        """Sends events, and comments while there are none, until one side ends the stream.

        The stream does not count as a request that is under way.
        """
        self.finished()
        self.close_connection = True
        given.follower.drop = self.cut
        try:
            self.write(hostile.head(self, given, {"Transfer-Encoding": "chunked"}))
            text = b": here\n\n"
            while text is not None:
                self.write(hostile.pieces(text))
                text = given.follower.next(HEARTBEAT)
        finally:
            given.follower.drop = lambda: None
            given.follower.leave()

    def cut(self):
        """Ends the connection at once, also from another thread."""
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)

    def finished(self):
        """Ends the count of a request, before the last that its client waits for."""
        if self.is_counted:
            self.is_counted = False
            self.server.service.finish()

    def write(self, data):
        self.wfile.write(data)

    def hang_up(self, with_reset=False):
        """Ends the connection: by an end of data, even if some was not read, or by a reset."""
        self.close_connection = True
        if with_reset:
            self.server.resets.add(self.connection)
            return
        try:
            self.connection.shutdown(socket.SHUT_WR)
            self.connection.settimeout(5)
            while self.connection.recv(65536):
                pass
        except OSError:
            pass  # it has gone, or reads no further

    def send_error(self, code, message=None, explain=None):
        """Answers, in JSON too, what is no HTTP that can be read on, and closes the connection."""
        self.close_connection = True
        sentence = message or self.phrase(code)
        hostile.send(self, answer(int(code), {"error": sentence}, Connection="close"))

    def phrase(self, status):
        known = [each.phrase for each in HTTPStatus if each == status]
        return known[0] if known else "Unnamed"

    def log_message(self, *arguments):
        """Says nothing: standard output carries the one line that tests wait for."""


class Server(ThreadingHTTPServer):
    request_queue_size = 128

    def __init__(self, port, service):
        self.service = service
        self.numbers, self.resets = itertools.count(1), set()
        self._open, self._lock = set(), threading.Lock()
        self._ending, self._closed = False, threading.Event()
        super().__init__(("127.0.0.1", port), Handler)

    def serve(self):
        """Serves until the end, without looking again and again whether it has come."""
        while not self._ending:
            try:
                connection, address = self.get_request()
            except OSError:
                continue  # its client has gone
            with self._lock:
                self._open.add(connection)
            self.process_request(connection, address)
        self.server_close()
        self._closed.set()

    def end(self):
        """Closes the port, and the connections as they are: nobody hears anything more."""
        self._ending = True
        with contextlib.suppress(OSError):
            socket.create_connection(self.server_address, timeout=5).close()  # serve() waits for one
        self._closed.wait()
        self.service.end()
        with self._lock:
            for connection in self._open:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)

    def server_bind(self):
        socketserver.TCPServer.server_bind(self)  # the base class would look its name up in DNS

    def shutdown_request(self, request):
        """Lets a connection go; one that is to be reset is closed without an end of data."""
        with self._lock:
            self._open.discard(request)
        if request not in self.resets:
            return super().shutdown_request(request)
        self.resets.discard(request)
        request.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_request(request)

    def handle_error(self, request, client_address):
        """Says nothing of a client that went away in the middle of its request."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)
