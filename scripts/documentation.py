"""What scripts/site, scripts/check-documentation and scripts/public-api share: all modules, as one site.

docc converts each module twice. The first time says what can be linked to, the second time resolves
the links between modules, and every warning counts as an error.
"""

import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parent.parent
MODULES = ("Evocation", "EvocationSQLite", "EvocationHTTP", "EvocationLive", "EvocationInspection",
           "EvocationTesting")
TYPES = {f"swift.{kind}" for kind in ("class", "enum", "protocol", "struct", "typealias")}
REDIRECT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Evocation</title>
<meta http-equiv="refresh" content="0; url=documentation/">
<link rel="canonical" href="documentation/"></head>
<body><p><a href="documentation/">The documentation of Evocation</a></p></body></html>
"""


def made_graphs():
    """The folder of the symbol graphs that scripts/symbol-graphs makes."""
    made = subprocess.run([ROOT / "scripts/symbol-graphs"], text=True, stdout=subprocess.PIPE, check=True)
    return Path(made.stdout.strip())


# The sources


def uncurated(module, graphs):
    """The public types that no topic of the module's page names, and the other way around."""
    page = ROOT / "Sources" / module / f"{module}.docc" / f"{module}.md"
    links = re.findall(r"^- ``([^`]+)``$", page.read_text("utf-8"), re.MULTILINE)
    # Without what tells two functions of one name apart.
    topics = {re.sub(r"-\(.*", "", link) for link in links}
    graph = json.loads((graphs / module / f"{module}.symbols.json").read_text("utf-8"))
    types = {each["pathComponents"][0] for each in graph["symbols"]
             if len(each["pathComponents"]) == 1}
    name = page.relative_to(ROOT)
    yield from (f"{name}: no topic names {each}" for each in sorted(types - topics))
    yield from (f"{name}: there is no public {each}" for each in sorted(topics - types))


def unlisted(module):
    """The articles of a module that no topic of its page names."""
    folder = ROOT / "Sources" / module / f"{module}.docc"
    page = folder / f"{module}.md"
    listed = set(re.findall(r"^- <doc:([^>]+)>$", page.read_text("utf-8"), re.MULTILINE))
    articles = {each.stem for each in folder.glob("**/*.md")} - {module}
    yield from (f"{page.relative_to(ROOT)}: no topic names the article {each}"
                for each in sorted(articles - listed))


def unsampled(module, graphs):
    """The public types that are not deprecated, and whose own doc comment has no sample."""
    graph = json.loads((graphs / module / f"{module}.symbols.json").read_text("utf-8"))
    for each in sorted(graph["symbols"], key=lambda each: each["pathComponents"]):
        lines = [line["text"] for line in each.get("docComment", {}).get("lines", [])]
        if (len(each["pathComponents"]) == 1 and each["kind"]["identifier"] in TYPES
                and not any(is_deprecated(version) for version in each.get("availability", []))
                and not any(re.match(r"\s*```", line) for line in lines)):
            yield f"{module}: the documentation of {each['pathComponents'][0]} has no sample"


def is_deprecated(version):
    """Whether one entry of a symbol's availability says that the symbol is deprecated."""
    return "deprecated" in version or version.get("isUnconditionallyDeprecated", False)


# The site


def convert(module, graphs, target, base_path="", others=None):
    """Converts one module, with links to others if these were converted; what docc has to say."""
    options = [] if others is None else ["--warnings-as-errors"]
    for other in MODULES if others else ():
        if other != module:
            options += ["--dependency", others / f"{other}.doccarchive"]
    if base_path:
        options += ["--hosting-base-path", base_path]
    done = subprocess.run(
        ["docc", "convert", ROOT / "Sources" / module / f"{module}.docc", *options,
         "--additional-symbol-graph-dir", graphs / module,
         "--output-dir", target / f"{module}.doccarchive", "--transform-for-static-hosting",
         "--enable-experimental-external-link-support",
         "--fallback-display-name", module, "--fallback-bundle-identifier", module],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return [done.stdout] if done.returncode else []


def build(graphs, site, base_path=""):
    """Builds the site into a folder that must not exist yet; a sentence for each fault."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        first, second = Path(folder) / "first", Path(folder) / "second"
        first.mkdir()
        second.mkdir()
        for module in MODULES:
            found += convert(module, graphs, first)
        if found:
            return found
        for module in MODULES:
            found += convert(module, graphs, second, base_path, others=first)
        if found:
            return found
        subprocess.run(
            ["docc", "merge", *(second / f"{module}.doccarchive" for module in MODULES),
             "--output-path", site, "--synthesized-landing-page-name", "Evocation",
             "--synthesized-landing-page-topics-style", "list"], check=True)
    welcome(site)
    shutil.copy(site / "index.html", site / "404.html")
    (site / "index.html").write_text(REDIRECT, "utf-8")
    return list(broken_links(site))


def welcome(site):
    """Makes the first page of the merged site say what Evocation is and where to begin."""
    path = site / "data/documentation.json"
    page = json.loads(path.read_text("utf-8"))
    front = json.loads((site / "data/documentation/evocation.json").read_text("utf-8"))
    begin = front["topicSections"][0]
    modules = page["topicSections"][0]
    page["abstract"] = front["abstract"]
    page["topicSections"] = [begin | {"title": "Begin here"}, modules | {"title": "Modules"}]
    page["references"] |= {each: front["references"][each] for each in begin["identifiers"]}
    page["references"] |= {each: front["references"][each]
                           for each in set(mentioned(page)) - page["references"].keys()}
    path.write_text(json.dumps(page), "utf-8")
    (site / "theme-settings.json").write_text(json.dumps({"meta": {"title": "Evocation"}}), "utf-8")


# The links of the site


def broken_links(site):
    """A sentence for each link of a page, of an image and of the navigator that leads nowhere."""
    pages = {path: json.loads(path.read_text("utf-8")) for path in sorted((site / "data").rglob("*.json"))}
    anchors = {path: set(each for each in found(page, "anchor")) for path, page in pages.items()}
    for path, page in pages.items():
        name = path.relative_to(site / "data").with_suffix("").as_posix()
        references = page.get("references", {})
        links = {link for each in references.values() for link in addresses(each)}
        yield from (f"{name}: {fault}" for link in sorted(links)
                    if (fault := broken(link, path, site, anchors)))
        missing = set(mentioned(page)) - references.keys()
        yield from (f"{name}: nothing is known of the link {each}" for each in sorted(missing))
    navigator = site / "index/index.json"
    if navigator.exists():
        for link in sorted(set(found(json.loads(navigator.read_text("utf-8")), "path"))):
            if fault := broken(link, navigator, site, anchors):
                yield f"the navigator: {fault}"


def broken(link, page, site, anchors):
    """What is wrong with one link of a page; nothing if it leads to a page, a place or a file."""
    parts = urlsplit(link)
    if parts.scheme in ("https", "http"):
        host = parts.hostname or ""
        is_whole = re.fullmatch(r"[a-z0-9.-]+\.[a-z]+", host) and not re.search(r"\s", link)
        return None if is_whole else f"{link} is no address"
    if parts.scheme or not (link.startswith("/") or link.startswith("#")):
        return f"{link} leads out of the site"
    target = unquote(parts.path).rstrip("/")
    data = site / "data" / f"{target.lstrip('/')}.json" if target else page
    if target and not data.exists():
        return None if (site / target.lstrip("/")).is_file() else f"{link} leads nowhere"
    if target and not (site / target.lstrip("/") / "index.html").is_file():
        return f"{link} has no page"
    fragment = unquote(parts.fragment)
    return f"{link} names no heading" if fragment and fragment not in anchors[data] else None


def addresses(reference):
    """Where a reference of a page leads: to an address, or to the variants of an image."""
    if "url" in reference:
        yield reference["url"]
    for variant in reference.get("variants", []):
        yield variant["url"]


def mentioned(page):
    """The identifiers in the text of a page, its topics, and those in the summaries of these."""
    yield from used({key: value for key, value in page.items() if key != "references"})
    for section in page.get("topicSections", []):
        for each in section["identifiers"]:
            yield from used(page["references"].get(each, {}).get("abstract", []))


def used(node):
    """The identifiers of links, of images and of topics below a node of a page."""
    if isinstance(node, list):
        for each in node:
            yield from used(each)
    elif isinstance(node, dict):
        if node.get("type") in ("reference", "image", "video") and "identifier" in node:
            yield node["identifier"]
        for key, value in node.items():
            if key in ("topicSections", "seeAlsoSections", "relationshipsSections"):
                yield from (each for section in value for each in section.get("identifiers", []))
            yield from used(value)


def found(node, key):
    """The texts that a key has anywhere below a node."""
    if isinstance(node, list):
        for each in node:
            yield from found(each, key)
    elif isinstance(node, dict):
        for name, value in node.items():
            if name == key and isinstance(value, str):
                yield value
            else:
                yield from found(value, key)
