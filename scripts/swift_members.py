"""Finds the functions and properties of Swift sources by name, by reading alone.

`OutboxMachine.flush` stands for every function, initializer (`init`), subscript and property of that name
in a type of that name and in its extensions, wherever the file lies; `Retry.pause` fits `Strategy.Retry`
too. A name without a type is one of a file.
"""

import re
from typing import NamedTuple

OPENING = re.compile(r'//|/\*|(#*)("""|")')
TYPE = re.compile(r"\b(?:struct|class|enum|actor|extension)\s+(?!func\b|var\b|let\b)(?:any\s+)?([\w.]+)")
MEMBER = re.compile(r"\bfunc\s+(`[^`]+`|\w+|[^\s\w(]+)|\b(init|subscript)\b[?!]?\s*(?=[(<])"
                    r"|\b(?:var|let)\s+(`?\w+`?)")
GOES_ON = re.compile(r"\s*\n\s*(?:[?:.]|&&|\|\||[-+*/=<>]+\s|\{)")


class Member(NamedTuple):
    """A function or a property: in which type, under which name, and where in the text."""

    owner: str
    name: str
    start: int
    end: int

    def fits(self, anchor):
        owner, _, name = anchor.rpartition(".")
        if name != self.name:
            return False
        return self.owner == owner or bool(owner) and self.owner.endswith(f".{owner}")


def blanked(text):
    """The text in the same length, with spaces for comments and `_` for literals of text."""
    kept, at = [], 0
    while opening := OPENING.search(text, at):
        kept.append(text[at:opening.start()])
        at = end_of(text, opening)
        kept.append(re.sub(r"[^\n]", "_" if opening[2] else " ", text[opening.start():at]))
    return "".join(kept) + text[at:]


def end_of(text, opening):
    """Where a comment or a literal ends that begins with a match of OPENING."""
    if opening[0] == "//":
        return (text.find("\n", opening.end()) + 1 or len(text) + 1) - 1
    if opening[0] == "/*":
        return text.find("*/", opening.end()) + 2 or len(text)
    pounds, quote = opening[1] or "", opening[2]
    sign = re.compile(rf'\\{pounds}\(|\\{pounds}.|{quote}{pounds}', re.DOTALL)
    at = opening.end()
    while found := sign.search(text, at):
        at = found.end()
        if found[0] == quote + pounds:
            return at
        if found[0].endswith("("):
            at = end_of_interpolation(text, at)
    return len(text)


def end_of_interpolation(text, at):
    """Where the parenthesis closes that was opened before `at`."""
    depth = 1
    while depth and (found := re.compile(r'[()]|#*(?:"""|")').search(text, at)):
        at = found.end()
        if found[0] in "()":
            depth += 1 if found[0] == "(" else -1
        else:
            at = end_of(text, OPENING.search(text, found.start()))
    return at


def closing(text, at):
    """Where the bracket at this place closes, just behind it; the text's end if it does not."""
    depth = 0
    for found in re.compile(r"[()\[\]{}]").finditer(text, at):
        depth += 1 if found[0] in "([{" else -1
        if not depth:
            return found.end()
    return len(text)


def end_of_function(text, at):
    """Where the body ends of a function whose parameters begin at this place, or there; None without."""
    for found in re.compile(r"[(\[{})\]]").finditer(text, at):
        if found.start() < at:
            continue
        if found[0] == "{":
            return closing(text, found.start())
        if found[0] not in "([":
            return None
        at = closing(text, found.start())
    return None


def end_of_property(text, at):
    """Where a declaration ends: at the first line's end outside of brackets that nothing goes on from."""
    for found in re.compile(r"[(\[{\n})\]]").finditer(text, at):
        if found.start() < at:
            continue
        if found[0] == "\n":
            line = text[:found.start()].rstrip()
            if not (GOES_ON.match(text, found.start()) or line.endswith(("=", "&&", "||", "?", ","))):
                return found.start()
        elif found[0] in "([{":
            at = closing(text, found.start())
        else:
            return found.start()
    return len(text)


def types(text):
    """All types and extensions of a text: the name of each, and where its body begins and ends."""
    plain = blanked(text)
    for found in TYPE.finditer(plain):
        start = plain.find("{", found.end())
        if start >= 0:
            yield found[1], start, closing(plain, start)


def members(text):
    """All functions and properties of a text in their order, those within others included."""
    plain = blanked(text)
    around = list(types(plain))
    for found in MEMBER.finditer(plain):
        name = (found[1] or found[2] or found[3]).strip("`")
        end = (end_of_property if found[3] else end_of_function)(plain, found.end())
        if end is not None:
            owner = ".".join(each for each, start, stop in around if start < found.start() < stop)
            yield Member(owner, name, plain.rfind("\n", 0, found.start()) + 1, end)


TOKEN = re.compile(r"\w+|…|[^\w\s]")


def pattern(text):
    """What a piece of code is found by: its words and signs in order, however they are spaced.

    `…` stands for anything, as little as possible.
    """
    made, last = "", ""
    for token in TOKEN.findall(text):
        if made:
            both_words = last[-1].isidentifier() and token[0].isidentifier() or (
                last[-1].isalnum() and token[0].isalnum())
            made += r"\s+" if both_words else r"\s*"
        made += ".*?" if token == "…" else re.escape(token)
        last = token
    return re.compile(made, re.DOTALL)
