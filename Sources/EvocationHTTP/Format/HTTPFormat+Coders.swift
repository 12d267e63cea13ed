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
