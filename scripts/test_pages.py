"""Checks how scripts read pages that a reader follows, and what follows from it."""

import importlib.machinery
import importlib.util
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
SCRIPTS = Path(__file__).resolve().parent
sys.path.insert(0, str(SCRIPTS))

import pages  # noqa: E402


def load(name):
    """A script beside this one, as a module."""
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), str(SCRIPTS / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


tutorial, consumer = load("follow-tutorial"), load("check-consumer")
PAGE = """\
# A page

Create `a/b.txt`, in
two lines:

```text
one
two
```

Add this at the end of `a/b.txt`:

```text
three
```

In `a/b.txt`, above `two`, add:

```text
half
```

In `a/b.txt`, replace the line with `three` by this:

```text
3
```

## Another

Read it. Answer `yes`:

```sh
cd a
cat b.txt; read -r answer; echo "said $answer after $RANDOM"
```

```text
one
half

two

3
yes
said yes after …
```

```swift
print(1)
```
"""


class Pages(unittest.TestCase):
    def test_a_block_has_its_place_and_the_paragraph_before_it(self):
        first, *_, output, swift = pages.blocks(PAGE)
        self.assertEqual((first.line, first.language, first.heading, first.before, first.text),
                         (6, "text", "# A page", "Create `a/b.txt`, in two lines:", "one\ntwo"))
        self.assertEqual((output.heading, output.before), ("## Another", ""))
        self.assertEqual((swift.language, swift.text), ("swift", "print(1)"))

    def test_an_output_differs_or_not(self):
        self.assertIsNone(pages.difference("a …\nb", "a 12 s \nb\n\n"))
        self.assertIsNone(pages.difference("[x] a*", "[x] a*"))
        self.assertIn("+c", pages.difference("a …\nb", "a 12 s\nc"))
        self.assertNotIn("12 s", pages.difference("a …\nb", "a 12 s\nc"))
        self.assertIn("+b", pages.difference("a", "a\nb"))


class Following(unittest.TestCase):
    def follow(self, page):
        with tempfile.TemporaryDirectory() as folder:
            reader = tutorial.Reader(Path(folder), {"PORT": "1", "PATH": "/usr/bin:/bin"})
            return [reader.follow(block) for block in pages.blocks(page)]

    def test_files_are_made_and_changed_and_commands_run(self):
        done = self.follow(PAGE)
        self.assertEqual(done[:4], ["wrote a/b.txt", "appended to a/b.txt", "changed a/b.txt",
                                    "changed a/b.txt"])
        self.assertEqual(done[5:], ["printed what the page says", None])

    def test_another_output_is_a_failure(self):
        with self.assertRaisesRegex(tutorial.Failure, r"differs from the page:(.|\n)*\+half"):
            self.follow(PAGE.replace("\nhalf\n\ntwo", "\nHALF\n\ntwo"))

    def test_a_line_that_is_not_there_is_a_failure(self):
        with self.assertRaisesRegex(tutorial.Failure, "no line of a/b.txt has: four"):
            self.follow(PAGE.replace("above `two`", "above `four`"))

    def test_a_command_that_fails_is_a_failure(self):
        with self.assertRaisesRegex(tutorial.Failure, "status 3 of: exit 3"):
            self.follow("Do:\n\n```sh\nexit 3\n```\n")


    def test_two_folders_are_alike_or_not(self):
        with tempfile.TemporaryDirectory() as folder:
            one, two = Path(folder) / "one", Path(folder) / "two"
            for each in (one, two):
                each.mkdir()
                (each / "a.swift").write_text("a", "utf-8")
            self.assertEqual(tutorial.unlike(one, two), "")
            (one / "a.swift").write_text("b", "utf-8")
            (two / "c.swift").write_text("c", "utf-8")
            self.assertEqual(tutorial.unlike(one, two), "a.swift, c.swift")


class Releases(unittest.TestCase):
    def test_a_clone_has_the_last_commit_and_the_version(self):
        with tempfile.TemporaryDirectory() as folder:
            root, to = Path(folder) / "root", Path(folder) / "clone.git"
            git = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-C", str(root)]
            subprocess.run(["git", "init", "-q", str(root)], check=True)
            (root / "CHANGELOG.md").write_text("# Log\n\n## Unreleased\n\n## 1.2.3-beta.1 - today\n", "utf-8")
            subprocess.run([*git, "add", "."], check=True)
            for _ in range(2):
                subprocess.run([*git, "commit", "-qm", "a", "--allow-empty"], check=True)
                version = pages.released_version(root)
                pages.clone(root, to, version)
                ids = [subprocess.run(["git", "-C", str(place), "rev-parse", name], text=True,
                                      capture_output=True, check=True).stdout
                       for place, name in ((root, "HEAD"), (to, version), (to, "main"))]
                self.assertEqual((version, len(set(ids))), ("1.2.3-beta.1", 1))


class Samples(unittest.TestCase):
    def test_the_first_sample_and_what_it_prints(self):
        sample, output = consumer.first_sample("# A\n\n```swift\nprint(1)\n```\n\nIt prints:\n\n```text\n1\n```\n")
        self.assertEqual((sample.text, sample.line, output.text), ("print(1)", 3, "1"))

    def test_a_text_under_another_heading_is_no_output(self):
        for rest in ("## B\n\n```text\n1\n```\n", "```sh\nls\n```\n", ""):
            self.assertIsNone(consumer.first_sample(f"```swift\nprint(1)\n```\n\n{rest}")[1])

    def test_the_package_names_each_product_alone(self):
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place) / "consumer"
            consumer.make(folder, "file:///a", "1.0.0", "print(1)\n")
            manifest = (folder / "Package.swift").read_text("utf-8")
            self.assertEqual(manifest.count("dependencies: [.product("), 5)
            self.assertIn('from: "1.0.0"', manifest)
            self.assertEqual((folder / "Sources/Readme/main.swift").read_text("utf-8"), "print(1)\n")


class Systems(unittest.TestCase):
    """What the pages say of the systems on which the library has run."""

    SENTENCE = ("So far, Evocation has run on Linux alone: what is for Apple's systems was compiled there against "
                "stand-ins (`scripts/check-apple`), and the public workflow builds it with Xcode.")
    PAGES = ("README.md", "Examples/Notes/README.md",
             *(f"Sources/Evocation/Evocation.docc/{name}.md"
               for name in ("Comparison", "FAQ", "NotesExample", "Stability")))

    def test_each_page_says_it_in_the_same_sentence(self):
        for page in self.PAGES:
            lines = (SCRIPTS.parent / page).read_text("utf-8").splitlines()
            said = " ".join(line.removeprefix("> ").strip() for line in lines)
            self.assertIn(self.SENTENCE, said, page)


if __name__ == "__main__":
    unittest.main()
