"""Objects by id, null for none, and queries of JSON, as the Firebase Realtime Database has them."""

import itertools
import json

from answers import answer, tag
from dialect import Dialect
from query import Failure, Refusal, rank, value_at

BOUNDS = ("equalTo", "startAt", "endAt")
LIMITS = ("limitToFirst", "limitToLast")


class Firebase(Dialect):
    def __init__(self, collections, schemas, settings):
        super().__init__(collections, schemas, settings)
        self._numbers = itertools.count(1)

    def authorize(self, request):
        """Refuses a request without the token in its query, where alone it counts."""
        given, settings = dict(request.pairs()).get("auth"), self.settings
        is_reader = settings.reader and given == settings.reader and request.method == "GET"
        if settings.bearer and given != settings.bearer and not is_reader:
            raise Refusal(401, "Permission denied")

    def carry_out(self, request):
        name, *rest = self.parts(request)
        last = rest[-1] if rest else name
        if not last.endswith(".json"):
            return answer(404, {"error": "404 Not Found"})
        name, *rest = [part.removesuffix(".json") if part is last else part
                       for part in [name, *rest]]
        if name not in self.collections or len(rest) > 1:
            return answer(200, None)
        if not rest:
            return self.all(request, name)
        self.matched(request, name, rest[0])
        given = self.one(request, name, rest[0])
        if request.headers.get("x-firebase-etag") == "true":
            return given.adding({"ETag": self.tag(name, rest[0])})
        return given

    def all(self, request, name):
        collection = self.collections[name]
        if request.method == "GET":
            return answer(200, self.found(request, name))
        if request.method == "POST":
            key = f"-N{next(self._numbers):018}"
            collection.store([{**request.json(), "id": key}])
            return answer(200, {"name": key})
        if request.method == "DELETE":
            collection.remove([str(model["id"]) for model in collection.all()])
            return answer(200, None)
        raise Refusal(405, "Method Not Allowed")

    def one(self, request, name, text):
        collection = self.collections[name]
        if request.method == "GET":
            return answer(200, self.data(name, text))
        if request.method == "DELETE":
            collection.remove([text])
            return answer(200, None)
        given = request.json()
        if not isinstance(given, dict):
            raise Refusal(400, "Invalid data; couldn't parse JSON object.")
        kept = collection.one(text) if request.method == "PATCH" and text in collection else {}
        model = {key: value for key, value in {**kept, **given}.items() if value is not None}
        collection.replace([{**model, "id": collection.key(text)}])
        return answer(200, given)

    def matched(self, request, name, text):
        """Refuses a write of what is another than its if-match says, with what is there."""
        wanted = request.headers.get("if-match")
        if request.method != "GET" and wanted not in (None, self.tag(name, text)):
            raise Failure(412, self.data(name, text), ETag=self.tag(name, text))

    def tag(self, name, text):
        data = self.data(name, text)
        return "null_etag" if data is None else tag(json.dumps(data).encode()).strip('"')

    def data(self, name, text):
        """What stands under a key: all of a model but its key, and nothing that is null."""
        if text not in self.collections[name]:
            return None
        model = self.collections[name].one(text)
        return {key: value for key, value in model.items() if key != "id" and value is not None}

    def found(self, request, name):
        asked = {key: value for key, value in request.pairs() if key != "auth"}
        models = self.collections[name].all()
        if asked:
            models = self.queried(asked, name, models)
        keys = [str(model["id"]) for model in models]
        if not keys:
            return None
        data = {key: self.data(name, key) for key in keys}
        # Keys that count up are taken for places in an array, where more than half are there.
        if not asked and all(key.isdecimal() for key in keys):
            length = max(map(int, keys)) + 1
            if len(keys) * 2 > length:
                return [data.get(str(at)) for at in range(length)]
        return data

    def queried(self, asked, name, models):
        try:
            asked = {key: json.loads(text) for key, text in asked.items()}
        except ValueError:
            raise Refusal(400, "Constraint index field must be a JSON primitive") from None
        for key in asked:
            if key not in ("orderBy", *BOUNDS, *LIMITS):
                raise Refusal(400, f"Query parameter {key} is not known.")
        path = asked.get("orderBy")
        if not isinstance(path, str):
            raise Refusal(400, "orderBy must be a valid JSON encoded path")
        if path != "$key" and not self.collections[name].knows(path):
            raise Refusal(400, f'Index not defined, add ".indexOn": "{path}", for path "/{name}", '
                               "to the rules")

        def place(model):
            return order(str(model["id"]) if path == "$key" else value_at(model, path))

        tests = {"equalTo": lambda key, bound: key == bound,
                 "startAt": lambda key, bound: key >= bound,
                 "endAt": lambda key, bound: key <= bound}
        for key in BOUNDS:
            if key in asked:
                models = [m for m in models if tests[key](place(m), order(asked[key]))]
        models = sorted(models, key=lambda m: (place(m), rank(m["id"])))
        if "limitToFirst" in asked:
            models = models[:asked["limitToFirst"]]
        return models[-asked["limitToLast"]:] if "limitToLast" in asked else models


def order(value):
    """Null, then false, true, numbers, and text; JSON's true is no number here."""
    if isinstance(value, bool):
        return (0, 2 if value else 1)
    return (0, 0) if value is None else rank(value)
