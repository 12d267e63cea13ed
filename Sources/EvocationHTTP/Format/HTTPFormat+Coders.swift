public import Foundation

extension HTTPFormat {
  /// Returns an encoder with sorted keys and ISO 8601 dates, which have up to six digits of a second.
  ///
  /// Keys are sorted so that a repeated write has the same bytes, which services compare under one
  /// idempotency key. A date that the default decoder read is written with the microseconds that it
  /// came with.
  @Sendable public static func defaultEncoder() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(ISO8601Date.text(of: date))
    }
    return encoder
  }

  /// Returns a decoder that reads ISO 8601 dates, with or without fractions of a second.
  @Sendable public static func defaultDecoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      let text = try container.decode(String.self)
      guard let date = ISO8601Date.date(of: text) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: ISO8601Date.reason
        )
      }
      return date
    }
    return decoder
  }
}

extension HTTPFormat {
  /// The form in which a service writes the keys of models.
  public enum Keys: Sendable, Hashable {
    /// `customer_name` for `customerName`, as `JSONEncoder` and `JSONDecoder` convert them.
    case snakeCase
  }

  /// Has the encoder and the decoder write and read keys in a form.
  ///
  /// ```swift
  /// format.write(keys: .snakeCase)  // miles_per_gallon
  /// ```
  ///
  /// It keeps the other settings of ``encoder`` and ``decoder``, so set those before. Keys in conditions are
  /// written in the same form. ``HTTPRepository/configurationError`` names coding keys that do not come back,
  /// such as `avatarURL`.
  public mutating func write(keys: Keys) {
    encoder = { [encoder] in
      let encoder = encoder()
      switch keys {
      case .snakeCase: encoder.keyEncodingStrategy = .convertToSnakeCase
      }
      return encoder
    }
    decoder = { [decoder] in
      let decoder = decoder()
      switch keys {
      case .snakeCase: decoder.keyDecodingStrategy = .convertFromSnakeCase
      }
      return decoder
    }
  }
}
