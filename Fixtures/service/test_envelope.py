"""Checks the dialect of envelopes and slashes over a real connection."""

import json
import re
import unittest

from test_service import DATA, ServiceTestCase, ask, end, launch

MOMENT = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"


class Envelopes(ServiceTestCase):
    arguments = ("--dialect", "envelope", "--unique", "name")

    def setUp(self):
        super().setUp()
        self.cars = json.loads((DATA / "cars.json").read_text("utf-8"))

    def path(self, url):
        return url and url.split(str(self.port))[1]

    def new(self, **fields):
        return {**self.cars[0], "name": "new", **fields}

    def same(self, query, test):
        expected = [car["id"] for car in self.cars if test(car)]
        self.assertTrue(0 < len(expected) <= 100, query)
        found = self.ask("GET", f"/cars/?page_size=100&{query}").json
        self.assertEqual([car["id"] for car in found["results"]], expected, query)
        self.assertEqual(found["count"], len(expected))

    def test_pages_lead_from_one_to_the_next_and_back(self):
        for start, sizes in (("page_size=30", [30, 30, 19]), ("limit=30", [30, 30, 19]),
                             ("", [25, 25, 25, 4])):
            pages, path = [], f"/cars/?origin=Japan&{start}"
            while path:
                answer = self.ask("GET", path).json
                self.assertEqual(answer["count"], 79)
                pages.append(len(answer["results"]))
                last, path = answer, self.path(answer["next"])
            self.assertEqual(pages, sizes, start)
            while last["previous"]:
                last = self.ask("GET", self.path(last["previous"])).json
                pages.pop()
            self.assertEqual(len(pages), 1)
        self.assertEqual(self.ask("GET", "/cars/?page=last").json["results"][-1]["id"], 406)

    def test_beyond_the_last_page(self):
        for page in ("99", "0", "soon"):
            answer = self.ask("GET", f"/cars/?page={page}")
            self.assertEqual((answer.status, answer.json), (404, {"detail": "Invalid page."}))
        answer = self.ask("GET", "/cars/?limit=10&offset=999")
        self.assertEqual((answer.status, answer.json["results"]), (200, []))
        self.assertEqual(self.ask("GET", "/cars/?name=none").json["count"], 0)

    def test_a_slash_ends_each_path(self):
        answer = self.ask("GET", "/cars/1?a=b")
        self.assertEqual((answer.status, answer.headers["Location"]), (301, "/cars/1/?a=b"))
        for method, path in (("POST", "/cars"), ("PATCH", "/cars/1"), ("DELETE", "/cars/1")):
            answer = self.ask(method, path, {})
            self.assertEqual((answer.status, answer.headers["Content-Type"]),
                             (500, "text/html; charset=utf-8"))
        self.assertEqual(self.ask("GET", "/cars/1/").status, 200)
        self.assertEqual(self.ask("GET", "/bikes/").headers["Content-Type"],
                         "text/html; charset=utf-8")

    def test_the_service_gives_ids_and_moments(self):
        stored = self.ask("POST", "/cars/", self.new(id=1, created="1970-01-01T00:00:00Z"))
        self.assertEqual((stored.status, stored.json["id"]), (201, 407))
        self.assertRegex(stored.json["created"], f"^{MOMENT}$")
        self.assertNotIn("1970-01-01", stored.json["created"])
        changed = self.ask("PATCH", "/cars/407/", {"id": 9, "year": 1980}).json
        self.assertEqual((changed["id"], changed["year"]), (407, 1980))
        self.assertEqual(changed["created"], stored.json["created"])
        self.assertGreater(changed["modified"], stored.json["modified"])
        self.assertEqual(self.ask("GET", "/cars/407/").json, changed)
        removed = self.ask("DELETE", "/cars/407/")
        self.assertEqual((removed.status, removed.data), (204, b""))

    def test_decimals_are_text_both_ways(self):
        car = self.ask("GET", "/cars/1/").json
        self.assertEqual((car["milesPerGallon"], car["acceleration"], car["year"]),
                         ("18.0", "12.0", 1970))
        for given, shown in (("18.5", "18.5"), (19, "19.0"), (1.25, "1.25"), (None, None)):
            changed = self.ask("PATCH", "/cars/1/", {"milesPerGallon": given})
            self.assertEqual(changed.json["milesPerGallon"], shown)

    def test_field_errors(self):
        for method, path, body, errors in (
            ("POST", "/cars/", self.new(year="soon"), {"year": ["A valid integer is required."]}),
            ("POST", "/cars/", self.new(year=None), {"year": ["This field may not be null."]}),
            ("PATCH", "/cars/1/", {"weight": [], "name": {}},
             {"name": ["Not a valid string."], "weight": ["A valid integer is required."]}),
            ("PATCH", "/cars/1/", {"acceleration": "x"},
             {"acceleration": ["A valid number is required."]}),
            ("POST", "/cars/", [], {"non_field_errors": [
                "Invalid data. Expected a dictionary, but got list."]}),
            ("POST", "/cars/", self.new(name=self.cars[4]["name"]),
             {"name": ["car with this name already exists."]}),
            ("GET", "/cars/?year__gte=soon", None, {"year__gte": ["Enter a number."]}),
        ):
            answer = self.ask(method, path, body)
            self.assertEqual((answer.status, answer.json), (400, errors))
        lacking = self.ask("PUT", "/cars/1/", {"name": "a"})
        self.assertEqual(lacking.json["year"], ["This field is required."])
        answer = self.ask("POST", "/cars/", "{")
        self.assertEqual(answer.status, 400)
        self.assertIn("JSON parse error - ", answer.json["detail"])

    def test_refusals(self):
        for method, path, status, sentence in (
            ("GET", "/cars/999/", 404, "No Car matches the given query."),
            ("PUT", "/cars/999/", 404, "No Car matches the given query."),
            ("DELETE", "/cars/", 405, 'Method "DELETE" not allowed.'),
        ):
            answer = self.ask(method, path)
            self.assertEqual((answer.status, answer.json), (status, {"detail": sentence}))
        self.assertEqual(answer.headers["Allow"], "GET, POST, HEAD, OPTIONS")

    def test_filters(self):
        self.same("year__gte=1982", lambda car: car["year"] >= 1982)
        self.same("year__in=1970,1982&origin=Japan",
                  lambda car: car["year"] in (1970, 1982) and car["origin"] == "Japan")
        self.same("year__range=1970,1971", lambda car: car["year"] <= 1971)
        self.same("name__startswith=ford", lambda car: car["name"].startswith("ford"))
        self.same("name__contains=(sw)", lambda car: "(sw)" in car["name"])
        self.same("name__icontains=(SW)", lambda car: "(sw)" in car["name"])
        self.same("horsepower__isnull=true", lambda car: car["horsepower"] is None)
        self.same("horsepower__lt=60", lambda car: (car["horsepower"] or 99) < 60)
        self.same("milesPerGallon=18.0", lambda car: car["milesPerGallon"] == 18)
        self.same("id__in=3,5&colour=red&year__foo=1", lambda car: car["id"] in (3, 5))
        self.same("search=toyota%20corona",
                  lambda car: "toyota" in car["name"] and "corona" in car["name"])

    def test_order(self):
        found = self.ask("GET", "/cars/?ordering=-year,name,colour").json["results"]
        keys = [(-car["year"], car["name"], car["id"]) for car in found]
        self.assertEqual(keys, sorted(keys))


class Beside(unittest.TestCase):
    def test_credentials(self):
        process, port = launch("--dialect", "envelope", "--bearer", "good", "--reader", "reads")
        try:
            for fields, method, status, sentence in (
                ({}, "GET", 401, "Authentication credentials were not provided."),
                ({"Authorization": "Bearer bad"}, "GET", 401, "Invalid token."),
                ({"Authorization": "Bearer reads"}, "DELETE", 403,
                 "You do not have permission to perform this action."),
            ):
                answer = ask(port, method, "/cars/1/", **fields)
                self.assertEqual((answer.status, answer.json), (status, {"detail": sentence}))
                challenge = "Bearer" if status == 401 else None
                self.assertEqual(answer.headers["WWW-Authenticate"], challenge)
        finally:
            end(process)

    def test_a_service_may_begin_with_the_fields_of_its_data_and_no_model(self):
        process, port = launch("--dialect", "envelope", "--empty")
        try:
            self.assertEqual(ask(port, "GET", "/cars/").json["count"], 0)
            car = json.loads((DATA / "cars.json").read_text("utf-8"))[0]
            stored = ask(port, "POST", "/cars/", car).json
            self.assertEqual((stored["id"], stored["acceleration"]), (1, "12.0"))
            self.assertTrue(re.fullmatch(MOMENT, stored["created"]))
        finally:
            end(process)
