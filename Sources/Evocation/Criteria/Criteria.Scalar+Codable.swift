import Foundation

extension Criteria.Scalar: Codable {
  /// Reads what ``encode(to:)`` writes.
  public init(from decoder: any Decoder) throws {
    let plain = try decoder.singleValueContainer()
    if plain.decodeNil() {
      self = .null
    } else if let value = try? plain.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? plain.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? plain.decode(String.self) {
      self = .text(value)
    } else {
      try self.init(tagged: decoder.container(keyedBy: Tag.self))
    }
  }

  /// Writes null, Booleans, whole numbers and text as they are, and the rest under its kind's name.
  ///
  /// A number with a fraction is tagged too, with its shortest exact text, so that `2.0` stays apart
  /// from `2` and infinities and NaN survive any format.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .null: try Self.encode(plain: Bool?.none, to: encoder)
    case .bool(let value): try Self.encode(plain: value, to: encoder)
    case .integer(let value): try Self.encode(plain: value, to: encoder)
    case .text(let value): try Self.encode(plain: value, to: encoder)
    case .unsigned(let value): try Self.encode(String(value), .unsigned, to: encoder)
    case .real(let value): try Self.encode(value.description, .real, to: encoder)
    case .decimal(let value): try Self.encode(value.description, .decimal, to: encoder)
    case .date(let value):
      try Self.encode(value.timeIntervalSinceReferenceDate.description, .date, to: encoder)
    case .uuid(let value): try Self.encode(value.uuidString, .uuid, to: encoder)
    case .data(let value): try Self.encode(value.base64EncodedString(), .data, to: encoder)
    case .url(let value): try Self.encode(value.absoluteString, .url, to: encoder)
    }
  }

  private enum Tag: String, CodingKey, CaseIterable {
    case unsigned, real, decimal, date, uuid, data, url
  }

  private init(tagged container: KeyedDecodingContainer<Tag>) throws {
    guard let tag = container.allKeys.first else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: container.codingPath, debugDescription: "There is no value of any kind.")
      )
    }
    let text = try container.decode(String.self, forKey: tag)
    guard let value = Self.parse(text, tag) else {
      throw DecodingError.dataCorruptedError(
        forKey: tag, in: container, debugDescription: "The text is not a valid \(tag.rawValue)."
      )
    }
    self = value
  }

  private static func parse(_ text: String, _ tag: Tag) -> Self? {
    switch tag {
    case .unsigned: UInt64(text).map { .unsigned($0) }
    case .real: Double(text).map { .real($0) }
    case .decimal: Decimal(string: text).map { .decimal($0) }
    case .date: Double(text).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    case .uuid: UUID(uuidString: text).map { .uuid($0) }
    case .data: Data(base64Encoded: text).map { .data($0) }
    case .url: URL(string: text).map { .url($0) }
    }
  }

  private static func encode(plain value: some Encodable, to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }

  private static func encode(_ text: String, _ tag: Tag, to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Tag.self)
    try container.encode(text, forKey: tag)
  }
}
