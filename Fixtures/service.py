#!/usr/bin/env python3
"""A REST service over JSON files, for tests and examples; README.md says what it answers."""

import argparse
import csv
import hashlib
import json
import os
import re
import signal
import socketserver
import sys
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple, Optional
from urllib.parse import unquote

sys.dont_write_bytecode = True  # the folder of a bundle stays as it was built

from collection import Collection, identifier  # noqa: E402
from query import Refusal  # noqa: E402
from switches import Dropped, Switches  # noqa: E402


class Request(NamedTuple):
    method: str
    path: str
    query: str
    headers: dict
    body: bytes

    def json(self):
        def refuse(constant):
            raise ValueError(f"{constant} is not JSON")
        try:
            return json.loads(self.body.decode("utf-8"), parse_constant=refuse)
        except (ValueError, RecursionError) as error:
            raise Refusal(400, f"the body is not JSON: {error}") from None


class Answer(NamedTuple):
    """What goes over the wire.

    `cut` says where the connection ends before its time, `chunked` that no length is told before,
    and whether the body comes to an end.
    """

    status: int
    body: bytes = b""
    headers: dict = {}
    cut: Optional[str] = None
    chunked: Optional[str] = None


def models(source):
    """The models of a file: a JSON array, or CSV, whose first column becomes their id."""
    text = source.read_text("utf-8")
    if source.suffix != ".csv":
        return json.loads(text)
    names, *rows = csv.reader(text.splitlines())
    return [dict(zip(["id", *names[1:]], [row[0], *map(plain, row[1:])])) for row in rows]


def plain(text):
    """A field of CSV: a number where it reads as one, null where the source has none."""
    if text in ("", "NA"):
        return None
    return float(text) if re.fullmatch(r"-?[0-9]+\.[0-9]+", text) else text


def answer(status, value, **headers):
    return Answer(status, json.dumps(value, ensure_ascii=False).encode(), headers)


def guarded(route, request):
    """A route's answer; its refusals, and faults of the service itself, are answers too."""
    try:
        return route(request)
    except Refusal as refusal:
        return answer(refusal.status, {"error": refusal.sentence}, **refusal.headers)
    except Exception as error:
        return answer(500, {"error": f"the service failed with {error!r}"})


def tag(body):
    return f'"{hashlib.sha256(body).hexdigest()[:32]}"'


def names(tags, present):
    """Whether a header's list of entity tags names the present one."""
    listed = [each.strip() for each in tags.split(",")]
    return present is not None and (present in listed or "*" in listed)


class Service:
    """The collections, what was asked of them, and the faults that a test has set."""

    def __init__(self, files, state=None, bearer=None, delay=0.0):
        self._files, self._state, self._bearer = files, state, bearer
        self._lock = threading.RLock()
        self._arrived = threading.Condition(self._lock)
        self._switches = Switches(self._lock, delay)
        self._collections = {path.stem: self._loaded(path, restored=True) for path in files}
        self._seen, self._replays = [], {}

    def answer(self, request):
        """Carries out one request, one at a time apart from what a switch holds back."""
        control = request.path == "/_control" or request.path.startswith("/_control/")
        with self._lock:
            return guarded(self._control, request) if control else self._faulty(request)

    def _loaded(self, path, restored):
        kept = self._state and Path(self._state, f"{path.stem}.json")
        source = kept if restored and kept and kept.exists() else path
        try:
            return Collection(path.stem, models(source), kept)
        except (OSError, ValueError, Refusal) as error:
            raise SystemExit(f"{source} holds no collection: {error}") from None

    def _control(self, request):
        route = (request.method, request.path)
        if route == ("POST", "/_control"):
            settings = request.json()
            for each in settings if isinstance(settings, list) else [settings]:
                self._switches.add(each)
        elif route == ("DELETE", "/_control"):
            self._switches.clear()
        elif route == ("POST", "/_control/reset"):
            self._switches.clear(forget=True)
            self._collections = {path.stem: self._loaded(path, False) for path in self._files}
            for collection in self._collections.values():
                collection.save()
            self._seen, self._replays = [], {}
        elif route == ("GET", "/_control/requests"):
            wanted = re.fullmatch(r"(?:at_least=([0-9]{1,6}))?", request.query)
            if not wanted:
                raise Refusal(400, "the requests take at_least and a whole number")
            self._arrived.wait_for(lambda: len(self._seen) >= int(wanted[1] or 0))
            return answer(200, self._seen)
        else:
            raise Refusal(404, f"there is no control route {request.method} {request.path}")
        return Answer(204)

    def _faulty(self, request):
        """The answer to a request, in the way that the switches want it."""
        entry = {**request._asdict(), "body": request.body.decode("utf-8", "replace") or None}
        self._seen.append(entry)
        self._arrived.notify_all()
        era = self._switches.era
        delay, fault = self._switches.take(request.method, request.path)
        try:
            if delay:
                self._switches.hold(era, delay)
            if "silent" in fault:
                self._switches.hold(era)
        except Dropped:
            return Answer(503, cut="before-answer")
        given = self._instead(fault) or guarded(self._carried_out, request)
        entry["status"] = given.status
        return given._replace(cut=fault.get("hang_up"), chunked=fault.get("chunked"))

    def _instead(self, fault):
        if "redirect" in fault:
            return Answer(307, headers={"Location": fault["redirect"]})
        if "garbage" in fault:
            return Answer(200, b"<html>This is no JSON.</html>")
        if "status" in fault:
            body = fault.get("body", {"error": f"a switch wants the status {fault['status']}"})
            text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
            return Answer(fault["status"], text.encode(), fault.get("headers", {}))
        return None

    def _carried_out(self, request):
        if self._bearer and request.headers.get("authorization") != f"Bearer {self._bearer}":
            wanted = {"WWW-Authenticate": "Bearer"}
            raise Refusal(401, "the header Authorization must carry the bearer token", **wanted)
        key = request.headers.get("idempotency-key")
        if request.method == "GET" or key is None:
            return self._routed(request)
        written = (request.method, request.path, request.query, request.body)
        first, given = self._replays.get(key, (written, None))
        if first != written:
            raise Refusal(422, f"the idempotency key {key} was used for another request")
        if given:
            return given._replace(headers={**given.headers, "Idempotency-Replayed": "true"})
        given = self._routed(request)
        self._replays[key] = (written, given)
        return given

    def _routed(self, request):
        name, *rest = [unquote(part) for part in request.path.strip("/").split("/")]
        if not name and request.method == "GET":
            return answer(200, {name: len(each) for name, each in self._collections.items()})
        if name not in self._collections or len(rest) > 1:
            known = ", ".join(f"/{name}" for name in self._collections)
            raise Refusal(404, f"there is nothing at {request.path}; there is {known}")
        routes = ONE if rest else ALL
        if request.method not in routes:
            sentence = f"{request.method} does not go with {request.path}"
            raise Refusal(405, sentence, Allow=", ".join(routes))
        return conditional(self._collections[name], request, routes, *rest)


def conditional(collection, request, routes, *rest):
    """Carries out a route under If-None-Match, if it reads, and under If-Match, if it writes."""
    if request.method == "GET":
        given = routes["GET"](collection, request, *rest)
        given.headers["ETag"] = tag(given.body)
        known = request.headers.get("if-none-match", "").replace("W/", "")
        if names(known, given.headers["ETag"]):
            return given._replace(status=304, body=b"")
        return given
    if "if-match" in request.headers:
        exists = not rest or rest[0] in collection
        bare = request._replace(query="")
        present = tag(routes["GET"](collection, bare, *rest).body) if exists else None
        if not names(request.headers["if-match"], present):
            raise Refusal(412, f"{request.path} is no longer what If-Match names")
    given = routes[request.method](collection, request, *rest)
    if rest and request.method != "DELETE":
        given.headers["ETag"] = tag(given.body)
    return given


def models_in(request):
    """The models of a body, and whether it was an array."""
    value = request.json()
    models = value if isinstance(value, list) else [value]
    if not all(isinstance(model, dict) for model in models):
        raise Refusal(400, "the body is neither a JSON object nor an array of objects")
    return models, isinstance(value, list)


def array_in(request):
    models, is_array = models_in(request)
    if not is_array:
        raise Refusal(400, f"{request.method} {request.path} takes an array of objects")
    return models


def one_in(request, collection, text):
    """The one model of a body, under the id of the path."""
    models, is_array = models_in(request)
    if is_array or str(models[0].get("id", text)) != text:
        raise Refusal(400, f"{request.method} {request.path} takes one object, of the id {text}")
    return {"id": collection.key(text), **models[0]}


def get_all(collection, request):
    page = collection.select(request.query)
    given = answer(200, page.models, **{"X-Total-Count": str(page.total)})
    base = f"http://{request.headers.get('host', '')}{request.path}"
    links = [f'<{base}?{query}>; rel="{rel}"' for rel, query in page.links.items()]
    if links:
        given.headers["Link"] = ", ".join(links)
    return given


def post_all(collection, request):
    models, is_array = models_in(request)
    stored = collection.store(models)
    if is_array:
        return answer(201, stored)
    return answer(201, stored[0], Location=f"{request.path.rstrip('/')}/{stored[0]['id']}")


def delete_all(collection, request):
    if not request.query and not request.body:
        raise Refusal(400, "say what to remove, by a query or by a body with an array of ids")
    ids = [identifier(model) for model in collection.select(request.query).models]
    if request.body:
        value = request.json()
        if not isinstance(value, list):
            raise Refusal(400, "the body of a removal is an array of ids or of objects")
        named = [identifier(each if isinstance(each, dict) else {"id": each}) for each in value]
        ids = [text for text in named if text in set(ids)]
    return answer(200, collection.remove(ids))


def put_one(collection, request, text):
    status = 200 if text in collection else 201
    return answer(status, collection.replace([one_in(request, collection, text)])[0])


def patch_one(collection, request, text):
    collection.one(text)
    return answer(200, collection.update([one_in(request, collection, text)])[0])


def delete_one(collection, request, text):
    collection.one(text)
    return answer(200, collection.remove([text])[0])


ALL = {
    "GET": get_all,
    "POST": post_all,
    "PUT": lambda collection, request: answer(200, collection.replace(array_in(request))),
    "PATCH": lambda collection, request: answer(200, collection.update(array_in(request))),
    "DELETE": delete_all,
}
ONE = {
    "GET": lambda collection, request, text: answer(200, collection.one(text)),
    "PUT": put_one,
    "PATCH": patch_one,
    "DELETE": delete_one,
}


def chunks(body, end):
    """A body in pieces of a thousand bytes, and what ends it, unless it is unending."""
    pieces = [body[at:at + 1000] for at in range(0, len(body), 1000)]
    last = [b""] if end == "whole" else []
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces + last)


class Handler(BaseHTTPRequestHandler):
    """HTTP/1.1 with connections kept; an answer is one write, so that no packet waits."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def handle_any(self):
        if "Transfer-Encoding" in self.headers:
            return self.send_error(411, "a body comes with its Content-Length")
        length = self.headers.get("Content-Length", "0")
        if not re.fullmatch(r"[0-9]+", length):
            return self.send_error(400, f"'{length}' is no Content-Length")
        body = self.rfile.read(int(length))
        path, _, query = self.path.partition("?")
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Request(self.command, path, query, headers, body)
        self.send(self.server.service.answer(request))

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

    def send(self, given):
        head = {"Date": self.date_time_string(), "Content-Type": "application/json"}
        if given.status in (204, 304):
            given = given._replace(body=b"", chunked=None)
        elif given.chunked:
            head["Transfer-Encoding"] = "chunked"
        else:
            head["Content-Length"] = len(given.body)
        lines = [f"{name}: {value}" for name, value in {**head, **given.headers}.items()]
        status = f"HTTP/1.1 {given.status} {self.phrase(given.status)}"
        start = "\r\n".join([status, *lines, "", ""]).encode("latin-1", "replace")
        if given.cut:
            self.close_connection = True
        if given.cut == "before-answer":
            return
        body = given.body[:len(given.body) // 2] if given.cut else given.body
        self.wfile.write(start + (chunks(body, given.chunked) if given.chunked else body))
        if given.chunked == "unending":
            self.rfile.read(1)  # the answer is over when the client has gone
            self.close_connection = True

    def send_error(self, code, message=None, explain=None):
        """Answers, in JSON too, what is no HTTP that can be read on, and closes the connection."""
        self.close_connection = True
        sentence = message or self.phrase(code)
        self.send(answer(int(code), {"error": sentence}, Connection="close"))

    def phrase(self, status):
        known = [each.phrase for each in HTTPStatus if each == status]
        return known[0] if known else "Unnamed"

    def log_message(self, *arguments):
        """Says nothing: standard output carries the one line that tests wait for."""


class Server(ThreadingHTTPServer):
    request_queue_size = 128

    def __init__(self, port, service):
        self.service = service
        super().__init__(("127.0.0.1", port), Handler)

    def server_bind(self):
        socketserver.TCPServer.server_bind(self)  # the base class would look its name up in DNS

    def handle_error(self, request, client_address):
        """Says nothing of a client that went away in the middle of its request."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0, the default: any that is free")
    parser.add_argument("--data", type=Path, action="append", required=True, metavar="FILE",
                        help="a JSON array of objects with ids, or CSV, served as /STEM; may be repeated")
    parser.add_argument("--state", type=Path, metavar="DIR",
                        help="keep changes in this folder, and start from those kept there")
    parser.add_argument("--bearer", metavar="TOKEN", help="answer 401 without this bearer token")
    parser.add_argument("--delay", type=float, default=0.0, metavar="SECONDS",
                        help="wait so long before each answer")
    parser.add_argument("--exit-with-stdin", action="store_true",
                        help="end when standard input does, as it does when the parent dies")
    return parser.parse_args()


def leave(*_):
    """Ends the process, whatever its threads are at: requests held back, or a lock that is taken."""
    os._exit(0)


def leave_with_stdin():
    sys.stdin.buffer.read()
    leave()


def main():
    chosen = options()
    if chosen.state:
        chosen.state.mkdir(parents=True, exist_ok=True)
    service = Service(chosen.data, chosen.state, chosen.bearer, chosen.delay)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, leave)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())  # a parent's worker thread may have blocked them
    try:
        server = Server(chosen.port, service)
    except (OSError, OverflowError) as error:
        raise SystemExit(f"port {chosen.port} cannot be had: {error}") from None
    if chosen.exit_with_stdin:
        threading.Thread(target=leave_with_stdin, daemon=True).start()
    print(f"listening on http://127.0.0.1:{server.server_address[1]}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
