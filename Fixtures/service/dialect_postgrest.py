"""Rows that a filter addresses, as PostgREST has them, and with it Supabase."""

from datetime import datetime, timezone
from typing import NamedTuple

from answers import Answer, answer
from dialect import Dialect
from postgrest_query import Rows, failure
from query import Refusal

ONE_ROW = "application/vnd.pgrst.object+json"
JSON = "application/json; charset=utf-8"


class Preferences(NamedTuple):
    """What the field Prefer asks for."""

    shown: str
    count: str
    resolution: str
    missing: str
    is_one: bool

    def applied(self, *names):
        """The field that says what was obeyed."""
        asked = {"resolution": self.resolution, "missing": self.missing, "return": self.shown,
                 "count": self.count}
        said = [f"{name}={asked[name]}" for name in names if asked[name]]
        return {"Preference-Applied": ", ".join(said)} if said else {}


def preferences(request):
    terms = request.headers.get("prefer", "").replace(" ", "").split(",")
    asked = dict(term.split("=", 1) for term in terms if "=" in term)
    is_one = ONE_ROW in request.headers.get("accept", "")
    return Preferences(asked.get("return"), asked.get("count"), asked.get("resolution"),
                       asked.get("missing"), is_one)


# What the columns of a stream are said to hold.
TYPES = {"integer": "int8", "decimal": "float8", "text": "text", "boolean": "bool", "json": "jsonb"}


class Postgrest(Dialect):
    has_events = True

    def event(self, collection, kind, model):
        """The payload of Supabase's `postgres_changes`, with the primary key alone of an old row."""
        columns = [{"name": name, "type": TYPES[field.kind]}
                   for name, field in self.schemas[collection.name].items()]
        moment = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
        data = {"schema": "public", "table": collection.name,
                "commit_timestamp": moment.replace("+00:00", "Z"), "type": kind, "columns": columns,
                "record": {} if kind == "DELETE" else model,
                "old_record": {} if kind == "INSERT" else {"id": model["id"]}, "errors": None}
        return "postgres_changes", {"data": data, "ids": [1]}

    def authorize(self, request):
        """Refuses a request without the project's key, and then one whose token is not good."""
        if self.settings.bearer and "apikey" not in request.headers:
            raise failure(401, None, "No API key found in request",
                          hint="No `apikey` request header or url param was found.")
        super().authorize(request)

    def unauthorized(self, request):
        given = request.headers.get("authorization")
        if given is None:
            return failure(401, "PGRST302", "Anonymous access is disabled",
                           **{"WWW-Authenticate": "Bearer"})
        is_old = given == "Bearer expired"
        sentence = "JWT expired" if is_old else "JWT cryptographic operation failed"
        challenge = f'Bearer error="invalid_token", error_description="{sentence}"'
        return failure(401, "PGRST303" if is_old else "PGRST301", sentence,
                       **{"WWW-Authenticate": challenge})

    def forbidden(self, request):
        table = self.parts(request)[0]
        return failure(403, "42501", f"permission denied for table {table}")

    def error(self, refusal):
        code = {400: "PGRST102", 404: "PGRST125", 422: "PGRST122"}.get(refusal.status, "PGRST000")
        return {"code": code, "details": None, "hint": None, "message": refusal.sentence}

    def decorated(self, request, given):
        return given.adding({"Content-Type": given.headers.get("Content-Type", JSON)}
                            if given.body else {"Content-Type": None})

    def carry_out(self, request):
        name, *rest = self.parts(request)
        if not name and request.method == "GET":
            paths = {f"/{name}": {} for name in self.collections}
            return answer(200, {"swagger": "2.0", "paths": paths})
        if rest:
            raise failure(404, "PGRST125", "Invalid path specified in request URL")
        if name not in self.collections:
            sentence = f"Could not find the table 'public.{name}' in the schema cache"
            raise failure(404, "PGRST205", sentence)
        if request.method not in ROUTES:
            raise failure(405, "PGRST117", f"Unsupported HTTP method: {request.method}")
        rows = Rows(self.collections[name], self.schemas[name], request.pairs())
        return ROUTES[request.method](self, request, rows, preferences(request))

    def read(self, request, rows, asked):
        start, end = rows.span(request)
        found = rows.sorted(rows.matching())
        part = found[start:end]
        total = len(found) if asked.count else None
        shown = {**ranged(start, start + len(part) - 1, total), **asked.applied("count")}
        if total is not None and start > total:
            details = f"An offset of {start} was requested, but there are only {total} rows."
            raise failure(416, "PGRST103", "Requested range not satisfiable", details,
                          **ranged(1, 0, total))
        given = represented(200, rows, part, asked, shown)
        is_part = total is not None and len(part) < total
        return given._replace(status=206) if is_part else given

    def insert(self, request, rows, asked):
        given = self.rows_in(request, rows)
        keys = {frozenset(row) for row in given}
        if len(keys) > 1 and not rows.columns:
            raise failure(400, "PGRST102", "All object keys must match")
        unique = rows.on_conflict()
        present = rows.collection.all()
        stored, ids, is_new = [], set(), False
        for row in given:
            held = [each for each in present if each["id"] not in ids
                    and all(row.get(name) == each.get(name) for name in unique)]
            if held and asked.resolution == "ignore-duplicates":
                continue
            if held and asked.resolution == "merge-duplicates":
                stored.append({**held[0], **row, "id": held[0]["id"]})
            else:
                is_new = True
                stored.append({**rows.blank(), **row})
            ids.add(stored[-1].get("id"))
        self.require_unique(rows, stored, asked.resolution)
        is_merge = asked.resolution == "merge-duplicates"
        status = 200 if is_merge and not is_new else 201
        shown = {**ranged(1, 0, len(stored) if asked.count else None),
                 **asked.applied("resolution", "missing", "return", "count")}
        check_one(asked, stored)
        kept = rows.collection.replace(stored)
        if asked.shown == "headers-only" and len(kept) == 1:
            shown["Location"] = f"{request.path}?id=eq.{kept[0]['id']}"
        return self.written(status, rows, kept, asked, shown, empty=status)

    def update(self, request, rows, asked):
        given = self.rows_in(request, rows)
        if len(given) != 1:
            raise failure(400, "PGRST102", "All object keys must match")
        old = rows.matching()
        if "id" in given[0] and len(old) > 1:
            raise duplicate("id", given[0]["id"])
        changed = [{**row, **given[0]} for row in old] if given[0] else []
        gone = [str(row["id"]) for row, new in zip(old, changed) if new["id"] != row["id"]]
        if gone and str(changed[0]["id"]) in rows.collection:
            raise duplicate("id", changed[0]["id"])
        said = [{"id": row["id"], **given[0]} for row in changed]
        self.require_unique(rows, said, "merge-duplicates")
        check_one(asked, changed)
        rows.collection.remove(gone)
        kept = rows.collection.replace(changed)
        shown = {**ranged(0, len(kept) - 1, len(kept) if asked.count else None),
                 **asked.applied("missing", "return", "count")}
        return self.written(200, rows, kept, asked, shown, empty=204)

    def put(self, request, rows, asked):
        text = rows.only_id()
        given = self.rows_in(request, rows)
        if not given or str(given[0].get("id")) != text:
            sentence = "Payload values do not match URL in primary key column(s)"
            raise failure(400, "PGRST115", sentence)
        status = 200 if text in rows.collection else 201
        held = rows.collection.one(text) if status == 200 else rows.blank()
        kept = rows.collection.replace([{**held, **given[0]}])
        return self.written(status, rows, kept, asked, asked.applied("return", "count"), empty=204)

    def remove(self, request, rows, asked):
        found = rows.matching()
        check_one(asked, found)
        gone = rows.collection.remove([str(row["id"]) for row in found])
        shown = {**ranged(1, 0, len(gone) if asked.count else None),
                 **asked.applied("return", "count")}
        return self.written(200, rows, gone, asked, shown, empty=204)

    def written(self, status, rows, kept, asked, shown, empty):
        """What a write answers: its rows where they are asked for, and nothing otherwise."""
        if asked.shown != "representation":
            return Answer(empty, headers=shown)
        return represented(status, rows, rows.sorted(kept) if rows.order else kept, asked, shown)

    def rows_in(self, request, rows):
        """The rows of a body, of columns that there are and values that these take."""
        try:
            value = request.json()
        except Refusal:
            raise failure(400, "PGRST102", "Empty or invalid json") from None
        listed = value if isinstance(value, list) else [value]
        if not all(isinstance(row, dict) for row in listed):
            raise failure(400, "PGRST102", "Empty or invalid json")
        listed = [rows.stored(row) for row in listed]
        if rows.columns:
            listed = [{name: row.get(name) for name in rows.columns if name in row or name != "id"}
                      for row in listed]
        if any(row.get("id", "") is None for row in listed):
            raise failure(400, "23502", f'null value in column "id" of relation '
                                        f'"{rows.collection.name}" violates not-null constraint')
        return listed

    def require_unique(self, rows, stored, resolution):
        ids = [row["id"] for row in stored if "id" in row]
        for place, text in enumerate(ids):
            if text in ids[:place] and resolution == "merge-duplicates":
                raise failure(500, "21000",
                              "ON CONFLICT DO UPDATE command cannot affect row a second time")
            if text in ids[:place]:
                raise duplicate("id", text)
            if str(text) in rows.collection and resolution != "merge-duplicates":
                raise duplicate("id", text)
        for name in self.settings.unique:
            held = {str(each["id"]): each.get(name) for each in rows.collection.all()}
            for row in stored:
                is_new = row.get(name) is not None and held.get(str(row.get("id"))) != row[name]
                if is_new and row[name] in held.values():
                    raise duplicate(name, row[name])


def duplicate(name, value):
    sentence = 'duplicate key value violates unique constraint "pkey"'
    return failure(409, "23505", sentence, f"Key ({name})=({value}) already exists.")


def ranged(first, last, total):
    """The field that says which rows these are, and of how many."""
    span = f"{first}-{last}" if last >= first else "*"
    return {"Content-Range": f"{span}/{'*' if total is None else total}"}


def check_one(asked, rows):
    if asked.is_one and asked.shown == "representation":
        require_one(rows)


def require_one(rows):
    if len(rows) != 1:
        raise failure(406, "PGRST116", "Cannot coerce the result to a single JSON object",
                      f"The result contains {len(rows)} rows")


def represented(status, rows, found, asked, shown):
    """The rows as an array, or the only one as an object."""
    listed = [rows.selected(row) for row in found]
    if not asked.is_one:
        return answer(status, listed, **shown)
    require_one(found)
    return answer(status, listed[0], **{**shown, "Content-Type": f"{ONE_ROW}; charset=utf-8"})


ROUTES = {"GET": Postgrest.read, "POST": Postgrest.insert, "PATCH": Postgrest.update,
          "PUT": Postgrest.put, "DELETE": Postgrest.remove}
