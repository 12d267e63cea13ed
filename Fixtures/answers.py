"""What the fixture service is asked and what it answers, whatever dialect it speaks."""

import hashlib
import json
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

    A field of `headers` is a text, several texts, or None for one that is left out.
    """

    status: int
    body: bytes = b""
    headers: dict = {}
    fault: dict = {}

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
