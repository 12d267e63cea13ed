// swift-format-ignore-file
// Written by scripts/types.
import Evocation
import EvocationSQLite
import Foundation

struct Values176: SQLiteModel, GeneratedType {
  var unsaved = 0
  var first: Int
  var second: Int
  var p0: UInt64?
  var p1: String
  var p2: Range<Int>?
  var p3: Int32
  var p4: [[Int: Raw0]]
  var p5: URL

  enum CodingKeys: String, CodingKey {
    case first = "first"
    case second = "second"
    case p0 = "p0"
    case p1 = "p1"
    case p2 = "p2"
    case p3 = "p3"
    case p4 = "p4"
    case p5 = "sqlite_x"
  }

  var id: [Int] { [first, second] }

  static func random(_ v: inout Values, id n: Int) -> Values176 {
    let first: Int = v.integerID(n) as Int
    let second: Int = Int(n % 3)
    let p0: UInt64? = v.isNil() ? nil : v.integer(UInt64.self)
    let p1: String = v.text()
    let p2: Range<Int>? = v.isNil() ? nil : v.range()
    let p3: Int32 = v.integer(Int32.self)
    let p4: [[Int: Raw0]] = v.list { v in v.numbered { v in Raw0.random(&v) } }
    let p5: URL = v.url()
    return Self(first: first, second: second, p0: p0, p1: p1, p2: p2, p3: p3, p4: p4, p5: p5)
  }

  static let key: [Criteria.Key] = ["first", "second"]
  static var places: [Place] {
    [
        Place("p0", .number),
        Place("p1", .text),
        Place("p2", .list),
        Place("p3", .number),
        Place("p4", .list),
        Place("sqlite_x", .url),
    ]
  }
  static var known: [Known<Values176>] {
    [
        Known(\Values176.first, "first"),
        Known(\Values176.second, "second"),
        Known(\Values176.p0, "p0"),
        Known(\Values176.p1, "p1"),
        Known(\Values176.p2, "p2"),
        Known(\Values176.p3, "p3"),
        Known(\Values176.p4, "p4"),
        Known(\Values176.p5, "sqlite_x"),
    ]
  }
  static var facts: Facts { Facts(idPath: [], isInSQLite: true, isOverHTTP: false) }

  enum Raw0: Int, Codable, Equatable, Sendable, CaseIterable {
    case c0 = -3
    case c1 = 4

    static func random(_ v: inout Values) -> Self { v.pick([.c0, .c1]) }
  }
}


struct Table120: GeneratedType, Equatable {
  var id: UUID
  var p0: String
  var p1: [UInt8]
  var p2: [String: Int32]
  var p3: [String: Date]
  var p4: Part0?
  var p5: UInt64
  var p6: UUID?

  enum CodingKeys: String, CodingKey {
    case id = "rowid"
    case p0 = "p0"
    case p1 = "p1"
    case p2 = "p2"
    case p3 = "p3"
    case p4 = "p4"
    case p5 = "p5"
    case p6 = "p6"
  }

  static func random(_ v: inout Values, id n: Int) -> Table120 {
    let id: UUID = v.uuidID(n)
    let p0: String = v.text()
    let p1: [UInt8] = v.list { v in v.integer(UInt8.self) }
    let p2: [String: Int32] = v.named { v in v.integer(Int32.self) }
    let p3: [String: Date] = v.named { v in v.date() }
    let p4: Part0? = v.isNil() ? nil : Part0.random(&v)
    let p5: UInt64 = v.integer(UInt64.self)
    let p6: UUID? = v.isNil() ? nil : v.uuid()
    return Self(id: id, p0: p0, p1: p1, p2: p2, p3: p3, p4: p4, p5: p5, p6: p6)
  }

  static var places: [Place] {
    [
        Place("p0", .text),
        Place("p1", .list),
        Place("p2", .list),
        Place("p3", .list),
        Place("p4", .list),
        Place("p5", .number),
        Place("p6", .uuid),
        Place("p2.a", .number),
        Place("p2.b/c", .number),
        Place("p2.d e", .number),
        Place("p3.a", .date),
        Place("p3.b/c", .date),
        Place("p3.d e", .date),
        Place("p4.p0", .number),
        Place("p4.p1", .number),
    ]
  }
  static var known: [Known<Table120>] {
    [
        Known(\Table120.id, "rowid"),
        Known(\Table120.p0, "p0"),
        Known(\Table120.p1, "p1"),
        Known(\Table120.p2, "p2"),
        Known(\Table120.p3, "p3"),
        Known(\Table120.p4, "p4"),
        Known(\Table120.p5, "p5"),
        Known(\Table120.p6, "p6"),
    ]
  }
  static var facts: Facts { Facts(idPath: ["rowid"], isInSQLite: true, isOverHTTP: true) }

  struct Part0: Codable, Equatable, Sendable {
    var p0: UInt?
    var p1: Int8?

    static func random(_ v: inout Values) -> Part0 {
      let p0: UInt? = v.isNil() ? nil : v.integer(UInt.self)
      let p1: Int8? = v.isNil() ? nil : v.integer(Int8.self)
      return Self(p0: p0, p1: p1)
    }
  }
}


struct Select43: GeneratedType, Equatable {
  var rowid: UUID
  var p0: Tree0
  var p1: Part1?
  var p2: Bool?

  enum CodingKeys: String, CodingKey {
    case rowid = "rowid"
    case p0 = "p0"
    case p1 = "p1"
    case p2 = "select"
  }

  var id: UUID { rowid }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(rowid, forKey: .rowid)
    try container.encode(p0, forKey: .p0)
    try container.encode(p1, forKey: .p1)
    try container.encodeIfPresent(p2, forKey: .p2)
  }

  static func random(_ v: inout Values, id n: Int) -> Select43 {
    let rowid: UUID = v.uuidID(n)
    let p0: Tree0 = Tree0.random(&v)
    let p1: Part1? = v.isNil() ? nil : Part1.random(&v)
    let p2: Bool? = v.isNil() ? nil : v.bool()
    return Self(rowid: rowid, p0: p0, p1: p1, p2: p2)
  }

  static var places: [Place] {
    [
        Place("p1", .list),
        Place("select", .bool),
        Place("p1.p0", .text),
        Place("p1.p1", .list),
    ]
  }
  static var known: [Known<Select43>] {
    [
        Known(\Select43.rowid, "rowid"),
        Known(\Select43.p0, "p0"),
        Known(\Select43.p1, "p1"),
        Known(\Select43.p2, "select"),
    ]
  }
  static var facts: Facts { Facts(idPath: ["rowid"], isInSQLite: true, isOverHTTP: true) }

  struct Tree0: Codable, Equatable, Sendable {
    var name: String?
    var children: [Tree0]

    static func random(_ v: inout Values) -> Self {
      Self(name: v.text(), children: v.isNil() ? [] : [Self(name: nil, children: [])])
    }
  }

  struct Part1: Codable, Equatable, Sendable {
    var p0: String
    var p1: [String]?

    static func random(_ v: inout Values) -> Part1 {
      let p0: String = v.text()
      let p1: [String]? = v.isNil() ? nil : v.list { v in v.text() }
      return Self(p0: p0, p1: p1)
    }
  }
}

extension Select43 {
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    rowid = try container.decode(UUID.self, forKey: .rowid)
    p0 = try container.decode(Tree0.self, forKey: .p0)
    p1 = try container.decode(Part1?.self, forKey: .p1)
    p2 = try container.decodeIfPresent(Bool.self, forKey: .p2)
  }
}


struct Item95: GeneratedType {
  var id: String
  var p0: Double?
  var p1: Int?
  var p2: Float?
  var p3: Float
  var p4: [String: Choice0]?

  enum CodingKeys: String, CodingKey {
    case id = "id"
    case p0 = "p0"
    case p1 = "p1"
    case p2 = "#"
    case p3 = "json"
    case p4 = "p4"
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(p0, forKey: .p0)
    try container.encode(p1, forKey: .p1)
    try container.encode(p2, forKey: .p2)
    try container.encode(p3, forKey: .p3)
    try container.encodeIfPresent(p4, forKey: .p4)
    try container.encode(Int(id) ?? 0, forKey: .id)
  }

  static func random(_ v: inout Values, id n: Int) -> Item95 {
    let id: String = String(v.integerID(n) as Int)
    let p0: Double? = v.isNil() ? nil : v.double()
    let p1: Int? = v.isNil() ? nil : v.integer(Int.self)
    let p2: Float? = v.isNil() ? nil : v.float()
    let p3: Float = v.float()
    let p4: [String: Choice0]? = v.isNil() ? nil : v.named { v in Choice0.random(&v) }
    return Self(id: id, p0: p0, p1: p1, p2: p2, p3: p3, p4: p4)
  }

  static var places: [Place] {
    [
        Place("p0", .number),
        Place("p1", .number),
        Place("#", .number),
        Place("json", .number),
        Place("p4", .list),
    ]
  }
  static var known: [Known<Item95>] {
    [
        Known(\Item95.p0, "p0"),
        Known(\Item95.p1, "p1"),
        Known(\Item95.p2, "#"),
        Known(\Item95.p3, "json"),
        Known(\Item95.p4, "p4"),
    ]
  }
  static var facts: Facts { Facts(idPath: ["id"], isInSQLite: true, isOverHTTP: true) }

  enum Choice0: Codable, Equatable, Sendable {
    case none
    case one(UUID)
    case two(a: Int64, b: Int?)

    var number: Int {
      switch self {
      case .none: 0
      case .one: 1
      case .two: 2
      }
    }

    static func random(_ v: inout Values) -> Self {
      switch v.count(0...2) {
      case 0: return .none
      case 1: return .one(v.uuid())
      default: return .two(a: v.integer(Int64.self), b: v.isNil() ? nil : v.integer(Int.self))
      }
    }
  }
}

extension Item95 {
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    p0 = try container.decodeIfPresent(Double.self, forKey: .p0)
    p1 = try container.decode(Int?.self, forKey: .p1)
    p2 = try container.decode(Float?.self, forKey: .p2)
    p3 = try container.decodeIfPresent(Float.self, forKey: .p3) ?? 1.5
    p4 = try container.decodeIfPresent([String: Choice0].self, forKey: .p4)
    id = String(try container.decode(Int.self, forKey: .id))
  }
}


struct Table29: GeneratedType {
  var id: Int
  var kind: Raw0
  var p0: UInt?
  var p1: String
  var s0: Decimal?
  var s1: Raw1?

  enum CodingKeys: String, CodingKey {
    case id = "id"
    case kind = "kind"
    case p0 = "p0"
    case p1 = "p1"
    case s0 = "%s"
    case s1 = "(a)"
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(String(id), forKey: .id)
    try container.encode(kind, forKey: .kind)
    try container.encodeIfPresent(p0, forKey: .p0)
    try container.encode(p1, forKey: .p1)
    try container.encodeIfPresent(s0, forKey: .s0)
    try container.encodeIfPresent(s1, forKey: .s1)
  }

  static func random(_ v: inout Values, id n: Int) -> Table29 {
    let id: Int = v.integerID(n) as Int
    let kind: Raw0 = Raw0.random(&v)
    let p0: UInt? = v.isNil() ? nil : v.integer(UInt.self)
    let p1: String = v.text()
    let s0: Decimal? = kind == .c2 || kind == .c1 ? v.decimal() : nil
    let s1: Raw1? = kind == .c1 || kind == .c0 ? Raw1.random(&v) : nil
    return Self(id: id, kind: kind, p0: p0, p1: p1, s0: s0, s1: s1)
  }

  static var places: [Place] {
    [
        Place("kind", .text),
        Place("p0", .number),
        Place("p1", .text),
        Place("%s", .number),
        Place("(a)", .number),
    ]
  }
  static var known: [Known<Table29>] {
    [
        Known(\Table29.kind, "kind"),
        Known(\Table29.p0, "p0"),
        Known(\Table29.p1, "p1"),
        Known(\Table29.s0, "%s"),
        Known(\Table29.s1, "(a)"),
    ]
  }
  static var facts: Facts { Facts(idPath: ["id"], isInSQLite: true, isOverHTTP: true) }

  enum Raw0: String, Codable, Equatable, Sendable {
    case c0 = "null"
    case c1 = "x'y\"z"
    case c2 = "1"

    static func random(_ v: inout Values) -> Self { v.pick([.c0, .c1, .c2]) }
  }

  enum Raw1: Int, Codable, Equatable, Sendable {
    case c0 = -3
    case c1 = 4

    static func random(_ v: inout Values) -> Self { v.pick([.c0, .c1]) }
  }
}

extension Table29 {
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = Int(try container.decode(String.self, forKey: .id)) ?? 0
    kind = try container.decode(Raw0.self, forKey: .kind)
    p0 = try container.decodeIfPresent(UInt.self, forKey: .p0)
    p1 = try container.decode(String.self, forKey: .p1)
    if kind == .c0 {
      s0 = nil
      s1 = try container.decode(Raw1.self, forKey: .s1)
    } else if kind == .c1 {
      s0 = try container.decode(Decimal.self, forKey: .s0)
      s1 = try container.decode(Raw1.self, forKey: .s1)
    } else {
      s0 = try container.decode(Decimal.self, forKey: .s0)
      s1 = nil
    }
  }
}


struct Values143: GeneratedType {
  var id: String
  var kind: Choice1
  var p0: Date?
  var s0: UUID?
  var s1: Range<Int>?
  var s2: UInt8?
  var s3: Duration?

  enum CodingKeys: String, CodingKey {
    case id = "id"
    case kind = "kind"
    case p0 = "p0"
    case s0 = "a\"b"
    case s1 = "rowid"
    case s2 = "s2"
    case s3 = "s3"
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Int(id) ?? 0, forKey: .id)
    try container.encode(kind, forKey: .kind)
    try container.encodeIfPresent(p0, forKey: .p0)
    try container.encodeIfPresent(s0, forKey: .s0)
    try container.encodeIfPresent(s1, forKey: .s1)
    try container.encodeIfPresent(s2, forKey: .s2)
    try container.encodeIfPresent(s3, forKey: .s3)
  }

  static func random(_ v: inout Values, id n: Int) -> Values143 {
    let id: String = String(v.integerID(n) as Int)
    let kind: Choice1 = Choice1.random(&v)
    let p0: Date? = v.isNil() ? nil : v.date()
    let s0: UUID? = kind.number == 2 || kind.number == 0 ? (v.isNil() ? nil : v.uuid()) : nil
    let s1: Range<Int>? = kind.number == 0 ? (v.isNil() ? nil : v.range()) : nil
    let s2: UInt8? = kind.number == 2 ? v.integer(UInt8.self) : nil
    let s3: Duration? = kind.number == 2 ? v.duration() : nil
    return Self(id: id, kind: kind, p0: p0, s0: s0, s1: s1, s2: s2, s3: s3)
  }

  static var places: [Place] {
    [
        Place("kind", .list),
        Place("p0", .date),
        Place("a\"b", .uuid),
        Place("rowid", .list),
        Place("s2", .number),
        Place("s3", .list),
    ]
  }
  static var known: [Known<Values143>] {
    [
        Known(\Values143.kind, "kind"),
        Known(\Values143.p0, "p0"),
        Known(\Values143.s0, "a\"b"),
        Known(\Values143.s1, "rowid"),
        Known(\Values143.s2, "s2"),
        Known(\Values143.s3, "s3"),
    ]
  }
  static var facts: Facts { Facts(idPath: ["id"], isInSQLite: true, isOverHTTP: true) }

  struct Part0: Codable, Equatable, Sendable {
    var p0: Float?
    var p1: Bool?
    var p2: Bool?

    enum CodingKeys: String, CodingKey {
      case p0 = "p0"
      case p1 = "p1"
      case p2 = "json"
    }

    static func random(_ v: inout Values) -> Part0 {
      let p0: Float? = v.isNil() ? nil : v.float()
      let p1: Bool? = v.isNil() ? nil : v.bool()
      let p2: Bool? = v.isNil() ? nil : v.bool()
      return Self(p0: p0, p1: p1, p2: p2)
    }
  }

  enum Choice1: Codable, Equatable, Sendable {
    case none
    case one(Part0)
    case two(a: [String: UInt32], b: Int?)

    var number: Int {
      switch self {
      case .none: 0
      case .one: 1
      case .two: 2
      }
    }

    static func random(_ v: inout Values) -> Self {
      switch v.count(0...2) {
      case 0: return .none
      case 1: return .one(Part0.random(&v))
      default: return .two(a: v.named { v in v.integer(UInt32.self) }, b: v.isNil() ? nil : v.integer(Int.self))
      }
    }
  }
}

extension Values143 {
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = String(try container.decode(Int.self, forKey: .id))
    kind = try container.decode(Choice1.self, forKey: .kind)
    p0 = try container.decodeIfPresent(Date.self, forKey: .p0)
    if kind.number == 0 {
      s0 = try container.decodeIfPresent(UUID.self, forKey: .s0)
      s1 = try container.decodeIfPresent(Range<Int>.self, forKey: .s1)
      s2 = nil
      s3 = nil
    } else if kind.number == 1 {
      s0 = nil
      s1 = nil
      s2 = nil
      s3 = nil
    } else {
      s0 = try container.decodeIfPresent(UUID.self, forKey: .s0)
      s1 = nil
      s2 = try container.decode(UInt8.self, forKey: .s2)
      s3 = try container.decode(Duration.self, forKey: .s3)
    }
  }
}


struct Trigger151: GeneratedType, Equatable {
  var meta: Meta0
  var p0: Int16
  var p1: String
  var d0: Double?

  enum CodingKeys: String, CodingKey {
    case meta = "meta"
    case p0 = "p0"
    case p1 = "p1"
    case outer = "meta2"
  }

  enum InnerKeys: String, CodingKey {
    case d0 = "d0"
  }

  var id: Int8 { meta.key }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(meta, forKey: .meta)
    try container.encode(p0, forKey: .p0)
    try container.encode(p1, forKey: .p1)
    var inner = container.nestedContainer(keyedBy: InnerKeys.self, forKey: .outer)
    try inner.encodeIfPresent(d0, forKey: .d0)
  }

  static func random(_ v: inout Values, id n: Int) -> Trigger151 {
    let meta: Meta0 = Meta0(key: Int8(truncatingIfNeeded: n), note: v.text())
    let p0: Int16 = v.integer(Int16.self)
    let p1: String = v.text()
    let d0: Double? = v.isNil() ? nil : v.double()
    return Self(meta: meta, p0: p0, p1: p1, d0: d0)
  }

  static var places: [Place] {
    [
        Place("p0", .number),
        Place("p1", .text),
        Place("meta2.d0", .number),
    ]
  }
  static var known: [Known<Trigger151>] {
    [
        Known(\Trigger151.meta, "meta"),
        Known(\Trigger151.p0, "p0"),
        Known(\Trigger151.p1, "p1"),
        Known(\Trigger151.d0, "meta2.d0"),
    ]
  }
  static var facts: Facts { Facts(idPath: ["meta", "key"], isInSQLite: false, isOverHTTP: true) }

  struct Meta0: Codable, Equatable, Sendable {
    var key: Int8
    var note: String?
  }
}

extension Trigger151 {
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    meta = try container.decode(Meta0.self, forKey: .meta)
    p0 = try container.decode(Int16.self, forKey: .p0)
    p1 = try container.decode(String.self, forKey: .p1)
    let inner = try container.nestedContainer(keyedBy: InnerKeys.self, forKey: .outer)
    d0 = try inner.decodeIfPresent(Double.self, forKey: .d0)
  }
}


struct Values169: GeneratedType {
  var code: Int
  var p0: [String]?
  var p1: Int?
  var d0: Decimal
  var d1: Raw0
  var pair: Int

  enum CodingKeys: String, CodingKey {
    case code = "code"
    case p0 = "p0"
    case p1 = "p1"
    case outer = "a b"
    case pair = "pair"
  }

  enum InnerKeys: String, CodingKey {
    case d0 = ":a"
    case d1 = "d1"
  }

  var id: Int { code }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(code, forKey: .code)
    try container.encodeIfPresent(p0, forKey: .p0)
    try container.encode(p1, forKey: .p1)
    var inner = container.nestedContainer(keyedBy: InnerKeys.self, forKey: .outer)
    try inner.encode(d0, forKey: .d0)
    try inner.encode(d1, forKey: .d1)
    var list = container.nestedUnkeyedContainer(forKey: .pair)
    try list.encode("pair")
    try list.encode(pair)
  }

  static func random(_ v: inout Values, id n: Int) -> Values169 {
    let code: Int = v.integerID(n)
    let p0: [String]? = v.isNil() ? nil : v.list { v in v.text() }
    let p1: Int? = v.isNil() ? nil : v.integer(Int.self)
    let d0: Decimal = v.decimal()
    let d1: Raw0 = Raw0.random(&v)
    let pair: Int = v.integer(Int.self)
    return Self(code: code, p0: p0, p1: p1, d0: d0, d1: d1, pair: pair)
  }

  static var places: [Place] {
    [
        Place("p0", .list),
        Place("p1", .number),
        Place("a b.:a", .number),
        Place("a b.d1", .text),
    ]
  }
  static var known: [Known<Values169>] {
    [
        Known(\Values169.code, "code"),
        Known(\Values169.p0, "p0"),
        Known(\Values169.p1, "p1"),
        Known(\Values169.d0, "a b.:a"),
        Known(\Values169.d1, "a b.d1"),
    ]
  }
  static var facts: Facts { Facts(idPath: ["code"], isInSQLite: true, isOverHTTP: true) }

  enum Raw0: String, Codable, Equatable, Sendable {
    case c0 = "é"

    static func random(_ v: inout Values) -> Self { v.pick([.c0]) }
  }
}

extension Values169 {
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    code = try container.decode(Int.self, forKey: .code)
    p0 = try container.decodeIfPresent([String].self, forKey: .p0)
    p1 = try container.decode(Int?.self, forKey: .p1)
    let inner = try container.nestedContainer(keyedBy: InnerKeys.self, forKey: .outer)
    d0 = try inner.decodeIfPresent(Decimal.self, forKey: .d0) ?? Decimal(4)
    d1 = try inner.decode(Raw0.self, forKey: .d1)
    var list = try container.nestedUnkeyedContainer(forKey: .pair)
    _ = try list.decode(String.self)
    pair = try list.decode(Int.self)
  }
}


final class Größe123: GeneratedType {
  let id: String
  let p0: Mail0
  let p1: Loose1

  enum CodingKeys: String, CodingKey {
    case id = "id"
    case p0 = "count"
    case p1 = "p1"
  }

  init(id: String, p0: Mail0, p1: Loose1) {
    self.id = id
    self.p0 = p0
    self.p1 = p1
  }

  static func random(_ v: inout Values, id n: Int) -> Größe123 {
    let id: String = v.textID(n)
    let p0: Mail0 = Mail0.random(&v)
    let p1: Loose1 = Loose1.random(&v)
    return Größe123(id: id, p0: p0, p1: p1)
  }

  static var places: [Place] {
    [
        Place("count", .text),
        Place("p1", .loose),
    ]
  }
  static var known: [Known<Größe123>] {
    [
        Known(\Größe123.id, "id"),
        Known(\Größe123.p0, "count"),
        Known(\Größe123.p1, "p1"),
    ]
  }
  static var facts: Facts { Facts(idPath: ["id"], isInSQLite: true, isOverHTTP: true) }

  struct Mail0: CodableExample, Equatable, Sendable {
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
  }

  enum Loose1: Codable, Equatable, Sendable {
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
  }
}


enum Note191: GeneratedType, CodableExample {
  case c0(Shape0)
  case c1(Shape1)

  enum CodingKeys: String, CodingKey { case kind }

  var id: String {
    switch self {
    case .c0(let shape): shape.id
    case .c1(let shape): shape.id
    }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(Int.self, forKey: .kind) {
    case 2: self = .c0(try Shape0(from: decoder))
    case 5: self = .c1(try Shape1(from: decoder))
    case let kind:
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "\(kind)"))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .c0(let shape):
      try container.encode(2, forKey: .kind)
      try shape.encode(to: encoder)
    case .c1(let shape):
      try container.encode(5, forKey: .kind)
      try shape.encode(to: encoder)
    }
  }

  static var example: Self { examples[0] }
  static var examples: [Self] {
    var v = Values(full: 1)
    return [.c0(Shape0.random(&v, id: 0)), .c1(Shape1.random(&v, id: 0))]
  }

  static func random(_ v: inout Values, id n: Int) -> Note191 {
    switch v.count(0...1) {
    case 0: return .c0(Shape0.random(&v, id: n))
    default: return .c1(Shape1.random(&v, id: n))
    }
  }

  static var places: [Place] {
    [
        Place("kind", .number),
    ]
  }
  static var known: [Known<Note191>] {
    [
        Known(\Note191.id, "id"),
    ]
  }
  static var facts: Facts { Facts(idPath: ["id"], isInSQLite: true, isOverHTTP: true) }

  struct Shape0: Codable, Equatable, Sendable {
    var id: String
    var p0: UInt64

    static func random(_ v: inout Values, id n: Int) -> Shape0 {
      let id: String = v.textID(n)
      let p0: UInt64 = v.integer(UInt64.self)
      return Self(id: id, p0: p0)
    }
  }

  struct Shape1: Codable, Equatable, Sendable {
    var id: String
    var p0: String

    static func random(_ v: inout Values, id n: Int) -> Shape1 {
      let id: String = v.textID(n)
      let p0: String = v.text()
      return Self(id: id, p0: p0)
    }
  }
}


enum Index121: GeneratedType, CodableExample {
  case c0(Shape0)
  case c1(Shape1)
  case c2(Shape2)

  enum CodingKeys: String, CodingKey { case kind }

  var id: Double {
    switch self {
    case .c0(let shape): shape.id
    case .c1(let shape): shape.id
    case .c2(let shape): shape.id
    }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(String.self, forKey: .kind) {
    case "kind0": self = .c0(try Shape0(from: decoder))
    case "kind1": self = .c1(try Shape1(from: decoder))
    case "kind2": self = .c2(try Shape2(from: decoder))
    case let kind:
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "\(kind)"))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .c0(let shape):
      try container.encode("kind0", forKey: .kind)
      try shape.encode(to: encoder)
    case .c1(let shape):
      try container.encode("kind1", forKey: .kind)
      try shape.encode(to: encoder)
    case .c2(let shape):
      try container.encode("kind2", forKey: .kind)
      try shape.encode(to: encoder)
    }
  }

  static var example: Self { examples[0] }
  static var examples: [Self] {
    var v = Values(full: 1)
    return [.c0(Shape0.random(&v, id: 0)), .c1(Shape1.random(&v, id: 0)), .c2(Shape2.random(&v, id: 0))]
  }

  static func random(_ v: inout Values, id n: Int) -> Index121 {
    switch v.count(0...2) {
    case 0: return .c0(Shape0.random(&v, id: n))
    case 1: return .c1(Shape1.random(&v, id: n))
    default: return .c2(Shape2.random(&v, id: n))
    }
  }

  static var places: [Place] {
    [
        Place("kind", .text),
        Place("p0", .number),
    ]
  }
  static var known: [Known<Index121>] {
    [
        Known(\Index121.id, "id"),
    ]
  }
  static var facts: Facts { Facts(idPath: ["id"], isInSQLite: true, isOverHTTP: true) }

  struct Shape0: Codable, Equatable, Sendable {
    var id: Double

    static func random(_ v: inout Values, id n: Int) -> Shape0 {
      let id: Double = v.doubleID(n)
      return Self(id: id)
    }
  }

  struct Shape1: Codable, Equatable, Sendable {
    var id: Double
    var p0: Decimal

    static func random(_ v: inout Values, id n: Int) -> Shape1 {
      let id: Double = v.doubleID(n)
      let p0: Decimal = v.decimal()
      return Self(id: id, p0: p0)
    }
  }

  struct Shape2: Codable, Equatable, Sendable {
    var id: Double

    static func random(_ v: inout Values, id n: Int) -> Shape2 {
      let id: Double = v.doubleID(n)
      return Self(id: id)
    }
  }
}


let sampleTypes: [any GeneratedType.Type] = [
  Values176.self,
  Table120.self,
  Select43.self,
  Item95.self,
  Table29.self,
  Values143.self,
  Trigger151.self,
  Values169.self,
  Größe123.self,
  Note191.self,
  Index121.self,
]
