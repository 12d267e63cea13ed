"""Lists in an envelope, slashes at the end, field errors and ids from the service, as Django REST
framework has them."""

import math
from datetime import datetime, timezone
from urllib.parse import urlencode

from answers import Answer, answer
from dialect import Dialect, singular
from envelope_fields import Filters, Serializer
from query import Failure, Refusal

PAGE_SIZE, LARGEST_PAGE = 25, 100
PAGING = ("page", "page_size", "limit", "offset")


def now():
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


class Envelope(Dialect):
    def __init__(self, collections, schemas, settings):
        super().__init__(collections, schemas, settings)
        self._serializers = {name: Serializer(schemas[name]) for name in collections}

    @staticmethod
    def prepared(models):
        start = now()
        return [{**model, "created": model.get("created", start),
                 "modified": model.get("modified", start)} for model in models]

    def unauthorized(self, request):
        missing = "authorization" not in request.headers
        sentence = "Authentication credentials were not provided." if missing else "Invalid token."
        return Refusal(401, sentence, **{"WWW-Authenticate": "Bearer"})

    def forbidden(self, request):
        return Refusal(403, "You do not have permission to perform this action.")

    def error(self, refusal):
        return {"detail": refusal.sentence}

    def decorated(self, request, given):
        return given.adding({"Vary": "Accept"})

    def carry_out(self, request):
        if not request.path.endswith("/"):
            return without_slash(request)
        name, *rest = self.parts(request)
        if not name and request.method == "GET":
            return answer(200, {name: f"{request.base()}{name}/" for name in self.collections})
        if name not in self.collections or len(rest) > 1:
            return page(404, "Not Found", "The requested resource was not found on this server.")
        routes = ONE if rest else ALL
        if request.method not in routes:
            sentence = f'Method "{request.method}" not allowed.'
            raise Refusal(405, sentence, Allow=", ".join([*routes, "HEAD", "OPTIONS"]))
        if rest and rest[0] not in self.collections[name]:
            raise Refusal(404, f"No {singular(name)} matches the given query.")
        return routes[request.method](self, request, name, *rest)

    def list(self, request, name):
        filters = Filters(self.collections[name], self.schemas[name])
        models = filters.matching([pair for pair in request.pairs() if pair[0] not in PAGING])
        asked = dict(request.pairs())
        by_offset = "page" not in asked and ("limit" in asked or "offset" in asked)
        paged = offset_page if by_offset else numbered_page
        part, following, previous = paged(request, asked, models)
        render = self._serializers[name].rendered
        return answer(200, {"count": len(models), "next": following, "previous": previous,
                            "results": [render(model) for model in part]})

    def one(self, request, name, text):
        return self.rendered(200, name, self.collections[name].one(text))

    def create(self, request, name):
        given = self.valid(request, name, None)
        fields = self.schemas[name]
        blank = {key: None for key in fields if key not in ("id", "created", "modified")}
        moment = now()
        model = {**blank, **given, "created": moment, "modified": moment}
        model.pop("id", None)
        stored = self.collections[name].store([model])[0]
        return self.rendered(201, name, stored)

    def replace(self, request, name, text):
        return self.changed(name, text, self.valid(request, name, text))

    def change(self, request, name, text):
        return self.changed(name, text, self.valid(request, name, text, is_partial=True))

    def remove(self, request, name, text):
        self.collections[name].remove([text])
        return Answer(204, headers={"Content-Type": None})

    def changed(self, name, text, given):
        collection = self.collections[name]
        model = {**given, "id": collection.one(text)["id"], "modified": now()}
        return self.rendered(200, name, collection.update([model])[0])

    def rendered(self, status, name, model):
        return answer(status, self._serializers[name].rendered(model))

    def valid(self, request, name, text, is_partial=False):
        """What a body says of a model, or 400 with the sentences of each field that is wrong."""
        try:
            body = request.json()
        except Refusal as refusal:
            raise Refusal(400, refusal.sentence.replace("the body is not JSON: ",
                                                        "JSON parse error - ")) from None
        values, errors = self._serializers[name].taken(body, is_partial)
        others = [each for each in self.collections[name].all() if str(each["id"]) != text]
        for field in self.settings.unique:
            if field in values and any(each.get(field) == values[field] for each in others):
                sentence = f"{singular(name).lower()} with this {field} already exists."
                errors.setdefault(field, []).append(sentence)
        if errors:
            raise Failure(400, errors)
        return values


def without_slash(request):
    """What Django does where APPEND_SLASH is on, with DEBUG: it cannot keep a body."""
    if request.method == "GET":
        query = f"?{request.query}" if request.query else ""
        return Answer(301, headers={"Location": f"{request.path}/{query}",
                                    "Content-Type": "text/html; charset=utf-8"})
    sentence = f"You called this URL via {request.method}, but the URL doesn't end in a slash."
    return page(500, "RuntimeError", sentence)


def page(status, title, sentence):
    """An answer by the framework below, which speaks HTML."""
    body = f"<!doctype html><title>{title}</title><h1>{title}</h1><p>{sentence}</p>"
    return Answer(status, body.encode(), {"Content-Type": "text/html; charset=utf-8"})


def address(request, **changes):
    """The address that was asked, with other values of some names; None takes one away."""
    pairs = {**dict(request.pairs()), **changes}
    query = urlencode(sorted((name, text) for name, text in pairs.items() if text is not None))
    return f"{request.base()}?{query}" if query else request.base()


def size_of(text):
    return min(int(text), LARGEST_PAGE) if text.isdecimal() and int(text) > 0 else PAGE_SIZE


def numbered_page(request, asked, models):
    size = size_of(asked.get("page_size", ""))
    last = max(1, math.ceil(len(models) / size))
    text = asked.get("page", "1")
    number = last if text == "last" else int(text) if text.isdecimal() else 0
    if not 1 <= number <= last:
        raise Refusal(404, "Invalid page.")
    following = address(request, page=number + 1) if number < last else None
    before = number - 1 if number > 2 else None
    previous = address(request, page=before) if number > 1 else None
    return models[(number - 1) * size:number * size], following, previous


def offset_page(request, asked, models):
    size = size_of(asked.get("limit", ""))
    text = asked.get("offset", "0")
    start = int(text) if text.isdecimal() else 0
    more = start + size < len(models)
    following = address(request, limit=size, offset=start + size) if more else None
    before = start - size if start > size else None
    previous = address(request, limit=size, offset=before) if start > 0 else None
    return models[start:start + size], following, previous


ALL = {"GET": Envelope.list, "POST": Envelope.create}
ONE = {"GET": Envelope.one, "PUT": Envelope.replace, "PATCH": Envelope.change,
       "DELETE": Envelope.remove}
