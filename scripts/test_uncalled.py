"""Checks what scripts/uncalled takes for a public name, a call of it, and a sentence of an error."""

import importlib.machinery
import importlib.util
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

HERE = Path(__file__).resolve().parent
LOADER = importlib.machinery.SourceFileLoader("uncalled", str(HERE / "uncalled"))
SPEC = importlib.util.spec_from_loader("uncalled", LOADER)
uncalled = importlib.util.module_from_spec(SPEC)
LOADER.exec_module(uncalled)


def missing(page, code):
    page = list(uncalled.api(page))
    called = uncalled.Code(uncalled.code(code), {each.last for each in page if each.labels})
    return [each.name for each in called.uncalled(page)]


class Names(unittest.TestCase):
    def test_a_name_is_called_where_code_has_it(self):
        line = "A: func go(to place: String) async throws"
        self.assertEqual(missing(line, "a.go(to: b)"), [])
        self.assertEqual(missing(line, "a.gone()"), ["A.go"])
        self.assertEqual(missing(line, "// a.go(to: b)"), ["A.go"])

    def test_an_initializer_is_called_with_its_labels(self):
        line = "M.A: init(_ first: [String : Int], size: Int, more: Bool = false)"
        self.assertEqual(missing(line, "A(x, size: 1)"), [])
        self.assertEqual(missing(line, "let a: A = .init(x, size: 1)"), [])
        self.assertEqual(missing(line, "B(x, size: 1)"), ["M.A.init(_:size:more:)"])

    def test_what_every_type_has_is_no_name_of_its_own(self):
        for line in ("A: init(from decoder: any Decoder) throws", "extension Int -- Value",
                     "A: init?(rawValue: String)", "A: init(stringLiteral value: String)"):
            self.assertEqual(missing(line, ""), [], line)


    def test_a_type_is_called_with_a_member_or_with_what_takes_or_gives_it(self):
        page = "B: var a: A.Kind\nA: enum Kind -- Sendable\nA.Kind: case big\nA.Kind: case small"
        self.assertEqual(missing(page, "b.a"), ["A.Kind.big", "A.Kind.small"])
        self.assertEqual(missing(page, ".big"), ["B.a", "A.Kind.small"])
        self.assertEqual(missing(page, "b"), ["B.a", "A.Kind", "A.Kind.big", "A.Kind.small"])


class Sentences(unittest.TestCase):
    def said(self, line):
        return [text for _, text in uncalled.sentences("throw AnError()\n" + line)]

    def test_four_words_in_a_row_are_a_sentence(self):
        self.assertEqual(self.said('"it has no order"'), ["it has no order"])
        self.assertEqual(self.said('"it has \\(x) no order"'), [])

    def test_comments_sql_and_logs_are_none(self):
        for line in ('// "it has no order"', '"SELECT a FROM b WHERE c"', 'log("it has no order")'):
            self.assertEqual(self.said(line), [], line)

    def test_files_without_errors_have_none(self):
        self.assertEqual(list(uncalled.sentences('"it has no order"')), [])


class Exceptions(unittest.TestCase):
    FOUND = [uncalled.Found("a", 1, "A.go")]

    def test_what_is_not_excepted_is_told(self):
        self.assertEqual(list(uncalled.judged(self.FOUND, {})), ["a:1: A.go"])

    def test_an_exception_has_a_reason_or_a_heading(self):
        self.assertEqual(uncalled.exceptions("# Later\nA.go\nB  -- why\n"),
                         {"A.go": "Later", "B": "why"})
        self.assertEqual(list(uncalled.judged(self.FOUND, uncalled.exceptions("A.go"))),
                         ["scripts/uncalled-exceptions: A.go has no reason"])

    def test_an_exception_that_is_tested_by_now_is_told(self):
        self.assertEqual(list(uncalled.judged([], {"A.go": "why"})),
                         ["scripts/uncalled-exceptions: A.go is tested by now, or there no more"])


if __name__ == "__main__":
    unittest.main()
