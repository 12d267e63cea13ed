"""Checks what the check of the privacy manifests notices."""

import importlib.machinery
import importlib.util
import unittest
from pathlib import Path


def load(name):
    """A script beside this one, as a module."""
    loader = importlib.machinery.SourceFileLoader(
        name.replace("-", "_"), str(Path(__file__).resolve().parent / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


privacy = load("check-privacy")


def manifest(**reasons):
    return {
        "NSPrivacyTracking": False, "NSPrivacyCollectedDataTypes": [],
        "NSPrivacyAccessedAPITypes": [
            {"NSPrivacyAccessedAPIType": privacy.PREFIX + category, "NSPrivacyAccessedAPITypeReasons": given}
            for category, given in reasons.items()]}


def faults(source, told):
    return list(privacy.faults("P", [("A.swift", source)], told))


class Manifests(unittest.TestCase):
    def test_a_use_without_a_reason(self):
        self.assertEqual(faults("let a = 1\nstat(path, &status)", None), [
            "A.swift:2: stat( needs a reason for NSPrivacyAccessedAPICategoryFileTimestamp in P"])
        self.assertEqual(len(faults("UserDefaults.standard", manifest(FileTimestamp=["C617.1"]))), 2)

    def test_a_use_with_its_reason(self):
        self.assertEqual(faults("lstat(path, &status)", manifest(FileTimestamp=["C617.1"])), [])
        self.assertEqual(faults("var a = stat()", manifest(FileTimestamp=["C617.1"])), [])

    def test_a_comment_is_no_use(self):
        self.assertEqual(faults("/// In `UserDefaults`.\nlet a = 1 // UserDefaults", None), [])

    def test_names_that_only_resemble_one(self):
        self.assertEqual(faults("fetchStat(a)\nrestat(b)\nlet UserDefaultsKeys = 1", None), [])

    def test_a_reason_without_a_use(self):
        self.assertEqual(faults("let a = 1", manifest(DiskSpace=["E174.1"])), [
            "P: nothing uses NSPrivacyAccessedAPICategoryDiskSpace any more"])

    def test_a_reason_of_another_category(self):
        self.assertEqual(faults("UserDefaults.standard", manifest(UserDefaults=["C617.1"])), [
            "P: NSPrivacyAccessedAPICategoryUserDefaults has other reasons than Apple's: C617.1"])

    def test_a_module_that_collects(self):
        told = manifest() | {"NSPrivacyTracking": True}
        self.assertEqual(faults("", told), ["P: it has to say that the module neither tracks nor collects"])


if __name__ == "__main__":
    unittest.main()
