"""Records that PUT creates under the client's ids, with timestamps for entity tags, as Kinto has
them."""

import base64
import binascii
import copy
import json
import re
import time
import uuid
from email.utils import formatdate
from urllib.parse import urlencode

from answers import Answer, Request, answer
from dialect import Dialect
from query import Failure, Refusal
from records_query import invalid, selection, sorting, timestamp

BATCH_SIZE = 25
ERRNOS = {401: 104, 403: 121, 404: 111, 405: 115, 412: 114, 422: 109}
TITLES = {400: "Invalid parameters", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
          405: "Method Not Allowed", 412: "Precondition Failed", 422: "Unprocessable Entity"}


def milliseconds():
    return time.time_ns() // 1_000_000


class Records(Dialect):
    def __init__(self, collections, schemas, settings):
        super().__init__(collections, schemas, settings)
        self._tombstones = {name: {} for name in collections}
        self._latest = {name: max([each["last_modified"] for each in collection.all()],
                                  default=milliseconds())
                        for name, collection in collections.items()}

    @staticmethod
    def prepared(models):
        start = milliseconds() - len(models)
        return [{**model, "id": str(model["id"]),
                 "last_modified": model.get("last_modified", start + place)}
                for place, model in enumerate(models)]

    def unauthorized(self, request):
        sentence = "Please authenticate yourself to use this endpoint."
        return Refusal(401, sentence, **{"WWW-Authenticate": 'Basic realm="Realm"'})

    def forbidden(self, request):
        return Refusal(403, "This user cannot access this resource.")

    def error(self, refusal):
        return described(refusal.status, refusal.sentence)

    def decorated(self, request, given):
        return given.adding({"Cache-Control": "no-cache, no-store"})

    def carry_out(self, request):
        parts = self.parts(request)
        if parts == [""] and request.method == "GET":
            limits = {"batch_max_requests": BATCH_SIZE}
            return answer(200, {"project_name": "records", "settings": limits})
        if parts == ["batch"] and request.method == "POST":
            return self.batch(request)
        if parts == ["transaction"] and request.method == "POST":
            return self.transaction(request)
        name, *rest = parts
        if name not in self.collections or len(rest) > 1:
            raise Refusal(404, "The resource you are looking for could not be found.")
        routes = ONE if rest else ALL
        if request.method not in routes:
            raise Refusal(405, "Method not allowed on this endpoint.", Allow=", ".join(routes))
        if rest and not re.fullmatch(r"[a-zA-Z0-9][a-zA-Z0-9_-]*", rest[0]):
            raise invalid("path", None, "Invalid record id")
        return routes[request.method](self, request, name, *rest)

    def list(self, request, name):
        latest = self._latest[name]
        stamps = stamped(latest)
        if is_known(request, latest):
            return Answer(304, headers=stamps)
        self.require_unmodified(request, latest, None)
        chosen, shows_removed = selection(request.pairs())
        found = [each for each in self.collections[name].all() if chosen(each)]
        total = len(found)
        if shows_removed:
            found += [each for each in self._tombstones[name].values() if chosen(each)]
        asked = dict(request.pairs())
        order = sorting(asked.get("_sort", ""))
        found.sort(key=order)
        if "_token" in asked:
            last = opened(asked["_token"])
            found = [each for each in found if order(each) > order(last)]
        given = {**stamps, "Total-Objects": total, "Total-Records": total}
        size = asked.get("_limit")
        if size is not None:
            if not re.fullmatch(r"[0-9]{1,9}", size):
                raise invalid("querystring", None, "_limit should be an integer")
            if 0 < int(size) < len(found):
                token = {**asked, "_token": sealed(found[int(size) - 1])}
                given["Next-Page"] = f"{request.base()}?{urlencode(token)}"
            found = found[:int(size)] if int(size) else found
        return answer(200, {"data": found}, **given)

    def one(self, request, name, text):
        record = self.existing(name, text)
        stamps = stamped(record["last_modified"])
        if is_known(request, record["last_modified"]):
            return Answer(304, headers=stamps)
        self.require_unmodified(request, record["last_modified"], record)
        return answer(200, {"data": record}, **stamps)

    def create(self, request, name):
        data = body_of(request)
        text = data.get("id", str(uuid.uuid4()))
        if not isinstance(text, str) or not re.fullmatch(r"[a-zA-Z0-9][a-zA-Z0-9_-]*", text):
            raise invalid("path", None, "Invalid record id")
        collection = self.collections[name]
        held = collection.one(text) if text in collection else None
        self.require_unmodified(request, held and held["last_modified"] or self._latest[name], held)
        if held:
            return answer(200, {"data": held}, **stamped(held["last_modified"]))
        return self.stored(201, name, {**data, "id": text}, None)

    def put(self, request, name, text):
        collection = self.collections[name]
        held = collection.one(text) if text in collection else self._tombstones[name].get(text)
        if held:
            self.require_unmodified(request, held["last_modified"], held)
        data = body_of(request)
        if data.get("id", text) != text:
            raise invalid("body", "id", "Record id does not match existing record")
        status = 200 if text in collection else 201
        return self.stored(status, name, {**data, "id": text}, held)

    def patch(self, request, name, text):
        record = self.existing(name, text)
        self.require_unmodified(request, record["last_modified"], record)
        data = body_of(request)
        if data.get("id", text) != text:
            raise invalid("body", "id", "Record id does not match existing record")
        changed = {**record, **data}
        if all(record.get(key) == value for key, value in data.items()):
            return answer(200, {"data": record}, **stamped(record["last_modified"]))
        return self.stored(200, name, changed, record)

    def remove(self, request, name, text):
        record = self.existing(name, text)
        self.require_unmodified(request, record["last_modified"], record)
        buried = self.buried(name, record)
        return answer(200, {"data": buried}, **stamped(buried["last_modified"]))

    def remove_all(self, request, name):
        self.require_unmodified(request, self._latest[name], None)
        chosen, _ = selection(request.pairs())
        found = [each for each in self.collections[name].all() if chosen(each)]
        buried = [self.buried(name, each) for each in found]
        return answer(200, {"data": buried}, **stamped(self._latest[name]))

    def existing(self, name, text):
        if text not in self.collections[name]:
            sentence = "The resource you are looking for could not be found."
            details = {"id": text, "resource_name": "record"}
            raise Failure(404, described(404, sentence, details, errno=110))
        return self.collections[name].one(text)

    def stored(self, status, name, record, held):
        """Keeps a record under a new timestamp, or under a later one that its client gave it."""
        wanted = record.get("last_modified")
        is_later = isinstance(wanted, int) and not isinstance(wanted, bool) and (
            wanted > (held["last_modified"] if held else 0))
        moment = wanted if is_later else self.moment(name)
        self._latest[name] = max(self._latest[name], moment)
        self._tombstones[name].pop(record["id"], None)
        kept = {**record, "last_modified": moment}
        self.collections[name].replace([kept])
        return answer(status, {"data": kept}, **stamped(moment))

    def buried(self, name, record):
        self.collections[name].remove([record["id"]])
        stone = {"id": record["id"], "last_modified": self.moment(name), "deleted": True}
        self._tombstones[name][record["id"]] = stone
        return stone

    def moment(self, name):
        """The present as a timestamp, later than any before it."""
        self._latest[name] = max(milliseconds(), self._latest[name] + 1)
        return self._latest[name]

    def require_unmodified(self, request, moment, record):
        """Refuses what If-Match of an older state forbids, or creating what is there."""
        if request.headers.get("if-none-match") == "*":
            if not record or record.get("deleted"):
                return
        elif "if-match" not in request.headers or (
                moment <= timestamp(request.headers["if-match"], "If-Match")):
            return
        details = {"existing": record} if record else None
        body = described(412, "Resource was modified meanwhile", details)
        raise Failure(412, body, **stamped(moment))

    def batch(self, request):
        """Carries out requests one after the other; each has its own answer."""
        body = request.json()
        asked = body.get("requests") if isinstance(body, dict) else None
        if not isinstance(asked, list) or not all(isinstance(each, dict) for each in asked):
            raise invalid("body", "requests", "Required")
        if len(asked) > BATCH_SIZE:
            sentence = f"Number of requests is limited to {BATCH_SIZE}"
            raise invalid("body", "requests", sentence)
        defaults = body.get("defaults") or {}
        parts = [self.part(request, {**defaults, **each}) for each in asked]
        return answer(200, {"responses": parts})

    def transaction(self, request):
        """Carries out the requests of a batch all or none: beside a refused one the others say 424."""
        before = copy.deepcopy((self.collections, self._tombstones, self._latest))
        parts = json.loads(self.batch(request).body)["responses"]
        if any(part["status"] >= 400 for part in parts):
            for present, former in zip((self.collections, self._tombstones, self._latest), before):
                present.update(former)
            for part in parts:
                if part["status"] < 400:
                    part.update(status=424, body=described(424, "Another request was refused"))
        return answer(200, {"responses": parts})

    def part(self, request, asked):
        path, _, query = str(asked.get("path", "")).partition("?")
        if not path.startswith("/") or path.rstrip("/").endswith("/batch"):
            raise invalid("body", "requests", f"'{path}' is no path of a request")
        inherited = {name: value for name, value in request.headers.items()
                     if name in ("host", "authorization")}
        own = {name.lower(): str(value) for name, value in (asked.get("headers") or {}).items()}
        body = json.dumps(asked["body"]).encode() if "body" in asked else b""
        method = str(asked.get("method", "GET")).upper()
        one = Request(method, path, query, {**inherited, **own}, body, request.connection)
        try:
            given = self.carry_out(one)
        except Failure as failure:
            given = answer(failure.status, failure.value, **failure.headers)
        except Refusal as refusal:
            given = answer(refusal.status, self.error(refusal), **refusal.headers)
        fields = self.decorated(one, given).headers
        return {"status": given.status, "path": path,
                "headers": {name: str(value) for name, value in fields.items()},
                "body": json.loads(given.body) if given.body else {}}


def described(status, sentence, details=None, errno=None):
    known = errno or ERRNOS.get(status, 107 if status == 400 else 999)
    body = {"code": status, "errno": known, "error": TITLES.get(status, "Error"),
            "message": sentence}
    return {**body, "details": details} if details else body


def stamped(moment):
    return {"ETag": f'"{moment}"', "Last-Modified": formatdate(moment / 1000, usegmt=True)}


def is_known(request, moment):
    tag = request.headers.get("if-none-match", "*")
    return tag != "*" and moment <= timestamp(tag, "If-None-Match")


def body_of(request):
    """The record in a body's envelope."""
    try:
        body = request.json()
    except Refusal as refusal:
        raise Failure(400, described(400, f"body: {refusal.sentence}", errno=106)) from None
    data = body.get("data") if isinstance(body, dict) else None
    if not isinstance(data, dict):
        raise invalid("body", "data", "Required")
    return data


def sealed(record):
    """What says where a list goes on: its last record."""
    return base64.urlsafe_b64encode(json.dumps(record).encode()).decode()


def opened(token):
    try:
        last = json.loads(base64.urlsafe_b64decode(token.encode()))
    except (ValueError, binascii.Error):
        last = None
    if not isinstance(last, dict):
        raise invalid("querystring", None, "_token has invalid content")
    return last


ALL = {"GET": Records.list, "POST": Records.create, "DELETE": Records.remove_all}
ONE = {"GET": Records.one, "PUT": Records.put, "PATCH": Records.patch, "DELETE": Records.remove}
