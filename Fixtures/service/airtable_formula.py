"""The part of Airtable's formulas that the fixture service understands."""

import re

TOKEN = re.compile(r"""\s*(?:(?P<text>'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")|(?P<number>-?[0-9.]+)"""
                   r"""|\{(?P<field>[^}]*)\}|(?P<name>[A-Z_]+)(?=\()|(?P<sign>!=|<=|>=|[=<>&(),]))""")
SIGNS = {"=": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b,
         "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b}


def test(formula, knows):
    """A function that says whether a record meets a formula; a ValueError for what is none."""
    tokens, at = [], 0
    while at < len(formula.rstrip()):
        token = TOKEN.match(formula, at)
        if not token:
            raise ValueError(formula[at:])
        tokens.append((token.lastgroup, token[token.lastgroup]))
        at = token.end()
    parser = Parser(tokens, knows)
    parsed = parser.comparison()
    if parser.tokens:
        raise ValueError(parser.tokens[0][1])
    return lambda record: bool(parsed(record))


class Parser:
    def __init__(self, tokens, knows):
        self.tokens, self.knows = tokens, knows

    def takes(self, *texts):
        if self.tokens and self.tokens[0][0] == "sign" and self.tokens[0][1] in texts:
            return self.tokens.pop(0)[1]
        return None

    def comparison(self):
        left = self.joined()
        sign = self.takes(*SIGNS)
        if not sign:
            return left
        right = self.joined()
        return lambda record: SIGNS[sign](*alike(left(record), right(record)))

    def joined(self):
        parts = [self.term()]
        while self.takes("&"):
            parts.append(self.term())
        if len(parts) == 1:
            return parts[0]
        return lambda record: "".join(text(part(record)) for part in parts)

    def term(self):
        kind, value = self.tokens.pop(0) if self.tokens else ("end", "")
        if kind == "text":
            literal = re.sub(r"\\(.)", r"\1", value[1:-1], flags=re.DOTALL)
            return lambda record: literal
        if kind == "number":
            number = float(value)
            return lambda record: number
        if kind == "field":
            if not self.knows(value):
                raise ValueError(f"Unknown field names: {value}")
            return lambda record: record.get(value)
        if kind != "name" or not self.takes("("):
            raise ValueError(value)
        arguments = []
        while not self.takes(")"):
            arguments.append(self.comparison())
            if not self.takes(",") and self.tokens[:1] != [("sign", ")")]:
                raise ValueError(value)
        return self.called(value, arguments)

    def called(self, name, parts):
        functions = {
            "AND": lambda record: all(part(record) for part in parts),
            "OR": lambda record: any(part(record) for part in parts),
            "NOT": lambda record: not parts[0](record),
            "TRUE": lambda record: True,
            "RECORD_ID": lambda record: record["id"],
            "EXACT": lambda record: text(parts[0](record)) == text(parts[1](record)),
            "FIND": lambda record: text(parts[1](record)).find(text(parts[0](record))) + 1,
        }
        return functions[name] if name in functions else fail(name)


def fail(name):
    raise ValueError(name)


def alike(left, right):
    """Two values that can be compared: an empty cell is 0 beside a number, and else no text."""
    if isinstance(left, str) or isinstance(right, str):
        return text(left), text(right)
    return left or 0, right or 0


def text(value):
    if value is None:
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
