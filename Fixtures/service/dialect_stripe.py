"""Forms in, objects out, and lists that go on after a model, as Stripe has them."""

import itertools
import re
from urllib.parse import parse_qsl

from answers import answer
from dialect import Dialect, faults
from query import Failure, number, rank

PAGE_SIZE, LARGEST_PAGE = 10, 100
EQUAL, RANGED = ("origin",), ("year",)
FORM = "application/x-www-form-urlencoded"
SENTENCES = {"missing": "Missing required param: {}.", "unknown": "Received unknown parameter: {}",
             "invalid": "Invalid value: {}"}


class Stripe(Dialect):
    def __init__(self, collections, schemas, settings):
        super().__init__(collections, schemas, settings)
        self._numbers = itertools.count(1 + max(map(len, collections.values())))

    @staticmethod
    def prepared(models):
        return [{**model, "id": identifier(at)} for at, model in enumerate(models, 1)]

    def unauthorized(self, request):
        return failure(401, "Invalid API Key provided.")

    def error(self, refusal):
        return {"error": {"type": "invalid_request_error", "message": refusal.sentence}}

    def carry_out(self, request):
        name, *rest = self.parts(request)
        routes = ONE if rest else ALL
        if name not in self.collections or len(rest) > 1 or request.method not in routes:
            raise failure(404, f"Unrecognized request URL ({request.method}: {request.path}).")
        if request.body and not request.headers.get("content-type", "").startswith(FORM):
            raise failure(400, "Invalid request: the body has to be a form.")
        if rest and rest[0] not in self.collections[name]:
            raise missing(rest[0], 404, "id")
        return routes[request.method](self, request, name, *rest)

    def page(self, request, name):
        asked = dict(request.pairs())
        size = whole(asked.pop("limit", str(PAGE_SIZE)), "limit")
        if not 1 <= size <= LARGEST_PAGE:
            raise failure(400, f"Limit must be from 1 to {LARGEST_PAGE}.", "limit")
        after = asked.pop("starting_after", None)
        for key in asked:
            field, bracket, _ = key.partition("[")
            if field not in (RANGED if bracket else EQUAL + RANGED):
                raise failure(400, SENTENCES["unknown"].format(key), key, "parameter_unknown")
        found = self.collections[name].matching(list(asked.items()))
        if after is not None:
            if after not in self.collections[name]:
                raise missing(after, 400, "starting_after")
            found = [model for model in found if rank(model["id"]) > rank(after)]
        return answer(200, {"object": "list", "data": [rendered(m) for m in found[:size]],
                            "has_more": len(found) > size, "url": request.path})

    def one(self, request, name, text):
        return answer(200, rendered(self.collections[name].one(text)))

    def create(self, request, name):
        given = self.taken(request, name, is_whole=True)
        model = {**given, "id": identifier(next(self._numbers))}
        return answer(200, rendered(self.collections[name].store([model])[0]))

    def change(self, request, name, text):
        given = self.taken(request, name, is_whole=False)
        return answer(200, rendered(self.collections[name].update([{**given, "id": text}])[0]))

    def remove(self, request, name, text):
        self.collections[name].remove([text])
        return answer(200, {"id": text, "object": "car", "deleted": True})

    def taken(self, request, name, is_whole):
        """The values of a form, by the kinds of their fields; an empty one takes a value away."""
        fields = {key: field for key, field in self.schemas[name].items() if key != "id"}
        pairs = dict(parse_qsl(request.body.decode(), keep_blank_values=True))
        model = {key: value(text, fields[key].kind) if key in fields else text
                 for key, text in pairs.items()}
        for field, fault in faults(model, fields, is_whole):
            code = {"missing": "parameter_missing", "unknown": "parameter_unknown"}.get(fault)
            raise failure(400, SENTENCES[fault].format(field), field, code or "parameter_invalid")
        return model


def identifier(number):
    """An id that is before all that were given before it, since the latest model comes first."""
    return f"car_{999999 - number}"


def rendered(model):
    return {**model, "object": "car"}


def value(text, kind):
    try:
        return None if text == "" else text if kind == "text" else number(text, kind == "integer")
    except ValueError:
        return text


def whole(text, param):
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise failure(400, f"Invalid integer: {text}", param, "parameter_invalid_integer")
    return int(text)


def missing(text, status, param):
    return failure(status, f"No such car: '{text}'", param, "resource_missing")


def failure(status, sentence, param=None, code=None):
    named = {"param": param, "code": code}
    return Failure(status, {"error": {
        "type": "invalid_request_error", "message": sentence,
        **{name: text for name, text in named.items() if text}}})


ALL = {"GET": Stripe.page, "POST": Stripe.create}
ONE = {"GET": Stripe.one, "POST": Stripe.change, "DELETE": Stripe.remove}
