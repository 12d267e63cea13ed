import Evocation
import EvocationSQLite
import Foundation

/// What lies in the file of format 2, and how it is written.
///
/// It stays as it is: other formats get types of their own.
enum FormatFile {
  enum Fuel: String, Codable, Sendable { case petrol, diesel }
  enum Gear: Int, Codable, Sendable { case first = 1, second }
  enum Event: Codable, Sendable, Equatable {
    case nothing
    case stop(place: String, at: Date)
  }

  struct Place: Codable, Sendable, Equatable {
    var city: String
    var height: Double?
    var since: Date
    var mark: Data
  }

  /// Everything that a column can hold.
  struct Sample: SQLiteModel, Equatable {
    static let table = "samples"
    static let indexes: [SQLiteIndex] = ["place.city", "decimal", .unique("text", "int")]

    var id: UUID
    var bool: Bool
    var int: Int
    var int8: Int8
    var uint64: UInt64
    var double: Double
    var float: Float
    var decimal: Decimal
    var text: String
    var url: URL
    var date: Date
    var data: Data
    var fuel: Fuel
    var gear: Gear
    var event: Event
    var list: [Double]
    var place: Place
    var optionalBool: Bool?
    var optionalInt: Int?
    var optionalUInt64: UInt64?
    var optionalDouble: Double?
    var optionalDecimal: Decimal?
    var optionalText: String?
    var optionalUUID: UUID?
    var optionalURL: URL?
    var optionalDate: Date?
    var optionalData: Data?
    var optionalList: [Int?]?
    var optionalPlace: Place?
  }

  /// A key of two properties.
  struct Wheel: SQLiteModel, Equatable {
    static let key: [Criteria.Key] = ["car", "place"]

    var car: Int
    var place: String
    var size: Double
    var id: String { "\(car)/\(place)" }
  }

  static let migration = SQLiteMigration(
    "make notes", "CREATE TABLE notes (text TEXT)", "INSERT INTO notes VALUES ('kept')")

  static let samples = [
    Sample(
      id: UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)), bool: false,
      int: .min,
      int8: .min, uint64: 0, double: -.infinity, float: -.greatestFiniteMagnitude,
      decimal: Decimal(string: "-0.1") ?? 0, text: "", url: URL(filePath: "/"), date: .distantPast,
      data: Data(), fuel: .petrol, gear: .first, event: .nothing, list: [],
      place: Place(
        city: "", since: Date(timeIntervalSinceReferenceDate: -0.1), mark: Data())),
    Sample(
      id: UUID(
        uuid: (255, 254, 253, 252, 251, 250, 249, 248, 247, 246, 245, 244, 243, 242, 241, 240)),
      bool: true, int: .max, int8: .max, uint64: .max, double: 0.1 + 0.2,
      float: .leastNonzeroMagnitude, decimal: .greatestFiniteMagnitude,
      text: "a\0b '\" 👩‍👩‍👧‍👦 e\u{301}",
      url: URL(string: "https://example.org/%C3%A4?q=%00#f") ?? URL(filePath: "/x"),
      date: Date(timeIntervalSinceReferenceDate: 0.1 + 0.2), data: Data([0, 255, 0]), fuel: .diesel,
      gear: .second, event: .stop(place: "x", at: .distantFuture), list: [.infinity, 0.1, 1e300],
      place: Place(city: "x\0y", height: -.infinity, since: .distantFuture, mark: Data([0, 255])),
      optionalBool: true, optionalInt: 5, optionalUInt64: UInt64(Int64.max) + 1,
      optionalDouble: 1.5, optionalDecimal: Decimal(string: "12345678901234567890.123456789"),
      optionalText: "\u{10FFFF}",
      optionalUUID: UUID(uuid: (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)),
      optionalURL: URL(string: "https://example.org"),
      optionalDate: Date(timeIntervalSinceReferenceDate: -1.5), optionalData: Data([1]),
      optionalList: [1, nil, .max],
      optionalPlace: Place(city: "z", since: .distantPast, mark: Data([7]))),
  ]

  static let wheels = [
    Wheel(car: 1, place: "left", size: 17), Wheel(car: 1, place: "right", size: 17.5),
  ]

  /// Writes the file, which must not be there.
  static func write(to path: String) async throws {
    let database = try SQLiteDatabase(path: path)
    try database.migrate([migration])
    try await SQLiteRepository<Sample>(database).store(samples)
    try await SQLiteRepository<Wheel>(database).store(wheels)
    await database.close()
  }
}
