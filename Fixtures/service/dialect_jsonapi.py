"""Resources with a type and attributes, links, and errors with pointers, as JSON:API 1.1 has them."""

from urllib.parse import urlencode

from answers import Answer, answer
from dialect import Dialect, faults
from query import Failure, Refusal

MEDIA_TYPE = "application/vnd.api+json"
PAGE_SIZE, LARGEST_PAGE = 25, 100
SENTENCES = {"missing": "can't be blank", "unknown": "is no attribute", "invalid": "is invalid"}


class JSONAPI(Dialect):
    @staticmethod
    def prepared(models):
        return [{**model, "id": str(model["id"])} for model in models]

    def unauthorized(self, request):
        return Refusal(401, "Credentials are missing or wrong.", **{"WWW-Authenticate": "Bearer"})

    def error(self, refusal):
        return {"errors": [problem(refusal.status, refusal.sentence)]}

    def decorated(self, request, given):
        return given if given.status == 204 else given.adding({"Content-Type": MEDIA_TYPE})

    def carry_out(self, request):
        name, *rest = self.parts(request)
        routes = ONE if rest else ALL
        if name not in self.collections or len(rest) > 1 or request.method not in routes:
            raise Refusal(404, "There is no such route.")
        if request.body and request.headers.get("content-type") != MEDIA_TYPE:
            raise Refusal(415, f"The body has to be {MEDIA_TYPE}, without parameters.")
        if rest and rest[0] not in self.collections[name]:
            raise Refusal(404, f"There is no {name} with the id {rest[0]}.")
        return routes[request.method](self, request, name, *rest)

    def page(self, request, name):
        pairs = request.pairs()
        asked, kept = {}, []
        for key, text in pairs:
            if key in ("page[number]", "page[size]") and text.isdecimal() and int(text) > 0:
                asked[key] = int(text)
            elif key == "sort":
                kept.append((key, text))
            elif key.startswith("filter["):
                kept.append((key[7:].replace("]", "", 1), text))
            else:
                raise Failure(400, {"errors": [problem(
                    400, f"'{key}' is not known here.", {"parameter": key})]})
        found = self.collections[name].matching(kept)
        size = min(asked.get("page[size]", PAGE_SIZE), LARGEST_PAGE)
        at = asked.get("page[number]", 1)
        links = {"self": request.base()}
        if at * size < len(found):
            others = [pair for pair in pairs if pair[0] != "page[number]"]
            query = urlencode([*others, ("page[number]", at + 1)])
            links["next"] = f"{request.base()}?{query}"
        data = [resource(name, model) for model in found[(at - 1) * size:at * size]]
        return answer(200, {"data": data, "links": links})

    def one(self, request, name, text):
        return self.shown(200, name, self.collections[name].one(text))

    def create(self, request, name):
        model = self.taken(request, name, None)
        if model.get("id") in self.collections[name]:
            raise Refusal(409, f"There is already one of {name} with the id {model['id']}.")
        model.setdefault("id", f"new-{len(self.collections[name]) + 1}")
        stored = self.collections[name].store([model])[0]
        return self.shown(201, name, stored).adding(
            {"Location": f"{request.base()}/{stored['id']}"})

    def change(self, request, name, text):
        model = self.taken(request, name, text)
        return self.shown(200, name, self.collections[name].update([model])[0])

    def remove(self, request, name, text):
        self.collections[name].remove([text])
        return Answer(204, headers={"Content-Type": None})

    def shown(self, status, name, model):
        return answer(status, {"data": resource(name, model)})

    def taken(self, request, name, text):
        """The model of a body, which says its type, and its id where it has one already."""
        body = request.json()
        data = body.get("data") if isinstance(body, dict) else None
        if not isinstance(data, dict):
            raise invalid(422, "/data", "has to be a resource")
        if data.get("type") != name:
            raise invalid(409, "/data/type", f"has to be {name}")
        given = data.get("id", text if text is None else "")
        if given != text if text is not None else not isinstance(given, (str, type(None))):
            raise invalid(409, "/data/id", "is another one")
        attributes = data.get("attributes", {})
        fields = {key: field for key, field in self.schemas[name].items() if key != "id"}
        found = faults(attributes, fields, text is None)
        if found:
            raise Failure(422, {"errors": [
                problem(422, SENTENCES[fault], {"pointer": f"/data/attributes/{field}"})
                for field, fault in found]})
        return {**attributes, **({"id": given} if given is not None else {})}


def resource(name, model):
    attributes = {key: value for key, value in model.items() if key != "id"}
    return {"type": name, "id": model["id"], "attributes": attributes}


def invalid(status, pointer, sentence):
    return Failure(status, {"errors": [problem(status, sentence, {"pointer": pointer})]})


def problem(status, sentence, source=None):
    titles = {400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
              409: "Conflict", 415: "Unsupported Media Type", 422: "Unprocessable Content"}
    named = {"status": str(status), "title": titles.get(status, "Error"), "detail": sentence}
    return {**named, "source": source} if source else named


ALL = {"GET": JSONAPI.page, "POST": JSONAPI.create}
ONE = {"GET": JSONAPI.one, "PATCH": JSONAPI.change, "DELETE": JSONAPI.remove}
