"""The service's own dialect: arrays of models, one or many at a time, and strong entity tags."""

from answers import answer, names, tag, unchanged
from collection import identifier
from dialect import Dialect
from query import Refusal


class Plain(Dialect):
    has_head = False
    has_events, has_event_ids = True, True

    def event(self, collection, kind, model):
        if kind == "DELETE":
            return "removed", {"path": collection.name, "id": model["id"]}
        return "stored", {"path": collection.name, "model": model}

    def missed(self):
        return [("missed", {"path": name}) for name in self.collections]

    def carry_out(self, request):
        name, *rest = self.parts(request)
        if not name and request.method == "GET":
            return answer(200, {name: len(each) for name, each in self.collections.items()})
        if name not in self.collections or len(rest) > 1:
            known = ", ".join(f"/{name}" for name in self.collections)
            raise Refusal(404, f"there is nothing at {request.path}; there is {known}")
        routes = ONE if rest else ALL
        if request.method not in routes:
            sentence = f"{request.method} does not go with {request.path}"
            raise Refusal(405, sentence, Allow=", ".join(routes))
        return conditional(self.collections[name], request, routes, *rest)


def conditional(collection, request, routes, *rest):
    """Carries out a route under If-None-Match, if it reads, and under If-Match, if it writes."""
    if request.method == "GET":
        given = routes["GET"](collection, request, *rest)
        given.headers["ETag"] = tag(given.body)
        return unchanged(request, given)
    if "if-match" in request.headers:
        exists = not rest or rest[0] in collection
        bare = request._replace(query="")
        present = tag(routes["GET"](collection, bare, *rest).body) if exists else None
        if not names(request.headers["if-match"], present):
            raise Refusal(412, f"{request.path} is no longer what If-Match names")
    given = routes[request.method](collection, request, *rest)
    if rest and request.method != "DELETE":
        given.headers["ETag"] = tag(given.body)
    return given


def models_in(request):
    """The models of a body, and whether it was an array."""
    value = request.json()
    models = value if isinstance(value, list) else [value]
    if not all(isinstance(model, dict) for model in models):
        raise Refusal(400, "the body is neither a JSON object nor an array of objects")
    return models, isinstance(value, list)


def array_in(request):
    models, is_array = models_in(request)
    if not is_array:
        raise Refusal(400, f"{request.method} {request.path} takes an array of objects")
    return models


def one_in(request, collection, text):
    """The one model of a body, under the id of the path."""
    models, is_array = models_in(request)
    if is_array or str(models[0].get("id", text)) != text:
        raise Refusal(400, f"{request.method} {request.path} takes one object, of the id {text}")
    return {"id": collection.key(text), **models[0]}


def get_all(collection, request):
    page = collection.select(request.query)
    given = answer(200, page.models, **{"X-Total-Count": str(page.total)})
    links = [f'<{request.base()}?{query}>; rel="{rel}"' for rel, query in page.links.items()]
    if links:
        given.headers["Link"] = ", ".join(links)
    return given


def post_all(collection, request):
    models, is_array = models_in(request)
    stored = collection.store(models)
    if is_array:
        return answer(201, stored)
    return answer(201, stored[0], Location=f"{request.path.rstrip('/')}/{stored[0]['id']}")


def delete_all(collection, request):
    if not request.query and not request.body:
        raise Refusal(400, "say what to remove, by a query or by a body with an array of ids")
    ids = [identifier(model) for model in collection.select(request.query).models]
    if request.body:
        value = request.json()
        if not isinstance(value, list):
            raise Refusal(400, "the body of a removal is an array of ids or of objects")
        named = [identifier(each if isinstance(each, dict) else {"id": each}) for each in value]
        ids = [text for text in named if text in set(ids)]
    return answer(200, collection.remove(ids))


def put_one(collection, request, text):
    status = 200 if text in collection else 201
    return answer(status, collection.replace([one_in(request, collection, text)])[0])


def patch_one(collection, request, text):
    collection.one(text)
    return answer(200, collection.update([one_in(request, collection, text)])[0])


def delete_one(collection, request, text):
    collection.one(text)
    return answer(200, collection.remove([text])[0])


ALL = {
    "GET": get_all,
    "POST": post_all,
    "PUT": lambda collection, request: answer(200, collection.replace(array_in(request))),
    "PATCH": lambda collection, request: answer(200, collection.update(array_in(request))),
    "DELETE": delete_all,
}
ONE = {
    "GET": lambda collection, request, text: answer(200, collection.one(text)),
    "PUT": put_one,
    "PATCH": patch_one,
    "DELETE": delete_one,
}
