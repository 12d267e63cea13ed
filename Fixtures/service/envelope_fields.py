"""What the envelope's service makes of single fields: in a body, in an answer and in a query."""

import operator

from query import Failure, number, rank, value_at

READ_ONLY = ("id", "created", "modified")
WRONG = {
    "integer": "A valid integer is required.",
    "decimal": "A valid number is required.",
    "text": "Not a valid string.",
    "boolean": "Must be a valid boolean.",
}
BOOLEANS = {"true": True, "True": True, "1": True, "false": False, "False": False, "0": False}
ORDERINGS = {"lt": operator.lt, "lte": operator.le, "gt": operator.gt, "gte": operator.ge}
TEXTS = {
    "startswith": str.startswith,
    "endswith": str.endswith,
    "contains": str.__contains__,
    "iexact": lambda value, text: value.lower() == text.lower(),
    "istartswith": lambda value, text: value.lower().startswith(text.lower()),
    "icontains": lambda value, text: text.lower() in value.lower(),
}
LOOKUPS = ("exact", "in", "range", "isnull", *ORDERINGS, *TEXTS)


class Serializer:
    """Takes models out of bodies and renders them; without a field known, it takes any."""

    def __init__(self, fields):
        self._fields = {name: field for name, field in fields.items() if name not in READ_ONLY}

    def rendered(self, model):
        """A model as it is sent: its decimals are texts."""
        return {name: self._text(name, value) for name, value in model.items()}

    def taken(self, body, is_partial):
        """The values of a body, and the sentences of each field that is wrong."""
        if not isinstance(body, dict):
            found = {list: "list", str: "str", int: "int", float: "float", bool: "bool"}
            got = found.get(type(body), "NoneType")
            sentence = f"Invalid data. Expected a dictionary, but got {got}."
            return {}, {"non_field_errors": [sentence]}
        values, errors = {}, {}
        for name, field in self._fields.items():
            if name not in body:
                if field.is_required and not is_partial:
                    errors[name] = ["This field is required."]
            elif body[name] is None:
                if field.is_required:
                    errors[name] = ["This field may not be null."]
                values[name] = None
            else:
                try:
                    values[name] = self._taken(field.kind, body[name])
                except (TypeError, ValueError, OverflowError):
                    errors[name] = [WRONG[field.kind]]
        if not self._fields:
            values = {name: value for name, value in body.items() if name not in READ_ONLY}
        return values, errors

    def _text(self, name, value):
        known = self._fields.get(name)
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        is_decimal = isinstance(value, float) or (known and known.kind == "decimal")
        return str(float(value)) if is_number and is_decimal else value

    def _taken(self, kind, value):
        if kind == "json":
            return value
        if isinstance(value, bool) != (kind == "boolean") or isinstance(value, (dict, list)):
            raise TypeError
        if kind == "boolean":
            return value
        if kind == "text":
            return str(value)
        if kind == "decimal":
            return number(value) if isinstance(value, str) else value
        whole = number(value, is_whole=True) if isinstance(value, str) else int(value)
        if whole != (value if not isinstance(value, str) else whole):
            raise ValueError
        return whole


class Filters:
    """Conditions as `field__lookup`; what is no field here, or no lookup, is passed over."""

    def __init__(self, collection, fields):
        self._collection, self._fields = collection, fields

    def matching(self, pairs):
        """The models that a query selects, in its order or by id; of two items the last counts."""
        named = [self._test(name, text) for name, text in dict(pairs).items()]
        tests = [test for test in named if test]
        found = [m for m in self._collection.all() if all(test(m) for test in tests)]
        terms = next((text for name, text in pairs if name == "ordering"), "").split(",")
        known = [term for term in terms if self._knows(term.lstrip("-").replace("__", "."))]
        for term in reversed(known):
            path = term.lstrip("-").replace("__", ".")
            found.sort(key=lambda m: rank(value_at(m, path)), reverse=term.startswith("-"))
        return found

    def _knows(self, path):
        return path != "" and self._collection.knows(path)

    def _test(self, name, text):
        if name == "search":
            words = text.lower().split()
            return lambda m: all(any(word in str(v).lower() for v in m.values()) for word in words)
        parts = name.split("__")
        lookup = parts.pop() if len(parts) > 1 and parts[-1] in LOOKUPS else "exact"
        path = ".".join(parts)
        if name == "ordering" or not self._knows(path):
            return None
        holds = self._lookup(name, path, lookup, text)
        return lambda m: holds(value_at(m, path))

    def _lookup(self, name, path, lookup, text):
        if lookup == "isnull":
            wanted = BOOLEANS.get(text)
            return lambda value: wanted is None or (value is None) == wanted
        if lookup in TEXTS:
            return lambda value: value is not None and TEXTS[lookup](str(value), text)
        if lookup in ("in", "range"):
            bounds = [self._bound(name, path, part) for part in text.split(",") if part != ""]
            if lookup == "in":
                return lambda value: value is not None and value in bounds
            if len(bounds) != 2:
                raise Failure(400, {name: ["Range query expects two values."]})
            low, high = map(rank, bounds)
            return lambda value: value is not None and low <= rank(value) <= high
        bound = self._bound(name, path, text)
        if lookup == "exact":
            return lambda value: text == "" or value == bound
        compare = ORDERINGS[lookup]
        return lambda value: value is not None and compare(rank(value), rank(bound))

    def _bound(self, name, path, text):
        """The value of a condition, of the kind that its field is."""
        known = self._fields.get(path)
        values = (value_at(model, path) for model in self._collection.all())
        sample = next((value for value in values if value is not None), None)
        is_number = isinstance(sample, (int, float)) and not isinstance(sample, bool)
        try:
            if (known and known.kind in ("integer", "decimal")) or is_number:
                return number(text) if text else None
            return BOOLEANS[text] if isinstance(sample, bool) else text
        except (KeyError, ValueError):
            sentence = "Select a valid choice." if isinstance(sample, bool) else "Enter a number."
            raise Failure(400, {name: [sentence]}) from None
