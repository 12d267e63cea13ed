"""Eve as its quick start has it, on mongomock in place of MongoDB, with a schema and with writes."""

import eve.io.mongo.flask_pymongo
import launching
import mongomock


def client(**options):
    """MongoDB in memory, which knows fewer options."""
    return mongomock.MongoClient(tz_aware=options.get("tz_aware", False))


eve.io.mongo.flask_pymongo.MongoClient = client

from bson import ObjectId  # noqa: E402
from eve import Eve  # noqa: E402

number, whole = {"type": "float", "nullable": True}, {"type": "integer", "nullable": True}
schema = {
    "name": {"type": "string"}, "milesPerGallon": number, "cylinders": whole, "displacement": number,
    "horsepower": whole, "weight": whole, "acceleration": number, "year": whole | {"min": 1900},
    "origin": {"type": "string"},
}
app = Eve(settings={
    "MONGO_DBNAME": "cars",
    "DOMAIN": {"cars": {"schema": schema}},
    "RESOURCE_METHODS": ["GET", "POST", "DELETE"],
    "ITEM_METHODS": ["GET", "PATCH", "PUT", "DELETE"],
})


class Documents:
    """The documents, for `launching.serve`; a new one gets an id that is later than all others."""

    def cars(self):
        return app.data.driver.db["cars"]

    def all(self):
        with app.app_context():
            return [
                {key: value for key, value in row.items() if key in schema} | {"_id": str(row["_id"])}
                for row in self.cars().find().sort("_id")]

    def replace(self, rows):
        with app.app_context():
            self.cars().delete_many({})
        self.insert(rows)

    def add(self, row):
        self.insert([row])

    def insert(self, rows):
        from eve.methods.post import post_internal

        with app.test_request_context("/cars"):
            for row in rows:
                document = {key: row.get(key) for key in schema} | ({"_id": row["_id"]} if "_id" in row else {})
                answer = post_internal("cars", document)
                if answer[3] != 201:
                    raise ValueError(answer[0])

    def remove(self, identifier):
        with app.app_context():
            self.cars().delete_one({"_id": ObjectId(identifier)})


launching.serve(app, rows=Documents())
