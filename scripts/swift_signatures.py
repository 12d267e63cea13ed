"""Finds functions of Swift sources that are hard to call or to read, by reading alone.

These are a third or later parameter without a label, unless it takes a closure; a tuple of three or more
as a parameter or a result; and a body of 40 lines or more. The names of public functions, and of what
public protocols require, are settled, so only their bodies count. Operators need no labels.
"""

import re
from typing import NamedTuple

from swift_members import blanked, closing

MOST_LINES = 39
FUNCTION = re.compile(r"\bfunc\s+(?P<name>`[^`]+`|\w+|[^\s\w(<]+)"
                      r"|\b(?P<init>init|subscript)\b[?!]?(?=[(<])")
MODIFIERS = re.compile(r"(?:@\w+(?:\([^()]*\))?|\b(?!case\b)[a-z]+(?:\([\w ]*\))?|\s)*\Z")
PROTOCOL = re.compile(r"\bpublic\s+protocol\b[^{]*")
CLOSURE = re.compile(r"\btypealias\s+(\w+)(?:<[^>]*>)?\s*=[^=\n]*(?:\n[^=\n]*)?->")
HEAD = re.compile(r"[^{}\n]*(?:\n\s*(?:->|async|throws|where|[\w.,: <>&()\[\]]*(?=\s*\{))[^{}\n]*)*")
PARAMETER = re.compile(r"(?:@\w+\s+)*(?P<label>\S+)(?P<name>\s+[\w`]+)?\s*:(?P<kind>.*)", re.DOTALL)
EFFECTS = re.compile(r"(?:\s*(?:async|throws|rethrows|\([^()]*\)))*\s*->")


class Signature(NamedTuple):
    """A function as it is declared: by name and labels, its types, and the lines of its body."""

    line: int
    name: str
    labels: tuple
    parameters: tuple
    result: str
    body: int
    is_public: bool

    @property
    def key(self):
        return self.name, self.labels

    def unlabelled(self, closures=()):
        """Whether a parameter from the third on has no label and takes no closure."""
        return any(label == "_" and not is_closure(kind, closures)
                   for label, kind in list(zip(self.labels, self.parameters))[2:])

    def is_operator(self):
        return not re.match(r"[\w`]", self.name)

    def is_tuple(self):
        return any(has_tuple(each) for each in (*self.parameters, self.result))


def parts(text, separator=","):
    """The text split where a separator stands outside of brackets."""
    found, at, depth = [], 0, 0
    for each in re.finditer(r"->|[()\[\]{}<>" + separator + "]", text):
        sign = each[0]
        depth += (sign in "([{<") - (sign in ")]}>")
        if sign == separator and depth == 0:
            found.append(text[at:each.start()])
            at = each.end()
    return [each.strip() for each in [*found, text[at:]] if each.strip()]


def is_closure(kind, names=()):
    """Whether a type is that of a closure, also by one of the names that such types have."""
    plain = re.sub(r"@\w+\s+|[?\s]|<.*", "", kind).rpartition(".")[2]
    return "->" in kind or plain in names


def has_tuple(kind):
    """Whether a type has a tuple of three or more, and not only the parameters of a closure."""
    for opening in re.finditer(r"\(", kind):
        end = closing(kind, opening.start())
        inside = kind[opening.start() + 1:end - 1]
        if len(parts(inside)) > 2 and not EFFECTS.match(kind, end) \
                and not re.search(r"[\w>]\Z", kind[:opening.start()]):
            return True
    return False


def signatures(source):
    """The functions and initializers of a source."""
    text = blanked(source)
    required = [(each.end(), closing(text, each.end())) for each in PROTOCOL.finditer(text)]
    for each in FUNCTION.finditer(text):
        start = text.find("(", each.end())
        if start < 0 or text[each.end():start].strip()[:1] not in ("", "<"):
            continue
        end = closing(text, start)
        given = [PARAMETER.match(part) for part in parts(text[start + 1:end - 1])]
        given = [match for match in given if match]
        result, body = rest(text, end)
        before = MODIFIERS.search(text, max(0, each.start() - 300), each.start())[0]
        is_public = bool(re.search(r"\b(?:public|open)\b", before)) \
            or any(begin <= each.start() < stop for begin, stop in required)
        kinds = tuple(re.split(r"\s=\s", match["kind"])[0].strip() for match in given)
        yield Signature(text.count("\n", 0, each.start()) + 1, each["name"] or each["init"],
                        tuple(label(match) for match in given), kinds, result, body, is_public)


def label(parameter):
    """The label of a parameter, which is none where the function ignores what it is given."""
    return parameter["label"] if parameter["name"] or parameter["label"] != "_" else ""


def rest(text, at):
    """The result of a function whose parameters end here, and how many lines stand in its body."""
    head = HEAD.match(text, at)[0]
    result = head.partition("->")[2].split(" where ")[0].strip()
    opening = re.compile(r"\s*\{").match(text, at + len(head))
    if not opening:
        return result, 0
    begin = opening.end() - 1
    return result, max(0, text.count("\n", begin, closing(text, begin)) - 1)


def faults(modules):
    """A sentence for each fault, of the names of modules with their paths and texts."""
    read = [(path, list(signatures(text))) for path, text in modules]
    closures = {name for _, text in modules for name in CLOSURE.findall(blanked(text))}
    settled = {each.key for _, found in read for each in found if each.is_public}
    for path, found in read:
        for each in found:
            if each.body > MOST_LINES:
                yield f"{path}:{each.line}: {each.name} has {each.body} lines; functions have under 40"
            if each.is_operator() or each.key in settled:
                continue
            if each.unlabelled(closures):
                yield f"{path}:{each.line}: {each.name} has a third parameter without a label"
            if each.is_tuple():
                yield f"{path}:{each.line}: {each.name} has a tuple of three or more"
