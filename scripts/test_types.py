"""Checks what scripts/types writes and says, without building anything."""

import re
import subprocess
import unicodedata
import unittest
from pathlib import Path

from generated_types import source

SCRIPTS = Path(__file__).resolve().parent


def said(*arguments):
    ended = subprocess.run([SCRIPTS / "types", *arguments], text=True, capture_output=True, check=False)
    return ended.returncode, (ended.stdout + ended.stderr).strip()


class Writing(unittest.TestCase):
    def test_a_seed_and_a_number_write_the_same_type_again(self):
        self.assertEqual(source(7, 3), source(7, 3))
        self.assertNotEqual(source(7, 3)[1], source(8, 3)[1])
        self.assertNotEqual(source(7, 3)[1], source(7, 4)[1])

    def test_the_sample_that_the_tests_play_is_what_is_written(self):
        status, text = said("--sample", "--check")
        self.assertEqual((status, text), (0, ""), "write it again with scripts/types --sample")

    def test_among_some_types_are_all_forms_and_ids(self):
        text = "".join(source(1, number)[1] for number in range(300))
        for part in ("final class", "CodableExample {", "nestedContainer", "if kind == ", "if kind.number == ", "SQLiteModel", "?? ",
                     "var id: [Int]", "static var example: Self { examples[0] }", '= "_rowid_"', '= "\\n"', "struct Tree"):
            self.assertTrue(part in text, part)


    def test_no_type_has_a_key_twice(self):
        for number in range(1000):
            for keys in re.findall(r"enum CodingKeys: String, CodingKey \{\n((?:.*\n)*?) *\}", source(20261130, number)[1]):
                keys = [unicodedata.normalize("NFC", line.split(" = ", 1)[1].lower()) for line in keys.splitlines()]
                self.assertEqual(len(keys), len(set(keys)), keys)


class BadInput(unittest.TestCase):
    def test_no_types(self):
        self.assertEqual(said("--count", "0"), (1, "--count is 0; name a number of types above zero."))

    def test_a_type_that_is_not_written(self):
        self.assertEqual(said("--count", "3", "--seed", "7", "--only", "Car"), (
            1, "The seed 7 writes no type called Car among 3."))


if __name__ == "__main__":
    unittest.main()
