"""What the fixture service is asked and what it answers, whatever dialect it speaks."""

import collections
import hashlib
import json
import threading
import uuid
from typing import NamedTuple
from urllib.parse import parse_qsl

from query import Failure, Refusal


class Request(NamedTuple):
    method: str
    path: str
    query: str
    headers: dict
    body: bytes
    connection: int = 0

    def json(self):
        def refuse(constant):
            raise ValueError(f"{constant} is not JSON")
        try:
            return json.loads(self.body.decode("utf-8"), parse_constant=refuse)
        except (ValueError, RecursionError) as error:
            raise Refusal(400, f"the body is not JSON: {error}") from None

    def pairs(self):
        """The names and values of the query, in their order."""
        return parse_qsl(self.query, keep_blank_values=True)

    def base(self):
        """The address that was asked, without its query."""
        return f"http://{self.headers.get('host', '')}{self.path}"


class Answer(NamedTuple):
    """What goes over the wire, and the fault that it goes there with.

    A field of `headers` is a text, several texts, or None for one that is left out. An answer with a
    follower goes on with what that is told.
    """

    status: int
    body: bytes = b""
    headers: dict = {}
    fault: dict = {}
    follower: object = None

    def adding(self, fields):
        return self._replace(headers={**self.headers, **fields})


def answer(status, value, **headers):
    return Answer(status, json.dumps(value, ensure_ascii=False).encode(), headers)


def guarded(route, request, error):
    """A route's answer; its refusals, and faults of the service itself, are answers too."""
    try:
        return route(request)
    except Failure as failure:
        return answer(failure.status, failure.value, **failure.headers)
    except Refusal as refusal:
        return answer(refusal.status, error(refusal), **refusal.headers)
    except Exception as fault:
        return answer(500, {"error": f"the service failed with {fault!r}"})


def tag(body):
    return f'"{hashlib.sha256(body).hexdigest()[:32]}"'


def names(tags, present):
    """Whether a header's list of entity tags names the present one."""
    listed = [each.strip() for each in tags.split(",")]
    return present is not None and (present in listed or "*" in listed)


def unchanged(request, given):
    """A 304 in place of an answer that the client has already, by the tag's weak comparison."""
    known = request.headers.get("if-none-match", "").replace("W/", "")
    present = given.headers["ETag"].replace("W/", "")
    return given._replace(status=304, body=b"") if names(known, present) else given


class Feed:
    """A stream of events for any number of followers, of whom none holds a write back.

    Each event has an id, if followers may go on from one. The last events are kept for them.
    """

    def __init__(self, has_ids=False, kept=500):
        self._lock, self._has_ids = threading.Lock(), has_ids
        self._era, self._count = uuid.uuid4().hex[:8], 0
        self._kept = collections.deque(maxlen=kept if has_ids else 0)
        self._followers, self._is_over = set(), False

    def tell(self, name, data):
        """Adds an event; a follower for whom too many wait is dropped."""
        with self._lock:
            self._count += 1
            self._kept.append(self._text(name, data))
            for follower in self._followers:
                follower.put(self._text(name, data))

    def follow(self, last=None, missed=()):
        """A follower from now on, or from after the event with the id `last`.

        If that is not known any more, it begins with the events `missed`.
        """
        with self._lock:
            follower = Follower(self, self._since(last, missed) if last and self._has_ids else [])
            self._followers.add(follower)
            if self._is_over:
                follower.end()
            return follower

    def leave(self, follower):
        with self._lock:
            self._followers.discard(follower)

    def end(self):
        """Ends all followers, also those who come later."""
        with self._lock:
            self._is_over = True
            for follower in self._followers:
                follower.end()

    def _since(self, last, missed):
        era, _, number = last.partition("-")
        behind = self._count - int(number) if era == self._era and number.isdecimal() else -1
        if 0 <= behind <= len(self._kept):
            return list(self._kept)[len(self._kept) - behind:]
        return [self._text(name, data) for name, data in missed]

    def _text(self, name, data):
        """An event as it goes over the wire, under the id of the last one that was told."""
        number = f"id: {self._era}-{self._count}\n" if self._has_ids else ""
        return f"{number}event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


class Follower:
    """What waits for one connection that follows a feed."""

    MOST = 1000

    def __init__(self, feed, texts):
        self._feed, self._waiting = feed, collections.deque(texts)
        self._news, self._is_over = threading.Condition(), False
        self.drop = lambda: None  # ends the connection, also while it waits for a slow reader

    def put(self, text):
        with self._news:
            if len(self._waiting) < self.MOST:
                self._waiting.append(text)
                return self._news.notify_all()
        self.end()

    def end(self):
        with self._news:
            self._is_over = True
            self._news.notify_all()
        self.drop()

    def next(self, seconds):
        """What has come, a comment after so many seconds without any, or None at the end."""
        with self._news:
            self._news.wait_for(lambda: self._waiting or self._is_over, timeout=seconds)
            if self._is_over:
                return None
            text = b"".join(self._waiting) or b": nothing new\n\n"
            self._waiting.clear()
            return text

    def leave(self):
        self._feed.leave(self)
