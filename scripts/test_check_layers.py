"""Checks what scripts/check-layers reads from the compiler's index, and what it says of the folders."""

import importlib.machinery
import importlib.util
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

HERE = Path(__file__).resolve().parent
LOADER = importlib.machinery.SourceFileLoader("check_layers", str(HERE / "check-layers"))
SPEC = importlib.util.spec_from_loader("check_layers", LOADER)
check_layers = importlib.util.module_from_spec(SPEC)
LOADER.exec_module(check_layers)

FILES = {
    "Low/Low.swift": "struct Low {\n  var number = 1\n  struct Part {}\n}\n",
    "Low/Name.swift": "final class Name {}\n",
    # Reads a member that a higher folder adds, without a name of a type.
    "Low/Upward.swift": "func upward() -> Int {\n  1.doubled\n}\n",
    "Low/Beside.swift": "let low = Low()\n",
    "High/High.swift": "extension Int {\n  var doubled: Int { 2 * self }\n}\nlet part = Low.Part()\n",
    "High/Nested.swift": "extension Name {\n  struct Nested { let number = low.number }\n}\n",
}
UPWARD = "Sources/M/Low/Upward.swift:2: doubled, upward from Low to High"


class Layers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.base = Path(cls.folder.name).resolve() / "M"
        for name, text in FILES.items():
            (cls.base / name).parent.mkdir(parents=True, exist_ok=True)
            (cls.base / name).write_text(text)
        subprocess.run(
            ["swiftc", "-module-name", "M", "-parse-as-library", "-c", "-index-store-path", "index",
             *(str(cls.base / name) for name in FILES)],
            check=True, cwd=cls.folder.name, capture_output=True)
        store = check_layers.IndexStore(Path(cls.folder.name) / "index")
        cls.found = list(check_layers.references(store, "M", cls.base))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def faults(self, text, folders=("Low", "High")):
        order = check_layers.layers(text)["M"]
        return list(check_layers.faults("M", order, set(folders), self.found))

    def test_what_a_folder_refers_to_is_what_the_compiler_resolved(self):
        named = {(str(each.file), each.line, each.name) for each in self.found}
        self.assertEqual(named, {
            ("Low/Upward.swift", 2, "doubled"), ("High/High.swift", 4, "Low"),
            ("High/High.swift", 4, "Part"), ("High/High.swift", 4, "init()"),
            ("High/Nested.swift", 1, "Name"), ("High/Nested.swift", 2, "low"),
            ("High/Nested.swift", 2, "number")})

    def test_a_reference_upward_is_named(self):
        self.assertEqual(self.faults("M:\n  Low\n  High\n"), [UPWARD])

    def test_folders_of_one_level_do_not_know_each_other(self):
        self.assertEqual(len(self.faults("M:\n  Low, High\n")), 7)

    def test_a_name_may_be_extended_below_its_own_folder(self):
        wrong = [each.partition(": ")[2] for each in self.faults("M (Name):\n  High\n  Low\n")]
        self.assertEqual(
            wrong, [f"{name}, upward from High to Low" for name in ("Low", "Part", "init()", "low", "number")])

    def test_folders_without_a_level_and_levels_without_a_folder_are_named(self):
        self.assertEqual(
            self.faults("M:\n  Low\n  High\n  None\n", ["Low", "High", "Other"]),
            ["Sources/M/Other: this folder has no level in scripts/layers",
             "scripts/layers: Sources/M/None has no files", UPWARD])

    def test_the_order_is_read_a_level_a_line(self):
        self.assertEqual(
            check_layers.layers("# Order\n\nM (N, O):\n  A, B/C\n  D # last\nN:\n  .\n"),
            {"M": (["N", "O"], {"A": 0, "B/C": 0, "D": 1}), "N": ([""], {".": 0})})

    def test_a_folder_without_an_index_is_refused(self):
        with self.assertRaisesRegex(SystemExit, "has no index of a debug build; run scripts/test"):
            check_layers.main(self.folder.name)


if __name__ == "__main__":
    unittest.main()
