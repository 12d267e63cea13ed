public import Foundation

extension HTTPFormat {
  /// An encoder that sorts keys and writes dates as ISO 8601, to the microsecond where they have
  /// one.
  ///
  /// The keys are sorted so that a write that is sent again has the same bytes, which services
  /// compare under one idempotency key. A date that the default decoder read is written with the
  /// microseconds that it came with.
  @Sendable public static func defaultEncoder() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(ISO8601Date.text(of: date))
    }
    return encoder
  }

  /// A decoder that reads ISO 8601 dates, with fractions of a second or without.
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
