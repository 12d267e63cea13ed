"""Draws pictures as SVG, each in a light and a dark theme, and finds texts that do not fit.

A picture is a list of shapes whose colors are named by what they mean; a theme has the color of each
name. So the two files of a picture differ in nothing but colors. DocC shows `name~dark.svg` in place
of `name.svg` where the reader's system is dark.
"""

from html import escape
from pathlib import Path

SANS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
MONO = "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace"
# The background is transparent. "paper" lists the pages that a theme is read on.
THEMES = {
    "": {
        "paper": ("#ffffff", "#f5f5f7"),
        "ink": "#1d1d1f", "quiet": "#52525b", "line": "#67676f", "grid": "#d9d9de",
        "app": ("#eef4ff", "#2f62c4"), "local": ("#eaf7ee", "#1f7a3f"),
        "outbox": ("#fff6df", "#8f6100"), "remote": ("#f6efff", "#7543c2"),
        "bad": ("#fff0ee", "#b93426"), "plain": ("#f4f4f6", "#67676f"),
    },
    "~dark": {
        "paper": ("#000000", "#0d1117", "#1d1d1f"),
        "ink": "#f5f5f7", "quiet": "#b4b4bd", "line": "#9a9aa4", "grid": "#3a3a40",
        "app": ("#15233d", "#7fa8f5"), "local": ("#12291b", "#62c584"),
        "outbox": ("#2e2410", "#e0b04b"), "remote": ("#251a3a", "#b795f2"),
        "bad": ("#361a17", "#f0897c"), "plain": ("#232327", "#9a9aa4"),
    },
}
TONES = ("app", "local", "outbox", "remote", "bad", "plain")
# How wide letters are at most in the fonts of common systems, in parts of their size.
NARROW, WIDE, USUAL = set("iIjl.,:;'|!"), set("mwMW@%—"), 0.61


def width(text, size, bold=False, mono=False):
    """How wide a text is at most."""
    if mono:
        return len(text) * size * 0.61
    parts = (0.36 if c in NARROW else 0.98 if c in WIDE else 0.36 if c == " " else
             0.69 if c.isupper() else USUAL for c in text)
    return sum(parts) * size * (1.1 if bold else 1)


def strong(color):
    """The color of texts and lines: itself, or the second one of a tone."""
    return color if isinstance(color, str) else color[1]


def number(value):
    """A coordinate, with two decimal places at most."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


class Picture:
    """Shapes on a surface of a width and a height, with a title and a description."""

    def __init__(self, name, size, title, description):
        self.name, (self.width, self.height) = name, size
        self.title, self.description = title, description
        # Functions that write a shape in a theme, and what texts and lines cover.
        self.shapes, self.texts, self.lines, self.problems = [], [], [], []

    def rect(self, x, y, w, h, tone="plain", dash=False, radius=8, is_solid=False):
        """A rectangle in a tone; a solid one has the tone's strong color."""
        def shape(theme):
            fill, edge = theme[tone]
            stroke = "" if is_solid else f' stroke="{edge}" stroke-width="1.5"'
            return (f'<rect x="{number(x)}" y="{number(y)}" width="{number(w)}" height="{number(h)}"'
                    f' rx="{radius}" fill="{edge if is_solid else fill}"{stroke}'
                    + (' stroke-dasharray="5 4"' if dash else "") + "/>")
        self.shapes.append(shape)

    def text(self, x, y, text, size=15, color="ink", at="middle", bold=False, mono=False):
        """A line of text on a baseline; `at` is the part of it that stands at x."""
        w = width(text, size, bold, mono)
        left = x - {"start": 0, "middle": w / 2, "end": w}[at]
        self.texts.append((text, (left, y - size * 0.8, left + w, y + size * 0.25)))
        if size < 13:
            self.problems.append(f'"{text}" is smaller than 13 pixels')

        def shape(theme):
            ink = strong(theme[color])
            style = (' font-weight="600"' if bold else "") + (f' font-family="{MONO}"' if mono else "")
            return (f'<text x="{number(x)}" y="{number(y)}" font-size="{size}" fill="{ink}"'
                    f' text-anchor="{at}"{style}>{escape(text)}</text>')
        self.shapes.append(shape)

    def box(self, x, y, w, h, title, *notes, tone="plain", module=None):
        """A rectangle with a title, notes below it, and the module where it stands."""
        self.rect(x, y, w, h, tone)
        rows = [(title, 15, "ink", True, False), *((note, 13, "quiet", False, False) for note in notes)]
        rows += [(module, 13, tone, False, True)] if module else []
        line = 19
        y += (h - line * len(rows)) / 2 + 14.5
        for text, size, color, bold, mono in rows:
            if width(text, size, bold, mono) > w - 12:
                self.problems.append(f'"{text}" is wider than its box')
            self.text(x + w / 2, y, text, size, color, bold=bold, mono=mono)
            y += line

    def arrow(self, *points, both=False, dash=False, color="line", tip=True):
        """A line through points, with a tip at its end, or at both."""
        self.lines += zip(points, points[1:])
        ends = [(points[-2], points[-1])] if tip else []
        ends += [(points[1], points[0])] if both else []

        def shape(theme):
            ink = strong(theme[color])
            path = " ".join(f"{number(x)},{number(y)}" for x, y in points)
            drawn = (f'<polyline points="{path}" fill="none" stroke="{ink}" stroke-width="1.5"'
                     + (' stroke-dasharray="5 4"' if dash else "") + "/>")
            return drawn + "".join(head(*end, ink) for end in ends)
        self.shapes.append(shape)

    def line(self, *points, dash=False, color="line"):
        """A line without a tip."""
        self.arrow(*points, dash=dash, color=color, tip=False)

    def rule(self, *points, color="grid", dash=False, width=1):
        """A line of a plot, which texts may stand on."""
        def shape(theme):
            path = " ".join(f"{number(x)},{number(y)}" for x, y in points)
            return (f'<polyline points="{path}" fill="none" stroke="{strong(theme[color])}"'
                    f' stroke-width="{width}"' + (' stroke-dasharray="5 4"' if dash else "") + "/>")
        self.shapes.append(shape)

    def dot(self, x, y, color="line", radius=4):
        """A point."""
        def shape(theme):
            ink = strong(theme[color])
            return f'<circle cx="{number(x)}" cy="{number(y)}" r="{radius}" fill="{ink}"/>'
        self.shapes.append(shape)

    def mark(self, x, y, text, tone="bad"):
        """A number in a circle, to which a legend refers."""
        def shape(theme):
            fill, edge = theme[tone]
            return f'<circle cx="{x}" cy="{y}" r="11" fill="{fill}" stroke="{edge}" stroke-width="1.5"/>'
        self.shapes.append(shape)
        self.text(x, y + 4.6, text, 13, tone, bold=True)

    def svg(self, suffix):
        """The picture in a theme."""
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" id="{self.name}" width="{self.width}" height="{self.height}"'
            f' viewBox="0 0 {self.width} {self.height}" font-family="{SANS}" role="img"'
            f' aria-labelledby="{self.name}-title {self.name}-desc">',
            f'<title id="{self.name}-title">{escape(self.title)}</title>',
            f'<desc id="{self.name}-desc">{escape(self.description)}</desc>',
            *(shape(THEMES[suffix]) for shape in self.shapes),
            "</svg>"]
        return "\n".join(lines) + "\n"

    def files(self, folder):
        """The two files of the picture, with their content."""
        return {Path(folder) / f"{self.name}{suffix}.svg": self.svg(suffix) for suffix in THEMES}

    def faults(self):
        """What a reader would stumble over: texts that leave the picture, touch, or are crossed."""
        yield from self.problems
        for index, (text, area) in enumerate(self.texts):
            if area[0] < 0 or area[1] < 0 or area[2] > self.width or area[3] > self.height:
                yield f'"{text}" leaves the picture'
            yield from (f'"{text}" touches "{other}"' for other, next_area in self.texts[index + 1:]
                        if meet(area, next_area))
            yield from (f'a line crosses "{text}"' for start, end in self.lines
                        if crosses(start, end, area))


def head(start, end, color):
    """The tip of a line from start to end."""
    (x1, y1), (x2, y2) = start, end
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 or 1
    x, y = (x2 - x1) / length, (y2 - y1) / length
    points = [(x2, y2), (x2 - 9 * x - 4.5 * y, y2 - 9 * y + 4.5 * x),
              (x2 - 9 * x + 4.5 * y, y2 - 9 * y - 4.5 * x)]
    path = " ".join(f"{number(a)},{number(b)}" for a, b in points)
    return f'<polygon points="{path}" fill="{color}"/>'


def meet(one, other):
    """Whether two areas have a part in common."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def crosses(start, end, area):
    """Whether a line goes through an area."""
    low, high = 0.0, 1.0
    for axis in (0, 1):
        step = end[axis] - start[axis]
        least, most = area[axis] - start[axis], area[axis + 2] - start[axis]
        if step == 0:
            if least > 0 or most < 0:
                return False
            continue
        low, high = max(low, min(least / step, most / step)), min(high, max(least / step, most / step))
    return low <= high


def write(pictures, folder):
    """Writes the files of pictures."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    for picture in pictures:
        for path, content in picture.files(folder).items():
            path.write_text(content, "utf-8")


def stale(pictures, folder):
    """The files that are not what the pictures draw now."""
    return [path.name for picture in pictures for path, content in picture.files(folder).items()
            if not path.is_file() or path.read_text("utf-8") != content]


def contrast(one, other):
    """The ratio of the luminances of two colors, as WCAG defines it."""
    def luminance(color):
        parts = [int(color[at:at + 2], 16) / 255 for at in (1, 3, 5)]
        r, g, b = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b
    bright, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)
