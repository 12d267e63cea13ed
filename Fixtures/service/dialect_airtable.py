"""Records with fields, ten in a request, and a token for the next page, as Airtable has them."""

import itertools
import re

import airtable_formula
from answers import answer
from dialect import Dialect, faults
from query import Failure, rank

LARGEST_PAGE, MOST_RECORDS = 100, 10
BODIES = "Invalid request: parameter validation failed. Check your request data."


class Airtable(Dialect):
    def __init__(self, collections, schemas, settings):
        super().__init__(collections, schemas, settings)
        self._numbers = itertools.count(1 + max(map(len, collections.values())))

    @staticmethod
    def prepared(models):
        return [{**model, "id": identifier(at)} for at, model in enumerate(models, 1)]

    def unauthorized(self, request):
        return failure(401, "AUTHENTICATION_REQUIRED", "Authentication required")

    def error(self, refusal):
        return {"error": {"type": "INVALID_REQUEST_UNKNOWN", "message": refusal.sentence}}

    def carry_out(self, request):
        name, *rest = self.parts(request)
        routes = ONE if rest else ALL
        if name not in self.collections or len(rest) > 1 or request.method not in routes:
            raise Failure(404, {"error": "NOT_FOUND"})
        if rest and rest[0] not in self.collections[name]:
            raise Failure(404, {"error": "NOT_FOUND"})
        return routes[request.method](self, request, name, *rest)

    def page(self, request, name):
        asked = dict(request.pairs())
        found = self.sorted(asked, name, self.matching(asked, name))
        size = min(whole(asked, "pageSize", LARGEST_PAGE), LARGEST_PAGE)
        found = found[:whole(asked, "maxRecords", len(found))]
        token = re.fullmatch(r"itr([0-9]+)/(rec[0-9]+)", asked.get("offset", "itr0/rec0"))
        if not token:
            raise failure(422, "INVALID_OFFSET_VALUE", "The value of offset is invalid")
        start = int(token[1])
        given = {"records": [rendered(model) for model in found[start:start + size]]}
        if start + size < len(found):
            given["offset"] = f"itr{start + size}/{found[start + size]['id']}"
        return answer(200, given)

    def matching(self, asked, name):
        models = self.collections[name].all()
        formula = asked.get("filterByFormula")
        if not formula:
            return models
        try:
            holds = airtable_formula.test(formula, self.fields(name).__contains__)
        except ValueError as error:
            raise failure(422, "INVALID_FILTER_BY_FORMULA",
                          f"The formula for filtering records is invalid: {error}") from None
        return [model for model in models if holds(model)]

    def sorted(self, asked, name, models):
        keys = sorted(key for key in asked if re.fullmatch(r"sort\[[0-9]+\]\[field\]", key))
        for key in reversed(keys):
            field = asked[key]
            if field not in self.fields(name):
                raise failure(422, "UNKNOWN_FIELD_NAME", f'Unknown field name: "{field}"')
            turned = asked.get(key.replace("field", "direction")) == "desc"
            models = sorted(models, key=lambda m: rank(m.get(field)), reverse=turned)
        return models

    def one(self, request, name, text):
        return answer(200, rendered(self.collections[name].one(text)))

    def create(self, request, name):
        body = request.json()
        models = [self.taken(each, name, {"fields"}) for each in records(body)]
        stored = self.collections[name].store(
            [{**model, "id": identifier(next(self._numbers))} for model in models])
        return written(body, stored)

    def change_all(self, request, name):
        body = request.json()
        models = []
        for each in records(body):
            model = self.taken(each, name, {"fields", "id"})
            if each.get("id") not in self.collections[name]:
                raise failure(422, "ROW_DOES_NOT_EXIST", f"Record ID {each.get('id')} does not exist")
            models.append({**model, "id": each["id"]})
        return written(body, self.collections[name].update(models))

    def change(self, request, name, text):
        model = self.taken(request.json(), name, {"fields"})
        return answer(200, rendered(self.collections[name].update([{**model, "id": text}])[0]))

    def remove(self, request, name, text):
        self.collections[name].remove([text])
        return answer(200, {"id": text, "deleted": True})

    def remove_all(self, request, name):
        ids = [text for key, text in request.pairs() if key == "records[]"]
        if not 1 <= len(ids) <= MOST_RECORDS:
            raise failure(422, "INVALID_REQUEST_UNKNOWN", BODIES)
        missing = [text for text in ids if text not in self.collections[name]]
        if missing:
            raise failure(422, "ROW_DOES_NOT_EXIST", f"Record ID {missing[0]} does not exist")
        self.collections[name].remove(ids)
        return answer(200, {"records": [{"id": text, "deleted": True} for text in ids]})

    def fields(self, name):
        return {key: field for key, field in self.schemas[name].items() if key != "id"}

    def taken(self, record, name, keys):
        """The fields of a record, which has no other key."""
        if not isinstance(record, dict) or not isinstance(record.get("fields"), dict) \
                or set(record) - keys:
            raise failure(422, "INVALID_REQUEST_UNKNOWN", BODIES)
        for field, fault in faults(record["fields"], self.fields(name), is_whole=False):
            if fault == "unknown":
                raise failure(422, "UNKNOWN_FIELD_NAME", f'Unknown field name: "{field}"')
            raise failure(422, "INVALID_VALUE_FOR_COLUMN",
                          f'Field "{field}" cannot accept the provided value')
        return record["fields"]


def records(body):
    if not isinstance(body, dict) or "records" not in body:
        return [body]
    found = body["records"]
    if not isinstance(found, list) or not 1 <= len(found) <= MOST_RECORDS or set(body) != {"records"}:
        raise failure(422, "INVALID_REQUEST_UNKNOWN", BODIES)
    return found


def written(body, models):
    given = [rendered(model) for model in models]
    return answer(200, {"records": given} if "records" in body else given[0])


def rendered(model):
    """A record as it is sent: cells that are empty are left out."""
    fields = {key: value for key, value in model.items() if key != "id" and value is not None}
    return {"id": model["id"], "createdTime": "2026-01-31T12:00:00.000Z", "fields": fields}


def identifier(number):
    return f"rec{number:014}"


def whole(asked, name, default):
    text = asked.get(name, str(default))
    if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) < 1 and default:
        raise failure(422, "INVALID_REQUEST_UNKNOWN", BODIES)
    return int(text)


def failure(status, kind, sentence):
    return Failure(status, {"error": {"type": kind, "message": sentence}})


ALL = {"GET": Airtable.page, "POST": Airtable.create, "PATCH": Airtable.change_all,
       "DELETE": Airtable.remove_all}
ONE = {"GET": Airtable.one, "PATCH": Airtable.change, "DELETE": Airtable.remove}
