"""What the fixture service understands in a query string: conditions on values, order and pages."""

import csv
import json
import operator
import re
from typing import NamedTuple
from urllib.parse import urlencode

ORDERINGS = {"lt": operator.lt, "lte": operator.le, "gt": operator.gt, "gte": operator.ge}
OPERATORS = ("ne", *ORDERINGS, "in", "between", "null", "prefix", "contains")
PAGING = ("limit", "offset", "page", "per_page", "after")
WAYS = ({"page", "per_page"}, {"offset", "limit"}, {"after", "limit"})


class Refusal(Exception):
    """One sentence, and a status, that say why a request is not carried out."""

    def __init__(self, status, sentence, **headers):
        super().__init__(sentence)
        self.status, self.sentence, self.headers = status, sentence, headers


class Failure(Refusal):
    """A refusal whose body a dialect has written already."""

    def __init__(self, status, value, **headers):
        super().__init__(status, "", **headers)
        self.value = value


class Page(NamedTuple):
    """What a query selects: its models, their count without paging, and the queries beside it."""

    models: list
    total: int
    links: dict


def paths(model, prefix=""):
    """The fields of a model, nested ones with dots."""
    for name, value in model.items():
        yield prefix + name
        if isinstance(value, dict):
            yield from paths(value, f"{prefix}{name}.")


def value_at(model, path):
    for name in path.split("."):
        model = model.get(name) if isinstance(model, dict) else None
    return model


def rank(value):
    """A key that orders any JSON values: null, numbers, text by code point, the rest."""
    if value is None:
        return (0, 0)
    if isinstance(value, (int, float)):
        return (1, value)
    return (2, value) if isinstance(value, str) else (3, json.dumps(value, sort_keys=True))


def condition(field, name, text, sample):
    """A test of one value; of all conditions only `null` and `ne` can hold for null."""
    if name is None or name == "ne":
        bound = converted(text, sample, field)
        return lambda value: (value == bound) == (name is None)
    if name in ORDERINGS:
        bound = rank(converted(text, sample, field))
        return lambda value: value is not None and ORDERINGS[name](rank(value), bound)
    if name == "in":
        members = [converted(part, sample, field) for part in listed(text)]
        return lambda value: value in members
    if name == "between":
        bounds = [rank(converted(part, sample, field)) for part in listed(text)]
        if len(bounds) != 2:
            raise Refusal(400, f"{field}[between] takes two values, as in 1,2")
        return lambda value: value is not None and bounds[0] <= rank(value) <= bounds[1]
    if name == "null":
        wanted = converted(text, True, f"{field}[null]")
        return lambda value: (value is None) == wanted
    if name in ("prefix", "contains"):
        if not isinstance(sample, (str, type(None))):
            raise Refusal(400, f"{name} is for text, and {field} is not text")
        found = str.startswith if name == "prefix" else str.__contains__
        return lambda value: isinstance(value, str) and found(value, text)
    raise Refusal(400, f"there is no operator '{name}'; there are {', '.join(OPERATORS)}")


def number(text, is_whole=False):
    """The number that a text says; a ValueError if it says none."""
    if re.fullmatch(r"[+-]?[0-9]{1,18}", text):
        return int(text)
    if is_whole or not re.fullmatch(r"[+-]?[0-9]*\.?[0-9]+([eE][+-]?[0-9]{1,3})?", text):
        raise ValueError(text)
    return float(text)


def converted(text, sample, field):
    """The text of a query as the kind of value that the field holds."""
    try:
        if isinstance(sample, bool):
            return {"true": True, "false": False}[text]
        if isinstance(sample, (int, float)):
            return int(text) if re.fullmatch(r"[+-]?\d+", text) else float(text)
        return text
    except (KeyError, ValueError):
        kind = "true or false" if isinstance(sample, bool) else "a number"
        raise Refusal(400, f"'{text}' does not fit {field}, which is {kind}") from None


def listed(text):
    """The values between commas; one that holds a comma stands in double quotes."""
    try:
        return next(csv.reader([text], strict=True), [])
    except csv.Error:
        raise Refusal(400, f"'{text}' is not a list of values between commas") from None


def paged(models, paging, kept, following):
    """One page of sorted models; `following` gives those behind a cursor, `kept` is the query."""
    if not any(set(paging) <= way for way in WAYS):
        raise Refusal(400, "page by page and per_page, by offset and limit, or by after and limit")
    total = len(models)
    if "page" in paging or "per_page" in paging:
        page, size = whole(paging, "page", 1, least=1), whole(paging, "per_page", 25, least=1)
        start = (page - 1) * size
        links = {"next": start + size < total and {"page": page + 1, "per_page": size},
                 "prev": page > 1 and {"page": page - 1, "per_page": size}}
    elif "after" in paging:
        models, start, size = following(paging["after"]), 0, whole(paging, "limit", total)
        more = 0 < size < len(models)
        links = {"next": more and {"after": models[size - 1]["id"], "limit": size}}
    else:
        start, size = whole(paging, "offset", 0), whole(paging, "limit", total)
        turns = "limit" in paging and size > 0
        links = {"next": turns and start + size < total and {"offset": start + size, "limit": size},
                 "prev": turns and start > 0 and {"offset": max(start - size, 0), "limit": size}}
    queries = {rel: urlencode([*kept, *at.items()]) for rel, at in links.items() if at}
    return Page(models[start:start + size], total, queries)


def whole(paging, name, default, least=0):
    text = paging.get(name, str(default))
    if not re.fullmatch(r"[0-9]{1,15}", text) or int(text) < least:
        raise Refusal(400, f"{name} is a whole number of at least {least}, not '{text}'")
    return int(text)
