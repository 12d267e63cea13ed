"""Reads what `swift package describe --type json` says, and prints the parts that have tests.

With files, these are the parts whose tests stand on one of them. A file of no target concerns the
tests of the pages; the manifest concerns all.
"""

import json
import sys
from pathlib import PurePath


def touched(targets, files):
    """The names of the targets that a file belongs to, and of those that stand on them."""
    if "Package.swift" in files:
        return set(targets)
    found = set()
    for file in files:
        owners = [name for name, target in targets.items() if PurePath(file).is_relative_to(target["path"])]
        # The folder of the facade has the folders of the floors in it.
        inner = max((targets[name]["path"] for name in owners), key=len, default=None)
        found |= {name for name in owners if targets[name]["path"] == inner} or {"DocumentationTests"}
    while above := {name for name, target in targets.items()
                    if name not in found and found & set(target.get("target_dependencies", []))}:
        found |= above
    return found


def parts(targets):
    """The short names of the targets that are tests, in their order."""
    return [name.removeprefix("Evocation").removesuffix("Tests") or "Evocation"
            for name, target in targets.items() if target["type"] == "test"]


if __name__ == "__main__":
    package = {each["name"]: each for each in json.load(sys.stdin)["targets"]}
    if len(sys.argv) > 1:
        names = touched(package, [file for file in sys.argv[1:] if file != "/"])
        package = {name: target for name, target in package.items() if name in names}
    print("\n".join(parts(package)))
