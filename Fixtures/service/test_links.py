"""Checks the dialect of bare arrays and links over a real connection."""

import unittest

from test_service import ServiceTestCase, ask, end, launch


def links(answer):
    found = [link.split("; rel=") for link in (answer.headers["Link"] or "").split(", ") if link]
    return {rel.strip('"'): target.strip("<>") for target, rel in found}


class Links(ServiceTestCase):
    arguments = ("--dialect", "links")

    def path(self, url):
        return url.split(str(self.port))[1]

    def test_pages_follow_their_links_to_an_empty_end(self):
        first = self.ask("GET", "/cars?origin=Japan&per_page=20")
        self.assertEqual([car["id"] for car in first.json][:2], [21, 25])
        self.assertIsNone(first.headers["X-Total-Count"])
        self.assertEqual(set(links(first)), {"next", "last"})
        seen, answer = list(first.json), first
        while "next" in links(answer):
            answer = self.ask("GET", self.path(links(answer)["next"]))
            seen += answer.json
        self.assertEqual(len(seen), 79)
        self.assertEqual(set(links(answer)), {"prev", "first"})
        self.assertEqual(self.path(links(first)["last"]), "/cars?origin=Japan&per_page=20&page=4")
        beyond = self.ask("GET", "/cars?page=99")
        self.assertEqual((beyond.status, beyond.json), (200, []))
        self.assertEqual(self.path(links(beyond)["prev"]), "/cars?page=14")

    def test_pages_have_a_size(self):
        self.assertEqual(len(self.ask("GET", "/cars").json), 30)
        self.assertEqual(len(self.ask("GET", "/cars?per_page=500").json), 100)
        self.assertEqual(self.ask("GET", "/cars?page=none").json[0]["id"], 1)

    def test_writes_of_one_model(self):
        car = {**self.ask("GET", "/cars/1").json, "id": None, "name": "new"}
        stored = self.ask("POST", "/cars", car)
        self.assertEqual((stored.status, stored.json["id"]), (201, 407))
        self.assertTrue(stored.headers["Location"].endswith("/cars/407"))
        own = self.ask("POST", "/cars", {**car, "id": 900})
        self.assertEqual(own.json["id"], 900)
        patched = self.ask("PATCH", "/cars/900", {"year": 1980})
        self.assertEqual(patched.json, {**own.json, "year": 1980})
        removed = self.ask("DELETE", "/cars/900")
        self.assertEqual((removed.status, removed.data), (204, b""))
        for method, path in (("GET", "/cars/900"), ("DELETE", "/cars/900"), ("PUT", "/cars/1"),
                             ("DELETE", "/cars"), ("PATCH", "/cars"), ("GET", "/bikes")):
            answer = self.ask(method, path, {})
            self.assertEqual((answer.status, answer.json["message"]), (404, "Not Found"), path)

    def test_refusals_name_resource_field_and_code(self):
        car = self.ask("GET", "/cars/1").json
        lacking = {name: value for name, value in car.items() if name not in ("id", "year")}
        for method, path, body, field, code in (
            ("POST", "/cars", car, "id", "already_exists"),
            ("POST", "/cars", lacking, "year", "missing_field"),
            ("POST", "/cars", {**lacking, "year": "soon"}, "year", "invalid"),
            ("PATCH", "/cars/1", {"year": None}, "year", "invalid"),
            ("PATCH", "/cars/1", {"id": 2}, "id", "invalid"),
            ("PATCH", "/cars/1", {"colour": "red"}, "colour", "invalid"),
            ("GET", "/cars?colour=red", None, "colour", "invalid"),
            ("GET", "/cars?limit=3", None, "limit", "invalid"),
            ("GET", "/cars?sort=-colour", None, "colour", "invalid"),
            ("GET", "/cars?year=soon", None, "year", "invalid"),
        ):
            answer = self.ask(method, path, body)
            self.assertEqual((answer.status, answer.json["message"]), (422, "Validation Failed"))
            expected = [{"resource": "Car", "field": field, "code": code}]
            self.assertEqual(answer.json["errors"], expected, path)
        for body, sentence in (("{", "Problems parsing JSON"),
                               ("[]", "Body should be a JSON object")):
            answer = self.ask("POST", "/cars", body)
            self.assertEqual((answer.status, answer.json["message"]), (400, sentence))

    def test_entity_tags_are_weak_for_lists_and_writes_need_none(self):
        for path, start in (("/cars", 'W/"'), ("/cars/1", '"')):
            tag = self.ask("GET", path).headers["ETag"]
            self.assertTrue(tag.startswith(start))
            again = self.ask("GET", path, If_None_Match=tag)
            self.assertEqual((again.status, again.data), (304, b""))
        answer = self.ask("PATCH", "/cars/1", {"year": 1980}, If_Match='"other"')
        self.assertEqual(answer.status, 200)

    def test_a_head_is_what_a_get_would_have(self):
        head, whole = self.ask("HEAD", "/cars"), self.ask("GET", "/cars")
        self.assertEqual((head.status, head.data), (200, b""))
        self.assertEqual(head.headers["Content-Length"], str(len(whole.data)))
        self.assertEqual(head.headers["Link"], whole.headers["Link"])

    def test_idempotency_keys(self):
        body = {**self.ask("GET", "/cars/1").json, "id": None}
        first = self.ask("POST", "/cars", body, Idempotency_Key="k")
        self.assertEqual(self.ask("POST", "/cars", body, Idempotency_Key="k").data, first.data)


class Limits(unittest.TestCase):
    def test_a_window_ends_and_begins_again(self):
        process, port = launch("--dialect", "links", "--rate", "2", "--window", "3600")
        try:
            left = [ask(port, "GET", "/cars/1").headers["X-RateLimit-Remaining"] for _ in range(2)]
            self.assertEqual(left, ["1", "0"])
            refused = ask(port, "DELETE", "/cars/1")
            self.assertEqual((refused.status, refused.headers["X-RateLimit-Limit"]), (429, "2"))
            self.assertTrue(3590 < int(refused.headers["Retry-After"]) <= 3600)
            self.assertIn("rate limit exceeded", refused.json["message"])
            ask(port, "POST", "/_control/reset")
            self.assertEqual(ask(port, "GET", "/cars/1").status, 200)
        finally:
            end(process)

    def test_credentials(self):
        process, port = launch("--dialect", "links", "--bearer", "good", "--reader", "reads")
        try:
            for token, method, status, sentence in (
                (None, "GET", 401, "Requires authentication"),
                ("Bearer bad", "GET", 401, "Bad credentials"),
                ("Bearer reads", "DELETE", 403, "Resource not accessible by personal access token"),
            ):
                fields = {"Authorization": token} if token else {}
                answer = ask(port, method, "/cars/1", **fields)
                self.assertEqual((answer.status, answer.json["message"]), (status, sentence))
            self.assertEqual(ask(port, "GET", "/cars/1", Authorization="Bearer reads").status, 200)
        finally:
            end(process)
