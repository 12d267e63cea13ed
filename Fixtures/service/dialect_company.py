"""What many companies' own services have: snake case, an envelope, lists by offset, ids by the
service, a sentence for each wrong field, and no word on a condition that they do not know."""

import re

from answers import Answer, answer
from dialect import Dialect, faults
from query import Failure, Refusal

LARGEST = 100
SENTENCES = {"missing": "can't be blank", "unknown": "is not known", "invalid": "is invalid"}


def snake(name):
    return re.sub(r"([A-Z])", lambda sign: f"_{sign.group().lower()}", name)


def camel(name):
    return re.sub(r"_(.)", lambda sign: sign.group(1).upper(), name)


class Company(Dialect):
    def error(self, refusal):
        return {"message": refusal.sentence}

    def carry_out(self, request):
        name, *rest = self.parts(request)
        if name not in self.collections or len(rest) > 1 or rest and rest[0] not in \
                self.collections[name]:
            raise Refusal(404, "not found")
        routes = ONE if rest else ALL
        if request.method not in routes:
            raise Refusal(405, "not allowed", Allow=", ".join(routes))
        return routes[request.method](self, request, self.collections[name], *rest)

    def list(self, request, models):
        asked, found = dict(request.pairs()), models.all()
        start = int(asked.get("offset", "0"))
        part = found[start:start + min(int(asked.get("limit", LARGEST)), LARGEST)]
        return answer(200, {"data": [rendered(model) for model in part],
                            "meta": {"total": len(found)}})

    def one(self, request, models, text):
        return one(200, models.one(text))

    def create(self, request, models):
        model = self.valid(request, models, is_whole=True)
        return one(201, models.store([model])[0])

    def change(self, request, models, text):
        model = {**self.valid(request, models, is_whole=False), "id": models.one(text)["id"]}
        return one(200, models.update([model])[0])

    def remove(self, request, models, text):
        models.remove([text])
        return Answer(204, headers={"Content-Type": None})

    def valid(self, request, models, is_whole):
        """What a body says of a model, without an id, or 422 with a sentence for each field."""
        model = {camel(name): value for name, value in request.json().items() if name != "id"}
        wrong = faults(model, self.schemas[models.name], is_whole)
        if model.get("name") == "":
            wrong.append(("name", "missing"))
        if wrong:
            errors = {snake(name): [SENTENCES[fault]] for name, fault in wrong}
            raise Failure(422, {"message": "the model is invalid", "errors": errors})
        return model


def rendered(model):
    return {snake(name): value for name, value in model.items()}


def one(status, model):
    return answer(status, {"data": rendered(model)})


ALL = {"GET": Company.list, "POST": Company.create}
ONE = {"GET": Company.one, "PATCH": Company.change, "DELETE": Company.remove}
