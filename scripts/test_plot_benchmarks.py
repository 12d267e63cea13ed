"""Checks what the page Benchmarks shows of runs, and that it is what the newest results say."""

import json
import re
import subprocess
import unittest
from pathlib import Path

import benchmark_page
import benchmark_plots

SCRIPTS = Path(__file__).resolve().parent
ABOUT = {"date": "2026-01-02", "runs": 3, "rounds": 9, "processor": "A chip", "cores": 2, "system": "An OS",
         "swift": "6.3"}


def run(factor, suite="sqlite", case="store, Evocation"):
    """One run of one case, as the benchmarks report it."""
    return {(suite, case): {
        "suite": suite, "case": case, "unit": "ns", "median": 1000 * factor, "reference": "store, C by hand",
        "ratio": factor, "bar": "≤ 1.5 ×", "limit": 1.5, "judged": factor, "least": 1, "most": 9, "kept": True}}


def whole(**changed):
    """Runs with every case that the page shows; all take 2 µs, and twice as long as C."""
    names = {(suite, each) for _, suite, case, _, peer in benchmark_page.ROWS for each in (case, peer) if each}
    names |= {(suite, case.replace("Evocation", "C by hand")) for _, suite, case, against, _
              in benchmark_page.ROWS if against == "C"}
    names |= {("growth", f"{call}, {size:,} rows, {who}") for call, _ in benchmark_plots.CALLS
              for size in benchmark_plots.SIZES for who in ("Evocation", "C by hand")}
    return {(suite, case): {
        "suite": suite, "case": case, "unit": "ns", "bar": "≤ 1.5 ×", "limit": 1.5, "judged": [2.0],
        "medians": [1000.0 if "C by hand" in case else 2000.0]} | changed for suite, case in sorted(names)}


class Runs(unittest.TestCase):
    def test_the_cases_of_several_runs_become_one_with_all_figures(self):
        self.assertEqual(benchmark_page.summary([run(1), run(2), run(1.23456)]), [{
            "suite": "sqlite", "case": "store, Evocation", "unit": "ns", "reference": "store, C by hand",
            "bar": "≤ 1.5 ×", "limit": 1.5, "medians": [1000.0, 2000.0, 1235.0], "ratios": [1.0, 2.0, 1.235],
            "judged": [1.0, 2.0, 1.235]}])

    def test_a_bar_is_kept_by_the_median_and_not_by_the_best(self):
        case = benchmark_page.summary([run(1.4), run(1.6), run(1.7)])[0]
        self.assertFalse(benchmark_page.is_kept(case))
        self.assertTrue(benchmark_page.is_kept(case | {"bar": "≥ 1.5 ×"}))
        cases = [case, case | {"bar": "≥ 1.5 ×"}, {"suite": "calls", "case": "without a bar"}]
        self.assertEqual(benchmark_page.bars_kept(cases), "1 of 2 bars were kept.")

    def test_of_a_case_in_several_files_the_last_counts(self):
        texts = [benchmark_page.text(ABOUT | {"cores": cores}, benchmark_page.summary([run(cores)]))
                 for cores in (1, 4)]
        about, cases = benchmark_page.loaded(texts)
        self.assertEqual((about["cores"], cases["sqlite", "store, Evocation"]["judged"]), (4, [4.0]))
        self.assertEqual(len(texts[0].splitlines()), 4)

    def test_the_pattern_fits_what_the_page_shows_and_no_other_case(self):
        pattern = benchmark_page.pattern()
        for _, case in whole():
            self.assertEqual(bool(re.search(pattern, case)), "rows" not in case, case)
        for other in ("growth by hand", "find, async, from the main actor", "store, Evocation by hand"):
            self.assertIsNone(re.search(pattern, other))
        self.assertTrue(re.search(pattern, "growth"))


class Table(unittest.TestCase):
    def test_figures_have_the_unit_that_suits_them(self):
        said = [benchmark_page.quantity(value, "ns") for value in (0, 4.4, 440, 4_440, 44_440, 4.4e6, 4.4e9)]
        self.assertEqual(said, ["0 ns", "4.4 ns", "440 ns", "4.4 µs", "44.4 µs", "4.4 ms", "4.4 s"])
        self.assertEqual(benchmark_page.quantity(3 * 2 ** 20, "B"), "3 MiB")

    def test_a_row_has_the_peer_the_ratio_and_whether_the_bar_is_kept(self):
        lines = benchmark_page.table(ABOUT, whole()).splitlines()
        self.assertEqual(lines[0], "Median of 3 runs of 9 rounds, 2026-01-02: A chip, 2 cores, An OS, Swift 6.3.")
        self.assertEqual(lines[4], "| Store 100,000 models, each | 2 µs | 2 µs | C | 2.00 × (2.00 – 2.00) "
                                   "| ≤ 1.5 × | **no** |")

    def test_a_row_without_a_ratio_shows_what_is_judged_in_its_unit(self):
        cases = whole(bar="≤ 400 ns above", limit=400.0, judged=[300.0, 1500.0, 350.0])
        self.assertIn("| 350 ns (300 ns – 1.5 µs) | ≤ 400 ns | yes |", benchmark_page.table(ABOUT, cases))

    def test_a_note_stands_with_the_runs(self):
        said = benchmark_page.table(ABOUT | {"note": "beside other builds"}, whole()).splitlines()[0]
        self.assertTrue(said.endswith("Swift 6.3, beside other builds."))

    def test_a_case_that_was_not_run_is_named(self):
        with self.assertRaisesRegex(SystemExit, 'no case "store, Evocation" of the suite "sqlite"; make them with '):
            benchmark_page.table(ABOUT, {})


class Scales(unittest.TestCase):
    def test_a_scale_goes_by_logarithms(self):
        scale = benchmark_plots.Scale(1, 100, 0, 10)
        self.assertEqual([scale(value) for value in (1, 10, 100)], [0, 5, 10])
        self.assertEqual((scale.powers(), scale.ticks()), ([1, 10, 100], [1, 2, 5, 10, 20, 50, 100]))


class Page(unittest.TestCase):
    def test_the_page_is_what_the_newest_results_say(self):
        ended = subprocess.run([SCRIPTS / "plot-benchmarks", "--check"], text=True, capture_output=True,
                               check=False)
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))

    def test_results_are_small_and_whole(self):
        for path in (SCRIPTS.parent / "Benchmarks/Results").glob("*.json"):
            self.assertLess(path.stat().st_size, 60_000)
            self.assertEqual(set(json.loads(path.read_text("utf-8"))), {"about", "cases"})


if __name__ == "__main__":
    unittest.main()
