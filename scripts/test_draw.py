"""Checks the pictures of the documentation, and what finds a picture that is hard to read."""

import re
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

import drawing  # noqa: E402
import pictures  # noqa: E402

IMAGES = Path(__file__).resolve().parent.parent / "Sources/Evocation/Evocation.docc/Images"


def sheet():
    return drawing.Picture("sheet", (200, 100), "A title", "What it shows")


class Pictures(unittest.TestCase):
    def test_the_files_are_what_the_script_draws(self):
        self.assertEqual(drawing.stale([draw() for draw in pictures.PICTURES], IMAGES), [])

    def test_every_picture_is_easy_to_read(self):
        for draw in pictures.PICTURES:
            self.assertEqual(list(draw().faults()), [])

    def test_light_and_dark_differ_in_colors_only(self):
        for draw in pictures.PICTURES:
            light, dark = (re.sub(r"#[0-9a-f]{6}", "#", draw().svg(suffix)) for suffix in ("", "~dark"))
            self.assertEqual(light, dark)

    def test_every_picture_has_a_title_and_a_description(self):
        for draw in pictures.PICTURES:
            self.assertRegex(draw().svg(""), r"<title id=.*>.+</title>\n<desc id=.*>.{80,}</desc>")


class Colors(unittest.TestCase):
    def test_texts_stand_out_from_every_background(self):
        for theme in drawing.THEMES.values():
            fills = [*theme["paper"], *(theme[tone][0] for tone in drawing.TONES)]
            for color in (theme["ink"], theme["quiet"], *(theme[tone][1] for tone in drawing.TONES)):
                for fill in fills:
                    self.assertGreaterEqual(drawing.contrast(color, fill), 4.5, (color, fill))

    def test_the_contrast_of_black_and_white(self):
        self.assertEqual(drawing.contrast("#000000", "#ffffff"), 21)


class Faults(unittest.TestCase):
    def test_a_text_that_is_too_wide_for_its_box(self):
        picture = sheet()
        picture.box(10, 10, 60, 40, "Much too long")
        self.assertEqual(list(picture.faults()), ['"Much too long" is wider than its box',
                                                  '"Much too long" leaves the picture'])

    def test_a_line_through_a_text(self):
        picture = sheet()
        picture.text(100, 50, "a text")
        picture.arrow((0, 0), (200, 100))
        picture.arrow((0, 90), (200, 90))
        self.assertEqual(list(picture.faults()), ['a line crosses "a text"'])

    def test_texts_that_touch_leave_the_picture_or_are_small(self):
        picture = sheet()
        picture.text(100, 50, "one")
        picture.text(110, 55, "two", 12)
        picture.text(199, 90, "three", at="start")
        self.assertEqual(list(picture.faults()), ['"two" is smaller than 13 pixels', '"one" touches "two"',
                                                  '"three" leaves the picture'])


class Files(unittest.TestCase):
    def test_a_file_that_somebody_changed_is_stale(self):
        with tempfile.TemporaryDirectory() as folder:
            drawing.write([sheet()], folder)
            self.assertEqual(drawing.stale([sheet()], folder), [])
            (Path(folder) / "sheet~dark.svg").write_text("", "utf-8")
            self.assertEqual(drawing.stale([sheet()], folder), ["sheet~dark.svg"])

    def test_what_a_text_says_is_text(self):
        picture = sheet()
        picture.text(100, 50, "a < b & c")
        self.assertIn(">a &lt; b &amp; c</text>", picture.svg(""))


if __name__ == "__main__":
    unittest.main()
