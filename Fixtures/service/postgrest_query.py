"""What PostgREST understands in a query: filters with an operator before the value, logic, order
and ranges. A condition holds, does not hold, or is unknown, as in SQL."""

import json
import operator
import re

from dialect import fits
from query import Failure, number, rank

RESERVED = ("select", "columns", "on_conflict", "order", "limit", "offset", "and", "or", "not.and",
            "not.or")
ORDERINGS = {"gt": operator.gt, "gte": operator.ge, "lt": operator.lt, "lte": operator.le}
IS = {"null": None, "true": True, "false": False, "unknown": None}
TYPES = {"integer": "integer", "decimal": "double precision", "boolean": "boolean", "text": "text"}
NAME = r'"[^"]*"|[\w $-]+?'


def failure(status, code, message, details=None, hint=None, **headers):
    body = {"code": code, "details": details, "hint": hint, "message": message}
    return Failure(status, body, **headers)


def quoted(text):
    """What stands in double quotes, in which a backslash keeps what follows; else the text itself."""
    if not re.fullmatch(r'"(?:[^"\\]|\\.)*"', text, re.S):
        return text
    return re.sub(r"\\(.)", r"\1", text[1:-1], flags=re.S)


def split(text):
    """The parts between commas that stand in no quotes, braces or brackets."""
    parts, depth, start, at = [], 0, 0, 0
    while at < len(text):
        if text[at] == '"':
            end = re.compile(r'"(?:[^"\\]|\\.)*"', re.S).match(text, at)
            at = end.end() if end else at + 1
            continue
        depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(text[at], 0)
        if text[at] == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
        at += 1
    return [*parts, text[start:]]


def unreadable(kind, text):
    return failure(400, "PGRST100", f'"failed to parse {kind} ({text})" (line 1, column 1)',
                   "unexpected input")


class Rows:
    """A table, and what one request's query asks of it."""

    def __init__(self, collection, fields, pairs):
        self.collection, self._fields, self._pairs = collection, fields, pairs
        asked = dict(pairs)
        self.columns = asked.get("columns") and [quoted(n) for n in split(asked["columns"])]
        terms = split(asked["order"]) if "order" in asked else []
        self.order = [self._term(term) for term in terms]
        self._select = asked.get("select", "*")
        self._on_conflict = asked.get("on_conflict")

    def matching(self):
        """The rows that all filters hold for; without any filter, every row."""
        tests = [self._test(name, text) for name, text in self._pairs if name not in RESERVED]
        tests += [self._tree(f"{name}{text}") for name, text in self._pairs
                  if name in ("and", "or", "not.and", "not.or")]
        return [row for row in self.collection.all() if all(test(row) is True for test in tests)]

    def sorted(self, rows):
        ordered = list(rows)
        for path, is_descending, has_nulls_first in reversed(self.order):
            empty = [row for row in ordered if self._value(row, path) is None]
            full = [row for row in ordered if self._value(row, path) is not None]
            full.sort(key=lambda row: rank(self._value(row, path)), reverse=is_descending)
            ordered = [*empty, *full] if has_nulls_first else [*full, *empty]
        return ordered

    def span(self, request):
        """The first row that is asked for, and the one behind the last."""
        asked = dict(self._pairs)
        limit, offset = asked.get("limit", ""), asked.get("offset", "")
        if re.fullmatch(r"-[0-9]+", limit):
            raise unsatisfiable("Limit should be greater than or equal to zero.")
        start = int(offset) if offset.isdecimal() else 0
        end = start + int(limit) if limit.isdecimal() else None
        header = re.fullmatch(r"([0-9]+)-([0-9]*)", request.headers.get("range", ""))
        if header:
            low, high = int(header[1]), int(header[2]) + 1 if header[2] else None
            if high is not None and high <= low:
                raise unsatisfiable("The lower boundary must be lower than or equal to the upper "
                                    "boundary in the Range header.")
            start = max(start, low)
            end = min([each for each in (end, high) if each is not None], default=None)
        return start, end

    def selected(self, row):
        """A row with the columns that are asked for, by their new names."""
        if self._select in ("", "*"):
            return row
        shown = {}
        for term in split(self._select):
            parts = re.fullmatch(rf"(?:({NAME}):)?(\*|[^:]+)(?:::\w+)?", term.strip())
            if not parts or "(" in term:
                raise unreadable("select parameter", self._select)
            if parts[2] == "*":
                shown.update(row)
            else:
                last = re.split(r"->>?", parts[2])[-1]
                shown[parts[1] or quoted(last)] = self._value(row, self._path(parts[2]))
        return shown

    def on_conflict(self):
        return [quoted(name) for name in split(self._on_conflict)] if self._on_conflict else ["id"]

    def only_id(self):
        """The id of a PUT, which has to be its only filter."""
        asked = dict(self._pairs)
        if "limit" in asked or "offset" in asked:
            sentence = "limit/offset querystring parameters are not allowed for PUT"
            raise failure(400, "PGRST114", sentence)
        filters = [pair for pair in self._pairs
                   if pair[0] not in ("select", "columns", "order", "on_conflict")]
        if len(filters) != 1 or filters[0][0] != "id" or not filters[0][1].startswith("eq."):
            raise failure(405, "PGRST105", "Filters must include all and only primary key columns "
                                           "with 'eq' operators")
        return filters[0][1][3:]

    def blank(self):
        """A row with null in each column but the id."""
        return {name: None for name in self._fields if name != "id"}

    def stored(self, row):
        """A row of a body as its columns take it."""
        for name in row:
            if not self.collection.knows(name):
                raise failure(400, "PGRST204", f"Could not find the '{name}' column of "
                                               f"'{self.collection.name}' in the schema cache")
        return {name: self._stored(name, value) for name, value in row.items()}

    def _stored(self, name, value):
        kind = self._fields[name].kind if name in self._fields else "json"
        if value is None or fits(value, kind):
            return value
        text = value if isinstance(value, str) else json.dumps(value)
        try:
            return typed(text, kind)
        except ValueError:
            raise misfit(text, kind) from None

    def _term(self, term):
        parts = re.fullmatch(r"(.+?)(?:\.(asc|desc))?(?:\.(nullsfirst|nullslast))?", term.strip())
        if not parts or re.search(r"\.", parts[1]) and '"' not in parts[1]:
            raise unreadable("order", term)
        is_descending = parts[2] == "desc"
        first = is_descending if parts[3] is None else parts[3] == "nullsfirst"
        return self._path(parts[1]), is_descending, first

    def _path(self, text):
        """The column of a path, its keys within JSON, and whether it ends as text."""
        names = [quoted(part) for part in re.split(r"->>?", text.strip())]
        if not self.collection.knows(names[0]):
            sentence = f"column {self.collection.name}.{names[0]} does not exist"
            raise failure(400, "42703", sentence)
        return names, "->>" in text

    def _value(self, row, path):
        names, is_text = path
        value = row
        for name in names:
            value = value.get(name) if isinstance(value, dict) else None
        is_other = is_text and value is not None and not isinstance(value, str)
        return json.dumps(value) if is_other else value

    def _kind(self, path):
        names, is_text = path
        field = self._fields.get(names[0])
        return "text" if is_text else field.kind if field and len(names) == 1 else "json"

    def _tree(self, text):
        """The test of `and(…)`, `or(…)`, each behind `not.` or not, or of a filter in one."""
        group = re.fullmatch(r"\s*(not\.)?(and|or)\((.*)\)\s*", text, re.S)
        if not group:
            parts = re.fullmatch(rf"\s*((?:{NAME})(?:->>?[\w]+)*)\.((?:not\.)?\w+\..*)", text, re.S)
            if not parts:
                raise unreadable("logic tree", text)
            return self._test(parts[1], parts[2].rstrip(), is_nested=True)
        tests = [self._tree(part) for part in split(group[3])]
        decide = every if group[2] == "and" else some
        if group[1]:
            return lambda row: opposite(decide(test(row) for test in tests))
        return lambda row: decide(test(row) for test in tests)

    def _test(self, name, text, is_nested=False):
        parts = re.fullmatch(r"(not\.)?(\w+)\.(.*)", text, re.S)
        if not parts:
            raise unreadable("filter", text)
        path = self._path(name)
        value = quoted(parts[3]) if is_nested and parts[2] != "in" else parts[3]
        holds = condition(parts[2], value, self._kind(path), text)
        if parts[1]:
            return lambda row: opposite(holds(self._value(row, path)))
        return lambda row: holds(self._value(row, path))


def unsatisfiable(details):
    return failure(416, "PGRST103", "Requested range not satisfiable", details)


def misfit(text, kind):
    return failure(400, "22P02", f'invalid input syntax for type {TYPES[kind]}: "{text}"')


def typed(text, kind):
    """The text of a query as a value of a column; a ValueError if it is none."""
    if kind in ("integer", "decimal"):
        return number(text, is_whole=kind == "integer")
    if kind == "boolean":
        known = {"true": True, "t": True, "false": False, "f": False}
        if text.lower() not in known:
            raise ValueError
        return known[text.lower()]
    if kind == "json":
        try:
            return json.loads(text)
        except ValueError:
            return text
    return text


def condition(word, text, kind, whole):
    """A test of one value: True, False, or None where null leaves it unknown."""
    def bound(part):
        try:
            return typed(part, kind)
        except ValueError:
            raise misfit(part, kind) from None

    def unless_null(test):
        return lambda value: None if value is None else test(value)
    if word == "is":
        if text.lower() == "not_null":
            return lambda value: value is not None
        if text.lower() not in IS:
            raise unreadable("filter", whole)
        return lambda value: value is IS[text.lower()]
    if word == "in":
        if not re.fullmatch(r"\(.*\)", text, re.S):
            raise unreadable("filter", whole)
        parts = split(text[1:-1]) if text != "()" else []
        members = [bound(quoted(part)) for part in parts]
        return unless_null(lambda value: value in members)
    if word in ("eq", "neq"):
        other = bound(text)
        return unless_null(lambda value: (value == other) == (word == "eq"))
    if word == "isdistinct":
        other = bound(text)
        return lambda value: value != other
    if word in ORDERINGS:
        other = rank(bound(text))
        return unless_null(lambda value: ORDERINGS[word](rank(value), other))
    if word in ("like", "ilike"):
        form = pattern(text, re.I if word == "ilike" else 0)
        return unless_null(lambda value: form.fullmatch(str(value)) is not None)
    if word == "cs":
        wanted = members_of(text)
        return unless_null(
            lambda value: isinstance(value, list) and all(each in value for each in wanted))
    raise unreadable("filter", whole)


def pattern(text, flags):
    """LIKE as a regular expression; an asterisk stands for the percent sign."""
    forms = {"%": ".*", "*": ".*", "_": "."}
    parts = re.findall(r"\\.|.", text, re.S)
    return re.compile("".join(re.escape(part[1]) if len(part) == 2 else forms.get(
        part, re.escape(part)) for part in parts), flags | re.S)


def members_of(text):
    if text.startswith("{") and text.endswith("}"):
        return [typed(quoted(part), "json") for part in split(text[1:-1]) if part]
    value = typed(text, "json")
    return value if isinstance(value, list) else [value]


def opposite(truth):
    return None if truth is None else not truth


def every(truths):
    found = list(truths)
    return False if False in found else None if None in found else True


def some(truths):
    found = list(truths)
    return True if True in found else None if None in found else False
