"""Checks how functions and properties of Swift are found, on what is easily misread."""

import unittest

import swift_members


def places(text):
    """What is found, by its whole name: its text."""
    return {f"{each.owner}.{each.name}".lstrip("."): text[each.start:each.end].strip()
            for each in swift_members.members(text)}


class Members(unittest.TestCase):
    def test_functions_initializers_and_properties_of_types_and_extensions(self):
        text = """
            struct A<T> {
              let one = 1
              static func two(_ f: () -> Int = { 3 }) -> Int { f() }
              init?(_ text: String) { nil }
              enum B { case c; var three: Int { 3 } }
            }
            extension A.B: Equatable where T: Equatable { static func == (a: A, b: A) -> Bool { true } }
            let four = 4
            """
        self.assertEqual(places(text), {
            "A.one": "let one = 1",
            "A.two": "static func two(_ f: () -> Int = { 3 }) -> Int { f() }",
            "A.init": "init?(_ text: String) { nil }",
            "A.B.three": "enum B { case c; var three: Int { 3 }",
            "A.B.==": text.splitlines()[7].strip().removesuffix(" }"),
            "four": "let four = 4",
        })

    def test_a_property_goes_on_over_lines(self):
        for text in ("var a: Int {\n  1\n}", "let a =\n  b", "let a = b\n  .c\n  .d", "let a = b\n  ? c\n  : d",
                     "let a = [\n  b,\n]", "let a = b &&\n  c"):
            self.assertEqual(places(f"{text}\nlet z = 1"), {"a": text, "z": "let z = 1"})

    def test_texts_and_comments_hold_no_code(self):
        text = ('func a() { "}\\(b("{")) \\" }" } // }\n'
                'func c() { #"\\(}" "# }\n/* func no() {} */\nfunc d() { """\n  } "\n  """ }\n')
        self.assertEqual(list(places(text)), ["a", "c", "d"])
        self.assertEqual(places(text)["d"], 'func d() { """\n  } "\n  """ }')
        self.assertEqual(len(swift_members.blanked(text)), len(text))

    def test_what_ends_early_is_read_to_its_end(self):
        for text in ("func a() {", "let a = (", 'let a = "', "/* ", 'let a = "\\(', "struct A {"):
            list(swift_members.members(text))

    def test_requirements_have_no_body(self):
        self.assertEqual(list(places("protocol P { func a() }\nfunc b() {}")), ["b"])

    def test_anchors_name_the_last_types(self):
        member = swift_members.Member("A.B", "c", 0, 1)
        self.assertEqual([anchor for anchor in ("c", "B.c", "A.B.c", "A.c", "B.d") if member.fits(anchor)],
                         ["B.c", "A.B.c"])
        self.assertTrue(swift_members.Member("", "c", 0, 1).fits("c"))


if __name__ == "__main__":
    unittest.main()
