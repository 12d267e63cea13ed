"""The plots of the page Benchmarks: SQLite beside C and GRDB, and files that grow.

DocC shows `name~dark.svg` in place of `name.svg` where the reader's system is dark.
"""

import math
import re
import statistics
from html import escape

from benchmark_page import GROWTH, ROWS, find, measured, quantity

SANS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
# By what a color means: on a light page, and on a dark one.
COLORS = {
    "ink": ("#1d1d1f", "#f5f5f7"), "quiet": ("#52525b", "#b4b4bd"), "line": ("#67676f", "#9a9aa4"),
    "grid": ("#d9d9de", "#3a3a40"), "app": ("#2f62c4", "#7fa8f5"), "outbox": ("#8f6100", "#e0b04b"),
    "plain": ("#67676f", "#9a9aa4")}
SIZES = (1_000, 10_000, 100_000, 1_000_000)
CALLS = (("findOne", "Read one model by its id"), ("find 20", "Find 20 models by an index"),
         ("storeOne", "Store one model"), ("count", "Count all models"))


def number(value):
    """A coordinate, with two decimal places at most."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


class Picture:
    """Shapes on a surface of a width and a height, with a title and a description."""

    def __init__(self, name, size, title, description):
        self.name, (self.width, self.height) = name, size
        self.shapes = [
            f'<svg xmlns="http://www.w3.org/2000/svg" id="{name}" width="{self.width}" height="{self.height}"'
            f' viewBox="0 0 {self.width} {self.height}" font-family="{SANS}" role="img"'
            f' aria-labelledby="{name}-title {name}-desc">',
            f'<title id="{name}-title">{escape(title)}</title>',
            f'<desc id="{name}-desc">{escape(description)}</desc>']

    def rect(self, x, y, w, h, color):
        """A filled rectangle."""
        self.shapes.append(f'<rect x="{number(x)}" y="{number(y)}" width="{number(w)}" height="{number(h)}"'
                           f' rx="2" fill="{COLORS[color][0]}"/>')

    def text(self, x, y, text, color="ink", at="middle", bold=False):
        """A line of text on a baseline; `at` is the part of it that stands at x."""
        weight = ' font-weight="600"' if bold else ""
        self.shapes.append(f'<text x="{number(x)}" y="{number(y)}" font-size="{15 if bold else 13}"'
                           f' fill="{COLORS[color][0]}" text-anchor="{at}"{weight}>{escape(text)}</text>')

    def rule(self, *points, color="grid", dash=False, width=1):
        """A line through points."""
        path = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        dashes = ' stroke-dasharray="5 4"' if dash else ""
        self.shapes.append(f'<polyline points="{path}" fill="none" stroke="{COLORS[color][0]}"'
                           f' stroke-width="{width}"{dashes}/>')

    def dot(self, x, y, color):
        """A point."""
        self.shapes.append(f'<circle cx="{number(x)}" cy="{number(y)}" r="4" fill="{COLORS[color][0]}"/>')

    def files(self):
        """The two files of the picture by their names, with their content."""
        light, dark = "\n".join([*self.shapes, "</svg>\n"]), dict(COLORS.values())
        return {f"{self.name}.svg": light,
                f"{self.name}~dark.svg": re.sub("#[0-9a-f]{6}", lambda color: dark[color[0]], light)}


def bars(cases):
    """How many times as long as C each operation on SQLite takes, with Evocation and with GRDB."""
    rows = []
    for words, suite, name, against, peer in ROWS:
        if against == "C" and peer:
            by_hand = find(cases, suite, name.replace("Evocation", "C by hand"))["medians"]
            # The ratio that the table has; the runs keep none of GRDB to C.
            ours = statistics.median(measured(find(cases, suite, name)))
            rows.append((words, ours, ratio(find(cases, suite, peer)["medians"], by_hand)))
    most = max(value for _, *values in rows for value in values)
    top, left, width = 84, 290, 400
    p = Picture(
        "bars", (760, top + 56 * len(rows) + 30), "Operations on SQLite, in times of what C by hand takes",
        "; ".join(f"{words}: Evocation {ours:.2f} times, GRDB {theirs:.1f} times"
                  for words, ours, theirs in rows) + ".")
    least = min(value for _, *values in rows for value in values)
    scale = Scale(min(least, 0.5), max(most, 2), left, left + width)
    legend(p, left, ("app", "Evocation"), ("outbox", "GRDB, records by Codable"))
    for value in scale.ticks():
        p.rule((scale(value), top - 12), (scale(value), p.height - 26))
        p.text(scale(value), top - 20, f"{value:g} ×", "quiet")
    for index, (words, *values) in enumerate(rows):
        y = top + 56 * index
        p.text(left - 16, y + 26, words, at="end")
        for part, (value, tone) in enumerate(zip(values, ("app", "outbox"))):
            start, end = sorted((scale(1), scale(value)))
            p.rect(start, y + 22 * part, max(end - start, 2), 18, tone)
            p.text(end + 8, y + 22 * part + 14, f"{value:.2f} ×" if value < 10 else f"{value:.0f} ×",
                   at="start")
    p.rule((scale(1), top - 12), (scale(1), p.height - 26), color="line")
    p.text(scale(1), p.height - 8, "C by hand", "quiet")
    return p


def ratio(medians, reference):
    """The median of the ratios to a reference in the same runs."""
    return statistics.median(one / other for one, other in zip(medians, reference))


def growth(cases):
    """The time of a call on files of 1,000 to 1,000,000 rows, for each of four calls."""
    figures = {
        (call, who): [statistics.median(find(cases, GROWTH, f"{call}, {size:,} rows, {who}")["medians"])
                      for size in SIZES] for call, _ in CALLS for who in ("Evocation", "C by hand")}
    every = [value for values in figures.values() for value in values]
    p = Picture(
        "growth", (760, 556), "The time of one call while the file grows to a million rows",
        "; ".join(f"{words}: with Evocation {quantity(figures[call, 'Evocation'][0], 'ns')} at 1,000 rows"
                  f" and {quantity(figures[call, 'Evocation'][-1], 'ns')} at 1,000,000"
                  for call, words in CALLS) + ".")
    legend(p, 84, ("app", "Evocation"), ("plain", "C by hand"))
    p.text(740, 26, "time of one call, by rows in the file", "quiet", "end")
    for index, (call, words) in enumerate(CALLS):
        panel(p, 84 + 356 * (index % 2), 76 + 250 * (index // 2), words, min(every), max(every),
              figures[call, "C by hand"], figures[call, "Evocation"], has_scale=index % 2 == 0)
    return p


def panel(p, left, top, words, least, most, by_hand, ours, has_scale):
    """One call: its times with C and with Evocation, both on scales of powers of ten."""
    across, up = Scale(SIZES[0], SIZES[-1], left + 28, left + 276), Scale(least, most, top + 180, top + 34)
    p.text(left, top, words, at="start", bold=True)
    for value in up.powers():
        p.rule((left, up(value)), (left + 300, up(value)))
        if has_scale:
            p.text(left - 10, up(value) + 4, quantity(value, "ns"), "quiet", "end")
    for size in SIZES:
        p.text(across(size), top + 206, f"{size:,}", "quiet")
    for values, color, dash in ((by_hand, "plain", True), (ours, "app", False)):
        points = [(across(size), up(value)) for size, value in zip(SIZES, values)]
        p.rule(points[0], *points[1:], color=color, dash=dash, width=2)
        for point in points:
            p.dot(*point, color)
    for size, value in ((SIZES[0], ours[0]), (SIZES[-1], ours[-1])):
        p.text(across(size), up(value) - 13, quantity(value, "ns"), "app")


def legend(p, left, *names):
    """The colors of a plot, above it."""
    for index, (tone, name) in enumerate(names):
        x = left + 140 * index
        p.rect(x, 14, 14, 14, tone)
        p.text(x + 22, 26, name, at="start")


class Scale:
    """Positions of values, by their logarithms, from one position to another."""

    def __init__(self, least, most, start, end):
        self.least, self.most, self.start, self.end = least, most, start, end

    def __call__(self, value):
        part = math.log(value / self.least) / math.log(self.most / self.least)
        return self.start + part * (self.end - self.start)

    def powers(self):
        """The powers of ten in the scale."""
        first, last = math.ceil(math.log10(self.least)), math.floor(math.log10(self.most))
        return [10 ** exponent for exponent in range(first, last + 1)]

    def ticks(self):
        """One, two and five times the powers of ten in the scale."""
        values = (step * 10 ** exponent for exponent in range(-2, 9) for step in (1, 2, 5))
        return [value for value in values if self.least <= value <= self.most]
