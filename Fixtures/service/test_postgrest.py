"""Checks the dialect of rows that filters address over a real connection."""

import http.client
import json
import tempfile
import unittest
from pathlib import Path
from urllib.parse import quote

from test_service import DATA, PATIENCE, ServiceTestCase, ask, end, launch

ONE = "application/vnd.pgrst.object+json"
BACK = "return=representation"


class Rows(ServiceTestCase):
    arguments = ("--dialect", "postgrest", "--unique", "name")

    def setUp(self):
        super().setUp()
        self.cars = json.loads((DATA / "cars.json").read_text("utf-8"))

    def found(self, query):
        return [each["id"] for each in self.ask("GET", f"/cars?{query}").json]

    def same(self, query, test):
        expected = [car["id"] for car in self.cars if test(car)]
        self.assertTrue(0 < len(expected) < 406, query)
        self.assertEqual(self.found(query), expected, query)

    def failed(self, status, code, method, path, body=None, **headers):
        answer = self.ask(method, path, body, **headers)
        self.assertEqual((answer.status, answer.json["code"]), (status, code), path)
        self.assertEqual(set(answer.json), {"code", "details", "hint", "message"})
        return answer


class Reads(Rows):
    def test_preferences_may_come_in_several_fields(self):
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        self.addCleanup(client.close)
        client.putrequest("GET", "/cars?limit=1")
        client.putheader("Prefer", "return=representation")
        client.putheader("Prefer", "count=exact")
        client.endheaders()
        answer = client.getresponse()
        answer.read()
        self.assertEqual((answer.status, answer.headers["Content-Range"]), (206, "0-0/406"))

    def test_operators(self):
        self.same("year=eq.1970", lambda car: car["year"] == 1970)
        self.same("year=neq.1970", lambda car: car["year"] != 1970)
        self.same("year=gte.1980&origin=eq.Japan",
                  lambda car: car["year"] >= 1980 and car["origin"] == "Japan")
        self.same("weight=gt.4500", lambda car: car["weight"] > 4500)
        self.same("horsepower=lt.60", lambda car: (car["horsepower"] or 99) < 60)
        self.same("year=lte.1971", lambda car: car["year"] <= 1971)
        self.same("name=like.ford*", lambda car: car["name"].startswith("ford"))
        self.same("name=like.%25(sw)", lambda car: car["name"].endswith("(sw)"))
        self.same("name=ilike.*FORD*", lambda car: "ford" in car["name"])
        self.same("horsepower=is.null", lambda car: car["horsepower"] is None)
        self.same("horsepower=not.is.null", lambda car: car["horsepower"] is not None)
        self.same("id=in.(1,3)", lambda car: car["id"] in (1, 3))
        self.same("id=not.in.(1,3)", lambda car: car["id"] not in (1, 3))
        self.assertEqual(self.found("id=in.()"), [])

    def test_null_is_neither_equal_nor_unequal(self):
        power = "horsepower"
        self.same(f"{power}=neq.130", lambda car: car[power] not in (130, None))
        self.same(f"{power}=isdistinct.130", lambda car: car[power] != 130)
        self.same(f"{power}=not.eq.130", lambda car: car[power] not in (130, None))
        self.same(f"{power}=not.in.(130)", lambda car: car[power] not in (130, None))
        self.same(f"not.and=({power}.eq.130)", lambda car: car[power] not in (130, None))
        self.same(f"or=({power}.lt.60,{power}.is.null)", lambda car: (car[power] or 0) < 60)

    def test_logic(self):
        self.same("or=(year.eq.1970,not.and(origin.neq.Japan,year.lt.1982))",
                  lambda car: car["year"] in (1970, 1982) or car["origin"] == "Japan")
        self.same("and=(year.gte.1971,year.lte.1972)&or=(id.in.(30,90),id.eq.91)",
                  lambda car: car["id"] in (30, 90, 91) and car["year"] in (1971, 1972))
        self.same("not.or=(year.lt.1982,origin.eq.USA)",
                  lambda car: car["year"] == 1982 and car["origin"] != "USA")

    def test_quotes_in_lists_and_in_logic(self):
        for place, name in enumerate(['a, "b"', "c)d", "e\\f"]):
            self.ask("POST", "/cars", {"id": 501 + place, "name": name})
        wanted = quote('name=in.("a, \\"b\\"","c)d",nothing)', safe="=")
        self.assertEqual(self.found(wanted), [501, 502])
        self.assertEqual(self.found(quote('or=(name.eq."c)d",name.eq."e\\\\f")', safe="=")),
                         [502, 503])
        self.assertEqual(self.found(quote('name=eq.a, "b"', safe="=")), [501])

    def test_lists_and_keys_within_json(self):
        process, port = launch("--dialect", "postgrest", "--data", str(self.shelves()))
        try:
            for query, ids in (("tags=cs.{red,small}", [1]), ('tags=cs.["red"]', [1, 2]),
                               ("owner->>name=eq.Ada", [1]), ("owner->age=gt.40", [2]),
                               ("select=id,who:owner->>name&id=eq.1", [1])):
                answer = ask(port, "GET", f"/shelves?{quote(query, safe='=&')}").json
                self.assertEqual([each["id"] for each in answer], ids, query)
            self.assertEqual(answer, [{"id": 1, "who": "Ada"}])
        finally:
            end(process)

    def shelves(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        file = Path(folder.name, "shelves.json")
        file.write_text(json.dumps([
            {"id": 1, "tags": ["red", "small"], "owner": {"name": "Ada", "age": 36}},
            {"id": 2, "tags": ["red"], "owner": {"name": "Bob", "age": 50}}]))
        return file

    def test_order(self):
        rows = self.ask("GET", "/cars?order=year.desc.nullslast,name.asc").json
        keys = [(-row["year"], row["name"]) for row in rows]
        self.assertEqual(keys, sorted(keys))
        for order, is_first in (("horsepower", False), ("horsepower.desc", True),
                                ("horsepower.nullsfirst", True),
                                ("horsepower.desc.nullslast", False)):
            rows = self.ask("GET", f"/cars?order={order}").json
            nulls = [row["horsepower"] is None for row in rows]
            self.assertEqual(nulls, sorted(nulls, reverse=is_first), order)

    def test_ranges(self):
        for query, headers, status, ids, span in (
            ("limit=2", {}, 200, [1, 2], "0-1/*"),
            ("limit=2&offset=404", {"Prefer": "count=exact"}, 206, [405, 406], "404-405/406"),
            ("", {"Range": "0-1", "Prefer": "count=exact"}, 206, [1, 2], "0-1/406"),
            ("limit=3", {"Range": "0-1", "Range_Unit": "items"}, 200, [1, 2], "0-1/*"),
            ("id=lt.3", {"Range": "0-24", "Prefer": "count=exact"}, 200, [1, 2], "0-1/2"),
            ("id=lt.0", {"Prefer": "count=exact"}, 200, [], "*/0"),
            ("limit=0", {}, 200, [], "*/*"),
            ("offset=999", {}, 200, [], "*/*"),
            ("offset=406", {"Prefer": "count=exact"}, 206, [], "*/406"),
        ):
            answer = self.ask("GET", f"/cars?{query}", **headers)
            self.assertEqual((answer.status, [row["id"] for row in answer.json]), (status, ids))
            self.assertEqual(answer.headers["Content-Range"], span, query)
        beyond = self.failed(416, "PGRST103", "GET", "/cars?offset=500", Prefer="count=exact")
        self.assertEqual(beyond.headers["Content-Range"], "*/406")
        details = "An offset of 500 was requested, but there are only 406 rows."
        self.assertEqual(beyond.json["details"], details)
        self.failed(416, "PGRST103", "GET", "/cars?limit=-1")
        self.failed(416, "PGRST103", "GET", "/cars", Range="5-1")
        head = self.ask("HEAD", "/cars?year=eq.1970", Prefer="count=exact")
        self.assertEqual((head.data, head.headers["Content-Range"]), (b"", "0-34/35"))

    def test_one_object(self):
        answer = self.ask("GET", "/cars?id=eq.1", Accept=ONE)
        self.assertEqual(answer.json, self.cars[0])
        self.assertEqual(answer.headers["Content-Type"], f"{ONE}; charset=utf-8")
        for query, count in (("id=eq.0", 0), ("id=lt.3", 2)):
            refused = self.failed(406, "PGRST116", "GET", f"/cars?{query}", Accept=ONE)
            self.assertEqual(refused.json["details"], f"The result contains {count} rows")

    def test_refused_queries(self):
        for query, code, message in (
            ("colour=eq.red", "42703", "column cars.colour does not exist"),
            ("order=colour", "42703", "column cars.colour does not exist"),
            ("select=colour", "42703", "column cars.colour does not exist"),
            ("year=eq.soon", "22P02", 'invalid input syntax for type integer: "soon"'),
            ("acceleration=in.(x)", "22P02",
             'invalid input syntax for type double precision: "x"'),
            ("year=1970", "PGRST100", None), ("year=foo.1", "PGRST100", None),
            ("or=(year.eq)", "PGRST100", None), ("year=in.1", "PGRST100", None),
            ("order=year.up", "PGRST100", None), ("year=is.soon", "PGRST100", None),
        ):
            answer = self.failed(400, code, "GET", f"/cars?{query}")
            if message:
                self.assertEqual(answer.json["message"], message)
        answer = self.failed(404, "PGRST205", "GET", "/bikes")
        sentence = "Could not find the table 'public.bikes' in the schema cache"
        self.assertEqual(answer.json["message"], sentence)
        self.failed(404, "PGRST125", "GET", "/cars/1")


class Writes(Rows):
    def test_inserts(self):
        quiet = self.ask("POST", "/cars", {"name": "a"})
        self.assertEqual((quiet.status, quiet.data), (201, b""))
        self.assertEqual(quiet.headers["Content-Range"], "*/*")
        loud = self.ask("POST", "/cars?select=id,name,year", [{"name": "b"}, {"name": "c"}],
                        Prefer=f"{BACK}, count=exact")
        self.assertEqual(loud.json, [{"id": 408, "name": "b", "year": None},
                                     {"id": 409, "name": "c", "year": None}])
        self.assertEqual(loud.headers["Content-Range"], "*/2")
        self.assertEqual(loud.headers["Preference-Applied"], f"{BACK}, count=exact")
        told = self.ask("POST", "/cars", {"name": "d"}, Prefer="return=headers-only")
        self.assertEqual((told.headers["Location"], told.data), ("/cars?id=eq.410", b""))
        one = self.ask("POST", "/cars", {"name": "e"}, Prefer=BACK, Accept=ONE)
        self.assertEqual((one.status, one.json["id"]), (201, 411))
        self.assertEqual(self.ask("POST", "/cars", [], Prefer=BACK).json, [])

    def test_refused_inserts(self):
        taken = self.failed(409, "23505", "POST", "/cars", [{"id": 500}, {"id": 1}])
        self.assertEqual(taken.json["details"], "Key (id)=(1) already exists.")
        self.assertEqual(self.found("id=eq.500"), [])
        taken = self.failed(409, "23505", "POST", "/cars", {"name": "chevrolet chevelle malibu"})
        self.failed(400, "PGRST102", "POST", "/cars", [{"id": 500, "year": 1}, {"id": 501}])
        self.failed(400, "PGRST102", "POST", "/cars", "{")
        self.failed(400, "PGRST204", "POST", "/cars", {"colour": "red"})
        self.failed(400, "22P02", "POST", "/cars", {"year": "soon"})
        self.failed(400, "23502", "POST", "/cars", {"id": None, "year": 1})
        self.failed(406, "PGRST116", "POST", "/cars", [{"id": 500}, {"id": 501}],
                    Prefer=BACK, Accept=ONE)
        self.assertEqual(len(self.found("")), 406)
        loose = self.ask("POST", "/cars?columns=id,year", [{"id": 500, "year": "12"}, {"id": 501}],
                         Prefer=BACK)
        self.assertEqual([row["year"] for row in loose.json], [12, None])

    def test_upserts(self):
        rows = [{"id": 1, "year": 1980}, {"id": 500, "year": 1981}]
        both = self.ask("POST", "/cars", rows, Prefer=f"{BACK},resolution=merge-duplicates")
        self.assertEqual((both.status, [row["id"] for row in both.json]), (201, [1, 500]))
        self.assertEqual((both.json[0]["year"], both.json[0]["weight"]), (1980, 3504))
        self.assertEqual(both.headers["Preference-Applied"],
                         f"resolution=merge-duplicates, {BACK}")
        merged = self.ask("POST", "/cars?on_conflict=id", rows[:1],
                          Prefer="resolution=merge-duplicates")
        self.assertEqual(merged.status, 200)
        ignored = self.ask("POST", "/cars", [{"id": 1, "year": 1}, {"id": 501, "year": 1}],
                           Prefer=f"{BACK},resolution=ignore-duplicates")
        self.assertEqual((ignored.status, [row["id"] for row in ignored.json]), (201, [501]))
        by_name = self.ask("POST", "/cars?on_conflict=name",
                           {"name": "buick skylark 320", "year": 7},
                           Prefer=f"{BACK},resolution=merge-duplicates")
        self.assertEqual([(row["id"], row["year"]) for row in by_name.json], [(2, 7)])

    def test_a_put_of_one_row(self):
        fresh = self.ask("PUT", "/cars?id=eq.500", {"id": 500, "name": "a"}, Prefer=BACK)
        self.assertEqual((fresh.status, fresh.json[0]["year"]), (201, None))
        again = self.ask("PUT", "/cars?id=eq.500", [{"id": 500, "name": "b"}])
        self.assertEqual((again.status, again.data), (204, b""))
        self.failed(400, "PGRST115", "PUT", "/cars?id=eq.500", {"id": 501})
        self.failed(405, "PGRST105", "PUT", "/cars?year=eq.1", {"id": 1})
        self.failed(405, "PGRST105", "PUT", "/cars", {"id": 1})
        self.failed(400, "PGRST114", "PUT", "/cars?id=eq.1&limit=1", {"id": 1})

    def test_a_patch_changes_what_its_filter_selects(self):
        quiet = self.ask("PATCH", "/cars?id=eq.1", {"year": 1})
        self.assertEqual((quiet.status, quiet.data, quiet.headers["Content-Range"]),
                         (204, b"", "0-0/*"))
        loud = self.ask("PATCH", "/cars?id=in.(1,2)", {"year": 2}, Prefer=BACK)
        self.assertEqual([(row["id"], row["year"]) for row in loud.json], [(1, 2), (2, 2)])
        none = self.ask("PATCH", "/cars?id=eq.0", {"year": 2}, Prefer=BACK)
        self.assertEqual((none.status, none.json, none.headers["Content-Range"]), (200, [], "*/*"))
        self.failed(406, "PGRST116", "PATCH", "/cars?id=lt.3", {"year": 3}, Prefer=BACK, Accept=ONE)
        self.assertEqual(self.found("year=eq.3"), [])
        moved = self.ask("PATCH", "/cars?id=eq.1", {"id": 900}, Prefer=BACK)
        self.assertEqual((moved.json[0]["id"], self.found("id=eq.1")), (900, []))
        self.failed(409, "23505", "PATCH", "/cars?id=eq.900", {"id": 2})

    def test_without_a_filter_a_write_meets_the_whole_table(self):
        answer = self.ask("PATCH", "/cars", {"year": 1}, Prefer="count=exact")
        self.assertEqual(answer.headers["Content-Range"], "0-405/406")
        self.assertEqual(len(self.found("year=eq.1")), 406)
        self.assertEqual(self.ask("DELETE", "/cars").status, 204)
        self.assertEqual(self.found(""), [])

    def test_a_removal(self):
        quiet = self.ask("DELETE", "/cars?id=eq.1")
        self.assertEqual((quiet.status, quiet.data), (204, b""))
        loud = self.ask("DELETE", "/cars?id=in.(1,2,3)", Prefer=f"{BACK},count=exact")
        self.assertEqual([row["id"] for row in loud.json], [2, 3])
        self.assertEqual(loud.headers["Content-Range"], "*/2")


class Credentials(unittest.TestCase):
    def test_a_key_and_a_token(self):
        process, port = launch("--dialect", "postgrest", "--bearer", "good", "--reader", "reads")
        try:
            bare = ask(port, "GET", "/cars")
            self.assertEqual((bare.status, bare.json["message"]),
                             (401, "No API key found in request"))
            for token, method, status, code, challenge in (
                (None, "GET", 401, "PGRST302", "Bearer"),
                ("bad", "GET", 401, "PGRST301", 'Bearer error="invalid_token", '
                 'error_description="JWT cryptographic operation failed"'),
                ("expired", "GET", 401, "PGRST303",
                 'Bearer error="invalid_token", error_description="JWT expired"'),
                ("reads", "DELETE", 403, "42501", None),
            ):
                fields = {"Authorization": f"Bearer {token}"} if token else {}
                answer = ask(port, method, "/cars", apikey="key", **fields)
                self.assertEqual((answer.status, answer.json["code"]), (status, code))
                self.assertEqual(answer.headers["WWW-Authenticate"], challenge)
            good = ask(port, "GET", "/cars", apikey="key", Authorization="Bearer good")
            self.assertEqual(good.status, 200)
        finally:
            end(process)
