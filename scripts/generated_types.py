"""The source of a model type that a seed and a number decide, with what a trial has to know of it."""

import random
from typing import NamedTuple

NAMES = ("Order", "Group", "Select", "Index", "Table", "Values", "Größe", "Item", "Trigger", "Note")
# Keys that are words of SQL, names of SQLite's own, signs of its grammar, or whatever a service invents.
ODD_KEYS = (
    "select", "from", "order", "group", "rowid", "_rowid_", "oid", "key", "true", "null", "value", "table", "default",
    "current_time", "rank", "count", "body", 'a"b', "a'b", "a`b", "[a]", "a.b", ".a", "a.", "a..b", "é", "ü e\\u{301}",
    "ß", "?1", ":a", "@a", "$a", "--", "/*", ";", " ", "a b", "%s", "x'00'", "0", "-1", "1e5", "\\n", "\\\\", "🚗",
    "sqlite_x", "evocation_x", "_id2", "trackId", "created_at", "data", "json", "self", "Type", "id.b", "İ", "ǅ", "a,b",
    "a=b", "(a)", "a/b", "#", "long" * 60)
TEXTS = ('"a"', '"B b"', '"é"', '"e\\u{301}x"', '"1"', '"null"', '"x\'y\\"z"')


class Kind(NamedTuple):
    """A type of values: its name, Swift that makes one of `v`, and the kind of criteria over it."""

    swift: str
    made: str
    place: str = ""
    default: str = ""
    # Keys inside it, each with the kind of criteria.
    inner: tuple = ()


INTEGERS = ("Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64")
SCALARS = tuple(Kind(name, f"v.integer({name}.self)", "number", "4") for name in INTEGERS) + (
    Kind("Double", "v.double()", "number", "1.5"), Kind("Float", "v.float()", "float", "1.5"),
    Kind("Decimal", "v.decimal()", "number", "Decimal(4)"), Kind("Bool", "v.bool()", "bool", "true"),
    Kind("String", "v.text()", "text", '"none"'), Kind("String", "v.text()", "text", '""'),
    Kind("Date", "v.date()", "date", "Date(timeIntervalSinceReferenceDate: 0)"), Kind("UUID", "v.uuid()", "uuid"),
    Kind("URL", "v.url()", "url"), Kind("Data", "v.data()", "data", "Data()"))
# The ids that encode themselves as one value, and how Swift makes the nth.
IDS = (
    ("Int", "v.integerID(n)"), ("Int64", "v.integerID(n)"), ("Int8", "Int8(truncatingIfNeeded: n)"),
    ("UInt64", "v.unsignedID(n)"), ("String", "v.textID(n)"), ("String", "v.textID(n)"), ("UUID", "v.uuidID(n)"),
    ("Double", "v.doubleID(n)"), ("Decimal", "v.decimalID(n)"))


class Property(NamedTuple):
    """A property: its name, its coding key as Swift writes it, and its kind."""

    name: str
    key: str
    kind: Kind
    optional: bool = False
    # How a coding by hand reads it: plain, default, or null, which is read and written where it is nil.
    style: str = "plain"

    @property
    def swift(self):
        return self.kind.swift + ("?" if self.optional else "")

    @property
    def made(self):
        return f"v.isNil() ? nil : {self.kind.made}" if self.optional else self.kind.made


class Writer:
    """Writes one type."""

    def __init__(self, seed, number):
        self.random = random.Random(f"{seed} {number}")
        self.name = f"{self.random.choice(NAMES)}{number}"
        self.nested = []
        self.lines = []
        self.taken = {"id"}

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def declared(self, prefix, text):
        """Keeps a type that stands inside the model, whose text has its name as §; returns the name."""
        name = f"{prefix}{len(self.nested)}"
        self.nested.append(text.replace("§", name).strip("\n"))
        return name

    # Kinds of values

    def kind(self, depth=0):
        """Any kind of values."""
        ways = [(50, lambda: self.random.choice(SCALARS)), (8, self.raw), (5, self.wrapped), (3, self.loose),
                (3, self.guarded), (3, self.ranges)]
        if depth < 2:
            ways += [(8, lambda: self.list(depth)), (6, lambda: self.dictionary(depth)), (10, lambda: self.part(depth)),
                     (5, lambda: self.payloads(depth)), (2, self.tree)]
        return self.random.choices([way for _, way in ways], [weight for weight, _ in ways])[0]()

    def raw(self):
        """An enum with raw values, of text or numbers, that lists its cases or does not."""
        count = self.random.randint(1, 4)
        is_text = self.chance(70)
        values = self.random.sample(TEXTS, count) if is_text else [str(7 * n - 3) for n in range(count)]
        cases = "\n".join(f"  case c{n} = {value}" for n, value in enumerate(values))
        listed = ", ".join(f".c{n}" for n in range(count))
        name = self.declared("Raw", f"""
enum §: {'String' if is_text else 'Int'}, Codable, Equatable, Sendable{', CaseIterable' if self.chance(50) else ''} {{
{cases}

  static func random(_ v: inout Values) -> Self {{ v.pick([{listed}]) }}
}}""")
        return Kind(name, f"{name}.random(&v)", "text" if is_text else "number", ".c0")

    def wrapped(self):
        """A type that codes itself as one value."""
        inner = self.random.choice([kind for kind in SCALARS if kind.swift not in ("URL", "Data")])
        if self.chance(50) and inner.swift in INTEGERS + ("String", "Double"):
            name = self.declared("Raw", f"""
struct §: RawRepresentable, Codable, Equatable, Sendable {{
  var rawValue: {inner.swift}

  static func random(_ v: inout Values) -> Self {{ Self(rawValue: {inner.made}) }}
}}""")
        else:
            name = self.declared("Wrapped", f"""
struct §: Codable, Equatable, Sendable {{
  var inner: {inner.swift}

  static func random(_ v: inout Values) -> Self {{ Self(inner: {inner.made}) }}

  func encode(to encoder: any Encoder) throws {{
    var container = encoder.singleValueContainer()
    try container.encode(inner)
  }}

  init(inner: {inner.swift}) {{ self.inner = inner }}

  init(from decoder: any Decoder) throws {{
    inner = try decoder.singleValueContainer().decode({inner.swift}.self)
  }}
}}""")
        return Kind(name, f"{name}.random(&v)", inner.place)

    def loose(self):
        """Text, a number or a list, as it comes."""
        name = self.declared("Loose", """
enum §: Codable, Equatable, Sendable {
  case number(Int64), text(String), list([String])

  static func random(_ v: inout Values) -> Self {
    v.pick([.number(v.integer()), .text(v.text()), .list(v.list { $0.text() })])
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int64.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else {
      self = .list(try container.decode([String].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    case .list(let list): try container.encode(list)
    }
  }
}""")
        return Kind(name, f"{name}.random(&v)", "loose")

    def guarded(self):
        """A text that refuses what a probe makes up, and gives an example."""
        name = self.declared("Mail", """
struct §: CodableExample, Equatable, Sendable {
  var text: String

  static var example: Self { Self(text: "a@example.org") }

  static func random(_ v: inout Values) -> Self { Self(text: v.text() + "@" + v.text()) }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  init(text: String) { self.text = text }

  init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
    guard text.utf8.contains(64) else {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no mail"))
    }
  }
}""")
        return Kind(name, f"{name}.random(&v)", "text")

    def ranges(self):
        """A type of the standard library that codes itself as a list."""
        return self.random.choice([
            Kind("Range<Int>", "v.range()", "list"), Kind("Duration", "v.duration()", "list"),
            Kind("Set<Int>", "v.set()", "list")])

    def tree(self):
        """A type that has itself inside."""
        name = self.declared("Tree", """
struct §: Codable, Equatable, Sendable {
  var name: String?
  var children: [§]

  static func random(_ v: inout Values) -> Self {
    Self(name: v.text(), children: v.isNil() ? [] : [Self(name: nil, children: [])])
  }
}""")
        return Kind(name, f"{name}.random(&v)")

    def list(self, depth):
        inner = self.kind(depth + 1)
        swift, made = inner.swift, inner.made
        if self.chance(15):
            swift, made = f"{swift}?", f"v.isNil() ? nil : {made}"
        return Kind(f"[{swift}]", f"v.list {{ v in {made} }}", "list", "[]")

    def dictionary(self, depth):
        inner = self.kind(depth + 1)
        if self.chance(25):
            return Kind(f"[Int: {inner.swift}]", f"v.numbered {{ v in {inner.made} }}", "list", "[:]")
        keys = tuple((key, inner.place) for key in ("a", "b/c", "d e") if inner.place not in ("", "list", "loose", "float"))
        return Kind(f"[String: {inner.swift}]", f"v.named {{ v in {inner.made} }}", "list", "[:]", keys)

    def part(self, depth):
        """A struct inside the model, whose keys may be odd too."""
        properties = self.properties(self.random.randint(1, 4), depth + 1, set())
        is_optional = all(one.optional for one in properties)
        name = self.declared("Part", "struct §: Codable, Equatable, Sendable {\n"
                             + indented(self.body(properties)) + "\n\n"
                             + indented(self.maker("static func random(_ v: inout Values) -> §", properties)) + "\n}")
        # In JSON, a Float is the shortest number that reads as it, which is another Double.
        inner = tuple((one.key, one.kind.place) for one in properties if one.kind.place not in ("", "float"))
        inner += tuple((f"{one.key}.{key}", place) for one in properties for key, place in one.kind.inner)
        default = f"{name}({', '.join(f'{one.name}: nil' for one in properties)})" if is_optional else ""
        return Kind(name, f"{name}.random(&v)", "list", default, inner)

    def payloads(self, depth):
        """An enum with payloads, as the compiler codes it."""
        one, two = self.kind(depth + 1), self.kind(depth + 1)
        name = self.declared("Choice", f"""
enum §: Codable, Equatable, Sendable {{
  case none
  case one({one.swift})
  case two(a: {two.swift}, b: Int?)

  var number: Int {{
    switch self {{
    case .none: 0
    case .one: 1
    case .two: 2
    }}
  }}

  static func random(_ v: inout Values) -> Self {{
    switch v.count(0...2) {{
    case 0: return .none
    case 1: return .one({one.made})
    default: return .two(a: {two.made}, b: v.isNil() ? nil : v.integer(Int.self))
    }}
  }}
}}""")
        return Kind(name, f"{name}.random(&v)", "list", ".none")

    # Properties

    def properties(self, count, depth, taken):
        found = []
        while len(found) < count:
            name = f"p{len(found)}"
            key = self.random.choice(ODD_KEYS) if self.chance(35) else name
            if key.lower() in taken:
                continue
            taken.add(key.lower())
            kind = self.kind(depth)
            optional = self.chance(40)
            style = self.random.choice(["plain", "plain", "default", "null"])
            if style == "default" and (optional or not kind.default) or style == "null" and not optional:
                style = "plain"
            found.append(Property(name, key, kind, optional, style))
        return found

    @staticmethod
    def body(properties, extra=(), word="var"):
        """The declarations of properties, and of their keys where one has another name."""
        lines = [f"{word} {one.name}: {one.swift}" for one in properties]
        keys = [(one.name, one.key) for one in properties] + list(extra)
        if any(name != key for name, key in keys):
            lines.append("\nenum CodingKeys: String, CodingKey {")
            lines += [f"  case {name} = {quoted(key)}" for name, key in keys] + ["}"]
        return "\n".join(lines)

    @staticmethod
    def maker(head, properties, call="Self"):
        """A function that makes a value of random properties."""
        lines = [f"  let {one.name}: {one.swift} = {one.made}" for one in properties]
        names = ", ".join(f"{one.name}: {one.name}" for one in properties)
        return "\n".join([head + " {", *lines, f"  return {call}({names})", "}"])

    # The model

    def write(self):
        """Returns the name and the source of the type."""
        form = self.random.choices(
            [self.plain, self.coded, self.varying, self.contained, self.shared, self.union],
            [40, 20, 14, 10, 6, 10])[0]
        form()
        return self.name, "\n".join(self.lines) + "\n"

    def identifier(self, by_hand):
        """The id: properties that code it, Swift that declares it where it is computed, and what is known of it."""
        swift, made = self.random.choice(IDS)
        ways = ["plain"] * 4 + ["renamed"] * 2 + ["computed"] * 2 + ["raw", "wrapped", "enum", "object", "nested", "parts",
                                                                  "joined"]
        if by_hand:
            ways += ["coded"] * 5
        way = self.random.choice(ways)
        self.known = {"path": ["id"], "sqlite": True, "http": True, "made": made, "coding": None, "key": None}
        one = Property("id", "id", Kind(swift, made))
        if way == "renamed":
            key = self.random.choice(["_id", "trackId", "ID", "rowid", "a.id", "é", 'i"d', "select"])
            self.taken = {key.lower()}
            self.known["path"] = [key]
            return [one._replace(key=key)], ""
        if way == "computed":
            key = self.random.choice(["code", "uuid", "rowid"])
            self.taken = {key}
            self.known["path"] = [key]
            return [Property(key, key, Kind(swift, made))], f"var id: {swift} {{ {key} }}"
        if way == "raw" and swift == "Decimal":
            way = "wrapped"
        if way == "raw":
            name = self.declared("ID", f"""
struct §: RawRepresentable, Codable, Hashable, Sendable {{
  var rawValue: {swift}
}}""" if swift in ("Int", "Int64", "Int8", "UInt64", "String", "Double") else f"""
struct §: Codable, Hashable, Sendable {{
  var rawValue: {swift}

  func encode(to encoder: any Encoder) throws {{ try rawValue.encode(to: encoder) }}

  init(rawValue: {swift}) {{ self.rawValue = rawValue }}

  init(from decoder: any Decoder) throws {{ rawValue = try {swift}(from: decoder) }}
}}""")
            return [one._replace(kind=Kind(name, f"{name}(rawValue: {made})"))], ""
        if way == "wrapped":
            name = self.declared("ID", f"""
struct §: Codable, Hashable, Sendable {{
  var inner: {swift}

  func encode(to encoder: any Encoder) throws {{
    var container = encoder.singleValueContainer()
    try container.encode(inner)
  }}

  init(inner: {swift}) {{ self.inner = inner }}

  init(from decoder: any Decoder) throws {{
    inner = try decoder.singleValueContainer().decode({swift}.self)
  }}
}}""")
            return [one._replace(kind=Kind(name, f"{name}(inner: {made})"))], ""
        if way == "enum":
            name = self.declared("ID", """
enum §: String, Codable, Hashable, Sendable {
  case a, b, c = "c d", d = "é"
}""")
            return [one._replace(kind=Kind(name, f"v.pick([{name}.a, .b, .c, .d])"))], ""
        if way == "object":
            name = self.declared("ID", """
struct §: Codable, Hashable, Sendable {
  var a: Int
  var b: String
}""")
            self.known |= {"sqlite": False, "http": False}
            return [one._replace(kind=Kind(name, f"{name}(a: v.integerID(n), b: v.textID(n))"))], ""
        if way == "nested":
            # Inside JSON, numbers above those of Int64 are the nearest Double.
            swift, made = (swift, made) if swift != "UInt64" else ("Int64", "v.integerID(n)")
            name = self.declared("Meta", f"""
struct §: Codable, Equatable, Sendable {{
  var key: {swift}
  var note: String?
}}""")
            self.taken = {"meta", "id"}
            self.known |= {"sqlite": False, "path": ["meta", "key"]}
            return [Property("meta", "meta", Kind(name, f"{name}(key: {made}, note: v.text())"))], (
                f"var id: {swift} {{ meta.key }}")
        if way in ("parts", "joined"):
            self.taken = {"first", "second", "id"}
            parts = [Property("first", "first", Kind("Int", "v.integerID(n) as Int")),
                     Property("second", "second", Kind("Int", "Int(n % 3)"))]
            if way == "parts":
                self.known |= {"http": False, "path": [], "key": ["first", "second"]}
                return parts, "var id: [Int] { [first, second] }"
            self.known |= {"sqlite": False, "path": []}
            return parts, 'var id: String { "\\(first)-\\(second)" }'
        if way == "coded":
            if self.chance(50):
                self.known["coding"] = ("Int", "String(§)", "Int(id) ?? 0")
                return [one._replace(kind=Kind("String", "String(v.integerID(n) as Int)"))], ""
            self.known["coding"] = ("String", "Int(§) ?? 0", "String(id)")
            return [one._replace(kind=Kind("Int", "v.integerID(n) as Int"))], ""
        return [one], ""

    def head(self, word="struct"):
        conformances = "SQLiteModel, GeneratedType" if self.known["key"] else "GeneratedType"
        if word == "struct" and self.chance(40):
            conformances += ", Equatable"
        return f"{word} {self.name}: {conformances} {{"

    def known_of(self, properties, prefix=""):
        """What the trial has to know: keys for criteria, key paths with their keys, and the kinds of refusal."""
        places = [(one.key if not prefix else f"{prefix}.{one.key}", one.kind.place)
                  for one in properties if one.kind.place and not (prefix and one.kind.place == "float")]
        places += [(f"{one.key}.{key}", place) for one in properties for key, place in one.kind.inner if not prefix]
        return places

    def paths(self, properties, prefix=""):
        """The properties whose key paths have to become their keys."""
        return [(one.name, prefix + one.key) for one in properties
                if not (one.name == "id" and self.known["coding"])]

    def facts(self, places, paths):
        """The members that tell the trial."""
        known = self.known
        lines = []
        if known["key"]:
            lines.append(f"static let key: [Criteria.Key] = [{', '.join(quoted(key) for key in known['key'])}]")
        # A nested key with a quote or the like has no path in SQLite, which says so.
        listed = "".join(f"\n    Place({quoted(key)}, .{place.replace('float', 'number')})," for key, place in places
                         if place and not ("." in key and any(sign in key for sign in "\"\\")))
        lines.append(f"static var places: [Place] {{\n  [{indented(listed)}\n  ]\n}}" if listed else
                     "static var places: [Place] { [] }")
        listed = "".join(f"\n    Known(\\{self.name}.{name}, {quoted(key)})," for name, key in paths)
        lines.append(f"static var known: [Known<{self.name}>] {{\n  [{indented(listed)}\n  ]\n}}")
        lines.append(f"static var facts: Facts {{ Facts(idPath: [{', '.join(quoted(key) for key in known['path'])}], "
                     f"isInSQLite: {str(known['sqlite']).lower()}, isOverHTTP: {str(known['http']).lower()}) }}")
        return "\n".join(lines)

    def finish(self, word, parts, extension=""):
        nested = "\n\n".join(self.nested)
        parts = [part for part in (*parts, nested) if part]
        self.lines.append(self.head(word) + "\n" + "\n\n".join(indented(part) for part in parts) + "\n}\n")
        if extension:
            self.lines.append(f"extension {self.name} {{\n{indented(extension)}\n}}\n")

    RANDOM = "static func random(_ v: inout Values, id n: Int) -> {}"

    def plain(self):
        """A struct that the compiler codes."""
        ids, computed = self.identifier(False)
        properties = ids + self.properties(self.random.randint(0, 13), 0, self.taken)
        body = self.body(properties)
        paths = self.paths(properties)
        if self.chance(20) and "CodingKeys" in body:
            body = "var unsaved = 0\n" + body
        self.finish("struct", [
            body, computed, self.maker(self.RANDOM.format(self.name), properties),
            self.facts(self.known_of(properties), paths)])

    def shared(self):
        """A class that never changes."""
        ids, computed = self.identifier(False)
        properties = ids + self.properties(self.random.randint(0, 9), 0, self.taken)
        given = ", ".join(f"{one.name}: {one.swift}" for one in properties)
        maker = f"init({given}) {{\n" + "\n".join(f"  self.{one.name} = {one.name}" for one in properties) + "\n}"
        self.finish("final class", [
            self.body(properties, word="let"), computed, maker,
            self.maker(self.RANDOM.format(self.name), properties, self.name),
            self.facts(self.known_of(properties), self.paths(properties))])

    def read(self, one, container="container"):
        """A line that reads a property, and one that writes it."""
        coding = self.known["coding"] if one.name == "id" else None
        if coding:
            swift, read, written = coding
            return (f"{one.name} = " + read.replace("§", f"try {container}.decode({swift}.self, forKey: .id)"),
                    f"try {container}.encode({written}, forKey: .id)")
        key, name, swift = f"forKey: .{one.name}", one.name, one.kind.swift
        if one.style == "default":
            return (f"{name} = try {container}.decodeIfPresent({swift}.self, {key}) ?? {one.kind.default}",
                    f"try {container}.encode({name}, {key})")
        if one.style == "null":
            return (f"{name} = try {container}.decode({swift}?.self, {key})", f"try {container}.encode({name}, {key})")
        suffix = "IfPresent" if one.optional else ""
        return (f"{name} = try {container}.decode{suffix}({swift}.self, {key})",
                f"try {container}.encode{suffix}({name}, {key})")

    def keys(self, properties, name="CodingKeys", extra=()):
        listed = [f"  case {one.name} = {quoted(one.key)}" for one in properties]
        listed += [f"  case {name} = {quoted(key)}" for name, key in extra]
        return "\n".join([f"enum {name}: String, CodingKey {{", *listed, "}"])

    def coder(self, reads, writes):
        start = ["  let container = try decoder.container(keyedBy: CodingKeys.self)"]
        ending = ["  var container = encoder.container(keyedBy: CodingKeys.self)"]
        return ("\n".join(["init(from decoder: any Decoder) throws {", *start, *(f"  {one}" for one in reads), "}"]),
                "\n".join(["func encode(to encoder: any Encoder) throws {", *ending, *(f"  {one}" for one in writes), "}"]))

    def by_hand(self, properties, computed, reads, writes, places, paths, more=""):
        """Finishes a struct whose coding stands in it."""
        init, encode = self.coder(reads, writes)
        body = "\n".join(f"var {one.name}: {one.swift}" for one in properties)
        self.finish("struct", [
            body, more or self.keys(properties), computed, encode,
            self.maker(self.RANDOM.format(self.name), properties), self.facts(places, paths)], init)

    def coded(self):
        """A struct with a coding by hand, with defaults and nulls."""
        ids, computed = self.identifier(True)
        properties = ids + self.properties(self.random.randint(1, 10), 0, self.taken)
        order = properties[1:] + properties[:1] if self.chance(30) else properties
        both = [self.read(one) for one in order]
        self.by_hand(properties, computed, [one for one, _ in both], [one for _, one in both],
                     self.known_of(properties), self.paths(properties))

    def varying(self):
        """A struct with keys that only some cases of an enum, with payloads or not, or one value of a Boolean, have."""
        ids, computed = self.identifier(True)
        self.taken.add("kind")
        way = self.random.choice(["bool", "payloads", "raw", "raw"])
        if way == "bool":
            kind, cases = Kind("Bool", "v.bool()", "bool"), ["kind", "!kind"]
        elif way == "payloads":
            kind, cases = self.payloads(0), [f"kind.number == {number}" for number in range(3)]
        else:
            kind = self.raw()
            cases = [f"kind == .c{number}" for number in range(self.nested[-1].count("  case c"))]
        switch, count = Property("kind", "kind", kind), len(cases)
        always = self.properties(self.random.randint(0, 3), 0, self.taken)
        some = [one._replace(name=f"s{number}", key=one.key if one.key != one.name else f"s{number}", style="plain")
                for number, one in enumerate(self.properties(self.random.randint(1, 6), 0, self.taken))]
        properties = ids + [switch] + always + [one._replace(optional=True) for one in some]
        both = [self.read(one) for one in ids + [switch] + always]
        reads, writes = [one for one, _ in both], [one for _, one in both]
        made = []
        owners = [self.random.sample(cases, self.random.randint(1, max(1, count - 1))) for _ in some]
        for condition in cases:
            reads.append(f"if {condition} {{")
            for one, having in zip(some, owners):
                reads.append("  " + (self.read(one)[0] if condition in having else f"{one.name} = nil"))
            reads.append("}" if condition == cases[-1] else "} else")
        # One statement with a last branch that has no condition, so that each property has a value.
        text = "\n".join(reads).replace("} else\nif", "} else if")
        last = f"if {cases[-1]} {{"
        text = text.replace("} else " + last, "} else {") if count > 1 else text.replace(last, "do {")
        for one, having in zip(some, owners):
            writes.append(self.read(one._replace(optional=True))[1])
            made.append((one, " || ".join(having)))
        lines = [f"  let {one.name}: {one.swift} = {one.made}" for one in ids + [switch] + always]
        for one, condition in made:
            lines.append(f"  let {one.name}: {one.kind.swift}? = {condition} ? "
                         + (f"({one.made})" if one.optional else one.made) + " : nil")
        names = ", ".join(f"{one.name}: {one.name}" for one in properties)
        maker = "\n".join([self.RANDOM.format(self.name) + " {", *lines, f"  return Self({names})", "}"])
        init, encode = self.coder(text.split("\n"), writes)
        self.finish("struct", [
            "\n".join(f"var {one.name}: {one.swift}" for one in properties), self.keys(properties), computed, encode,
            maker, self.facts(self.known_of(properties), self.paths(properties))], init)

    def contained(self):
        """A struct that reads some of its properties from an object or a list inside."""
        ids, computed = self.identifier(True)
        outer = self.random.choice([key for key in ("meta2", "select", "a b", "é") if key not in self.taken])
        self.taken.add(outer.lower())
        flat = self.properties(self.random.randint(0, 4), 0, self.taken)
        deep = [one._replace(name=f"d{number}", key=one.key if one.key != one.name else f"d{number}")
                for number, one in enumerate(self.properties(self.random.randint(1, 4), 0, set()))]
        both = [self.read(one) for one in ids + flat] + [self.read(one, "inner") for one in deep]
        at = len(ids + flat)
        reads, writes = [one for one, _ in both], [one for _, one in both]
        reads.insert(at, "let inner = try container.nestedContainer(keyedBy: InnerKeys.self, forKey: .outer)")
        writes.insert(at, "var inner = container.nestedContainer(keyedBy: InnerKeys.self, forKey: .outer)")
        extra = [("outer", outer)]
        properties = ids + flat + deep
        if self.chance(30):
            pair = Property("pair", "pair", Kind("Int", "v.integer(Int.self)"))
            if "pair" not in self.taken:
                properties.append(pair)
                extra.append(("pair", "pair"))
                reads += ["var list = try container.nestedUnkeyedContainer(forKey: .pair)",
                          "_ = try list.decode(String.self)", "pair = try list.decode(Int.self)"]
                writes += ["var list = container.nestedUnkeyedContainer(forKey: .pair)",
                           'try list.encode("pair")', "try list.encode(pair)"]
        places = self.known_of(ids + flat) + self.known_of(deep, outer)
        paths = self.paths(ids + flat) + self.paths(deep, f"{outer}.")
        keys = self.keys(ids + flat, extra=extra) + "\n\n" + self.keys(deep, "InnerKeys")
        self.by_hand(properties, computed, reads, writes, places, paths, keys)

    def union(self):
        """An enum whose cases are objects with a key that says which."""
        swift, made = self.random.choice(IDS)
        self.known = {"path": ["id"], "sqlite": True, "http": True, "coding": None, "key": None}
        shapes = []
        by_number = self.chance(30)
        places = {}
        for number in range(self.random.randint(2, 4)):
            properties = [Property("id", "id", Kind(swift, made))] + self.properties(
                self.random.randint(0, 4), 1, {"id", "kind"})
            name = self.declared("Shape", "struct §: Codable, Equatable, Sendable {\n"
                                 + indented(self.body(properties)) + "\n\n" + indented(self.maker(
                                     "static func random(_ v: inout Values, id n: Int) -> §", properties)) + "\n}")
            shapes.append(name)
            for key, place in self.known_of(properties):
                # A key of two kinds holds JSON, which is compared as it comes.
                places[key] = place if places.get(key, place) == place else ""
        tag, tags = ("Int", [str(3 * number + 2) for number in range(len(shapes))]) if by_number else (
            "String", [f'"kind{number}"' for number in range(len(shapes))])
        cases = "\n".join(f"case c{number}({name})" for number, name in enumerate(shapes))
        ids = "\n".join(f"  case .c{number}(let shape): shape.id" for number in range(len(shapes)))
        reads = "\n".join(f"  case {tag}: self = .c{number}(try {name}(from: decoder))"
                          for number, (name, tag) in enumerate(zip(shapes, tags)))
        writes = "\n".join(f"""  case .c{number}(let shape):
    try container.encode({tag}, forKey: .kind)
    try shape.encode(to: encoder)""" for number, tag in enumerate(tags))
        examples = ", ".join(f".c{number}({name}.random(&v, id: 0))" for number, name in enumerate(shapes))
        chosen = "\n".join(f"  case {number}: return .c{number}({name}.random(&v, id: n))"
                           for number, name in enumerate(shapes[:-1]))
        last = len(shapes) - 1
        parts = [
            cases, "enum CodingKeys: String, CodingKey { case kind }", f"var id: {swift} {{\n  switch self {{\n{ids}\n  }}\n}}",
            f"""init(from decoder: any Decoder) throws {{
  let container = try decoder.container(keyedBy: CodingKeys.self)
  switch try container.decode({tag}.self, forKey: .kind) {{
{reads}
  case let kind:
    throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "\\(kind)"))
  }}
}}""", f"""func encode(to encoder: any Encoder) throws {{
  var container = encoder.container(keyedBy: CodingKeys.self)
  switch self {{
{writes}
  }}
}}""", f"""static var example: Self {{ examples[0] }}
static var examples: [Self] {{
  var v = Values(full: 1)
  return [{examples}]
}}""", self.RANDOM.format(self.name) + f""" {{
  switch v.count(0...{last}) {{
{chosen}
  default: return .c{last}({shapes[-1]}.random(&v, id: n))
  }}
}}""", self.facts([("kind", "number" if by_number else "text"), *places.items()], [("id", "id")])]
        nested = "\n\n".join(self.nested)
        self.lines.append(f"enum {self.name}: GeneratedType, CodableExample {{\n"
                          + "\n\n".join(indented(part) for part in (*parts, nested) if part) + "\n}\n")


def quoted(key):
    """A key as a literal of Swift; escapes of Swift's stay."""
    return '"' + key.replace('"', '\\"') + '"'


def indented(text):
    return "\n".join(f"  {line}" if line else "" for line in text.split("\n"))


def source(seed, number):
    """The name and the source of a type."""
    return Writer(seed, number).write()
