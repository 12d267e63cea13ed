#!/usr/bin/env python3
"""Which links of a site lead nowhere, and what pages say of the systems; builds nothing."""

import json
import tempfile
import unittest
from pathlib import Path

import documentation


def text(*identifiers):
    """The content of a page whose text has links."""
    return [{"inlineContent": [{"type": "reference", "identifier": each} for each in identifiers]}]


class Links(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.site = Path(folder.name)

    def page(self, name, anchors=(), links=(), mentioned=None, **more):
        """Writes a page with headings and references to addresses."""
        page = {
            "content": [{"anchor": each} for each in anchors],
            "text": text(*(links if mentioned is None else mentioned)),
            "references": {each: {"url": each} for each in links}} | more
        path = self.site / f"data/documentation/{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(page), "utf-8")
        html = self.site / f"documentation/{name}/index.html"
        html.parent.mkdir(parents=True, exist_ok=True)
        html.write_text("", "utf-8")

    def broken(self):
        return list(documentation.broken_links(self.site))

    def test_links_to_pages_headings_and_addresses_are_fine(self):
        self.page("evocation/outbox", anchors=["Order-and-ids"])
        self.page("evocation", links=[
            "/documentation/evocation/outbox", "/documentation/evocation/outbox#Order-and-ids",
            "https://www.example.org/a?b=c#d"])
        self.assertEqual(self.broken(), [])

    def test_a_page_that_does_not_exist(self):
        self.page("evocation", links=["/documentation/evocation/outbox"])
        self.assertEqual(self.broken(), [
            "documentation/evocation: /documentation/evocation/outbox leads nowhere"])

    def test_a_page_that_no_browser_can_open(self):
        self.page("evocation", links=["/documentation/evocation/outbox"])
        self.page("evocation/outbox")
        (self.site / "documentation/evocation/outbox/index.html").unlink()
        self.assertEqual(self.broken(), [
            "documentation/evocation: /documentation/evocation/outbox has no page"])

    def test_a_heading_that_does_not_exist(self):
        self.page("evocation/outbox", anchors=["Order"])
        self.page("evocation", links=["/documentation/evocation/outbox#order", "#Overview"])
        self.assertEqual(self.broken(), [
            "documentation/evocation: #Overview names no heading",
            "documentation/evocation: /documentation/evocation/outbox#order names no heading"])

    def test_files_of_the_repository_are_not_in_the_site(self):
        self.page("evocation", links=["Offline.md", "../evocation", "mailto:a@example.org"])
        self.assertEqual(self.broken(), [
            "documentation/evocation: ../evocation leads out of the site",
            "documentation/evocation: Offline.md leads out of the site",
            "documentation/evocation: mailto:a@example.org leads out of the site"])

    def test_an_address_needs_a_host(self):
        self.page("evocation", links=["https://example", "https://example.org/a b", "https:///a"])
        self.assertEqual(self.broken(), [
            "documentation/evocation: https:///a is no address",
            "documentation/evocation: https://example is no address",
            "documentation/evocation: https://example.org/a b is no address"])

    def test_each_variant_of_an_image_exists(self):
        (self.site / "images/Evocation").mkdir(parents=True)
        (self.site / "images/Evocation/life.svg").write_text("", "utf-8")
        self.page("evocation", references={"life": {"variants": [
            {"url": "/images/Evocation/life.svg"}, {"url": "/images/Evocation/life~dark.svg"}]}})
        self.assertEqual(self.broken(), [
            "documentation/evocation: /images/Evocation/life~dark.svg leads nowhere"])

    def test_a_link_of_which_a_page_knows_nothing(self):
        self.page("evocation", mentioned=["doc://Evocation/Gone"],
                  topicSections=[{"identifiers": ["doc://Evocation/Lost", "listed"]}],
                  references={"listed": {"abstract": text("doc://Evocation/Moved")},
                              "other": {"abstract": text("doc://Evocation/Hidden")}})
        self.assertEqual(self.broken(), [
            "documentation/evocation: nothing is known of the link doc://Evocation/Gone",
            "documentation/evocation: nothing is known of the link doc://Evocation/Lost",
            "documentation/evocation: nothing is known of the link doc://Evocation/Moved"])

    def test_the_navigator_leads_to_pages(self):
        self.page("evocation")
        (self.site / "index").mkdir()
        (self.site / "index/index.json").write_text(json.dumps({"swift": [
            {"path": "/documentation/evocation", "children": [{"path": "/documentation/gone"}]}]}), "utf-8")
        self.assertEqual(self.broken(), ["the navigator: /documentation/gone leads nowhere"])


class Welcome(unittest.TestCase):
    def test_the_first_page_says_where_to_begin(self):
        models = {"url": "/models", "abstract": [{"type": "reference", "identifier": "type"}]}
        with tempfile.TemporaryDirectory() as folder:
            data = Path(folder) / "data/documentation"
            data.mkdir(parents=True)
            (data / "evocation.json").write_text(json.dumps({
                "abstract": [{"text": "It reads."}],
                "topicSections": [{"title": "Essentials", "identifiers": ["models"]}, {"identifiers": []}],
                "references": {"models": models, "type": {"url": "/type"}, "other": {}}}), "utf-8")
            page = data.parent / "documentation.json"
            page.write_text(json.dumps({
                "topicSections": [{"identifiers": ["a"]}], "references": {"a": {"url": "/a"}}}), "utf-8")
            documentation.welcome(Path(folder))
            self.assertEqual(json.loads(page.read_text("utf-8")), {
                "abstract": [{"text": "It reads."}],
                "topicSections": [{"title": "Begin here", "identifiers": ["models"]},
                                  {"title": "Modules", "identifiers": ["a"]}],
                "references": {"a": {"url": "/a"}, "models": models, "type": {"url": "/type"}}})


class Systems(unittest.TestCase):
    """What the pages say of the systems on which the library has run."""

    SENTENCE = ("So far, Evocation has run on Linux alone: what is for Apple's systems was compiled there against "
                "stand-ins (`scripts/check-apple`), and the public workflow builds it with Xcode.")
    PAGES = ("README.md", "Examples/Notes/README.md",
             *(f"Sources/Evocation/Evocation.docc/{name}.md"
               for name in ("Comparison", "FAQ", "NotesExample", "Stability")))

    def test_each_page_says_it_in_the_same_sentence(self):
        for page in self.PAGES:
            lines = (documentation.ROOT / page).read_text("utf-8").splitlines()
            said = " ".join(line.removeprefix("> ").strip() for line in lines)
            self.assertIn(self.SENTENCE, said, page)


if __name__ == "__main__":
    unittest.main()
