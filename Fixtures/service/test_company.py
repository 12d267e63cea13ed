"""Checks the dialect of companies' own services over a real connection."""

import unittest

from test_service import ServiceTestCase


class Company(ServiceTestCase):
    arguments = ("--dialect", "company", "--bearer", "good")

    def said(self, method, path, body=None):
        return self.ask(method, path, body, Authorization="Bearer good")

    def test_lists_are_parts_in_snake_case_of_whatever_is_asked(self):
        first = self.said("GET", "/cars?origin=Japan&limit=500&offset=400").json
        self.assertEqual((len(first["data"]), first["meta"]), (6, {"total": 406}))
        self.assertIn("miles_per_gallon", first["data"][0])
        self.assertEqual(len(self.said("GET", "/cars").json["data"]), 100)
        self.assertEqual(self.ask("GET", "/cars").status, 401)

    def test_models_get_ids_and_sentences_for_their_fields(self):
        made = self.said("POST", "/cars", {"id": 1, "name": "Ada", "miles_per_gallon": 30})
        self.assertEqual(made.status, 201)
        model = made.json["data"]
        self.assertEqual((model["id"], model["miles_per_gallon"]), (407, 30))
        changed = self.said("PATCH", "/cars/407", {"miles_per_gallon": 31}).json["data"]
        self.assertEqual((changed["name"], changed["miles_per_gallon"]), ("Ada", 31))
        refused = self.said("POST", "/cars", {"name": "", "miles_per_gallon": "x"})
        self.assertEqual(refused.status, 422)
        self.assertEqual(refused.json["errors"], {"name": ["can't be blank"],
                                                  "miles_per_gallon": ["is invalid"]})
        self.assertEqual(self.said("DELETE", "/cars/407").status, 204)
        self.assertEqual(self.said("GET", "/cars/407").status, 404)


if __name__ == "__main__":
    unittest.main()
