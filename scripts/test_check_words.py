#!/usr/bin/env python3
"""What scripts/check-words finds, and what it leaves alone."""

import importlib.machinery
import importlib.util
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

PATH = Path(__file__).resolve().parent / "check-words"
loader = importlib.machinery.SourceFileLoader("check_words", str(PATH))
words = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_words", loader))
loader.exec_module(words)


def found(lines, read):
    out = words.rules("# a comment\n\\bmend(s|ed)?\\b\tfix\n^Gives\\b\tReturns\n")
    prose = ((Path("page"), number, line) for number, line in read(lines))
    return list(words.faults(prose, out))


class WordsTests(unittest.TestCase):
    def test_a_page_is_read_without_its_code(self):
        page = ["It mends.", "```swift", "mend()", "```", "Call `mend()`, or [this](mend.md)."]
        self.assertEqual(found(page, words.page), ['page:1: "mends" is out; write fix'])

    def test_a_source_is_read_for_comments_names_and_texts(self):
        source = [
            "/// Gives the name.", "let mend = 1", 'let text = "please mend it"', 'case "mend"',
            "/// ```swift", "/// mend()", "/// ```", "// Mended by hand: mended.",
        ]
        self.assertEqual(
            found(source, words.source),
            [
                'page:1: "Gives" is out; write Returns', 'page:2: "mend" is out; write fix',
                'page:3: "mend" is out; write fix',
                'page:8: "mended" is out; write fix',
            ])

    def test_every_pattern_of_the_list_says_what_to_write(self):
        out = words.rules((PATH.parent / "words-out").read_text("utf-8"))
        self.assertTrue(len(out) > 20)
        self.assertTrue(all(instead for _, instead in out))


if __name__ == "__main__":
    unittest.main()
