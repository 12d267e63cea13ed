"""Datasette over a table of SQLite, which everybody may read and write by its JSON API."""

import os
import sqlite3

import launching
from datasette.app import Datasette

place = launching.folder()
file = os.path.join(place.name, "main.db")
with sqlite3.connect(file) as connection:
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute(
        "CREATE TABLE cars (id INTEGER PRIMARY KEY, name TEXT, milesPerGallon REAL, cylinders INTEGER,"
        " displacement REAL, horsepower INTEGER, weight INTEGER, acceleration REAL,"
        " year INTEGER CHECK (year >= 1900), origin TEXT)")
connection.close()

writes = ["insert-row", "update-row", "delete-row"]
application = Datasette(
    [file], config={"permissions": {action: True for action in writes}}, settings={"max_returned_rows": 1000})
launching.serve_asynchronously(application.app(), place.cleanup, rows=launching.Table(file))
