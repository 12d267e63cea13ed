"""Checks how scripts/mutate plants faults and judges them, without building anything."""

import contextlib
import importlib.machinery
import importlib.util
import io
import subprocess
import tempfile
import unittest
import unittest.mock
from pathlib import Path

HERE = Path(__file__).resolve().parent
LOADER = importlib.machinery.SourceFileLoader("mutate", str(HERE / "mutate"))
SPEC = importlib.util.spec_from_loader("mutate", LOADER)
mutate = importlib.util.module_from_spec(SPEC)
LOADER.exec_module(mutate)


def fault(was, becomes="b", number=1, promise="a promise", **more):
    return mutate.Fault(promise, "f", was, becomes, "S", number=number, **more)


def planted(body, *those):
    """The body of `func f()` with faults in it."""
    sources = {"Sources/M/a.swift": mutate.Source(f"func f() {{\n{body}\n}}\n")}
    text = mutate.planted_files(sources, those)["Sources/M/a.swift"]
    return text.removeprefix("func f() {\n").removesuffix("\n}\n")


class Drawing(unittest.TestCase):
    def test_a_seed_draws_the_same_faults_again_in_their_order(self):
        those = [fault("a", number=number) for number in range(1, 101)]
        drawn = mutate.drawn(those, 10, 7)
        self.assertEqual(drawn, mutate.drawn(those, 10, 7))
        self.assertEqual([each.number for each in drawn], sorted({each.number for each in drawn}))
        self.assertNotEqual(drawn, mutate.drawn(those, 10, 8))
        self.assertEqual(mutate.drawn(those, 200, 7), those)
        self.assertEqual(mutate.drawn(those, None, 7), those)


class Planting(unittest.TestCase):
    def test_an_expression_becomes_a_choice(self):
        self.assertEqual(
            planted("let c = a + 1", fault("a + 1", "a", 7)),
            "let c = (PlantedFault.isOn(7) ? (a) : (a + 1))")

    def test_a_statement_becomes_a_branch(self):
        self.assertEqual(
            planted("begin()\nend()", fault("end()", "stop()", is_statement=True)),
            "begin()\nif PlantedFault.isOn(1) { stop() } else { end() }")
        self.assertEqual(
            planted("begin()\nend()", fault("end()", "", is_statement=True)),
            "begin()\nif !PlantedFault.isOn(1) { end() }")

    def test_marks_tell_the_part_that_changes_from_where_it_is(self):
        self.assertEqual(
            planted("if x { run() }\nif y { run() }", fault("if y { «run()» }", "", is_statement=True)),
            "if x { run() }\nif y { if !PlantedFault.isOn(1) { run() } }")

    def test_code_is_found_however_it_is_spaced(self):
        self.assertEqual(
            planted("g(\n  a  +  b\n)", fault("g(«a + b»)", "b")),
            "g(\n  (PlantedFault.isOn(1) ? (b) : (a  +  b))\n)")
        self.assertEqual(
            planted("g(a, b + c, d)", fault("g(…, «d»)")),
            "g(a, b + c, (PlantedFault.isOn(1) ? (b) : (d)))")

    def test_several_faults_of_one_file(self):
        self.assertEqual(
            planted("g(a, b)", fault("a", "x", 1), fault("b", "y", 2, "another")),
            "g((PlantedFault.isOn(1) ? (x) : (a)), (PlantedFault.isOn(2) ? (y) : (b)))")

    def test_what_no_longer_fits_is_one_sentence(self):
        for was, sentence in (
            ("a", "The fault of 'a promise' no longer fits: its text stands 0 times in f, not once."),
            ("b", "The fault of 'a promise' no longer fits: its text stands 2 times in f, not once."),
            ("b«c", "The fault of 'a promise' has one mark, or more than two."),
            ("b«»", "The fault of 'a promise' changes nothing."),
            ("a: b", "The fault of 'a promise' changes a label; change what comes after it."),
            ("b, c", "The fault of 'a promise' changes several values; change one of them."),
        ):
            with self.assertRaises(mutate.Misfit) as caught:
                planted("b + b", fault(was))
            self.assertEqual(str(caught.exception), sentence)
        with self.assertRaises(mutate.Misfit) as caught:
            planted("let b = a", fault("let b = a", "")._replace(is_statement=True))
        self.assertEqual(str(caught.exception),
                         "The fault of 'a promise' changes a declaration; change the value that it has.")
        with self.assertRaises(mutate.Misfit) as caught:
            planted("b", fault("b")._replace(place="T.f"))
        self.assertEqual(str(caught.exception),
                         "The fault of 'a promise' no longer fits: there is no T.f.")
        with self.assertRaises(mutate.Misfit) as caught:
            planted("a + 1", fault("a + 1"), fault("a", number=2, promise="another"))
        self.assertEqual(
            str(caught.exception), "The faults of 'another' and of 'a promise' are at the same place; "
            "plant one of them.")


class Reading(unittest.TestCase):
    def unreadable(self, body, *those):
        sources = {"Sources/M/a.swift": mutate.Source(f"func f() {{\n{body}\n}}\n")}
        return mutate.unreadable(mutate.planted_files(sources, those), those)

    def test_a_fault_is_part_of_a_text_only_in_what_is_put_into_it(self):
        text = 'let c = "SELECT id \\(a + d) of \\("\\(e)")"'
        those = fault("a + d"), fault("«e»)", number=2, promise="another")
        self.assertEqual(self.unreadable(text, *those), [])
        for inside in ("id", "of"):
            self.assertEqual(
                self.unreadable(text, fault("a + d"), fault(inside, number=2, promise="another")),
                ["The fault of 'another' is planted inside a text; change the whole of it."])

    def test_what_is_no_swift_is_told_by_its_promise(self):
        body = "let c = d\nfor a in all {\n}\nlet b = 1 + x.count"
        self.assertEqual(self.unreadable(body, fault("all"), fault("d", number=2, promise="another")), [])
        for was, becomes, is_statement, sentence in (
            ("in all", "in none", False, "expected 'in' after for-each pattern"),
            ("x", "y", True, "consecutive statements on a line must be separated by ';'"),
            ("let c = d", "let c = e", False, "expected expression in list of expressions"),
        ):
            wrong = fault(was, becomes, number=2, promise="another", is_statement=is_statement)
            self.assertEqual(
                self.unreadable(body, fault("1"), wrong),
                [f"The fault of 'another' is no Swift in Sources/M/a.swift: {sentence}."])


class Trees(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write("Sources/M/a.swift", "let c = a\n")
        self.write("Tests/MTests/S.swift", "struct S { @Test func `it works`() {} }\nstruct T {}\n")

    def write(self, name, text):
        place = self.root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")

    def test_each_module_with_a_fault_has_the_switch(self):
        texts = mutate.planted_files(mutate.read_sources(self.root), [fault("= «a»")._replace(place="c")])
        self.assertEqual(sorted(texts), ["Sources/M/PlantedFault.swift", "Sources/M/a.swift"])
        self.assertIn(mutate.VARIABLE, texts["Sources/M/PlantedFault.swift"])

    def test_faults_that_fit_and_faults_that_do_not(self):
        fits = fault("= «a»")._replace(place="c")
        self.assertEqual(mutate.misfits(self.root, [fits]), [])
        self.write("Sources/M/deep/moved.swift", (self.root / "Sources/M/a.swift").read_text())
        (self.root / "Sources/M/a.swift").unlink()
        self.assertEqual(mutate.misfits(self.root, [fits]), [])
        for wrong, sentence in (
            (fits._replace(test="S|T"),
             "The fault of 'a promise' names the suite T, which is not there."),
            (fits._replace(place="M.c"), "The fault of 'a promise' no longer fits: there is no M.c."),
        ):
            self.assertEqual(mutate.misfits(self.root, [wrong]), [sentence])
        self.assertEqual(
            mutate.misfits(self.root, [fits, fits._replace(was="let")]),
            ["Two faults break 'a promise'."])

    def test_faults_are_read_from_their_files_in_order(self):
        self.write("b.py", 'statement("two", "f", "x", "", "T")\n')
        self.write("a.py", 'PLACE = "f"\nexpression("one", PLACE, "x", "y", "T")\n')
        read = mutate.faults(self.root)
        self.assertEqual([(f.number, f.area, f.promise, f.is_statement) for f in read],
                         [(1, "a", "one", False), (2, "b", "two", True)])
        self.assertEqual(mutate.chosen(read, ["B: T"]), read[1:])
        self.assertEqual(mutate.chosen(read, []), read)

    def test_the_copy_touches_only_what_changed(self):
        subprocess.run(["git", "init", "-q", str(self.root)], check=True)
        with tempfile.TemporaryDirectory() as folder:
            target = Path(folder)
            mutate.copy(self.root, target, {"Sources/M/a.swift": "planted"})
            self.assertEqual((target / "Sources/M/a.swift").read_text(), "planted")
            before = (target / "Tests/MTests/S.swift").stat().st_mtime_ns
            (target / ".build").mkdir()
            (target / ".build/kept").touch()
            (target / "left over").touch()
            mutate.copy(self.root, target, {"Sources/M/a.swift": "planted anew"})
            self.assertEqual((target / "Sources/M/a.swift").read_text(), "planted anew")
            self.assertEqual((target / "Tests/MTests/S.swift").stat().st_mtime_ns, before)
            self.assertTrue((target / ".build/kept").exists())
            self.assertFalse((target / "left over").exists())


class Judging(unittest.TestCase):
    def trial(self, failing):
        """A trial whose runs fail for these pairs of a fault's number and a test."""
        self.runs = []

        def run(_, number, test, limit):
            self.runs.append((number, test))
            return mutate.Run((number, test) not in failing, "because", 2.0, 1)
        return mutate.Trial(None, run=run)

    def test_the_tests_that_should_notice_are_run_without_the_fault_first(self):
        trial = self.trial({(1, "S")})
        self.assertEqual(trial.judge(fault("a")), "because")
        self.assertEqual(self.runs, [(0, "S"), (1, "S")])
        self.assertIsNone(trial.judge(fault("a", number=2)))
        self.assertEqual(self.runs[2:], [(2, "S")])

    def test_tests_that_fail_without_a_fault_judge_nothing(self):
        with self.assertRaises(mutate.Misfit) as caught:
            self.trial({(0, "S")}).judge(fault("a"))
        self.assertEqual(
            str(caught.exception),
            "Nothing can be told by S, which failed without a fault: because.")
        trial = mutate.Trial(None, run=lambda *_: mutate.Run(True, "", 1.0, 0))
        with self.assertRaises(mutate.Misfit) as caught:
            trial.judge(fault("a"))
        self.assertEqual(str(caught.exception), "There is no test that S stands for.")

    def test_a_fault_that_cannot_be_judged_keeps_no_other_from_it(self):
        those = fault("a"), fault("a", number=2)._replace(test="T"), fault("a", number=3)
        with contextlib.redirect_stdout(io.StringIO()) as said:
            left = mutate.judge_all(those, self.trial({(0, "T"), (3, "S")}), 1)
        self.assertEqual([each.number for each in left], [1, 2])
        self.assertEqual([line.split()[1] for line in said.getvalue().splitlines()[::2][:3]],
                         ["UNNOTICED", "UNJUDGED", "noticed"])
        self.assertTrue(said.getvalue().endswith("1 of 3 faults were noticed.\n"))

    def test_why_a_run_did_not_pass(self):
        said = ("✘ Test \"It works\" recorded an issue at S.swift:1:1: no\n"
                "✘ Test \"It works\" failed after 0.1 seconds with 1 issue.\n"
                "✘ Test other() failed after 0.1 seconds with 1 issue.\n")
        self.assertEqual(mutate.reason(said, True), "It works")
        self.assertEqual(mutate.reason("◇ Test \"It works\" started.", True), "the time limit")
        self.assertEqual(mutate.reason("M/a.swift:1: Fatal error: no\n", False), "Fatal error: no")
        self.assertEqual(mutate.reason("", False), "the end of the process")

    def test_a_process_that_outlives_the_tests_does_not_keep_a_run_from_its_limit(self):
        command = ["sh", "-c", "sleep 100 & exit 1"]
        with unittest.mock.patch.object(mutate, "tests", lambda *_: command):
            result = mutate.run(HERE, 1, "S", 0.2)
        self.assertEqual((result.passed, result.reason), (False, "the time limit"))
        self.assertLess(result.seconds, 50)


if __name__ == "__main__":
    unittest.main()
