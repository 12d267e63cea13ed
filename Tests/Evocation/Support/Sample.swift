import Evocation
import Foundation

/// A model with a property of each kind, each of them optional but the id.
struct Sample: Codable, Identifiable, Sendable, Hashable {
  var id: Int
  var flag: Bool?
  var number: Int?
  var large: UInt64?
  var real: Double?
  var price: Decimal?
  var name: String?
  var key: UUID?
  var link: URL?
  var at: Date?
  var bytes: Data?
  var tags: [String]?
  var part: Part?
  var open: [String: Loose]?

  struct Part: Codable, Sendable, Hashable {
    var name: String?
    var at: Date?
    var key: UUID?
    var flag: Bool?
    var price: Decimal?
    var bytes: Data?
    var list: [Int]?
  }

  init(id: Int) { self.id = id }

  init(_ id: Int, _ change: (inout Sample) -> Void) {
    self.init(id: id)
    change(&self)
  }
}

/// Text, a number, a Boolean or nothing.
enum Loose: Codable, Sendable, Hashable {
  case text(String)
  case number(Double)
  case bool(Bool)
  case nothing

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .nothing
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else {
      self = .text(try container.decode(String.self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .bool(let value): try container.encode(value)
    case .nothing: try container.encodeNil()
    }
  }
}
