"""Checks which functions scripts/check-signatures finds hard to call, and which tests astray."""

import importlib.machinery
import importlib.util
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

import swift_signatures

HERE = Path(__file__).resolve().parent
LOADER = importlib.machinery.SourceFileLoader("check_signatures", str(HERE / "check-signatures"))
SPEC = importlib.util.spec_from_loader("check_signatures", LOADER)
check_signatures = importlib.util.module_from_spec(SPEC)
LOADER.exec_module(check_signatures)


class Signatures(unittest.TestCase):
    def faults(self, text):
        return [each.partition(" has ")[2].split(";")[0]
                for each in swift_signatures.faults([("a.swift", text)])]

    def test_a_third_parameter_has_a_label(self):
        self.assertEqual(
            list(swift_signatures.faults([("a.swift", "\nfunc f(_ a: A, _ b: B, _ c: C) {}")])),
            ["a.swift:2: f has a third parameter without a label"])
        self.assertTrue(self.faults("init(a: A, b: [B: C],\n  _ c: C = .init(1, 2)) {}"))
        self.assertTrue(self.faults("func f(_ a: A) {\n  func g(_ a: A, _ b: B, c: C, _ d: D) {}\n}"))
        for text in ("func f(_ a: A, _ b: B, c: C) {}", "func f(_ a: (A, B), _ b: [C: D]) {}",
                     "call(a, b, c)", "func < (_ a: A, _ b: B, _ c: C) {}",
                     "func f(_ a: A, _ b: B, _: C) {}"):
            self.assertEqual(self.faults(text), [], text)

    def test_a_closure_needs_none_by_whichever_name(self):
        for kind in ("@escaping (D) async throws -> E", "(() -> E)?", "Taking<D>", "Self.Taking?"):
            text = f"typealias Taking<D> = @Sendable (D) -> Void\nfunc f(_ a: A, b: B, _ c: {kind}) {{}}"
            self.assertEqual(self.faults(text), [], kind)

    def test_public_functions_and_their_witnesses_are_settled(self):
        declared = "public func f(_ a: A, _ b: B, _ c: C) {}\n"
        required = "public protocol P {\n  func f(_ a: A, _ b: B, _ c: C)\n}\n"
        for text in (declared, required, "@inlinable public " + declared.removeprefix("public ")):
            self.assertEqual(self.faults(text + "func f(_ a: D, _ b: B, _ c: C) {}"), [], text)

    def test_no_tuple_has_three(self):
        for text in ("func f() -> (A, B, C) {}", "func f(a: [(A, b: B, C)]) {}",
                     "func f() async throws -> [A: (A, B, C)]? {}"):
            self.assertEqual(self.faults(text), ["a tuple of three or more"], text)
        for text in ("func f() -> (A, B) {}", "func f(a: (A, B, C) -> D) {}",
                     "func f(a: @Sendable (A, B, C) async throws -> D) {}", "func f() -> Map<A, B, C> {}"):
            self.assertEqual(self.faults(text), [], text)

    def test_a_body_has_under_40_lines(self):
        for count in (39, 40):
            text = "func f(\n  a: A\n)\n  async throws -> B\nwhere A: C {\n" + "  a\n" * count + "}"
            self.assertEqual(self.faults(text), [f"{count} lines"] if count > 39 else [])


class Strays(unittest.TestCase):
    def test_tests_lie_in_the_folder_of_what_they_are_about(self):
        with tempfile.TemporaryDirectory() as name:
            root = Path(name)
            for file in ("Sources/M/A/a.swift", "Tests/M/A/ATests.swift", "Tests/M/B/BTests.swift",
                         "Tests/M/CTests.swift", "Tests/M/Support/Models.swift"):
                (root / file).parent.mkdir(parents=True, exist_ok=True)
                (root / file).write_text("")
            self.assertEqual(
                [each.partition(":")[0] for each in check_signatures.strays(root, ["M"])],
                ["Tests/M/.", "Tests/M/B"])


if __name__ == "__main__":
    unittest.main()
