extension Criteria.Scalar: Codable {
  /// Reads the format of ``encode(to:)``.
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
      try self.init(tagged: decoder.container(keyedBy: AnyKey.self))
    }
  }

  /// Writes null, Booleans, whole numbers and text as they are, and other values under their kind.
  ///
  /// A number with a fraction is also tagged, and written as its shortest exact text. So `2.0`
  /// stays distinct from `2`, and infinities and NaN survive in every format.
  public func encode(to encoder: any Encoder) throws {
    if let kind, kind.isTagged {
      var container = encoder.container(keyedBy: AnyKey.self)
      return try container.encode(exactText, forKey: AnyKey(kind.name))
    }
    var container = encoder.singleValueContainer()
    if case .bool(let value) = self {
      try container.encode(value)
    } else if case .integer(let value) = self {
      try container.encode(value)
    } else if case .text(let value) = self {
      try container.encode(value)
    } else {
      try container.encodeNil()
    }
  }

  private init(tagged container: KeyedDecodingContainer<AnyKey>) throws {
    for kind in ScalarKind.allCases where kind.isTagged {
      let key = AnyKey(kind.name)
      guard container.contains(key) else { continue }
      guard let value = kind.scalar(try container.decode(String.self, forKey: key)) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container, debugDescription: "The text is not a valid \(kind.name)."
        )
      }
      self = value
      return
    }
    throw DecodingError.dataCorrupted(
      .init(codingPath: container.codingPath, debugDescription: "There is no value of any kind.")
    )
  }
}

extension ScalarKind {
  /// Whether values are written under the kind's name, because JSON has no such kind.
  fileprivate var isTagged: Bool {
    self != .bool && self != .integer && self != .text
  }
}
