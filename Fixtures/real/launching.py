"""What the launchers of real services have in common: a port that is free, and an end.

A launcher prints one line, `listening on http://127.0.0.1:PORT`, and ends with its input, so that it never
outlives whoever started it.
"""

import contextlib
import json
import os
import signal
import socket
import sqlite3
import sys
import tempfile
import threading


def folder():
    """A folder of its own, which is removed at the end of the process."""
    made = tempfile.TemporaryDirectory(prefix="real-service-")
    return made


def free_socket():
    """A socket that listens on a free port of loopback alone."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # Its connections have it too: an answer in two pieces waits 40 ms for the second otherwise.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listening.bind(("127.0.0.1", 0))
    listening.listen(64)
    return listening


def announce(port):
    print(f"listening on http://127.0.0.1:{port}", flush=True)


def end_with_input(then):
    """Calls `then` once the input ends, or the process is asked to end."""

    def wait():
        while sys.stdin.buffer.read(4096):
            pass
        then()

    threading.Thread(target=wait, daemon=True).start()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: then())


class Table:
    """The rows of a table of SQLite, for `rows`."""

    def __init__(self, path, name="cars", has_text_ids=False):
        self.path, self.name, self.has_text_ids = path, name, has_text_ids

    def all(self):
        with self.transaction() as connection:
            found = connection.execute(f'SELECT * FROM "{self.name}" ORDER BY id')
            names = [column[0] for column in found.description]
            rows = [dict(zip(names, row)) for row in found]
        return [row | {"id": str(row["id"])} for row in rows] if self.has_text_ids else rows

    def replace(self, rows):
        with self.transaction() as connection:
            connection.execute(f'DELETE FROM "{self.name}"')
            if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_sequence'").fetchone():
                # Ids of one digit, and then of two, of which text has another order than numbers.
                connection.execute("DELETE FROM sqlite_sequence WHERE name = ?", [self.name])
                connection.execute("INSERT INTO sqlite_sequence VALUES (?, 7)", [self.name])
            self.insert(connection, rows)

    def add(self, row):
        with self.transaction() as connection:
            self.insert(connection, [row])

    def remove(self, identifier):
        with self.transaction() as connection:
            connection.execute(f'DELETE FROM "{self.name}" WHERE id = ?', [identifier])

    def insert(self, connection, rows):
        names = [column[1] for column in connection.execute(f'PRAGMA table_info("{self.name}")')]
        columns, values = (separator.join(names) for separator in ('", "', ", :"))
        connection.executemany(
            f'INSERT INTO "{self.name}" ("{columns}") VALUES (:{values})',
            [dict.fromkeys(names) | row for row in rows])

    @contextlib.contextmanager
    def transaction(self):
        opened = contextlib.closing(sqlite3.connect(self.path, timeout=20, isolation_level=None))
        with opened as connection, connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection


def asked(rows, method, query, body):
    """What tests ask of a service beside what it is: its rows, all others in their place, one more, one less.

    `rows` keeps them as the tests write them; without an id it gives the next one, from 8.
    """
    if method == "PUT":
        rows.replace(json.loads(body))
    elif method == "POST":
        rows.add(json.loads(body))
    elif method == "DELETE":
        rows.remove(query.removeprefix("id="))
    return json.dumps(rows.all()).encode() if method == "GET" else b""


def serve(application, then=lambda: None, prepare=lambda address: None, rows=None):
    """Serves a WSGI application until the input ends; `prepare` is called first, with its address.

    `rows` are at `/_rows`.
    """
    import waitress

    listening = free_socket()

    def end():
        then()
        os._exit(0)

    def begin():
        port = listening.getsockname()[1]
        try:
            prepare(f"http://127.0.0.1:{port}")
        except Exception as error:
            print(error, file=sys.stderr, flush=True)
            end()
        announce(port)

    def served(environment, respond):
        if rows is None or environment["PATH_INFO"] != "/_rows":
            return application(environment, respond)
        body = environment["wsgi.input"].read(int(environment.get("CONTENT_LENGTH") or 0))
        answer = asked(rows, environment["REQUEST_METHOD"], environment["QUERY_STRING"], body)
        respond("200 OK", [("Content-Type", "application/json"), ("Content-Length", str(len(answer)))])
        return [answer]

    end_with_input(end)
    threading.Thread(target=begin, daemon=True).start()
    waitress.serve(served, sockets=[listening], threads=8, _quiet=True)


def serve_asynchronously(application, then=lambda: None, rows=None):
    """Serves an ASGI application in the same way, by uvicorn."""
    import uvicorn

    listening = free_socket()

    def end():
        then()
        os._exit(0)

    async def served(scope, receive, send):
        if rows is None or scope.get("path") != "/_rows":
            return await application(scope, receive, send)
        body, more = b"", True
        while more:
            message = await receive()
            body, more = body + message.get("body", b""), message.get("more_body", False)
        answer = asked(rows, scope["method"], scope["query_string"].decode(), body)
        await send({"type": "http.response.start", "status": 200, "headers": [
            (b"content-type", b"application/json"), (b"content-length", str(len(answer)).encode())]})
        await send({"type": "http.response.body", "body": answer})

    server = uvicorn.Server(uvicorn.Config(served, log_level="error", access_log=False))
    server.install_signal_handlers = lambda: None
    end_with_input(end)
    announce(listening.getsockname()[1])
    server.run(sockets=[listening])
    end()
