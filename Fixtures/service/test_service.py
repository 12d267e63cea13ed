"""Checks every route of service.py over a real connection."""

import http.client
import json
import signal
import subprocess
import sys
import unittest
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import quote, urlencode

HERE = Path(__file__).resolve().parent
DATA = HERE.parent
PATIENCE = 60


def launch(*arguments, **streams):
    """Starts the service, and gives its process and port once it listens."""
    command = [sys.executable, str(HERE / "service.py"), "--data", str(DATA / "cars.json")]
    process = subprocess.Popen([*command, *arguments], stdout=subprocess.PIPE, text=True, **streams)
    return process, int(process.stdout.readline().rsplit(":", 1)[1])


def end(process, by=signal.SIGTERM):
    process.send_signal(by)
    process.stdout.close()
    try:
        return process.wait(PATIENCE)
    finally:
        process.kill()


def ask(port, method, path, body=None, **headers):
    """One request on a connection of its own."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        text = body if isinstance(body, (str, type(None))) else json.dumps(body)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, text, named)
        answer = connection.getresponse()
        data = answer.read()
        value = json.loads(data) if data[:1] in (b"[", b"{") else None
        return SimpleNamespace(status=answer.status, headers=answer.headers, data=data, json=value)
    finally:
        connection.close()


class ServiceTestCase(unittest.TestCase):
    arguments = ()

    @classmethod
    def setUpClass(cls):
        cls.process, cls.port = launch(*cls.arguments)

    @classmethod
    def tearDownClass(cls):
        end(cls.process)

    def setUp(self):
        self.ask("POST", "/_control/reset")

    def ask(self, method, path, body=None, **headers):
        return ask(self.port, method, path, body, **headers)

    def ids(self, query):
        return [car["id"] for car in self.ask("GET", f"/cars?{query}").json]

    def refused(self, status, sentence, method, path, body=None, **headers):
        answer = self.ask(method, path, body, **headers)
        self.assertEqual((answer.status, answer.json), (status, {"error": sentence}))
        return answer


class Queries(ServiceTestCase):
    def setUp(self):
        super().setUp()
        self.cars = json.loads((DATA / "cars.json").read_text("utf-8"))

    def same(self, query, test):
        expected = [car["id"] for car in self.cars if test(car)]
        self.assertTrue(expected)
        self.assertEqual(self.ids(query), expected, query)

    def test_all_come_by_id(self):
        answer = self.ask("GET", "/cars")
        self.assertEqual(answer.json, self.cars)
        self.assertEqual(answer.headers["X-Total-Count"], "406")
        self.assertIsNone(answer.headers["Link"])
        self.assertEqual(self.ask("GET", "/").json, {"cars": 406})

    def test_operators(self):
        power = "horsepower"
        self.same("origin=Japan", lambda car: car["origin"] == "Japan")
        self.same("origin=Japan&year=1970", lambda c: (c["origin"], c["year"]) == ("Japan", 1970))
        self.same("year[ne]=1970", lambda car: car["year"] != 1970)
        self.same(f"{power}[ne]=130", lambda car: car[power] != 130)
        self.same(f"{power}[lt]=60", lambda car: car[power] is not None and car[power] < 60)
        self.same("year[lte]=1971", lambda car: car["year"] <= 1971)
        self.same("weight[gt]=4500.5", lambda car: car["weight"] > 4500.5)
        self.same("year%5Bgte%5D=1980", lambda car: car["year"] >= 1980)
        self.same("year[in]=1970,1982", lambda car: car["year"] in (1970, 1982))
        self.same("year[between]=1971,1973", lambda car: 1971 <= car["year"] <= 1973)
        self.same(f"{power}[null]=true", lambda car: car[power] is None)
        self.same(f"{power}[null]=false", lambda car: car[power] is not None)
        self.same("name[prefix]=ford", lambda car: car["name"].startswith("ford"))
        self.same("name[contains]=sw)", lambda car: "sw)" in car["name"])
        self.assertEqual(self.ids("id[in]="), [])

    def test_a_comma_in_a_value_is_quoted(self):
        self.ask("PUT", "/cars/500", {"name": 'a, "b"'})
        self.assertEqual(self.ids(urlencode({"name[in]": '"a, ""b""",none'})), [500])

    def test_order(self):
        rows = self.ask("GET", "/cars?sort=-year,name").json
        keys = [(-car["year"], car["name"], car["id"]) for car in rows]
        self.assertEqual(keys, sorted(keys))
        nulls = [car["horsepower"] is None for car in self.ask("GET", "/cars?sort=horsepower").json]
        self.assertEqual(nulls, [True] * 6 + [False] * 400)

    def test_nested_fields(self):
        self.ask("PUT", "/cars/500", {"owner": {"name": "Ada"}})
        self.assertEqual(self.ids("owner.name=Ada"), [500])

    def follow(self, path, relation):
        seen = []
        while path:
            answer = self.ask("GET", path)
            seen.append([car["id"] for car in answer.json])
            self.assertEqual(answer.headers["X-Total-Count"], "79")
            links = (answer.headers["Link"] or "").split(", ")
            found = [link for link in links if link.endswith(f'rel="{relation}"')]
            path = found[0].split(">")[0].split(str(self.port))[1] if found else None
        return seen

    def test_pages_follow_their_links(self):
        expected = self.ids("origin=Japan&sort=-year")
        base = "/cars?origin=Japan&sort=-year&"
        for start in ("page=1&per_page=20", "limit=20", "after=&limit=20"):
            pages = self.follow(base + start, "next")
            self.assertEqual([len(page) for page in pages], [20, 20, 20, 19], start)
            self.assertEqual(sum(pages, []), expected, start)
        for last in ("page=4&per_page=20", "offset=60&limit=20"):
            pages = self.follow(base + last, "prev")
            self.assertEqual(sum(reversed(pages), []), expected, last)

    def test_a_cursor_outlives_its_model(self):
        self.ask("DELETE", "/cars/10")
        self.assertEqual(self.ids("after=10&limit=2"), [11, 12])
        sentence = "a sorted list cannot go on after 10, which is not there"
        self.refused(400, sentence, "GET", "/cars?after=10&limit=2&sort=year")

    def test_refused_queries(self):
        fields = "acceleration, cylinders, displacement, horsepower, id, milesPerGallon, name, "
        fields += "origin, weight, year"
        operators = "ne, lt, lte, gt, gte, in, between, null, prefix, contains"
        ways = "page by page and per_page, by offset and limit, or by after and limit"
        for query, sentence in {
            "colour=red": f"cars has no field 'colour'; it has {fields}",
            "sort=colour": f"cars has no field 'colour'; it has {fields}",
            "year[like]=1": f"there is no operator 'like'; there are {operators}",
            "year[=1": "'year[' is neither a field nor field[operator]",
            "year=soon": "'soon' does not fit year, which is a number",
            "year[null]=perhaps": "'perhaps' does not fit year[null], which is true or false",
            "year[between]=1": "year[between] takes two values, as in 1,2",
            "year[prefix]=19": "prefix is for text, and year is not text",
            'name[in]="a': "'\"a' is not a list of values between commas",
            "limit=many": "limit is a whole number of at least 0, not 'many'",
            "page=0": "page is a whole number of at least 1, not '0'",
            "page=1&offset=3": ways,
        }.items():
            self.refused(400, sentence, "GET", f"/cars?{quote(query, safe='=&[]')}")


class Writes(ServiceTestCase):
    def test_one_model(self):
        stored = self.ask("POST", "/cars", {"name": "new"})
        self.assertEqual((stored.status, stored.json), (201, {"name": "new", "id": 407}))
        self.assertEqual(stored.headers["Location"], "/cars/407")
        self.assertEqual(self.ask("PUT", "/cars/407", {"year": 1}).json, {"id": 407, "year": 1})
        self.assertEqual(self.ask("PUT", "/cars/9000", {"id": 9000}).status, 201)
        patched = self.ask("PATCH", "/cars/407", {"name": None})
        self.assertEqual(patched.json, {"id": 407, "year": 1, "name": None})
        self.assertEqual(self.ask("GET", "/cars/407").json, patched.json)
        removed = self.ask("DELETE", "/cars/407")
        self.assertEqual((removed.status, removed.json), (200, patched.json))
        for method in ("GET", "DELETE"):
            self.refused(404, "cars has no model with the id 407", method, "/cars/407")
        self.refused(404, "cars has no model with the id 407", "PATCH", "/cars/407", {"year": 1})

    def test_an_array_is_stored_whole_or_not_at_all(self):
        sentence = "cars cannot hold a second model with the id 1"
        self.refused(409, sentence, "POST", "/cars", [{"id": 500}, {"id": 1}])
        self.refused(409, sentence, "POST", "/cars", {"id": 1})
        sentence = "a model's id is a whole number or a text that is not empty"
        self.refused(400, sentence, "PUT", "/cars", [{"id": 500}, {"id": 1.5}])
        self.assertEqual(self.ask("GET", "/cars/500").status, 404)
        answer = self.ask("POST", "/cars", [{"id": 500}, {"name": "a"}, {"name": "b"}])
        self.assertEqual([car["id"] for car in answer.json], [500, 501, 502])

    def test_arrays(self):
        put = self.ask("PUT", "/cars", [{"id": 1, "name": "a"}, {"id": 500, "name": "b"}])
        self.assertEqual((put.status, len(put.json)), (200, 2))
        self.assertEqual(self.ask("GET", "/cars/1").json, {"id": 1, "name": "a"})
        patched = self.ask("PATCH", "/cars", [{"id": 500, "year": 3}, {"id": 999, "year": 3}])
        self.assertEqual(patched.json, [{"id": 500, "name": "b", "year": 3}])
        self.refused(400, "PUT /cars takes an array of objects", "PUT", "/cars", {"id": 1})

    def test_removals(self):
        removed = self.ask("DELETE", "/cars?id[in]=1,2,9999")
        self.assertEqual([car["id"] for car in removed.json], [1, 2])
        removed = self.ask("DELETE", "/cars", [3, "4", {"id": 5}, 1])
        self.assertEqual([car["id"] for car in removed.json], [3, 4, 5])
        self.assertEqual(len(self.ask("GET", "/cars").json), 401)
        sentence = "say what to remove, by a query or by a body with an array of ids"
        self.refused(400, sentence, "DELETE", "/cars")

    def test_ids_may_be_text(self):
        self.ask("DELETE", "/cars?id[gt]=0")
        name = "5E4D9A0C-11C5-4E9B-8B0F-0D5E3B1B2A77"
        self.assertEqual(self.ask("PUT", f"/cars/{name}", {"year": 1}).json["id"], name)
        self.assertEqual(self.ask("GET", f"/cars/{name}").json, {"id": name, "year": 1})
        self.assertEqual(len(self.ask("POST", "/cars", {}).json["id"]), 36)

    def test_refused_bodies(self):
        sentence = "the body is not JSON: Expecting value: line 1 column 7 (char 6)"
        self.refused(400, sentence, "POST", "/cars", '{"id":')
        sentence = "the body is not JSON: NaN is not JSON"
        self.refused(400, sentence, "POST", "/cars", '{"id": NaN}')
        sentence = "the body is neither a JSON object nor an array of objects"
        self.refused(400, sentence, "POST", "/cars", "[7]")
        sentence = "PUT /cars/1 takes one object, of the id 1"
        self.refused(400, sentence, "PUT", "/cars/1", {"id": 2})

    def test_refused_routes(self):
        self.refused(404, "there is nothing at /bikes; there is /cars", "GET", "/bikes")
        answer = self.refused(405, "POST does not go with /cars/1", "POST", "/cars/1", {})
        self.assertEqual(answer.headers["Allow"], "GET, PUT, PATCH, DELETE")
        self.refused(501, "Unsupported method ('TRACE')", "TRACE", "/cars")

    def test_entity_tags(self):
        for path in ("/cars", "/cars/1"):
            tag = self.ask("GET", path).headers["ETag"]
            again = self.ask("GET", path, If_None_Match=f'"x", W/{tag}')
            self.assertEqual((again.status, again.data, again.headers["ETag"]), (304, b"", tag))
        tag = self.ask("PATCH", "/cars/1", {"year": 1}, If_Match=tag).headers["ETag"]
        self.assertEqual(self.ask("GET", "/cars/1").headers["ETag"], tag)
        self.assertEqual(self.ask("GET", "/cars/1", If_None_Match='"other"').status, 200)
        for method, path in (("PUT", "/cars/1"), ("DELETE", "/cars/1"), ("PATCH", "/cars/999")):
            sentence = f"{path} is no longer what If-Match names"
            self.refused(412, sentence, method, path, {"year": 2}, If_Match='"other"')
        self.assertEqual(self.ask("DELETE", "/cars/1", If_Match="*").status, 200)

    def test_idempotency_keys(self):
        first = self.ask("POST", "/cars", {"name": "a"}, Idempotency_Key="k")
        again = self.ask("POST", "/cars", {"name": "a"}, Idempotency_Key="k")
        self.assertEqual((again.status, again.data), (201, first.data))
        self.assertEqual(again.headers["Idempotency-Replayed"], "true")
        sentence = "the idempotency key k was used for another request"
        self.refused(422, sentence, "POST", "/cars", {"name": "b"}, Idempotency_Key="k")
        self.assertEqual(self.ids("id[gt]=406"), [407])


class Dialects(unittest.TestCase):
    def test_idempotency_keys_and_control_are_the_same_in_each(self):
        car = json.loads((DATA / "cars.json").read_text("utf-8"))[0]
        bare = {name: value for name, value in car.items() if name != "id"}
        for dialect, path, body in (("links", "/cars", bare), ("envelope", "/cars/", bare),
                                    ("records", "/cars", {"data": bare}),
                                    ("postgrest", "/cars", bare)):
            process, port = launch("--dialect", dialect)
            try:
                fields = {"Idempotency_Key": "k", "Prefer": "return=representation"}
                first, again = [ask(port, "POST", path, body, **fields) for _ in range(2)]
                self.assertEqual((first.status, first.data), (201, again.data))
                self.assertEqual(again.headers["Idempotency-Replayed"], "true")
                other = ask(port, "POST", path, {}, **fields)
                self.assertEqual(other.status, 422)
                self.assertNotIn("error", other.json if dialect != "records" else {})
                refused = ask(port, "GET", "/_control")
                sentence = "there is no control route GET /_control"
                self.assertEqual((refused.status, refused.json), (404, {"error": sentence}))
            finally:
                end(process)


class CSVTestCase(unittest.TestCase):
    def test_a_file_of_csv_is_a_collection_whose_first_column_is_the_id(self):
        process, port = launch("--data", str(DATA / "airports.csv"))
        try:
            self.assertEqual(ask(port, "GET", "/").json["airports"], 3376)
            airport = ask(port, "GET", "/airports/SFO").json
            self.assertEqual(airport["name"], "San Francisco International")
            self.assertEqual(airport["city"], "San Francisco")
            self.assertEqual(airport["latitude"], 37.61900194)
            self.assertIsNone(ask(port, "GET", "/airports/CLD").json["city"])
            page = ask(port, "GET", "/airports?sort=name&limit=2&offset=3374")
            self.assertEqual(len(page.json), 2)
        finally:
            end(process)


if __name__ == "__main__":
    unittest.main()
