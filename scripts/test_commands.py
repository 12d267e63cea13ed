"""Checks what the commands say of bad input, and of tests that fail; builds nothing."""

import json
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent


def run(name, *arguments, said="", status=0, then="", **variables):
    """What a command says to which end, with a `swift` that says something and ends with a status."""
    with tempfile.TemporaryDirectory() as folder:
        swift = Path(folder) / "swift"
        swift.write_text("#!/bin/sh\ncat <<'SAID'\n" + said + f"\nSAID\n{then}\nexit {status}\n", "utf-8")
        swift.chmod(0o755)
        if name == "run-tests" and "--scratch-path" not in arguments:
            arguments = ("--scratch-path", str(Path(folder) / "build"), *arguments)
        ended = subprocess.run(
            [SCRIPTS / name, *arguments], text=True, capture_output=True, stdin=subprocess.DEVNULL,
            env=os.environ | variables | {"PATH": f"{folder}:{os.environ['PATH']}"}, check=False)
        return ended.returncode, (ended.stdout + ended.stderr).replace(folder, "FOLDER").strip()


# What `swift package describe` says of a package.
PACKAGE = json.dumps({"targets": [
    {"name": name, "path": "Tests", "type": kind}
    for name, kind in [("Evocation", "library"), ("EvocationOutboxTests", "test"), ("GoldenTests", "test")]]})


class BadInput(unittest.TestCase):
    def test_an_unknown_part_of_the_tests(self):
        status, text = run("check", "Outbx", said=PACKAGE)
        self.assertEqual(status, 2)
        self.assertRegex(text, r"^There are no tests called 'Outbx'; scripts/check takes some of: "
                               r"Outbox Golden Services$")

    def test_no_part_of_the_tests(self):
        status, text = run("check", said=PACKAGE)
        self.assertEqual(status, 2)
        self.assertRegex(text, r"^Name what to check; scripts/check takes some of: Outbox Golden Services$")

    def test_an_unknown_part_of_the_night(self):
        self.assertEqual(run("nightly", "kill"), (
            2, "There is no part called 'kill'; scripts/nightly has memory thread release server services kills fleet "
               "convergence types faults inspector api benchmarks."))

    def test_the_parts_of_the_night_fit_into_it(self):
        status, text = run("nightly", "--list")
        lines = text.splitlines()
        self.assertEqual((status, len(lines)), (0, 13))
        for line in lines:
            self.assertRegex(line, r"^[a-z]+ +[0-9]+ min, at least +[0-9]+ [a-z]+: ")
        self.assertLessEqual(sum(int(line.split()[1]) for line in lines), 105)

    def test_what_a_part_of_the_night_has_done_is_counted(self):
        said = ("\u2714 Test run with 41 tests in 3 suites passed\nRan 7 tests in 1.000s\n"
                "\u2714 Test \"It bears all\" with 71 test cases passed after 1.0 seconds.\n"
                "kill a queue: 8 kills\nkill a fetch: 1000 kills\n50 types of the seed 7 are the same.\n19 of 20 faults were noticed.\n")
        script = (SCRIPTS / "nightly").read_text("utf-8")
        sums = re.search(r"^sum_of\(\) .*$", script, re.MULTILINE)[0]
        counts = [subprocess.run(
            ["bash", "-c", f"{sums}\nsum_of {pattern} /dev/stdin"], input=said, text=True,
            capture_output=True, check=True).stdout.strip()
            for pattern in re.findall(r"\$\(sum_of (.*) \S+\)\"$", script, re.MULTILINE)]
        self.assertEqual(counts, ["41", "7", "71", "1008", "50", "19"])

    def test_what_was_not_run_on_a_commit(self):
        status, text = run("nightly", "--table")
        self.assertEqual(status, 0)
        self.assertEqual(len(text.splitlines()), 15)

    def test_a_seed_that_is_no_number(self):
        for name in ("nightly", "run-tests"):
            self.assertEqual(run(name, EVOCATION_SEED="7a"), (
                2, "EVOCATION_SEED is '7a'; set it to a whole number, or not at all."))

    def test_a_variable_that_changes_what_is_tested(self):
        status, text = run("../.ci/run", EVOCATION_SEED="7", EVOCATION_TRIALS="2")
        self.assertEqual(status, 1)
        self.assertIn("unset EVOCATION_SEED EVOCATION_TRIALS and run it again.", text)

    def test_an_unknown_test(self):
        status, text = run("run-tests", "--filter", "Nothing", said="Test run with 0 tests in 0 suites passed")
        self.assertEqual((status, text), (
            2, "No test is called 'Nothing'; it is a regular expression over Module.Suite/test."))


class Output(unittest.TestCase):
    def test_a_green_run_is_one_line(self):
        self.assertEqual(
            run("run-tests", said="Building for debugging...\n✔ Test run with 2 tests passed"),
            (0, "✔ Test run with 2 tests passed"))

    def test_a_red_run_says_what_failed_and_where_the_rest_stands(self):
        said = "\n".join((
            "◇ Test works() started.",
            "✘ Test works() recorded an issue at A.swift:1:2: Expectation failed",
            "↳ EVOCATION_SEED=7 plays it again",
            "✘ Suite A failed after 1 second",
            "✘ Test run with 2 tests failed"))
        status, text = run("run-tests", said=said, status=1)
        self.assertEqual(status, 1)
        self.assertEqual(text.splitlines(), [
            "✘ Test works() recorded an issue at A.swift:1:2: Expectation failed",
            "↳ EVOCATION_SEED=7 plays it again",
            "✘ Test run with 2 tests failed. All of it: FOLDER/build/tests.log"])

    def test_a_red_run_says_what_failed_however_many_seeds_are_played(self):
        said = "\n".join((
            *(f"◇ Test case 'error: {number}' started.\nkeys {number % 2}: EVOCATION_SEED=7" for number in range(90)),
            "✘ Test works() recorded an issue at A.swift:1:2: Expectation failed",
            "✘ Test run with 2 tests failed"))
        status, text = run("run-tests", said=said, status=1)
        self.assertEqual((status, text.splitlines()), (1, [
            "✘ Test works() recorded an issue at A.swift:1:2: Expectation failed",
            "keys 0: EVOCATION_SEED=7",
            "keys 1: EVOCATION_SEED=7",
            "✘ Test run with 2 tests failed. All of it: FOLDER/build/tests.log"]))

    def test_what_waits_for_ever_is_ended_and_named(self):
        said = "\n".join((
            "◇ Suite Cars started.",
            '◇ Test "waits" started.',
            '◇ Test "ends" started.',
            '✔ Test "ends" with 2 test cases passed after 0.1 seconds.'))
        status, text = run("run-tests", said=said, then="sleep 600", EVOCATION_SILENCE="1")
        self.assertEqual((status, text.splitlines()), (1, [
            "Nothing was said for 1 s; these had begun and not ended. All of it: FOLDER/build/tests.log",
            "  Suite Cars",
            '  Test "waits"']))

    def test_a_full_disk_is_one_sentence_and_leaves_nothing_new_behind(self):
        with tempfile.TemporaryDirectory() as folder:
            build = Path(folder) / "build"
            full = {"said": "error: No space left on device", "status": 1}
            status, text = run("run-tests", "--scratch-path", str(build), **full)
            self.assertEqual((status, text.splitlines()[-1]),
                             (1, "The disk is full; what was built is removed again."))
            self.assertFalse(build.exists())
            build.mkdir()
            status, text = run("run-tests", "--scratch-path", str(build), **full)
            self.assertIn("The disk is full; what was built earlier may be removed: rm -rf .build*", text)
            self.assertTrue(build.exists())


if __name__ == "__main__":
    unittest.main()
