"""Items in an envelope, filters that nest, and 403 for what is not there, as Directus has them."""

import json
import operator
import re

from answers import Answer, answer
from dialect import Dialect, faults
from query import Failure, converted, rank, value_at

PAGE_SIZE = 100
FORBIDDEN = "You don't have permission to access this."
ORDERINGS = {"_lt": operator.lt, "_lte": operator.le, "_gt": operator.gt, "_gte": operator.ge}
TEXTS = {"_contains": str.__contains__, "_starts_with": str.startswith}


class Directus(Dialect):
    def unauthorized(self, request):
        return failure(401, "INVALID_CREDENTIALS", "Invalid user credentials.")

    def forbidden(self, request):
        return failure(403, "FORBIDDEN", FORBIDDEN)

    def error(self, refusal):
        return {"errors": [{"message": refusal.sentence, "extensions": {"code": "INVALID_PAYLOAD"}}]}

    def carry_out(self, request):
        name, *rest = self.parts(request)
        routes = ONE if rest else ALL
        if len(rest) > 1 or request.method not in routes:
            raise failure(404, "ROUTE_NOT_FOUND", f"Route {request.path} doesn't exist.")
        if name not in self.collections or rest and rest[0] not in self.collections[name]:
            raise failure(403, "FORBIDDEN", FORBIDDEN)
        return routes[request.method](self, request, name, *rest)

    def list(self, request, name):
        asked = dict(request.pairs())
        collection = self.collections[name]
        holds = self.test(name, filter_of(request.pairs()))
        found = [model for model in collection.all() if holds(model)]
        for key in reversed([key for key in asked.get("sort", "").split(",") if key]):
            field = self.known(name, key.lstrip("-"))
            found.sort(key=lambda m: rank(value_at(m, field)), reverse=key.startswith("-"))
        size, start = whole(asked, "limit", PAGE_SIZE), whole(asked, "offset", 0)
        part = found[start:] if size < 0 else found[start:start + size]
        meta = {"filter_count": len(found), "total_count": len(collection)}
        named = asked.get("meta", "").split(",")
        shown = {key: value for key, value in meta.items() if key in named or "*" in named}
        return answer(200, {"data": part, **({"meta": shown} if shown else {})})

    def one(self, request, name, text):
        return answer(200, {"data": self.collections[name].one(text)})

    def create(self, request, name):
        body = request.json()
        models = body if isinstance(body, list) else [body]
        for at, model in enumerate(models):
            self.check(model, name, is_whole=True)
            before = [str(each.get("id")) for each in models[:at]]
            text = str(model.get("id"))
            if model.get("id") is not None and (text in self.collections[name] or text in before):
                raise failure(
                    400, "RECORD_NOT_UNIQUE",
                    f'Value for field "id" in collection "{name}" has to be unique.', field="id")
        stored = self.collections[name].store(models)
        return answer(200, {"data": stored if isinstance(body, list) else stored[0]})

    def change_all(self, request, name):
        models = request.json()
        for model in models if isinstance(models, list) else [{}]:
            self.check(model, name, is_whole=False)
            self.held(name, [model.get("id")])
        return answer(200, {"data": self.collections[name].update(models)})

    def change(self, request, name, text):
        model = request.json()
        self.check(model, name, is_whole=False)
        key = self.collections[name].key(text)
        return answer(200, {"data": self.collections[name].update([{**model, "id": key}])[0]})

    def remove(self, request, name, text):
        self.collections[name].remove([text])
        return Answer(204, headers={"Content-Type": None})

    def remove_all(self, request, name):
        ids = request.json()
        if not isinstance(ids, list) or not ids:
            raise failure(400, "INVALID_PAYLOAD", 'Invalid payload. The body has to be "keys".')
        self.held(name, ids)
        self.collections[name].remove([str(each) for each in ids])
        return Answer(204, headers={"Content-Type": None})

    def held(self, name, ids):
        """Refuses ids of which one is not there, in the words for what one may not see."""
        if any(str(each) not in self.collections[name] for each in ids):
            raise failure(403, "FORBIDDEN", FORBIDDEN)

    def check(self, model, name, is_whole):
        if not isinstance(model, dict):
            raise failure(400, "INVALID_PAYLOAD", "Invalid payload. It has to be an object.")
        for field, fault in faults(model, self.schemas[name], is_whole):
            if fault == "unknown":
                raise failure(403, "FORBIDDEN", FORBIDDEN)
            kind = "required" if fault == "missing" else "type"
            sentence = f'Validation failed for field "{field}". Value is {fault}.'
            raise failure(400, "FAILED_VALIDATION", sentence, field=field, type=kind)

    def known(self, name, path):
        if not self.collections[name].knows(path):
            raise failure(403, "FORBIDDEN", FORBIDDEN)
        return path

    def test(self, name, rule):
        """Whether a model meets a rule: groups, fields within fields, and operators."""
        tests = []
        for key, value in rule.items():
            if key in ("_and", "_or"):
                parts = [self.test(name, part) for part in value]
                tests.append(lambda m, parts=parts, join=all if key == "_and" else any:
                             join(part(m) for part in parts))
            else:
                tests += self.conditions(name, key, value)
        return lambda model: all(test(model) for test in tests)

    def conditions(self, name, path, rule):
        for key, value in rule.items():
            if not key.startswith("_"):
                yield from self.conditions(name, f"{path}.{key}", value)
                continue
            self.known(name, path)
            values = (value_at(model, path) for model in self.collections[name].all())
            sample = next((each for each in values if each is not None), None)
            holds = condition(key, value, sample, path)
            yield lambda model, holds=holds: holds(value_at(model, path))


def condition(key, given, sample, path):
    """A test of one value, for which null is neither equal nor unequal to anything, as in SQL."""
    if key in ("_null", "_nnull"):
        is_null = (str(given).lower() in ("true", "1")) == (key == "_null")
        return lambda value: (value is None) == is_null
    if key.startswith("_n") and "_" + key[2:] in ("_eq", "_in", *TEXTS):
        opposite = condition("_" + key[2:], given, sample, path)
        return lambda value: value is not None and not opposite(value)
    if key in TEXTS:
        return lambda value: value is not None and TEXTS[key](str(value), str(given))
    values = given.split(",") if key == "_in" and isinstance(given, str) else given
    bounds = [converted(each, sample, path) if isinstance(each, str) else each
              for each in (values if key == "_in" else [values])]
    if key == "_in":
        return lambda value: value is not None and value in bounds
    if key == "_eq":
        return lambda value: value is not None and value == bounds[0]
    if key not in ORDERINGS:
        raise failure(400, "INVALID_QUERY", f'Invalid query. "{key}" is no operator.')
    return lambda value: value is not None and ORDERINGS[key](rank(value), rank(bounds[0]))


def filter_of(pairs):
    """The filter of a query: JSON, or names in brackets, of which numbers are places in a group."""
    rule = {}
    for name, text in pairs:
        if name == "filter":
            return json.loads(text)
        if not name.startswith("filter["):
            continue
        *path, last = re.findall(r"\[([^\]]*)\]", name)
        inner = rule
        for key in path:
            inner = inner.setdefault(key, {})
        if last == "":
            raise failure(400, "INVALID_QUERY", "Invalid query. Lists have commas here.")
        inner[last] = text
    return grouped(rule)


def grouped(rule):
    if not isinstance(rule, dict):
        return rule
    inner = {key: grouped(value) for key, value in rule.items()}
    return list(inner.values()) if inner and all(key.isdecimal() for key in inner) else inner


def whole(asked, name, default):
    text = asked.get(name, str(default))
    if not re.fullmatch(r"-1|[0-9]{1,9}", text):
        raise failure(400, "INVALID_QUERY", f'Invalid query. "{name}" has to be a positive number.')
    return int(text)


def failure(status, code, sentence, **more):
    return Failure(status, {"errors": [
        {"message": sentence, "extensions": {"code": code, **more}}]})


ALL = {"GET": Directus.list, "POST": Directus.create, "PATCH": Directus.change_all,
       "DELETE": Directus.remove_all}
ONE = {"GET": Directus.one, "PATCH": Directus.change, "DELETE": Directus.remove}
