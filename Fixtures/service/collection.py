"""The models of the fixture service: one collection for each data file."""

import itertools
import json
import os
import re
import uuid
from urllib.parse import parse_qsl

from query import PAGING, Refusal, condition, paged, paths, rank, value_at


class Collection:
    """Models by the text of their id; a call that is refused has changed nothing.

    `changed` is called with `INSERT`, `UPDATE` or `DELETE` and the model for each that is written.
    """

    def __init__(self, name, models, path=None):
        self.name, self._path, self.changed = name, path, lambda kind, model: None
        self._models, self._fields, self._highest = {}, set(), 0
        if not isinstance(models, list):
            raise Refusal(400, f"{name} is not an array of objects")
        for model in models:
            if identifier(model) in self._models:
                raise Refusal(409, f"{name} has two models with the id {identifier(model)}")
            self._put(model)

    def __len__(self):
        return len(self._models)

    def __contains__(self, text):
        return text in self._models

    def one(self, text):
        if text not in self._models:
            raise Refusal(404, f"{self.name} has no model with the id {text}")
        return self._models[text]

    def store(self, models):
        """Adds models, all or none, and gives an id to those that have none."""
        models = self._identified(models)
        ids = [identifier(model) for model in models]
        for text in ids:
            if text in self._models or ids.count(text) > 1:
                raise Refusal(409, f"{self.name} cannot hold a second model with the id {text}")
        return self._commit(models)

    def replace(self, models):
        """Puts models in place of those with the same id, and adds the others."""
        return self._commit(self._identified(models))

    def update(self, models):
        """Merges each model into the one with its id; those not held are left out."""
        merged = {}
        for model in models:
            text = identifier(model)
            if text in self._models:
                merged[text] = {**merged.get(text, self._models[text]), **model}
        return self._commit(list(merged.values()))

    def remove(self, ids):
        """Takes models out and answers them; ids that are not held are passed over."""
        removed = [self._models.pop(text) for text in dict.fromkeys(ids) if text in self._models]
        self.save()
        for model in removed:
            self.changed("DELETE", model)
        return removed

    def clear(self):
        """Forgets the models, and not their fields."""
        self._models, self._highest = {}, 0

    def key(self, text):
        """The id that a text in a path stands for: a number, unless the ids here are text."""
        is_number = re.fullmatch(r"0|[1-9][0-9]*", text) and not self._has_text_ids()
        return int(text) if is_number else text

    def select(self, query):
        """The page of models that a query string asks for, by id unless it sorts them."""
        pairs = parse_qsl(query, keep_blank_values=True)
        kept = [pair for pair in pairs if pair[0] not in PAGING]
        found, fields = self._found(kept)
        paging = {name: text for name, text in pairs if name in PAGING}
        return paged(self._sorted(found, fields), paging, kept,
                     following=lambda cursor: self._following(found, fields, cursor))

    def matching(self, pairs):
        """The models that conditions select, in the order of their `sort` or by id."""
        return self._sorted(*self._found(pairs))

    def all(self):
        """The models by id."""
        return self._sorted(self._models.values(), [])

    def knows(self, field):
        """Whether a model ever had this field; while there was none, any may be."""
        return not self._fields or field in self._fields

    def save(self):
        """Writes the file of changes, if there is one, in one step: readers see old or new."""
        if self._path:
            with open(f"{self._path}.new", "w", encoding="utf-8") as file:
                file.write(lines(self.select("").models))
            os.replace(f"{self._path}.new", self._path)

    def _commit(self, models):
        kinds = []
        for model in models:
            kinds.append("UPDATE" if identifier(model) in self._models else "INSERT")
            self._put(model)
        self.save()
        for kind, model in zip(kinds, models):
            self.changed(kind, model)
        return models

    def _put(self, model):
        self._models[identifier(model)] = model
        self._fields.update(paths(model))
        if isinstance(model["id"], int):
            self._highest = max(self._highest, model["id"])

    def _identified(self, models):
        given = [model["id"] for model in models if isinstance(model.get("id"), int)]
        numbers = itertools.count(max(self._highest, *given, 0) + 1)
        texts = (str(uuid.uuid4()).upper() for _ in itertools.count())
        fresh = texts if self._has_text_ids() else numbers
        models = [m if m.get("id") is not None else {**m, "id": next(fresh)} for m in models]
        for model in models:
            identifier(model)
        return models

    def _has_text_ids(self):
        return any(isinstance(model["id"], str) for model in self._models.values())

    def _found(self, pairs):
        tests = [self._test(name, text) for name, text in pairs if name != "sort"]
        fields = [field for name, text in pairs if name == "sort" for field in text.split(",")]
        return [m for m in self._models.values() if all(test(m) for test in tests)], fields

    def _known(self, field):
        if not self.knows(field):
            known = ", ".join(sorted(self._fields))
            raise Refusal(400, f"{self.name} has no field '{field}'; it has {known}")
        return field

    def _test(self, name, text):
        parts = re.fullmatch(r"([^\[\]]+)(?:\[(.*)\])?", name)
        if not parts:
            raise Refusal(400, f"'{name}' is neither a field nor field[operator]")
        field = self._known(parts[1])
        values = (value_at(model, field) for model in self._models.values())
        sample = next((value for value in values if value is not None), None)
        holds = condition(field, parts[2], text, sample)
        return lambda model: holds(value_at(model, field))

    def _sorted(self, models, fields):
        ordered = sorted(models, key=lambda model: rank(model["id"]))
        for field in reversed(fields):
            path = self._known(field[1:] if field.startswith("-") else field)
            ordered.sort(key=lambda model: rank(value_at(model, path)),
                         reverse=field.startswith("-"))
        return ordered

    def _following(self, models, fields, cursor):
        """The models behind a cursor, which need not be among them; all, if it is empty."""
        if cursor and fields and cursor not in self._models:
            raise Refusal(400, f"a sorted list cannot go on after {cursor}, which is not there")
        place = self._models.get(cursor, {"id": self.key(cursor)})
        others = [model for model in models if identifier(model) != cursor]
        ordered = self._sorted([*others, place] if cursor else others, fields)
        return ordered[ordered.index(place) + 1:] if cursor else ordered


def identifier(model):
    """The text of a model's id."""
    if not isinstance(model, dict):
        raise Refusal(400, "a model is a JSON object")
    value = model.get("id")
    if isinstance(value, bool) or not isinstance(value, (int, str)) or value == "":
        raise Refusal(400, "a model's id is a whole number or a text that is not empty")
    return str(value)


def lines(models):
    """The text of a data file: one model a line, so that differences are readable."""
    texts = [json.dumps(model, ensure_ascii=False, allow_nan=False) for model in models]
    return "[\n" + ",\n".join(texts) + "\n]\n"
