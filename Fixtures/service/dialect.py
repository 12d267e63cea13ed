"""What all dialects of the fixture service have: collections, credentials and a form of errors."""

from typing import NamedTuple
from urllib.parse import unquote

from query import Refusal


class Field(NamedTuple):
    """What a column of the data holds: integer, decimal, text, boolean or json."""

    kind: str
    is_required: bool


def schema(models):
    """The fields of a file's models; one that each model has and none as null is required."""
    values = {}
    for model in models:
        for name, value in model.items():
            values.setdefault(name, []).append(value)
    return {name: Field(kind(found), len(found) == len(models) and None not in found)
            for name, found in values.items()}


def kind(values):
    kinds = {type(value) for value in values if value is not None}
    if kinds == {bool}:
        return "boolean"
    if kinds and kinds <= {int, float}:
        return "decimal" if float in kinds else "integer"
    return "text" if kinds <= {str} else "json"


def fits(value, kind):
    """Whether a JSON value that is not null is of a kind."""
    if isinstance(value, bool):
        return kind in ("boolean", "json")
    types = {"integer": int, "decimal": (int, float), "text": str, "boolean": bool}
    return kind == "json" or isinstance(value, types[kind])


def singular(name):
    """What one model of a collection is called: a Car of /cars."""
    return name[:-1].capitalize() if name.endswith("s") else name.capitalize()


def faults(model, fields, is_whole):
    """What is wrong with a body: names of fields, each `missing`, `unknown` or `invalid`.

    The name alone is required, so that apps with fewer fields than the data have can write.
    """
    found = [("name", "missing")] if is_whole and "name" in fields and "name" not in model else []
    for name, value in model.items():
        if fields and name not in fields:
            found.append((name, "unknown"))
        elif value is None and name == "name" or value is not None and name in fields \
                and not fits(value, fields[name].kind):
            found.append((name, "invalid"))
    return found


class Dialect:
    """How requests are carried out; a dialect says `carry_out` and what it refuses in its words.

    `collections` are by their names, and `schemas` hold the fields of the files they were made of.
    """

    has_head = True
    has_events, has_event_ids = False, False

    def __init__(self, collections, schemas, settings):
        self.collections, self.schemas, self.settings = collections, schemas, settings

    @staticmethod
    def prepared(models):
        """The models of a file as this dialect keeps them."""
        return models

    def carry_out(self, request):
        raise NotImplementedError

    def decorated(self, request, given):
        """An answer with the fields that this dialect sends with each one."""
        return given

    def error(self, refusal):
        """The body of a refusal."""
        return {"error": refusal.sentence}

    def event(self, collection, kind, model):
        """The name and the data of the event that says what was written, if there are events."""
        raise NotImplementedError

    def missed(self):
        """The events which say that others are not known any more."""
        return []

    def authorize(self, request):
        """Refuses a request without a token, and a write with one that only reads."""
        given = request.headers.get("authorization")
        readers = [f"Bearer {self.settings.reader}"] if self.settings.reader else []
        if self.settings.bearer and given not in [f"Bearer {self.settings.bearer}", *readers]:
            raise self.unauthorized(request)
        if given in readers and request.method != "GET":
            raise self.forbidden(request)

    def unauthorized(self, request):
        sentence = "the header Authorization must carry the bearer token"
        return Refusal(401, sentence, **{"WWW-Authenticate": "Bearer"})

    def forbidden(self, request):
        return Refusal(403, "this token may only read")

    def parts(self, request):
        """The decoded parts of a path, without the slashes around it."""
        return [unquote(part) for part in request.path.strip("/").split("/")]
