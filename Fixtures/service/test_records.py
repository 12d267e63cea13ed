"""Checks the dialect of records and timestamps over a real connection."""

import json
import unittest
from email.utils import parsedate_to_datetime

from test_service import DATA, ServiceTestCase, ask, end, launch


class Records(ServiceTestCase):
    arguments = ("--dialect", "records")

    def setUp(self):
        super().setUp()
        self.cars = json.loads((DATA / "cars.json").read_text("utf-8"))

    def found(self, query):
        return [int(each["id"]) for each in self.ask("GET", f"/cars?{query}").json["data"]]

    def same(self, query, test):
        expected = [car["id"] for car in self.cars if test(car)]
        self.assertTrue(0 < len(expected) < 406)
        self.assertEqual(self.found(f"_sort=last_modified&{query}"), expected, query)

    def test_ids_are_text_and_lists_begin_with_the_latest(self):
        answer = self.ask("GET", "/cars")
        data = answer.json["data"]
        self.assertEqual([data[0]["id"], data[-1]["id"]], ["406", "1"])
        self.assertEqual(answer.headers["Total-Objects"], "406")
        self.assertEqual(answer.headers["Total-Records"], "406")
        self.assertEqual(answer.headers["ETag"], f'"{data[0]["last_modified"]}"')
        self.assertEqual(answer.headers["Cache-Control"], "no-cache, no-store")
        stamps = [each["last_modified"] for each in data]
        self.assertEqual(stamps, sorted(set(stamps), reverse=True))
        parsedate_to_datetime(answer.headers["Last-Modified"])

    def test_pages_are_led_to_by_a_header(self):
        path, seen = "/cars?_limit=30&origin=Japan&_sort=-year,name", []
        while path:
            answer = self.ask("GET", path)
            self.assertEqual(answer.headers["Total-Objects"], "79")
            seen += answer.json["data"]
            following = answer.headers["Next-Page"]
            path = following and following.split(str(self.port))[1]
        keys = [(-each["year"], each["name"]) for each in seen]
        self.assertEqual((len(seen), keys), (79, sorted(keys)))
        bad = self.ask("GET", "/cars?_token=x")
        self.assertEqual((bad.status, bad.json["errno"]), (400, 107))

    def test_a_page_goes_on_behind_a_record_that_is_gone(self):
        first = self.ask("GET", "/cars?_limit=2&_sort=last_modified")
        self.ask("DELETE", "/cars/2")
        rest = self.ask("GET", first.headers["Next-Page"].split(str(self.port))[1])
        self.assertEqual([each["id"] for each in rest.json["data"]], ["3", "4"])

    def test_put_creates_and_replaces(self):
        stored = self.ask("PUT", "/cars/new-1", {"data": {"year": 1}})
        self.assertEqual(stored.status, 201)
        moment = stored.json["data"]["last_modified"]
        self.assertEqual(stored.json["data"], {"id": "new-1", "year": 1, "last_modified": moment})
        self.assertEqual(stored.headers["ETag"], f'"{moment}"')
        again = self.ask("PUT", "/cars/new-1", {"data": {"id": "new-1", "name": "a"}})
        self.assertEqual((again.status, set(again.json["data"])),
                         (200, {"id", "name", "last_modified"}))
        self.assertGreater(again.json["data"]["last_modified"], moment)
        taken = self.ask("PUT", "/cars/new-1", {"data": {}}, If_None_Match="*")
        self.assertEqual((taken.status, taken.json["errno"]), (412, 114))
        self.assertEqual(taken.json["details"], {"existing": again.json["data"]})
        self.assertEqual(self.ask("DELETE", "/cars/new-1").status, 200)
        anew = self.ask("PUT", "/cars/new-1", {"data": {}}, If_None_Match="*")
        self.assertEqual(anew.status, 201)

    def test_a_later_timestamp_of_a_client_is_kept(self):
        kept = self.ask("PUT", "/cars/1", {"data": {"last_modified": 9_000_000_000_000}})
        self.assertEqual(kept.headers["ETag"], '"9000000000000"')
        earlier = self.ask("PUT", "/cars/1", {"data": {"last_modified": 5}})
        self.assertEqual(earlier.headers["ETag"], '"9000000000001"')

    def test_post_patch_and_delete(self):
        stored = self.ask("POST", "/cars", {"data": {"year": 1}})
        text = stored.json["data"]["id"]
        self.assertEqual((stored.status, len(text)), (201, 36))
        same = self.ask("POST", "/cars", {"data": {"id": text, "year": 2}})
        self.assertEqual((same.status, same.json), (200, stored.json))
        patched = self.ask("PATCH", f"/cars/{text}", {"data": {"name": "a"}})
        self.assertEqual((patched.json["data"]["year"], patched.json["data"]["name"]), (1, "a"))
        unchanged = self.ask("PATCH", f"/cars/{text}", {"data": {"name": "a"}})
        self.assertEqual(unchanged.json, patched.json)
        removed = self.ask("DELETE", f"/cars/{text}")
        stone = removed.json["data"]
        self.assertEqual((stone["id"], stone["deleted"]), (text, True))
        missing = self.ask("GET", f"/cars/{text}")
        self.assertEqual((missing.status, missing.json["errno"]), (404, 110))
        self.assertEqual(missing.json["details"], {"id": text, "resource_name": "record"})
        many = self.ask("DELETE", "/cars?origin=Japan")
        self.assertEqual(len(many.json["data"]), 79)

    def test_conditions_on_timestamps(self):
        tag = self.ask("GET", "/cars/1").headers["ETag"]
        self.assertEqual(self.ask("GET", "/cars/1", If_None_Match=tag).status, 304)
        whole = self.ask("GET", "/cars").headers["ETag"]
        self.assertEqual(self.ask("GET", "/cars", If_None_Match=whole).status, 304)
        changed = self.ask("PATCH", "/cars/1", {"data": {"year": 1}}, If_Match=tag)
        self.assertEqual(changed.status, 200)
        self.assertEqual(self.ask("GET", "/cars", If_None_Match=whole).status, 200)
        for method in ("PUT", "PATCH", "DELETE"):
            answer = self.ask(method, "/cars/1", {"data": {"year": 2}}, If_Match=tag)
            self.assertEqual((answer.status, answer.json["error"]), (412, "Precondition Failed"))
            self.assertEqual(answer.json["details"]["existing"], changed.json["data"])
            self.assertEqual(answer.headers["ETag"], changed.headers["ETag"])
        bad = self.ask("GET", "/cars", If_None_Match='"text"')
        self.assertEqual((bad.status, bad.json["errno"]), (400, 107))

    def test_changes_since_a_timestamp(self):
        mark = self.ask("GET", "/cars").headers["ETag"].strip('"')
        self.assertEqual(self.ask("GET", f"/cars?_since={mark}").json, {"data": []})
        self.ask("PATCH", "/cars/7", {"data": {"year": 1}})
        stone = self.ask("DELETE", "/cars/9").json["data"]
        answer = self.ask("GET", f'/cars?_since="{mark}"&_sort=last_modified')
        self.assertEqual([each["id"] for each in answer.json["data"]], ["7", "9"])
        self.assertEqual(answer.json["data"][1], stone)
        self.assertEqual(answer.headers["ETag"], f'"{stone["last_modified"]}"')
        self.assertEqual(answer.headers["Total-Objects"], "1")
        before = self.ask("GET", f"/cars?_before={stone['last_modified']}&_since={mark}")
        self.assertEqual([each["id"] for each in before.json["data"]], ["7"])
        self.assertEqual(self.ask("GET", "/cars?_since=soon").status, 400)

    def test_filters(self):
        self.same("min_year=1982", lambda car: car["year"] >= 1982)
        self.same("max_year=1970", lambda car: car["year"] <= 1970)
        self.same("gt_weight=4500.5", lambda car: car["weight"] > 4500.5)
        self.same("lt_horsepower=60", lambda car: (car["horsepower"] or 0) < 60)
        self.same("lt_horsepower=60&not_horsepower=null",
                  lambda car: (car["horsepower"] or 99) < 60)
        self.same("in_year=1970,1982", lambda car: car["year"] in (1970, 1982))
        self.same("exclude_year=1970,1982", lambda car: car["year"] not in (1970, 1982))
        self.same("not_origin=USA", lambda car: car["origin"] != "USA")
        self.same("like_name=Ford", lambda car: "ford" in car["name"])
        self.same("like_name=ford*", lambda car: car["name"].startswith("ford"))
        self.same("horsepower=null", lambda car: car["horsepower"] is None)
        self.same("in_id=1,2", lambda car: car["id"] in (1, 2))
        self.same("id=3", lambda car: car["id"] == 3)
        self.same("in_name=%22amc%20gremlin%22,%22a%5Cu002cb%22",
                  lambda car: car["name"] == "amc gremlin")
        self.assertEqual(len(self.found("has_year=true")), 406)
        self.assertEqual(self.found("has_colour=true"), [])
        self.assertEqual(self.found("colour=red"), [])

    def test_an_item_that_is_named_twice_counts_for_neither(self):
        for query, count in (
            ("year=1970&year=1970", 0), ("min_year=1970&min_year=1971", 0),
            ("max_year=1970&max_year=1971", 406), ("not_id=1&not_id=2", 406),
            ("in_year=1970&in_year=1971", 0), ("exclude_year=1970&exclude_year=1971", 406),
            ("min_year=1970&gt_year=1981", 31 + 30),
        ):
            self.assertEqual(len(self.found(query)), count, query)

    def test_null_is_before_all_values_and_a_missing_field_behind(self):
        for text, data in (("n", {"size": None}), ("m", {}), ("one", {"size": 1}),
                           ("two", {"size": 2}), ("word", {"size": "x"})):
            self.ask("PUT", f"/cars/{text}", {"data": data})

        def ids(query):
            answer = self.ask("GET", f"/cars?in_id=n,m,one,two,word&{query}")
            return [each["id"] for each in answer.json["data"]]
        self.assertEqual(ids("_sort=size"), ["n", "word", "one", "two", "m"])
        self.assertEqual(ids("_sort=-size"), ["m", "two", "one", "word", "n"])
        self.assertEqual(ids("_sort=size&min_size=2"), ["two", "m"])
        self.assertEqual(ids("_sort=size&lt_size=2"), ["n", "word", "one"])
        self.assertEqual(ids("_sort=size&not_size=1"), ["n", "word", "two", "m"])
        self.assertEqual(ids("_sort=size&size=null"), ["n"])
        self.assertEqual(ids("_sort=size&min_size=2&not_size=null&has_size=true"), ["two"])

    def test_refused_bodies_and_paths(self):
        for method, path, body, status, errno in (
            ("PUT", "/cars/1", {"year": 1}, 400, 107),
            ("PUT", "/cars/1", "{", 400, 106),
            ("PUT", "/cars/1", {"data": {"id": "2"}}, 400, 107),
            ("PUT", "/cars/a%2Fb", {"data": {}}, 400, 107),
            ("GET", "/bikes", None, 404, 111),
            ("PUT", "/cars", None, 405, 115),
        ):
            answer = self.ask(method, path, body)
            self.assertEqual((answer.status, answer.json["code"]), (status, status))
            self.assertEqual(answer.json["errno"], errno, path)
            self.assertEqual(answer.headers["Cache-Control"], "no-cache, no-store")

    def test_a_batch_answers_each_of_its_requests(self):
        answer = self.ask("POST", "/batch", {
            "defaults": {"method": "PUT", "headers": {"If-None-Match": "*"}},
            "requests": [
                {"path": "/cars/new", "body": {"data": {"year": 1}}},
                {"path": "/cars/1", "body": {"data": {"year": 1}}},
                {"method": "GET", "path": "/cars?in_id=new,2", "headers": {}},
                {"method": "DELETE", "path": "/cars/999", "headers": {}},
            ]})
        found = answer.json["responses"]
        self.assertEqual([each["status"] for each in found], [201, 412, 200, 404])
        self.assertEqual(found[0]["body"]["data"]["id"], "new")
        self.assertEqual(found[1]["body"]["details"]["existing"]["id"], "1")
        self.assertEqual(len(found[2]["body"]["data"]), 2)
        self.assertEqual((found[2]["path"], found[2]["headers"]["Total-Objects"]), ("/cars", "2"))
        many = [{"path": f"/cars/{number}"} for number in range(26)]
        for body, sentence in (
            ({"requests": many}, "requests in body: Number of requests is limited to 25"),
            ({}, "requests in body: Required"),
            ({"requests": [{"path": "/batch"}]},
             "requests in body: '/batch' is no path of a request"),
        ):
            refused = self.ask("POST", "/batch", body)
            self.assertEqual((refused.status, refused.json["message"]), (400, sentence))


    def test_a_transaction_is_carried_out_all_or_none(self):
        new = {"method": "PUT", "path": "/cars/new", "body": {"data": {"year": 1}}}
        taken = {"method": "PUT", "path": "/cars/1", "headers": {"If-None-Match": "*"},
                 "body": {"data": {"year": 1}}}
        refused = self.ask("POST", "/transaction", {"requests": [new, taken]})
        self.assertEqual([each["status"] for each in refused.json["responses"]], [424, 412])
        self.assertEqual(self.ask("GET", "/cars/new").status, 404)
        done = self.ask("POST", "/transaction", {"requests": [new]})
        self.assertEqual([each["status"] for each in done.json["responses"]], [201])
        self.assertEqual(self.ask("GET", "/cars/new").status, 200)


class Beside(unittest.TestCase):
    def test_credentials(self):
        process, port = launch("--dialect", "records", "--bearer", "good", "--reader", "reads")
        try:
            answer = ask(port, "GET", "/cars")
            self.assertEqual((answer.status, answer.json["errno"]), (401, 104))
            self.assertEqual(answer.headers["WWW-Authenticate"], 'Basic realm="Realm"')
            answer = ask(port, "DELETE", "/cars/1", Authorization="Bearer reads")
            self.assertEqual((answer.status, answer.json["errno"]), (403, 121))
        finally:
            end(process)
