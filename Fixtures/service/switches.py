"""The faults that a test asks the fixture service to answer with."""

import threading

from hostile import BROKEN, FORMATS, MOMENTS
from query import Refusal


def _is_count(value):
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _is_seconds(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0


def _is_text(value):
    return isinstance(value, str)


def one_of(*words):
    """The setting that takes one of these words."""
    return lambda value: value in words, f"{', '.join(words[:-1])} or {words[-1]}"


TRUE = (lambda v: v is True, "true")
ANSWERS = {
    "status": (lambda v: _is_count(v) and 200 <= v <= 599, "a status from 200 to 599"),
    "hang_up": one_of(*MOMENTS),
    "reset": one_of(*MOMENTS),
    "next": one_of("close", "reset"),
    "garbage": TRUE,
    "silent": TRUE,
    "chunked": one_of("whole", "unending"),
    "redirect": (_is_text, "an address"),
    "broken": one_of(*BROKEN),
    "slow": one_of("head", "body"),
    "endless": one_of("until-closed", "chunked"),
    "truncated": TRUE,
    "content_type": (_is_text, "a type, as in text/html"),
    "compressed": one_of(*FORMATS),
    "bomb": one_of(*FORMATS),
    "lines": (lambda v: isinstance(v, list) and all(map(_is_text, v)), "an array of texts"),
}
DETAILS = {
    "headers": (lambda v: isinstance(v, dict), "an object of names and values"),
    "body": (lambda v: True, "any JSON"),
    "redirect_status": (lambda v: _is_count(v) and 300 <= v <= 399, "a status from 300 to 399"),
    "seconds": (_is_seconds, "a number of seconds"),
    "megabytes": (_is_count, "a whole number above 0"),
}
OWNERS = {"status": ("headers", "body"), "redirect": ("redirect_status",), "slow": ("seconds",),
          "bomb": ("megabytes",)}
CONDITIONS = {
    "times": (_is_count, "a whole number above 0"),
    "method": (_is_text, "a method, as in GET"),
    "path": (_is_text, "a path, as in /cars"),
}
DELAY = {"delay": (_is_seconds, "a number of seconds")}
SETTINGS = {**DELAY, **ANSWERS, **DETAILS, **CONDITIONS}


class Dropped(Exception):
    """The request was held back when the service was reset: it is neither done nor answered."""


class Switches:
    """A delay and an answer, each from the first counted switch that fits, else the lasting one."""

    def __init__(self, lock, delay):
        self._lock, self._default = lock, delay
        self._reset = threading.Condition(lock)
        self.era = self._releases = 0
        self._counted, self._lasting = [], {}

    def add(self, settings):
        """Sets the switches that one object of a control request asks for."""
        check(settings)
        fits = {name: settings[name] for name in CONDITIONS if name in settings}
        kinds = {"delay": DELAY, "answer": {**ANSWERS, **DETAILS}}
        for kind, names in kinds.items():
            action = {name: settings[name] for name in names if name in settings}
            if action and "times" in fits:
                self._counted.append({"kind": kind, "action": action, **fits})
            elif action:
                self._lasting[kind, fits.get("method"), fits.get("path")] = action

    def take(self, method, path):
        """The delay and the answer that are set for a request, each counted as used."""
        delay = self._taken("delay", method, path).get("delay", self._default)
        return delay, self._taken("answer", method, path)

    def clear(self, forget=False):
        """Ends all switches and lets held requests go on, or forgets these requests too."""
        self._counted, self._lasting = [], {}
        self._releases += 1
        self.era += forget
        self._reset.notify_all()

    def hold(self, era, seconds=None):
        """Waits so many seconds, or until released; the lock is open meanwhile."""
        releases = self._releases
        self._reset.wait_for(
            lambda: self.era != era or (seconds is None and self._releases != releases),
            timeout=seconds)
        if self.era != era:
            raise Dropped

    def _taken(self, kind, method, path):
        for switch in self._counted:
            fits = switch.get("method", method) == method and switch.get("path", path) == path
            if switch["kind"] == kind and fits:
                switch["times"] -= 1
                self._counted = [each for each in self._counted if each["times"]]
                return switch["action"]
        places = [(method, path), (None, path), (method, None), (None, None)]
        return next((self._lasting[(kind, *at)] for at in places if (kind, *at) in self._lasting), {})


def check(settings):
    """Refuses what is no object of switches, in one sentence."""
    if not isinstance(settings, dict):
        raise Refusal(400, 'a switch is a JSON object, as in {"status": 500, "times": 2}')
    for name, value in settings.items():
        if name not in SETTINGS:
            raise Refusal(400, f"there is no switch '{name}'; there are {', '.join(SETTINGS)}")
        accepts, wanted = SETTINGS[name]
        if not accepts(value):
            raise Refusal(400, f"the switch {name} takes {wanted}")
    answers = [name for name in ANSWERS if name in settings]
    if len(answers) > 1:
        raise Refusal(400, f"one switch gives one answer, not {' and '.join(answers)}")
    for owner, names in OWNERS.items():
        if owner not in settings and any(name in settings for name in names):
            verb = "belong" if len(names) > 1 else "belongs"
            raise Refusal(400, f"{' and '.join(names)} {verb} to the switch {owner}")
    if not answers and "delay" not in settings:
        raise Refusal(400, f"a switch sets delay or one of {', '.join(ANSWERS)}")
