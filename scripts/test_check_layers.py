"""Checks what scripts/check-layers takes for a reference, and what it says of the folders."""

import importlib.machinery
import importlib.util
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


def module(**files):
    """A module of files, each in the folder of its name's first letter: `a1` is `A/a1.swift`."""
    return check_layers.Module("M", [
        check_layers.Source(Path(name[0].upper(), name + ".swift"), text)
        for name, text in files.items()])


def references(**files):
    return [(each.line, each.name, each.source, each.target)
            for each in module(**files).references()]


def faults(levels, **files):
    made = module(**files)
    return list(check_layers.faults(made, levels, list(made.references())))


class Code(unittest.TestCase):
    def test_comments_and_texts_are_no_code(self):
        for text in ("a // b", "a /* b /* c */ d */", 'a "b"', 'a "\\"b"', 'a #"b"\\"#',
                     'a """\nb "c"\n"""'):
            kept = check_layers.code(text)
            self.assertEqual(kept.split(), ["a"], text)
            self.assertEqual(kept.count("\n"), text.count("\n"), text)

    def test_what_is_interpolated_is_code(self):
        for text in ('"x \\(a) y"', '#"x \\#(a) \\(y)"#', '"\\(a + "\\(x)")"'):
            self.assertIn("a", check_layers.code(text).split(), text)

    def test_a_text_in_what_is_interpolated_ends_nothing(self):
        self.assertEqual(check_layers.code('"\\(f(")")) x" a').split(), ["f()", "a"])


class References(unittest.TestCase):
    def test_a_type_of_another_folder_is_referred_to_where_it_stands(self):
        self.assertEqual(references(a="struct Low {}", b="\nlet low: [Low]\nlet other = Low()"),
                         [(2, "Low", "B", "A"), (3, "Low", "B", "A")])

    def test_a_type_of_the_same_folder_is_not(self):
        self.assertEqual(references(a="struct Low {}", a1="let low: Low"), [])

    def test_a_nested_type_is_meant_only_where_it_can_be(self):
        nested = "struct Low { struct State {} }"
        self.assertEqual(references(a=nested, b="let state: State"), [])
        self.assertEqual(references(a=nested, b="let state: Low.State"),
                         [(1, "Low.State", "B", "A")])
        self.assertEqual(
            references(a=nested, b="struct High { let state: State }\nextension Low { var s: State }"),
            [(2, "Low", "B", "A"), (2, "Low.State", "B", "A")])

    def test_the_innermost_type_of_a_name_is_meant(self):
        self.assertEqual(
            references(a="struct State {}", b="struct High { struct State {}; let state: State }"), [])

    def test_a_name_that_several_folders_declare_is_no_reference(self):
        self.assertEqual(
            references(a="private struct Low {}", b="private struct Low {}", c="let low: Low"), [])

    def test_an_extension_refers_to_its_type_but_where_it_only_holds_another(self):
        self.assertEqual(references(a="struct Low {}", b="extension Low { func f() {} }"),
                         [(1, "Low", "B", "A")])
        self.assertEqual(references(a="struct Low {}", b="extension Low { struct High {} }"), [])

    def test_an_import_declares_nothing(self):
        self.assertEqual(references(a="import struct Foundation.Data", b="let data: Data"), [])


class Faults(unittest.TestCase):
    LOW, HIGH = "struct Low {}", "struct High { let low: Low }"

    def test_references_downwards_are_none(self):
        self.assertEqual(faults([["A"], ["B"]], a=self.LOW, b=self.HIGH), [])

    def test_references_upward_and_beside_are_named(self):
        for levels in ([["B"], ["A"]], [["A", "B"]]):
            self.assertEqual(faults(levels, a=self.LOW, b=self.HIGH),
                             ["Sources/M/B/b.swift:1: Low, upward from B to A"])

    def test_pairs_are_named(self):
        self.assertEqual(
            faults([["A"], ["B"]], a="struct Low { let high: High }", b=self.HIGH),
            ["Sources/M/A/a.swift:1: High, upward from A to B",
             "Sources/M: A and B refer to each other, 1 and 1 times"])

    def test_folders_without_a_level_and_levels_without_a_folder_are_named(self):
        self.assertEqual(faults([["C"]], a=self.LOW),
                         ["Sources/M/A: this folder has no level in scripts/layers",
                          "scripts/layers: Sources/M/C has no files"])

    def test_the_order_is_read_a_level_a_line(self):
        self.assertEqual(check_layers.layers("# Order\n\nM:\n  A, B/C\n  D # last\nN:\n  .\n"),
                         {"M": [["A", "B/C"], ["D"]], "N": [["."]]})

    def test_the_numbers_of_a_module(self):
        made = module(a="public struct Low {}\n", b="struct High { let low: Low }\n")
        self.assertEqual(check_layers.numbers(made, list(made.references()), 0),
                         ("M", 2, 2, 2, 2, 1, 1, 0))


class Signatures(unittest.TestCase):
    def faults(self, text):
        return [each.partition(" has ")[2].split(";")[0]
                for each in check_layers.swift_signatures.faults([("a.swift", text)])]

    def test_a_third_parameter_has_a_label(self):
        self.assertEqual(
            list(check_layers.swift_signatures.faults([("a.swift", "\nfunc f(_ a: A, _ b: B, _ c: C) {}")])),
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
                [each.partition(":")[0] for each in check_layers.strays(root, ["M"])],
                ["Tests/M/.", "Tests/M/B"])


if __name__ == "__main__":
    unittest.main()
