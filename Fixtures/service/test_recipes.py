"""Checks the dialects of Stripe, Airtable, JSON:API, Firebase and Directus over a real connection."""

import json
import unittest
from urllib.parse import quote, urlencode

from test_service import ServiceTestCase, ask, end, launch

FORM = "application/x-www-form-urlencoded"
API = "application/vnd.api+json"


class Stripe(ServiceTestCase):
    arguments = ("--dialect", "stripe")

    def form(self, path, **fields):
        return self.ask("POST", path, urlencode(fields), Content_Type=FORM)

    def refused_as(self, answer, status, code, param):
        error = answer.json["error"]
        found = (answer.status, error.get("code"), error.get("param"))
        self.assertEqual(found, (status, code, param))

    def test_lists_have_ten_of_all_and_go_on_after_a_model(self):
        first = self.ask("GET", "/cars").json
        self.assertEqual([len(first["data"]), first["has_more"], first["object"]],
                         [10, True, "list"])
        self.assertEqual(first["data"][0]["id"], "car_999593")
        seen, page = 0, {"data": [{"id": ""}], "has_more": True}
        while page["has_more"]:
            after = f"&starting_after={page['data'][-1]['id']}" if seen else ""
            page = self.ask("GET", f"/cars?limit=100{after}").json
            seen += len(page["data"])
        self.assertEqual(seen, 406)
        self.refused_as(self.ask("GET", "/cars?limit=101"), 400, None, "limit")
        self.refused_as(self.ask("GET", "/cars?sort=name"), 400, "parameter_unknown", "sort")
        found = self.ask("GET", "/cars?year[gte]=1982&origin=Japan&limit=100").json["data"]
        self.assertEqual({(car["year"], car["origin"]) for car in found}, {(1982, "Japan")})

    def test_forms_alone_are_taken_and_values_have_kinds(self):
        self.assertEqual(self.ask("POST", "/cars", {"name": "new"}).status, 400)
        made = self.form("/cars", name="new", year="1970", milesPerGallon="18.5").json
        self.assertEqual((made["id"], made["year"], made["milesPerGallon"]),
                         ("car_999592", 1970, 18.5))
        changed = self.form("/cars/car_999592", milesPerGallon="").json
        self.assertIsNone(changed["milesPerGallon"])
        self.refused_as(self.form("/cars", year="1970"), 400, "parameter_missing", "name")
        self.refused_as(self.form("/cars/car_999592", id="x"), 400, "parameter_unknown", "id")
        self.refused_as(self.form("/cars/car_999592", year="x"), 400, "parameter_invalid", "year")
        removed = self.ask("DELETE", "/cars/car_999592").json
        self.assertEqual(removed, {"id": "car_999592", "object": "car", "deleted": True})
        self.refused_as(self.ask("GET", "/cars/car_999592"), 404, "resource_missing", "id")


class Airtable(ServiceTestCase):
    arguments = ("--dialect", "airtable")

    def test_lists_go_on_by_a_token(self):
        seen, offset = [], ""
        while offset is not None:
            page = self.ask("GET", f"/cars?offset={quote(offset)}" if offset else "/cars").json
            seen += page["records"]
            offset = page.get("offset")
        self.assertEqual(len(seen), 406)
        self.assertNotIn("horsepower", seen[38]["fields"])
        part = self.ask("GET", "/cars?maxRecords=3&pageSize=2").json
        self.assertEqual((len(part["records"]), "offset" in part), (2, True))
        self.assertEqual(self.ask("GET", "/cars?offset=x").json["error"]["type"],
                         "INVALID_OFFSET_VALUE")

    def test_formulas_and_orders(self):
        def names(formula, more=""):
            path = f"/cars?filterByFormula={quote(formula)}{more}"
            return [each["fields"]["name"] for each in self.ask("GET", path).json["records"]]
        self.assertEqual(names("AND({year}&''!='',{year}>=1982,EXACT({origin},'Japan'))")[0],
                         "toyota starlet")
        self.assertEqual(len(names("{horsepower}&''=''")), 6)
        self.assertEqual(len(names("NOT(OR(FIND('ford',{name}&'')=1,{year}>1970))")), 29)
        more = "&sort[0][field]=name&sort[0][direction]=desc"
        self.assertEqual(names("{year}=1970", more)[0], "volkswagen 1131 deluxe sedan")
        self.assertEqual(self.ask("GET", "/cars?filterByFormula=%7Bid%7D=1").status, 422)

    def test_ten_records_are_written_at_once(self):
        many = {"records": [{"fields": {"name": f"car {at}"}} for at in range(11)]}
        self.assertEqual(self.ask("POST", "/cars", many).status, 422)
        made = self.ask("POST", "/cars", {"records": many["records"][:10]}).json["records"]
        self.assertEqual(made[9]["id"], "rec00000000000416")
        one = self.ask("PATCH", f"/cars/{made[0]['id']}", {"fields": {"year": 1980}}).json
        self.assertEqual(one["fields"], {"name": "car 0", "year": 1980})
        for body, kind in (({"fields": {"colour": 1}}, "UNKNOWN_FIELD_NAME"),
                           ({"fields": {"year": "x"}}, "INVALID_VALUE_FOR_COLUMN"),
                           ({"id": "rec1", "fields": {}}, "INVALID_REQUEST_UNKNOWN")):
            answer = self.ask("PATCH", f"/cars/{made[0]['id']}", body)
            self.assertEqual((answer.status, answer.json["error"]["type"]), (422, kind))
        absent = self.ask("PATCH", "/cars", {"records": [{"id": "rec9", "fields": {}}]})
        self.assertEqual(absent.json["error"]["type"], "ROW_DOES_NOT_EXIST")
        both = f"/cars?records[]={made[0]['id']}&records[]={made[1]['id']}"
        self.assertEqual(len(self.ask("DELETE", both).json["records"]), 2)
        self.assertEqual(self.ask("GET", f"/cars/{made[0]['id']}").json, {"error": "NOT_FOUND"})


class JSONAPI(ServiceTestCase):
    arguments = ("--dialect", "jsonapi")

    def send(self, method, path, data, kind=API):
        return self.ask(method, path, {"data": data}, Content_Type=kind)

    def test_pages_have_links(self):
        seen, path = [], "/cars?page[size]=100"
        while path:
            answer = self.ask("GET", path)
            seen += answer.json["data"]
            following = answer.json["links"].get("next")
            path = following and following.split(str(self.port))[1]
        self.assertEqual((len(seen), answer.headers["Content-Type"]), (406, API))
        found = self.ask("GET", "/cars?filter[year][gte]=1982&filter[origin]=Japan&sort=-name").json
        self.assertEqual(found["data"][0]["attributes"]["name"], "toyota tercel")
        wrong = self.ask("GET", "/cars?limit=3").json["errors"][0]
        self.assertEqual((wrong["status"], wrong["source"]), ("400", {"parameter": "limit"}))

    def test_writes_need_a_type_and_a_media_type(self):
        attributes = {"name": "new", "year": 1980}
        data = {"type": "cars", "id": "mine", "attributes": attributes}
        self.assertEqual(self.send("POST", "/cars", data, "application/json").status, 415)
        made = self.send("POST", "/cars", data)
        self.assertEqual((made.status, made.json["data"]["id"]), (201, "mine"))
        self.assertEqual(self.send("POST", "/cars", data).status, 409)
        self.assertEqual(self.send("POST", "/cars", {"attributes": attributes}).status, 409)
        self.assertEqual(self.send("PATCH", "/cars/mine", {"type": "cars"}).status, 409)
        data["attributes"] = {"year": "soon"}
        wrong = self.send("PATCH", "/cars/mine", data)
        self.assertEqual((wrong.status, wrong.json["errors"][0]["source"]),
                         (422, {"pointer": "/data/attributes/year"}))
        self.assertEqual(self.ask("DELETE", "/cars/mine").status, 204)
        self.assertEqual(self.ask("GET", "/cars/mine").status, 404)


class Firebase(ServiceTestCase):
    arguments = ("--dialect", "firebase")

    def test_lists_are_objects_arrays_or_null(self):
        whole = self.ask("GET", "/cars.json").json
        self.assertEqual((len(whole), whole[0], whole[1]["year"]), (407, None, 1970))
        found = self.ask("GET", '/cars.json?orderBy="year"&startAt=1982&limitToFirst=2').json
        self.assertEqual(set(found), {"346", "347"})
        self.assertNotIn("id", found["346"])
        key = self.ask("GET", '/cars.json?orderBy="$key"&equalTo="3"').json
        self.assertEqual(set(key), {"3"})
        self.assertEqual(self.ask("GET", '/cars.json?orderBy="year"&startAt=2000').data, b"null")
        self.assertEqual(len(self.ask("GET", '/cars.json?orderBy="horsepower"&equalTo=null').json), 6)
        for query in ("limitToFirst=3", "orderBy=year", 'orderBy="colour"'):
            self.assertEqual(self.ask("GET", f"/cars.json?{query}").status, 400)

    def test_writes(self):
        given = {"name": "new", "year": 1980, "horsepower": None}
        self.assertEqual(self.ask("PUT", "/cars/407.json", given).json, given)
        self.assertEqual(self.ask("GET", "/cars/407.json").json, {"name": "new", "year": 1980})
        self.assertEqual(self.ask("PATCH", "/cars/407.json", {"year": 1981}).json, {"year": 1981})
        self.assertEqual(self.ask("POST", "/cars.json", given).json, {"name": f"-N{1:018}"})
        self.assertEqual(self.ask("DELETE", "/cars/407.json").data, b"null")
        self.assertEqual(self.ask("GET", "/cars/407.json").data, b"null")
        self.assertEqual(self.ask("GET", "/cars/407").status, 404)

    def test_conditions(self):
        tag = self.ask("GET", "/cars/1.json", X_Firebase_ETag="true").headers["ETag"]
        none = self.ask("GET", "/cars/999.json", X_Firebase_ETag="true").headers["ETag"]
        self.assertEqual(none, "null_etag")
        refused = self.ask("PUT", "/cars/1.json", {"year": 1}, if_match="null_etag")
        self.assertEqual((refused.status, refused.headers["ETag"], refused.json["year"]),
                         (412, tag, 1970))
        self.assertEqual(self.ask("DELETE", "/cars/1.json", if_match=tag).status, 200)


class Directus(ServiceTestCase):
    arguments = ("--dialect", "directus")

    def found(self, query):
        return [car["id"] for car in self.ask("GET", f"/cars?{query}").json["data"]]

    def test_lists_have_a_hundred_and_say_how_many_there_are(self):
        answer = self.ask("GET", "/cars?meta=filter_count").json
        self.assertEqual((len(answer["data"]), answer["meta"]), (100, {"filter_count": 406}))
        self.assertEqual(self.found("limit=100&offset=400"), [401, 402, 403, 404, 405, 406])
        self.assertEqual(len(self.found("limit=-1")), 406)

    def test_filters_nest(self):
        japan = self.found("filter[year][_gte]=1982&filter[origin][_eq]=Japan")
        rule = {"_and": [{"year": {"_gte": 1982}}, {"origin": {"_eq": "Japan"}}]}
        self.assertEqual(self.found(f"filter={quote(json.dumps(rule))}"), japan)
        either = "filter[_or][0][id][_in]=3,5&filter[_or][1][id][_eq]=9"
        self.assertEqual(self.found(either), [3, 5, 9])
        self.assertEqual(len(self.found("filter[horsepower][_null]=true")), 6)
        self.assertEqual(len(self.found("filter[horsepower][_neq]=0&limit=-1")), 400)
        self.assertEqual(self.found("sort=-year,name&limit=1"), [383])
        self.assertEqual(self.ask("GET", "/cars?filter[colour][_eq]=1").status, 403)

    def test_writes_and_refusals(self):
        made = self.ask("POST", "/cars", [{"id": 900, "name": "a"}, {"name": "b"}]).json["data"]
        self.assertEqual([car["id"] for car in made], [900, 901])
        again = self.ask("POST", "/cars", {"id": 900, "name": "a"})
        self.assertEqual((again.status, again.json["errors"][0]["extensions"]["code"]),
                         (400, "RECORD_NOT_UNIQUE"))
        wrong = self.ask("PATCH", "/cars/900", {"year": "soon"}).json["errors"][0]
        self.assertEqual((wrong["extensions"]["code"], wrong["extensions"]["field"]),
                         ("FAILED_VALIDATION", "year"))
        self.assertEqual(self.ask("PATCH", "/cars", [{"id": 900, "year": 1980}]).status, 200)
        self.assertEqual(self.ask("DELETE", "/cars", [900, 902]).status, 403)
        self.assertEqual(self.ask("DELETE", "/cars", [900, 901]).status, 204)
        self.assertEqual(self.ask("GET", "/cars/900").status, 403)


class Credentials(unittest.TestCase):
    def test_each_dialect_asks_for_one(self):
        for dialect, path, good in (("stripe", "/cars", 200), ("airtable", "/cars", 200),
                                    ("jsonapi", "/cars", 200), ("directus", "/cars", 200)):
            process, port = launch("--dialect", dialect, "--bearer", "good")
            try:
                self.assertEqual(ask(port, "GET", path).status, 401, dialect)
                self.assertEqual(ask(port, "GET", path, Authorization="Bearer good").status, good)
            finally:
                end(process)

    def test_firebase_takes_it_in_the_query_alone(self):
        process, port = launch("--dialect", "firebase", "--bearer", "good")
        try:
            refused = ask(port, "GET", "/cars.json", Authorization="Bearer good")
            self.assertEqual((refused.status, refused.json), (401, {"error": "Permission denied"}))
            self.assertEqual(ask(port, "GET", "/cars.json?auth=good").status, 200)
        finally:
            end(process)
