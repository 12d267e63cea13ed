#!/usr/bin/env python3
"""A REST service over JSON files, for tests and examples; README.md says what it answers."""

import argparse
import csv
import functools
import json
import os
import queue
import re
import signal
import sys
import threading
from pathlib import Path

sys.dont_write_bytecode = True  # the folder of a bundle stays as it was built

from answers import Answer, Feed, answer, guarded  # noqa: E402
from collection import Collection  # noqa: E402
from dialect import schema  # noqa: E402
from dialect_airtable import Airtable  # noqa: E402
from dialect_company import Company  # noqa: E402
from dialect_directus import Directus  # noqa: E402
from dialect_envelope import Envelope  # noqa: E402
from dialect_firebase import Firebase  # noqa: E402
from dialect_jsonapi import JSONAPI  # noqa: E402
from dialect_links import Links  # noqa: E402
from dialect_plain import Plain  # noqa: E402
from dialect_postgrest import Postgrest  # noqa: E402
from dialect_records import Records  # noqa: E402
from dialect_stripe import Stripe  # noqa: E402
from query import Refusal  # noqa: E402
from switches import Dropped, Switches  # noqa: E402
from wire import Server  # noqa: E402

DIALECTS = {"plain": Plain, "links": Links, "envelope": Envelope, "records": Records,
            "postgrest": Postgrest, "stripe": Stripe, "airtable": Airtable, "jsonapi": JSONAPI,
            "firebase": Firebase, "directus": Directus, "company": Company}


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


class Service:
    """The collections, what was asked of them, and the faults that a test has set."""

    def __init__(self, settings):
        self._settings = settings
        self._lock = threading.RLock()
        self._arrived = threading.Condition(self._lock)
        self._switches = Switches(self._lock, settings.delay)
        self._under_way, self._is_over = 0, False
        self._feed = Feed()
        self._start(restored=True)

    @property
    def has_head(self):
        return self._dialect.has_head

    def begin(self, request):
        """Counts a request as under way, unless it is one of control."""
        if is_control(request):
            return False
        with self._lock:
            self._under_way += 1
            self._most = max(self._most, self._under_way)
        return True

    def finish(self):
        """Counts a request as over."""
        with self._lock:
            self._under_way -= 1

    def end(self):
        """Ends the streams, and lets go of requests that are held back, not done nor answered."""
        with self._lock:
            self._is_over = True
            self._feed.end()
            self._arrived.notify_all()
            self._switches.clear(forget=True)

    def saw(self, request):
        """Keeps a request for those who ask what has come."""
        entry = {**request._asdict(), "body": request.body.decode("utf-8", "replace") or None}
        with self._lock:
            self._seen.append(entry)
            self._arrived.notify_all()
        return entry

    def answer(self, request):
        """Carries out one request, one at a time apart from what a switch holds back."""
        with self._lock:
            if is_control(request):
                return guarded(self._control, request, lambda refusal: {"error": refusal.sentence})
            return self._faulty(request)

    def _start(self, restored):
        """Begins with the data of the files, or with what was kept of them."""
        kind = DIALECTS[self._settings.dialect]
        loaded = {path.stem: self._loaded(kind, path, restored) for path in self._settings.data}
        self._collections = {name: collection for name, (collection, _) in loaded.items()}
        schemas = {name: fields for name, (_, fields) in loaded.items()}
        self._dialect = kind(self._collections, schemas, self._settings)
        self._seen, self._replays, self._most = [], {}, 0
        self._feed.end()
        self._feed = Feed(has_ids=kind.has_event_ids)
        if kind.has_events:
            for collection in self._collections.values():
                collection.changed = functools.partial(self._tell, collection)

    def _tell(self, collection, kind, model):
        self._feed.tell(*self._dialect.event(collection, kind, model))

    def _loaded(self, kind, path, restored):
        kept = self._settings.state and Path(self._settings.state, f"{path.stem}.json")
        source = kept if restored and kept and kept.exists() else path
        try:
            found = models(source)
            Collection(path.stem, found)  # refuses what is no array of models with ids
            collection = Collection(path.stem, kind.prepared(found), kept)
            if self._settings.empty and source is path:
                collection.clear()
            return collection, schema(found if source is path else models(path))
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
            self._start(restored=False)
            for collection in self._collections.values():
                collection.save()
        elif route == ("GET", "/_control/requests"):
            wanted = re.fullmatch(r"(?:at_least=([0-9]{1,6}))?", request.query)
            if not wanted:
                raise Refusal(400, "the requests take at_least and a whole number")
            self._arrived.wait_for(lambda: self._is_over or len(self._seen) >= int(wanted[1] or 0))
            return answer(200, self._seen)
        elif route == ("GET", "/_control/load"):
            connections = len({entry["connection"] for entry in self._seen})
            return answer(200, {"at_once": self._most, "connections": connections})
        else:
            raise Refusal(404, f"there is no control route {request.method} {request.path}")
        return Answer(204)

    def _faulty(self, request):
        """The answer to a request, in the way that the switches want it."""
        entry = self.saw(request)
        era = self._switches.era
        delay, fault = self._switches.take(request.method, request.path)
        try:
            if delay:
                self._switches.hold(era, delay)
            if "silent" in fault:
                self._switches.hold(era)
        except Dropped:
            return Answer(503, fault={"hang_up": "before-acting"})
        if "before-acting" in (fault.get("hang_up"), fault.get("reset")):
            return Answer(503, fault=fault)
        given = self._instead(fault)
        if given is None:
            seen = request._replace(method="GET") if request.method == "HEAD" else request
            route = self._followed if self._is_stream(request) else self._carried_out
            given = guarded(route, seen, self._dialect.error)
            if not given.follower:
                given = self._dialect.decorated(seen, given)
        entry["status"] = given.status
        return given._replace(fault=fault)

    def _instead(self, fault):
        if "redirect" in fault:
            status = fault.get("redirect_status", 307)
            return Answer(status, headers={"Location": fault["redirect"]})
        if "garbage" in fault:
            return Answer(200, b"<html>This is no JSON.</html>")
        if "status" in fault:
            body = fault.get("body", {"error": f"a switch wants the status {fault['status']}"})
            text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
            return Answer(fault["status"], text.encode(), fault.get("headers", {}))
        return None

    def _is_stream(self, request):
        is_free = self._dialect.has_events and "events" not in self._collections
        return is_free and (request.method, request.path) == ("GET", "/events")

    def _followed(self, request):
        self._dialect.authorize(request)
        last = request.headers.get("last-event-id")
        fields = {"Content-Type": "text/event-stream", "Cache-Control": "no-store"}
        return Answer(200, headers=fields, follower=self._feed.follow(last, self._dialect.missed()))

    def _carried_out(self, request):
        self._dialect.authorize(request)
        key = request.headers.get("idempotency-key")
        if request.method == "GET" or key is None:
            return self._dialect.carry_out(request)
        written = (request.method, request.path, request.query, request.body)
        first, given = self._replays.get(key, (written, None))
        if first != written:
            raise Refusal(422, f"the idempotency key {key} was used for another request")
        if given:
            return given.adding({"Idempotency-Replayed": "true"})
        given = self._dialect.carry_out(request)
        self._replays[key] = (written, given)
        return given


def is_control(request):
    return request.path == "/_control" or request.path.startswith("/_control/")


def options():
    parser = argparse.ArgumentParser(
        description=__doc__,
        epilog="--lend, alone, takes these options from standard input, as a JSON array a line, each of "
               "which ends the service before it; [] ends one, and the end of the input all.")
    parser.add_argument("--port", type=int, default=0, help="0, the default: any that is free")
    parser.add_argument("--data", type=Path, action="append", required=True, metavar="FILE",
                        help="a JSON array of objects with ids, or CSV, served as /STEM; may be repeated")
    parser.add_argument("--empty", action="store_true",
                        help="take only the fields of the data, and begin without models")
    parser.add_argument("--dialect", choices=DIALECTS, default="plain",
                        help="how the service speaks of its data")
    parser.add_argument("--state", type=Path, metavar="DIR",
                        help="keep changes in this folder, and start from those kept there")
    parser.add_argument("--bearer", metavar="TOKEN", help="answer 401 without this bearer token")
    parser.add_argument("--reader", metavar="TOKEN",
                        help="beside --bearer, a token that reads: its writes are answered 403")
    parser.add_argument("--unique", action="append", default=[], metavar="FIELD",
                        help="refuse a second model with the same value there; may be repeated")
    parser.add_argument("--rate", type=int, default=5000, metavar="COUNT",
                        help="how many requests links answers in each window")
    parser.add_argument("--window", type=float, default=3600, metavar="SECONDS",
                        help="how long a window of links lasts")
    parser.add_argument("--delay", type=float, default=0.0, metavar="SECONDS",
                        help="wait so long before each answer")
    return parser


def lines_of_input():
    """What is written to standard input, line by line; the process ends with it."""
    text = b""
    while True:
        line, separator, text = text.partition(b"\n")
        if separator:
            yield line
            continue
        text = line
        more = os.read(0, 65536)  # without sys.stdin, whose lock an exit would wait for in vain
        if not more:
            os._exit(0)  # whatever its threads are at: requests held back, or a lock that is taken
        text += more


def started(chosen):
    """A server that listens, and has said where."""
    if chosen.state:
        chosen.state.mkdir(parents=True, exist_ok=True)
    service = Service(chosen)
    try:
        server = Server(chosen.port, service)
    except (OSError, OverflowError) as error:
        raise SystemExit(f"port {chosen.port} cannot be had: {error}") from None
    print(f"listening on http://127.0.0.1:{server.server_address[1]}", flush=True)
    return server


def lend(parser):
    """Serves whoever has this process now; a line of standard input says that it is another's turn.

    A line is a JSON array of options, which starts a service as a process of its own would be, or an
    empty array, which ends the one that runs. Nothing of one is seen by the next: that has a port,
    connections and data of its own.
    """
    lines, asked = lines_of_input(), queue.SimpleQueue()
    threading.Thread(target=lambda: [asked.put(line) for line in lines], daemon=True).start()
    server = None
    while True:
        options = json.loads(asked.get())
        if server:
            server.end()
            server = None
        if options:
            server = started(parser.parse_args(options))
            threading.Thread(target=server.serve, daemon=True).start()
        else:
            print("ended", flush=True)


def main():
    # Python runs a handler between two of its own steps, so it would see a signal that arrives just
    # before the process waits for a connection only with the next connection.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())  # a parent's worker thread may have blocked them
    parser = options()
    if sys.argv[1:] == ["--lend"]:
        lend(parser)
    started(parser.parse_args()).serve()


if __name__ == "__main__":
    main()
