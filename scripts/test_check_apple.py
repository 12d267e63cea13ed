"""Checks that scripts/check-apple refuses what an Apple platform would refuse."""

import sys
import tempfile
import unittest
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

LOADER = SourceFileLoader("check_apple", str(Path(__file__).resolve().parent / "check-apple"))
check_apple = module_from_spec(spec_from_loader("check_apple", LOADER))
LOADER.exec_module(check_apple)


class Conditions(unittest.TestCase):
    def test_the_conditions_are_those_of_an_apple_platform(self):
        self.assertEqual(
            check_apple.on_apple(
                "#if canImport(FoundationNetworking) || os(Linux)\n"
                "#elseif canImport(Darwin) && !os(macOS) && os(iOS)\n"
                "  public import Foundation\n"
                "import Foundation\n"
                "// #if os(iOS)\n"),
            "#if false || false\n"
            "#elseif canImport(Darwin) && !false && true\n"
            "  public import FoundationOnApple\n"
            "import FoundationOnApple\n"
            "// #if os(iOS)\n")


@unittest.skipIf(sys.platform == "darwin", "The stand-ins stand on Linux's modules.")
class Faults(unittest.TestCase):
    """Faults that are planted in code that no other build here compiles."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.modules = check_apple.Check(Path(cls.scratch.name))
        for name in ("Darwin", "FoundationOnApple", "Network", "SwiftUI"):
            said = cls.modules.stand_in(name)
            assert not said, said

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def said(self, source):
        """What the check says of a file with a source."""
        with tempfile.TemporaryDirectory() as root:
            (Path(root) / "Planted").mkdir()
            (Path(root) / "Planted/Planted.swift").write_text(source, "utf-8")
            check = check_apple.Check(Path(self.scratch.name), Path(root))
            return check.real("Planted", "Planted")

    def test_sound_code_passes(self):
        self.assertEqual("", self.said(
            "import Network\nimport Synchronization\n"
            "let lock = Mutex(0)\n"
            "func path(_ path: NWPath) -> Bool { path.status == .satisfied && lock.withLock { $0 > 0 } }\n"))

    def test_a_name_that_the_sdk_does_not_have(self):
        said = self.said(
            "#if canImport(Network)\n"
            "  import Network\n"
            "  func path(_ path: NWPath) -> Bool { path.status == .satisfyed }\n"
            "#endif\n")
        self.assertIn("Planted/Planted.swift:3:55: error: ", said)
        self.assertIn("has no member 'satisfyed'", said)

    def test_a_type_that_an_import_does_not_make_public(self):
        self.assertIn("cannot be declared public", self.said(
            "import Foundation\npublic func configuration() -> URLSessionConfiguration { .ephemeral }\n"))

    def test_a_view_that_is_read_outside_of_the_main_actor(self):
        self.assertIn("main actor-isolated property 'body'", self.said(
            "#if canImport(SwiftUI)\n"
            "  import SwiftUI\n"
            "  struct Row: View { var body: some View { Text(\"Row\") } }\n"
            "  nonisolated func body(_ row: Row) { _ = row.body }\n"
            "#endif\n"))

    def test_a_value_that_two_threads_share(self):
        self.assertIn("risks causing data races", self.said(
            "final class Box { var value = 0 }\n"
            "@MainActor func take(_ box: Box) {}\n"
            "func share() async { let box = Box(); await take(box); box.value = 1 }\n"))

    def test_a_warning(self):
        self.assertIn("will never be executed", self.said(
            "func one() -> Int { 1 }\n"
            "func number() -> Int { let isOn = false; return isOn ? one() : 2 }\n"))


if __name__ == "__main__":
    unittest.main()
