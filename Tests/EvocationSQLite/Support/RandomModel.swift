import Evocation
import Foundation

/// A model with a property of each kind, of which few values are made, so that many meet.
struct RandomModel: Codable, Identifiable, Sendable, Equatable {
  var id: Int
  var flag: Bool
  var number: Int64
  var small: Int8?
  var large: UInt64
  var largeOrNot: UInt?
  var real: Double
  var realOrNot: Double?
  var price: Decimal
  var priceOrNot: Decimal?
  var name: String
  var nameOrNot: String?
  var key: UUID?
  var link: URL?
  var at: Date
  var atOrNot: Date?
  var bytes: Data?
  var fuel: Fuel
  var tags: [String]?
  var numbers: [Double]?
  var part: Part?
  var open: [String: Int]
  var loose: Loose?

  struct Part: Codable, Sendable, Equatable {
    var name: String?
    var at: Date?
    var key: UUID?
    var flag: Bool?
    var price: Decimal?
    var large: UInt64?
    var real: Double?
    var bytes: Data?
    var list: [Int]?
    var deep: Deep?
  }

  struct Deep: Codable, Sendable, Equatable {
    var number: Int
  }

  /// Text, a number, a list or nothing, as it comes.
  enum Loose: Codable, Sendable, Equatable {
    case text(String)
    case number(Double)
    case list([String])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let value = try? container.decode(Double.self) {
        self = .number(value)
      } else if let value = try? container.decode(String.self) {
        self = .text(value)
      } else {
        self = .list(try container.decode([String].self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .text(let value): try container.encode(value)
      case .number(let value): try container.encode(value)
      case .list(let value): try container.encode(value)
      }
    }
  }
}

/// The values that random models and criteria are made of.
enum Pool {
  static let integers: [Int64] = [
    .min, .min + 1, -(1 << 53) - 1, -1, 0, 1, 2, 3, 1 << 53, (1 << 53) + 1, .max - 1, .max,
  ]
  static let unsigned: [UInt64] = [
    0, 1, 2, 1 << 53, UInt64(Int64.max), UInt64(Int64.max) + 1, UInt64(Int64.max) + 2, .max - 1,
    .max,
  ]
  static let reals: [Double] = [
    -.infinity, -1e300, -0x1p63, -1, -0.5, 0, Double.leastNonzeroMagnitude, 0.1, 0.1 + 0.2, 0.3, 1,
    1.5, 2,
    0x1p53, 0x1p53 + 2, 0x1p63, 0x1p64, 1e300, .infinity, .nan,
  ]
  static let decimals: [Decimal] = [
    "-12345678901234567890.5", "-1", "-0.5", "0", "0.1", "0.10000000000000000001", "0.3", "1",
    "1.5", "9007199254740993", "18446744073709551615", "1e30",
  ].compactMap { Decimal(string: $0) }
  static let texts: [String] = [
    "", "a", "A", "ab", "a%", "a_b", "b", "é", "e\u{301}", "a\u{10FFFF}", "\u{10FFFF}", "a'b\"c",
    "1", "1.5", "nan", "a\0b", "\0", "\n\\\u{1F697}", "\u{10FFFF}\u{10FFFF}",
  ]
  static let dates: [Date] = [
    .distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: 0),
    Date(timeIntervalSinceReferenceDate: 0.1 + 0.2), Date(timeIntervalSinceReferenceDate: 0.3),
    Date(timeIntervalSinceReferenceDate: -1.5),
  ]
  static let uuids: [UUID] = [
    "00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-0000000000FF",
    "A0000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff",
  ].compactMap { UUID(uuidString: $0) }
  static let data: [Data] = [Data(), Data([0]), Data([0, 0]), Data([255]), Data([62, 63, 64])]
  static let urls: [URL] = ["a:", "a:b", "https://example.org/a?b=c", "B:"].compactMap {
    URL(string: $0)
  }
}

extension [RandomModel] {
  /// NaN makes equal models differ, so they are compared as they are coded.
  var coded: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return (try? String(decoding: encoder.encode(self), as: UTF8.self)) ?? ""
  }
}
