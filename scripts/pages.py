"""What scripts do with pages that a reader follows: their blocks, what they say is printed, and a release.

A release is a bare clone of the last commit of this repository, with the version of the changelog as its
tag, so that a package can depend on it as on the published one.
"""

import difflib
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field

FENCE = re.compile(r"^```(\S*)\s*$")


@dataclass
class Block:
    """A fenced block: its fence's line, its language and text; its heading, and the paragraph before."""

    line: int
    language: str
    heading: str = ""
    before: str = ""
    lines: list = field(default_factory=list)

    @property
    def text(self):
        return "\n".join(self.lines)


def blocks(text):
    """The fenced blocks of a page, in their order.

    A block has the paragraph that stands right before it; an item of a list is a paragraph too.
    """
    found, fence, heading, paragraph, last = [], None, "", [], ""
    for number, line in enumerate(text.splitlines(), 1):
        match = FENCE.match(line)
        if fence is not None:
            if match and not match[1]:
                found.append(fence)
                fence, paragraph, last = None, [], ""
            else:
                fence.lines.append(line)
        elif match:
            fence = Block(number, match[1], heading, " ".join(paragraph) or last)
        elif line.startswith("#"):
            heading, paragraph, last = line, [], ""
        elif line.strip():
            if re.match(r"\s*([-*]|\d+\.) ", line):
                paragraph = []
            paragraph.append(line.strip())
        elif paragraph:
            last, paragraph = " ".join(paragraph), []
    return found


def matches(expected, said):
    """Whether a line is what a page says, in which `…` stands for any text."""
    return re.fullmatch(".*".join(map(re.escape, expected.split("…"))), said) is not None


def difference(expected, said):
    """How an output differs from a page's block; None if it does not.

    Spaces at the ends of lines, and empty lines at both ends, do not count.
    """
    wanted = [line.rstrip() for line in expected.strip("\n").split("\n")]
    actual = [line.rstrip() for line in said.strip("\n").split("\n")]
    if len(wanted) == len(actual) and all(map(matches, wanted, actual)):
        return None
    # Lines that match count as equal, so that only the others are shown.
    shown = [next((line for line in wanted if matches(line, each)), each) for each in actual]
    return "\n".join(difflib.unified_diff(wanted, shown, "the page", "the output", lineterm=""))


def released_version(root):
    """The newest version in the changelog."""
    match = re.search(r"^## (\d+\.\d+\.\d+\S*)", (root / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    if not match:
        sys.exit("CHANGELOG.md has no heading of a version, such as `## 2.0.0`.")
    return match[1]


def environment(home):
    """What a build of such a package runs with: a home of its own.

    The package manager keeps the commit of each version there, and would refuse the next clone, or the
    published package, because its commit is another one.
    """
    home.mkdir(parents=True, exist_ok=True)
    return os.environ | {"HOME": str(home), "CFFIXED_USER_HOME": str(home),
                         "XDG_CACHE_HOME": str(home / "cache")}


def clone(root, to, version):
    """A bare clone of the last commit of a repository, in which it has the tag of a version."""
    def git(*arguments):
        return subprocess.run(["git", *map(str, arguments)], text=True, capture_output=True, check=True)

    if not to.exists():
        git("init", "--quiet", "--bare", to)
    # One branch without its history: what is not needed is not copied.
    git("-C", to, "fetch", "--quiet", "--force", "--depth", "1", root.as_uri(), "HEAD:refs/heads/main")
    git("-C", to, "symbolic-ref", "HEAD", "refs/heads/main")
    git("-C", to, "tag", "--force", version, "main")
    return to
