"""What the page Benchmarks shows of the runs of the benchmarks, and the file that keeps the runs."""

import json
import re
import statistics

# What a row of the page says in plain words, its suite and case, what it is compared with, and
# the case of GRDB beside it.
ROWS = (
    ("Store 100,000 models, each", "sqlite", "store, Evocation", "C", "store, GRDB Codable"),
    ("Store or update 100,000 models, each", "sqlite", "storeOrUpdate, Evocation", "C",
     "storeOrUpdate, GRDB Codable"),
    ("Read 100,000 models, each", "sqlite", "find all, Evocation", "C", "find all, GRDB Codable"),
    ("Remove 100,000 models, each", "sqlite", "remove, Evocation", "C", "remove, GRDB Codable"),
    ("Read one model by its id", "sqlite", "findOne, Evocation", "C", "findOne, GRDB Codable, synchronous"),
    ("Store one model", "sqlite", "storeOne, Evocation", "C", "storeOne, GRDB Codable"),
    ("Read while another task writes to the file", "sqlite", "two readers, a writer on the same",
     "a writer on another file", None),
    ("Call `find`, without the repository's own time", "calls", "find, async", None, None),
    ("Memory left by a call", "memory", "find, async: bytes left by a call", None, None),
    ("Read a cache in memory", "cache", "memory: value(from: .cache)", None, None),
    ("Refresh 10,000 observed models, ten changed", "cache", "a refresh of an observed 10,000, SQLite",
     "C, all written and read", None),
    ("Answer the one concerned of 10,000 observers", "observing",
     "SQLite, year == i: until answered, 10,000 observers", "1 observer", None),
    ("Open a list in the middle of 2,000 pages", "paging", "open a list of 2,000 pages in its middle",
     "one page, found", None),
    ("Store one model through the outbox", "outbox", "storeOne, by the outbox", "no outbox", None),
    ("Store one model while 100,000 writes wait", "outbox", "storeOne among 100,000 pending", "none waits",
     None),
    ("Send one write to a server on the same machine", "outbox", "send, outbox", "`URLSession`", None),
    ("Fetch 20 models from that server", "http", "find 20", "`URLSession`", None),
    ("Fetch from it and store 100,000 models, each", "http", "prefetch 100,000", "`URLSession` and C", None),
)
GROWTH = "growth"
SCALES = {"ns": ((1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1, "ns")),
          "B": ((2 ** 20, "MiB"), (2 ** 10, "KiB"), (1, "B")), "objects": ((1, "objects"),)}


def pattern():
    """A regular expression over what the page shows: its cases, the peers of each, and one suite."""
    names = [name for _, _, case, _, peer in ROWS for name in (case, peer) if name]
    names += [case.replace("Evocation", "C by hand") for _, _, case, against, _ in ROWS if against == "C"]
    exact = [re.sub(r"([().])", r"[\1]", name) for name in names]
    return f"^({'|'.join([GROWTH, *exact])})$"


def rounded(values):
    """Figures in four digits, which are more than runs repeat."""
    return [float(f"{value:.4g}") for value in values]


def summary(runs):
    """The cases of several runs, each with the figures of all runs."""
    cases = []
    for key, first in runs[0].items():
        every = [run[key] for run in runs if key in run]
        case = {name: first[name] for name in ("suite", "case", "unit", "reference", "bar", "limit")
                if name in first}
        case["medians"] = rounded(each["median"] for each in every)
        for name, many in (("ratio", "ratios"), ("judged", "judged")):
            if name in first:
                case[many] = rounded(each[name] for each in every)
        cases.append(case)
    return cases


def text(about, cases):
    """The file that keeps runs: JSON, with each case on a line of its own."""
    lines = ",\n".join("  " + json.dumps(case, ensure_ascii=False) for case in cases)
    return f'{{"about": {json.dumps(about, ensure_ascii=False)},\n "cases": [\n{lines}\n]}}\n'


def loaded(texts):
    """What the files of runs have; of a case in several of them, the last counts."""
    files = [json.loads(each) for each in texts]
    cases = {(case["suite"], case["case"]): case for file in files for case in file["cases"]}
    return files[-1]["about"], cases


def is_kept(case):
    """Whether the median of what the bar is for lies within it."""
    limit, middle = float(case["limit"]), statistics.median(case["judged"])
    return middle >= limit if case["bar"].startswith("≥") else middle <= limit


def bars_kept(cases):
    """How many bars were kept, in a sentence."""
    kept = [is_kept(case) for case in cases if "bar" in case]
    return f"{sum(kept)} of {len(kept)} bars were kept."


def quantity(value, unit):
    """A figure in the unit that suits it, in two digits or three."""
    factor, name = next((each for each in SCALES[unit] if abs(value) >= each[0]), SCALES[unit][-1])
    value /= factor
    digits = f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}" if abs(value) >= 10 else f"{value:.2g}"
    return f"{digits} {name}"


def measured(case):
    """What a case is judged by in each run: the ratios to its peer, or its own times where it has no peer."""
    return case.get("judged", case["medians"] if "bar" in case else case.get("ratios", case["medians"]))


def judged(case):
    """What a case is judged by, and its bar, in the words of the table."""
    values = measured(case)
    middle, least, most = statistics.median(values), min(values), max(values)
    if "×" in case.get("bar", "×" if "ratios" in case else ""):
        return f"{middle:.2f} × ({least:.2f} – {most:.2f})", case.get("bar", "")
    middle, least, most = (quantity(value, case["unit"]) for value in (middle, least, most))
    bar = f"{case['bar'][0]} {quantity(float(case['limit']), case['unit'])}" if "bar" in case else ""
    return f"{middle} ({least} – {most})", bar


def table(about, cases):
    """The table of the page, below the sentence about the runs."""
    note = f", {about['note']}" if about.get("note") else ""
    lines = [
        f"Median of {about['runs']} runs of {about['rounds']} round{'s' * (about['rounds'] > 1)}, "
        f"{about['date']}: {about['processor']}, "
        f"{about['cores']} cores, {about['system']}, Swift {about['swift']}{note}.", "",
        "| operation | Evocation | GRDB | compared with | median of the runs (least – most) | bar | kept |",
        "|---|---:|---:|---|---:|---:|---|"]
    for words, suite, name, against, peer in ROWS:
        case = find(cases, suite, name)
        other = find(cases, suite, peer) if peer else None
        ratio, bar = judged(case)
        kept = ("yes" if is_kept(case) else "**no**") if bar else ""
        cells = [words, quantity(statistics.median(case["medians"]), case["unit"]),
                 quantity(statistics.median(other["medians"]), other["unit"]) if other else "",
                 against or "", ratio, bar, kept]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def find(cases, suite, name):
    """A case of the runs."""
    if (suite, name) not in cases:
        raise SystemExit(f'The runs have no case "{name}" of the suite "{suite}"; '
                         "make them with scripts/benchmark-runs --page --json FILE.")
    return cases[suite, name]
