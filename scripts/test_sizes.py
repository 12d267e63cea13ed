"""Checks what scripts/sizes counts."""

import importlib.machinery
import importlib.util
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
LOADER = importlib.machinery.SourceFileLoader("sizes", str(HERE / "sizes"))
SPEC = importlib.util.spec_from_loader("sizes", LOADER)
sizes = importlib.util.module_from_spec(SPEC)
LOADER.exec_module(sizes)

SOURCE = """\
/// A comment about a class Nothing.
public struct Car {
  // Another.
  public var name: String

  private enum Kind { case old }
  @available(*, deprecated) public final class Door {}
  func actorOf(_ type: Car.Type) {}
}
"""


class Sizes(unittest.TestCase):
    def test_a_file_adds_its_lines_code_and_types(self):
        self.assertEqual(sizes.measure(SOURCE), (1, 9, 6, 3, 2, 3))
        self.assertEqual(sizes.measure(""), (1, 0, 0, 0, 0, 0))

    def test_files_are_summed_by_folder_and_module(self):
        sums = sizes.folders([(Path("M/A/a.swift"), SOURCE), (Path("M/B/b.swift"), "let a = 1\n")])
        self.assertEqual(sums["M"][:3], [2, 10, 7])
        self.assertEqual(sums["M/B"][:3], [1, 1, 1])

    def test_what_changed_stands_behind_and_what_went_has_a_row(self):
        now, then = {"M": [1] * 6, "M/A": [1] * 6}, {"M": [3] * 6, "M/B": [3] * 6}
        rows = {key: (one, other) for key, one, other in sizes.rows(now, then)}
        self.assertEqual(rows["M/B"], ([0] * 6, [3] * 6))
        self.assertEqual(rows["all"], ([1] * 6, [3] * 6))
        self.assertEqual([sizes.cell(1, None), sizes.cell(1, 1), sizes.cell(1, 3)],
                         ["1", "1", "1 (-2)"])

    def test_a_way_has_what_was_executed_and_each_function_once(self):
        file = f"{sizes.ROOT}/Sources/M/A/a.swift"
        exported = {"data": [{
            "files": [{"filename": file, "summary": {"lines": {"covered": 7}}},
                      {"filename": f"{sizes.ROOT}/Sources/M/b.swift",
                       "summary": {"lines": {"covered": 0}}},
                      {"filename": "/T/c.swift", "summary": {"lines": {"covered": 9}}}],
            "functions": [{"filenames": [file], "count": count, "regions": [[line, 1]]}
                          for line, count in ((3, 1), (3, 2), (9, 1), (12, 0))]}]}
        self.assertEqual(sizes.walk(exported),
                         ({"M": [1, 2, 7], "all": [1, 2, 7]}, ["M/A/a.swift"]))


if __name__ == "__main__":
    unittest.main()
