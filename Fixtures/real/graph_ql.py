"""A GraphQL service by Strawberry over SQLite: conditions, an order, pages with a total, writes, and refusals.

It answers at `/graphql`. A refusal is `errors` inside a 200, as GraphQL has them; what is not there is null.
"""

import enum
import os
import sqlite3
from typing import Generic, Optional, TypeVar

import launching
import strawberry
from strawberry.asgi import GraphQL
from strawberry.exceptions import StrawberryGraphQLError

place = launching.folder()
file = os.path.join(place.name, "cars.db")
columns = ["name", "milesPerGallon", "cylinders", "displacement", "horsepower", "weight", "acceleration", "year",
           "origin"]
with sqlite3.connect(file) as first:
    first.execute("PRAGMA journal_mode=WAL")
    first.execute(
        "CREATE TABLE cars (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, milesPerGallon REAL,"
        " cylinders INTEGER NOT NULL, displacement REAL NOT NULL, horsepower INTEGER, weight INTEGER NOT NULL,"
        " acceleration REAL NOT NULL, year INTEGER NOT NULL, origin TEXT NOT NULL)")
first.close()
table = launching.Table(file)


@strawberry.type
class Car:
    id: int
    name: str
    milesPerGallon: Optional[float]
    cylinders: int
    displacement: float
    horsepower: Optional[int]
    weight: int
    acceleration: float
    year: int
    origin: str


@strawberry.type
class CarPage:
    items: list[Car]
    total: int


@strawberry.input
class NewCar:
    name: str
    milesPerGallon: Optional[float] = None
    cylinders: int
    displacement: float
    horsepower: Optional[int] = None
    weight: int
    acceleration: float
    year: int
    origin: str


@strawberry.input
class CarChanges:
    name: Optional[str] = strawberry.UNSET
    milesPerGallon: Optional[float] = strawberry.UNSET
    cylinders: Optional[int] = strawberry.UNSET
    displacement: Optional[float] = strawberry.UNSET
    horsepower: Optional[int] = strawberry.UNSET
    weight: Optional[int] = strawberry.UNSET
    acceleration: Optional[float] = strawberry.UNSET
    year: Optional[int] = strawberry.UNSET
    origin: Optional[str] = strawberry.UNSET


Value = TypeVar("Value")
signs = {"eq": "IS", "ne": "IS NOT", "lt": "<", "lte": "<=", "gt": ">", "gte": ">="}


@strawberry.input
class Comparison(Generic[Value]):
    eq: Optional[Value] = strawberry.UNSET
    ne: Optional[Value] = strawberry.UNSET
    lt: Optional[Value] = strawberry.UNSET
    lte: Optional[Value] = strawberry.UNSET
    gt: Optional[Value] = strawberry.UNSET
    gte: Optional[Value] = strawberry.UNSET
    in_: Optional[list[Value]] = strawberry.field(name="in", default=strawberry.UNSET)


@strawberry.input
class CarWhere:
    id: Optional[Comparison[int]] = strawberry.UNSET
    name: Optional[Comparison[str]] = strawberry.UNSET
    milesPerGallon: Optional[Comparison[float]] = strawberry.UNSET
    cylinders: Optional[Comparison[int]] = strawberry.UNSET
    displacement: Optional[Comparison[float]] = strawberry.UNSET
    horsepower: Optional[Comparison[int]] = strawberry.UNSET
    weight: Optional[Comparison[int]] = strawberry.UNSET
    acceleration: Optional[Comparison[float]] = strawberry.UNSET
    year: Optional[Comparison[int]] = strawberry.UNSET
    origin: Optional[Comparison[str]] = strawberry.UNSET
    and_: Optional[list["CarWhere"]] = strawberry.field(name="and", default=strawberry.UNSET)
    or_: Optional[list["CarWhere"]] = strawberry.field(name="or", default=strawberry.UNSET)
    not_: Optional["CarWhere"] = strawberry.field(name="not", default=strawberry.UNSET)


Column = strawberry.enum(enum.Enum("Column", {name: name for name in ["id", *columns]}))


@strawberry.input
class Order:
    by: Column
    descending: bool = False


def condition(where):
    """The condition as SQL, whose comparisons are never unknown, and its values."""
    parts, values = ["1"], []

    def add(sql, more):
        parts.append(sql)
        values.extend(more)

    for name in ["id", *columns]:
        comparison = getattr(where, name)
        for word, sign in signs.items() if comparison else []:
            value = getattr(comparison, word)
            if value is not strawberry.UNSET:
                add(f'coalesce("{name}" {sign} ?, 0)', [value])
        if comparison and comparison.in_ is not strawberry.UNSET:
            marks = ", ".join("?" * len(comparison.in_))
            add(f'coalesce("{name}" IN ({marks}), 0)', comparison.in_)
    for part in where.and_ or []:
        add(*condition(part))
    if where.or_ is not strawberry.UNSET:
        found = [condition(part) for part in where.or_]
        add(f"({' OR '.join(['0', *(sql for sql, _ in found)])})", [value for _, more in found for value in more])
    if where.not_:
        sql, more = condition(where.not_)
        add(f"NOT {sql}", more)
    return f"({' AND '.join(parts)})", values


def found(connection, sql, values=()):
    names = ["id", *columns]
    rows = connection.execute(f"SELECT {', '.join(names)} FROM cars {sql}", values)
    return [Car(**dict(zip(names, row))) for row in rows]


def one(connection, identifier):
    return next(iter(found(connection, "WHERE id = ?", [identifier])), None)


def check(values):
    if values.get("year", 1900) < 1900:
        raise StrawberryGraphQLError(
            "There were no such cars before 1900.", extensions={"code": "BAD_USER_INPUT", "field": "year"})
    return values


@strawberry.type
class Query:
    @strawberry.field
    def cars(self, where: Optional[CarWhere] = None, order: Optional[list[Order]] = None, limit: int = 100,
             offset: int = 0) -> CarPage:
        """At most 100 cars, and how many there are in all."""
        sql, values = condition(where) if where else ("1", [])
        by = ", ".join([f'"{key.by.value}"{" DESC" if key.descending else ""}' for key in order or []] + ["id"])
        with table.transaction() as connection:
            total = connection.execute(f"SELECT count(*) FROM cars WHERE {sql}", values).fetchone()[0]
            page = [*values, max(0, min(limit, 100)), max(0, offset)]
            return CarPage(
                items=found(connection, f"WHERE {sql} ORDER BY {by} LIMIT ? OFFSET ?", page), total=total)

    @strawberry.field
    def car(self, id: int) -> Optional[Car]:
        with table.transaction() as connection:
            return one(connection, id)


@strawberry.type
class Mutation:
    @strawberry.mutation
    def create_car(self, input: NewCar) -> Car:
        values = check({name: getattr(input, name) for name in columns})
        with table.transaction() as connection:
            marks = ", ".join(f":{name}" for name in columns)
            made = connection.execute(f"INSERT INTO cars ({', '.join(columns)}) VALUES ({marks})", values)
            return one(connection, made.lastrowid)

    @strawberry.mutation
    def update_car(self, id: int, input: CarChanges) -> Optional[Car]:
        given = {name: getattr(input, name) for name in columns}
        values = check({name: value for name, value in given.items() if value is not strawberry.UNSET})
        with table.transaction() as connection:
            for name, value in values.items():
                connection.execute(f'UPDATE cars SET "{name}" = ? WHERE id = ?', [value, id])
            return one(connection, id)

    @strawberry.mutation
    def remove_car(self, id: int) -> Optional[Car]:
        with table.transaction() as connection:
            gone = one(connection, id)
            connection.execute("DELETE FROM cars WHERE id = ?", [id])
            return gone


service = GraphQL(strawberry.Schema(Query, Mutation), graphql_ide=None)
launching.serve_asynchronously(service, place.cleanup, rows=table)
