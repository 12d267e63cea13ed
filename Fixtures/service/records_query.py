"""What the service of records understands in a query: an operator before the field's name."""

import functools
import json
import operator
import re

from query import Failure, value_at

MISSING = object()
OPERATORS = ("min", "max", "gt", "lt", "eq", "not", "in", "exclude", "like", "has", "contains")
ORDERINGS = {"min": operator.ge, "max": operator.le, "gt": operator.gt, "lt": operator.lt}
SINCE = {"_since": operator.gt, "_before": operator.lt, "_to": operator.lt}


def invalid(location, name, description):
    """A 400 that says where the fault is."""
    place = f"{name} in {location}: {description}" if name else f"{location}: {description}"
    details = [{"location": location, "name": name, "description": description}]
    return Failure(400, {"code": 400, "errno": 107, "error": "Invalid parameters",
                         "message": place, "details": details})


def timestamp(text, name):
    """The milliseconds of an entity tag, which stand in quotes."""
    if not re.fullmatch(r'"[0-9]{1,18}"', text):
        raise invalid("header", name, f"Invalid value for {name}")
    return int(text[1:-1])


def native(text):
    """A value of a query: JSON where it reads as such, and text otherwise."""
    if isinstance(text, list):
        return text
    try:
        value = json.loads(text)
        return text if isinstance(value, (dict, list)) else value
    except ValueError:
        return text


def selection(pairs):
    """What a query's conditions select, and whether they look at removed records too."""
    tests, fields, given = [], set(), {}
    for name, text in pairs:
        given.setdefault(name, []).append(text)
    for name, texts in given.items():
        # An item that is named twice is compared with a list, and counts for neither of its values.
        text = texts[0] if len(texts) == 1 else texts
        if name in SINCE:
            plain = str(text).strip('"')
            if not re.fullmatch(r"[0-9]{1,18}", plain):
                raise invalid("querystring", name, f"Invalid value for {name}")
            fields.add("last_modified")
            tests.append(compared("last_modified", SINCE[name], int(plain)))
        elif not name.startswith("_"):
            parts = re.fullmatch(rf"({'|'.join(OPERATORS)})_([\w.]+)", name)
            word, field = parts.groups() if parts else ("eq", name)
            fields.add(field)
            tests.append(condition(word, field, text))
    return lambda record: all(test(record) for test in tests), "last_modified" in fields


def found(record, field):
    """The value of a field, or MISSING; null is a value."""
    holder, _, last = field.rpartition(".")
    inner = value_at(record, holder) if holder else record
    return inner.get(last, MISSING) if isinstance(inner, dict) else MISSING


def rank(value):
    """A key that orders any JSON values: null, text, numbers, flags, the rest, and what is missing."""
    if value is None or value is MISSING:
        return (0 if value is None else 5, 0)
    if isinstance(value, str):
        return (1, value)
    if isinstance(value, (int, float)):
        return (3 if isinstance(value, bool) else 2, value)
    return (4, json.dumps(value, sort_keys=True))


def compared(field, compare, bound):
    return lambda record: compare(rank(found(record, field)), rank(bound))


def condition(word, field, text):
    """A test of one record; ids are text, whatever they look like."""
    def typed(part):
        value = native(part)
        return part if field == "id" and not isinstance(value, (str, list)) else value
    if word in ORDERINGS:
        return compared(field, ORDERINGS[word], typed(text))
    if word in ("in", "exclude"):
        parts = [text] if isinstance(text, list) else text.split(",")
        members = [typed(part) for part in parts]
        return lambda record: (found(record, field) in members) == (word == "in")
    if word == "has":
        wanted = native(text) is True
        return lambda record: (found(record, field) is not MISSING) == wanted
    if word == "like":
        text = str(text)
        pattern = "*".join(["", text.strip("*"), ""]) if "*" not in text else text
        form = re.compile(".*".join(map(re.escape, pattern.split("*"))), re.I | re.S)
        return lambda record: is_like(found(record, field), form)
    if word == "contains":
        return lambda record: contains(found(record, field), native(text))
    bound = typed(text)
    return lambda record: same(found(record, field), bound) == (word == "eq")


def is_like(value, form):
    return value is not MISSING and value is not None and form.fullmatch(str(value)) is not None


def contains(values, value):
    return isinstance(values, list) and value in values


def same(value, bound):
    is_flag = isinstance(value, bool) or isinstance(bound, bool)
    return value is not MISSING and value == bound and (not is_flag or type(value) is type(bound))


def sorting(text):
    """The key that a list is sorted by: the latest first, where nothing else is asked."""
    terms = [term.strip() for term in text.split(",") if term.strip()]
    if not all(re.fullmatch(r"[-+]?[\w.]+", term) for term in terms):
        raise invalid("querystring", "_sort", "Invalid value for _sort")
    if "last_modified" not in [term.lstrip("-+") for term in terms]:
        terms.append("-last_modified")

    def compare(one, other):
        for term in [*terms, "id"]:
            path = term.lstrip("-+")
            first, second = rank(found(one, path)), rank(found(other, path))
            if first != second:
                return (-1 if first < second else 1) * (-1 if term.startswith("-") else 1)
        return 0
    return functools.cmp_to_key(compare)
