import Evocation
import Foundation

struct Car: Codable, Identifiable, Sendable, Equatable {
  var id: Int
  var name: String
  var year: Int?
  var price = 1.5
  var tags: [String] = []
  var owner: Owner?

  struct Owner: Codable, Sendable, Equatable {
    var city: String
    var age: Int?
    var weight: Double?
    var isAdult: Bool?
  }
}

enum Fuel: String, Codable, Sendable, CriteriaValue {
  case petrol, diesel
}

enum Gear: Int, Codable, Sendable {
  case first = 1, second
}

enum Payload: Codable, Sendable, Equatable {
  case nothing
  case text(String)
  case pair(a: Int, b: Date)
}

/// One property of every kind that a column holds.
struct Everything: Codable, Identifiable, Sendable, Equatable {
  var id: UUID
  var isOn: Bool
  var int: Int
  var int8: Int8
  var int16: Int16
  var int32: Int32
  var int64: Int64
  var uint: UInt
  var uint8: UInt8
  var uint16: UInt16
  var uint32: UInt32
  var uint64: UInt64
  var double: Double
  var float: Float
  var decimal: Decimal
  var text: String
  var date: Date
  var data: Data
  var url: URL
  var fuel: Fuel
  var gear: Gear
  var payload: Payload
  var list: [Double]
  var nested: [[String: Date]]
  var dictionary: [String: Int]
  var owner: Car.Owner

  static let least = Everything(
    id: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), isOn: false, int: .min,
    int8: .min, int16: .min, int32: .min, int64: .min, uint: 0, uint8: 0, uint16: 0, uint32: 0,
    uint64: 0, double: -.infinity, float: -.infinity, decimal: -.greatestFiniteMagnitude, text: "",
    date: Date(timeIntervalSinceReferenceDate: -63_114_076_800.123_456), data: Data(),
    url: URL(filePath: "/"), fuel: .petrol, gear: .first, payload: .nothing, list: [], nested: [],
    dictionary: [:], owner: Car.Owner(city: "")
  )

  static let greatest = Everything(
    id: UUID(
      uuid: (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255)),
    isOn: true, int: .max, int8: .max, int16: .max, int32: .max, int64: .max, uint: .max,
    uint8: .max, uint16: .max, uint32: .max, uint64: .max, double: .infinity,
    float: .greatestFiniteMagnitude, decimal: .greatestFiniteMagnitude,
    text: "a\0b '\"; DROP TABLE x; -- 👩‍👩‍👧‍👦 \u{10FFFF} e\u{301}",
    date: Date(timeIntervalSinceReferenceDate: 0.1 + 0.2), data: Data([0, 255, 0]),
    url: URL(string: "https://example.org/ä?q=%00#f") ?? URL(filePath: "/"), fuel: .diesel,
    gear: .second, payload: .pair(a: 1, b: Date(timeIntervalSinceReferenceDate: 0.1)),
    list: [.infinity, -.infinity, 0.1, 1e300],
    nested: [["a/b": .distantPast, "\"": .distantFuture]],
    dictionary: ["": 0, "ü": -1, "a.b": 2],
    owner: Car.Owner(city: "x\0y", age: .max, weight: 0.1, isAdult: true)
  )
}

/// Every property is optional.
struct Optionals: Codable, Identifiable, Sendable, Equatable {
  var id: String
  var isOn: Bool?
  var int: Int?
  var uint64: UInt64?
  var double: Double?
  var decimal: Decimal?
  var text: String?
  var date: Date?
  var uuid: UUID?
  var data: Data?
  var url: URL?
  var fuel: Fuel?
  var payload: Payload?
  var list: [Int?]?
  var owner: Car.Owner?
}
