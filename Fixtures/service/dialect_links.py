"""Bare arrays, pages that links lead to, and limits that headers tell, as GitHub has them."""

import math
import re
import time
from urllib.parse import urlencode

from answers import Answer, answer, tag, unchanged
from dialect import Dialect, fits, singular
from query import Failure, Refusal

PAGE_SIZE, LARGEST_PAGE = 30, 100


class Links(Dialect):
    def __init__(self, collections, schemas, settings):
        super().__init__(collections, schemas, settings)
        self._used, self._resets = 0, 0

    def authorize(self, request):
        """Refuses what comes after the window's last request, whoever it is from."""
        now = time.time()
        if now >= self._resets:
            self._used, self._resets = 0, now + self.settings.window
        if self._used >= self.settings.rate:
            wait = max(1, math.ceil(self._resets - now))
            raise Refusal(429, "API rate limit exceeded for 127.0.0.1.", **{"Retry-After": wait})
        self._used += 1
        super().authorize(request)

    def unauthorized(self, request):
        missing = "authorization" not in request.headers
        return Refusal(401, "Requires authentication" if missing else "Bad credentials")

    def forbidden(self, request):
        return Refusal(403, "Resource not accessible by personal access token")

    def error(self, refusal):
        return {"message": refusal.sentence, "documentation_url": "https://docs.example/rest",
                "status": str(refusal.status)}

    def decorated(self, request, given):
        return given.adding({
            "X-RateLimit-Limit": self.settings.rate,
            "X-RateLimit-Remaining": self.settings.rate - self._used,
            "X-RateLimit-Used": self._used,
            "X-RateLimit-Reset": math.ceil(self._resets),
            "X-RateLimit-Resource": "core",
        })

    def carry_out(self, request):
        name, *rest = self.parts(request)
        if not name and request.method == "GET":
            roots = {f"{name}_url": f"{request.base()}{name}{{/id}}" for name in self.collections}
            return answer(200, roots)
        routes = ONE if rest else ALL
        if name not in self.collections or len(rest) > 1 or request.method not in routes:
            raise Refusal(404, "Not Found")
        if rest and rest[0] not in self.collections[name]:
            raise Refusal(404, "Not Found")
        return routes[request.method](self, request, name, *rest)

    def page(self, request, name):
        pairs = request.pairs()
        collection = self.collections[name]
        kept = [pair for pair in pairs if pair[0] not in ("page", "per_page")]
        for key, text in kept:
            sorted_by = [term.lstrip("-") for term in text.split(",")]
            unknown = [field for field in (sorted_by if key == "sort" else [key.split("[")[0]])
                       if not collection.knows(field)]
            if unknown:
                raise invalid(name, [(unknown[0], "invalid")])
        models = matching(collection, name, kept)
        asked = dict(pairs)
        size = min(number(asked.get("per_page"), PAGE_SIZE), LARGEST_PAGE)
        page = number(asked.get("page"), 1)
        given = answer(200, models[(page - 1) * size:page * size])
        given.headers["ETag"] = f"W/{tag(given.body)}"
        links = linked(request, pairs, page, max(1, math.ceil(len(models) / size)))
        if links:
            given.headers["Link"] = links
        return unchanged(request, given)

    def one(self, request, name, text):
        return unchanged(request, self.model(200, self.collections[name].one(text)))

    def create(self, request, name):
        collection = self.collections[name]
        model = self.checked(request, name, is_whole=True)
        if model.get("id") is not None and str(model["id"]) in collection:
            raise invalid(name, [("id", "already_exists")])
        stored = collection.store([model])[0]
        return self.model(201, stored).adding({"Location": f"{request.base()}/{stored['id']}"})

    def change(self, request, name, text):
        model = self.checked(request, name, is_whole=False)
        if str(model.get("id", text)) != text:
            raise invalid(name, [("id", "invalid")])
        collection = self.collections[name]
        return self.model(200, collection.update([{**model, "id": collection.key(text)}])[0])

    def remove(self, request, name, text):
        self.collections[name].remove([text])
        return Answer(204, headers={"Content-Type": None})

    def model(self, status, model):
        given = answer(status, model)
        return given.adding({"ETag": tag(given.body)})

    def checked(self, request, name, is_whole):
        """The one model of a body, whose fields are of the kinds that they have to be."""
        try:
            model = request.json()
        except Refusal:
            raise Refusal(400, "Problems parsing JSON") from None
        if not isinstance(model, dict):
            raise Refusal(400, "Body should be a JSON object")
        fields, errors = self.schemas[name], []
        for key, value in model.items():
            known = fields.get(key)
            if not self.collections[name].knows(key):
                errors.append((key, "invalid"))
            elif key == "id":
                if value is not None and not is_id(value):
                    errors.append((key, "invalid"))
            elif known and (known.is_required if value is None else not fits(value, known.kind)):
                errors.append((key, "invalid"))
        if is_whole:
            errors += [(key, "missing_field") for key, field in fields.items()
                       if field.is_required and key not in model and key != "id"]
        if errors:
            raise invalid(name, errors)
        return model


def is_id(value):
    return isinstance(value, (int, str)) and not isinstance(value, bool) and value != ""


def matching(collection, name, pairs):
    """The models that conditions select; a value that does not fit is a 422 of its field."""
    for key, text in pairs:
        try:
            collection.matching([(key, text)])
        except Refusal:
            raise invalid(name, [(key, "invalid")]) from None
    return collection.matching(pairs)


def invalid(name, errors):
    listed = [{"resource": singular(name), "field": field, "code": code} for field, code in errors]
    return Failure(422, {"message": "Validation Failed", "errors": listed,
                         "documentation_url": "https://docs.example/rest", "status": "422"})


def number(text, default):
    """A count above 0; what is none counts as not given, as it does there."""
    return int(text) if text and re.fullmatch(r"[0-9]{1,9}", text) and int(text) > 0 else default


def linked(request, pairs, page, last):
    """The field Link: neither next nor last on the last page, nor prev and first on the first."""
    pages = {}
    if page > 1:
        pages["prev"] = min(page - 1, last)
    if page < last:
        pages.update(next=page + 1, last=last)
    if page > 1:
        pages["first"] = 1
    kept = [pair for pair in pairs if pair[0] != "page"]
    return ", ".join(f'<{request.base()}?{urlencode([*kept, ("page", at)])}>; rel="{rel}"'
                     for rel, at in pages.items())


ALL = {"GET": Links.page, "POST": Links.create}
ONE = {"GET": Links.one, "PATCH": Links.change, "DELETE": Links.remove}
