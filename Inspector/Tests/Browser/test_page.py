"""What a person sees and does on the inspector's page, in a real browser over a real garage.

`scripts/test-inspector` installs what this needs, and names the program in `GARAGE_INSPECTOR`.
"""

import os
import re
import subprocess
import time
import unittest
from pathlib import Path

import axe_playwright_python
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")
SECRET = "The keys hang beside the door."


class Garage:
    """The program whose page is looked at."""

    def __init__(self):
        self.process = subprocess.Popen(
            [os.environ["GARAGE_INSPECTOR"]], stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        self.address = re.search(r"http://127\.0\.0\.1:\S+", line)[0]

    def close(self):
        self.process.terminate()
        self.process.wait(30)
        self.process.stdout.close()


def browser():
    """Chromium without a window."""
    options = webdriver.ChromeOptions()
    options.binary_location = os.environ["CHROMIUM"]
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(argument)
    service = webdriver.ChromeService(os.environ["CHROMEDRIVER"])
    return webdriver.Chrome(options=options, service=service)


class PageCase(unittest.TestCase):
    """A page of a garage of its own."""

    @classmethod
    def setUpClass(cls):
        cls.garage = Garage()
        cls.addClassCleanup(cls.garage.close)
        cls.page = browser()
        cls.addClassCleanup(cls.page.quit)
        cls.page.get(cls.garage.address)
        cls.until("the refused change is parked", lambda: cls.card("entries", "parked"))
        cls.until("a query reads a whole table", lambda: cls.card("queries", "whole table"))

    @classmethod
    def until(cls, what, holds, seconds=60):
        """Waits until something is to be seen."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = holds()
            if found:
                return found
            time.sleep(0.05)
        raise AssertionError(f"It did not come within {seconds} s: {what}.\n{cls.text('body')}")

    @classmethod
    def text(cls, selector):
        return cls.page.execute_script(
            "return document.querySelector(arguments[0]).innerText", selector)

    @classmethod
    def card(cls, part, text):
        """The first card of a part that has a text."""
        return cls.page.execute_script(
            "return [...document.querySelectorAll(`#${arguments[0]} .card`)]"
            ".find((card) => card.innerText.includes(arguments[1]))", part, text)

    def show(self, width, height, scheme):
        self.page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})
        self.page.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def press(self, *keys):
        ActionChains(self.page).send_keys(*keys).perform()

    @property
    def focus(self):
        """The name of what has the focus, as it is heard."""
        return self.page.execute_script(
            "const it = document.activeElement; return it.getAttribute('aria-label') || it.innerText")

    def tab_to(self, name):
        """Presses Tab until the focus is on something with this name."""
        for _ in range(200):
            if self.focus.startswith(name):
                return
            self.press(Keys.TAB)
        raise AssertionError(f"Tab never reaches {name!r}.")


class LookingTests(PageCase):
    def test_each_part_shows_what_the_garage_has(self):
        self.until("the cars are stored", lambda: self.card("models", "406 stored"))
        self.assertIsNotNone(self.card("models", "Remark"))
        self.until("the cache is fresh", lambda: self.card("caches", "fresh"))
        self.assertIsNotNone(self.card("caches", "2 pages and more"))
        self.assertIsNotNone(self.card("files", "cars.sqlite"))
        self.assertIsNotNone(self.card("services", "127.0.0.1"))
        self.until("calls are listed", lambda: self.card("calls", "remote returned"))
        self.assertIn("SCAN car", self.card("queries", "whole table").text)
        self.assertIn("parked", self.text("#status"))

    def test_values_are_hidden_until_they_are_asked_for(self):
        source = "return document.documentElement.innerHTML.includes(arguments[0])"
        words = "The service says: 9000 hp?"
        self.assertFalse(self.page.execute_script(source, SECRET))
        self.assertFalse(self.page.execute_script(source, words))
        button = self.page.find_element(By.ID, "reveal")
        button.click()
        self.until("the remark", lambda: self.page.execute_script(source, SECRET))
        self.until("the service's words", lambda: self.page.execute_script(source, words))
        self.assertEqual(button.get_attribute("aria-pressed"), "true")
        button.click()
        self.until("no remark", lambda: not self.page.execute_script(source, SECRET))

    def test_it_is_readable_on_a_phone_and_on_a_wide_screen(self):
        for width, height in ((375, 812), (1440, 900)):
            self.show(width, height, "light")
            with self.subTest(width=width):
                wide = self.page.execute_script(
                    "return [...document.querySelectorAll('body *')].filter((it) => "
                    "it.scrollWidth > it.clientWidth + 1 && it.clientWidth > 0 && "
                    "getComputedStyle(it).display !== 'inline' && !it.matches('.skip'))"
                    ".map((it) => it.outerHTML.slice(0, 120))")
                self.assertEqual(wide, [])
                self.assertLessEqual(
                    self.page.execute_script("return document.documentElement.scrollWidth"), width)
                small = self.page.execute_script(
                    "return [...document.querySelectorAll('button')].filter((it) => "
                    "it.offsetParent && it.getBoundingClientRect().height < 44).length")
                self.assertEqual(small, 0)

    def test_axe_finds_nothing_in_light_and_dark(self):
        self.page.execute_script(AXE.read_text("utf-8"))
        for width, scheme in ((375, "light"), (375, "dark"), (1440, "light"), (1440, "dark")):
            self.show(width, 900, scheme)
            found = self.page.execute_async_script(
                "const done = arguments[0]; axe.run().then((it) => done(it.violations.map("
                "(each) => `${each.id}: ${each.nodes.map((node) => node.html).join(' | ')}`)))")
            with self.subTest(width=width, scheme=scheme):
                self.assertEqual(found, [])


class PressingTests(PageCase):
    def test_everything_is_done_with_the_keyboard(self):
        self.press(Keys.TAB)
        self.assertEqual(self.focus, "Skip to the contents")
        self.tab_to("Pause sending")
        self.press(Keys.SPACE)
        self.until("the pause", lambda: "paused by the app" in self.text("#status"))
        self.assertEqual(self.focus, "Resume sending")
        self.press(Keys.SPACE)
        self.until("the resumption", lambda: "paused" not in self.text("#status"))
        self.tab_to("Discard: update of Car")
        self.press(Keys.ENTER)
        self.until("the question", lambda: self.focus == "Keep")
        self.press(Keys.ESCAPE)
        self.assertTrue(self.focus.startswith("Discard: update of Car"))
        count = self.page.execute_script("return document.querySelectorAll('#entries .card').length")
        self.press(Keys.ENTER)
        self.until("the question", lambda: self.focus == "Keep")
        self.press(Keys.TAB, Keys.ENTER)
        self.until("the discarded entry is gone", lambda: self.page.execute_script(
            "return document.querySelectorAll('#entries .card').length") < count)
        self.until("a word on it", lambda: "discarded" in self.text("#notice"))

    def test_the_focus_stays_while_the_page_changes(self):
        button = self.until("a cache", lambda: self.card("caches", "cache of Car"))
        name = button.find_element(By.CSS_SELECTOR, "button").get_attribute("aria-label")
        self.page.execute_script("document.querySelector('#caches .card button').focus()")
        name = self.focus
        first = self.text("#calls")
        self.until("a new call", lambda: self.text("#calls") != first)
        self.assertEqual(self.focus, name)

    def test_it_says_when_the_app_has_ended(self):
        garage, page = Garage(), browser()
        try:
            page.get(garage.address)
            script = "return document.querySelector('#status').innerText"
            self.until("the garage", lambda: "Online" in page.execute_script(script))
            garage.close()
            self.until("the end", lambda: "app has ended" in page.execute_script(script))
        finally:
            page.quit()
            if garage.process.poll() is None:
                garage.close()


class Screenshots(PageCase):
    """Takes the pictures of the documentation; only where a folder is named for them."""

    @unittest.skipUnless(os.environ.get("SCREENSHOTS"), "no folder is named")
    def test_pictures(self):
        self.until("the cars are stored", lambda: self.card("models", "406 stored"))
        folder = Path(os.environ["SCREENSHOTS"])
        for name, width, height, scheme in (
                ("inspector", 1440, 1000, "light"), ("inspector~dark", 1440, 1000, "dark"),
                ("inspector-phone", 375, 812, "light"), ("inspector-phone~dark", 375, 812, "dark")):
            self.show(width, height, scheme)
            self.page.execute_script("window.scrollTo(0, 0)")
            time.sleep(0.5)
            self.page.save_screenshot(str(folder / f"{name}.png"))


if __name__ == "__main__":
    unittest.main()
