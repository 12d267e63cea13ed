public import Foundation

extension HTTPConfiguration {
  /// An encoder that sorts keys and writes dates as ISO 8601, with milliseconds where there are any.
  ///
  /// The keys are sorted so that a write that is sent again has the same bytes, which services
  /// compare under one idempotency key.
  @Sendable public static func defaultEncoder() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(text(of: date))
    }
    return encoder
  }

  /// A decoder that reads ISO 8601 dates, with fractions of a second or without.
  @Sendable public static func defaultDecoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      let text = try container.decode(String.self)
      for fraction in [false, true] {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: fraction)
        if let date = try? style.parse(text) { return date }
      }
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "The text is not an ISO 8601 date."
      )
    }
    return decoder
  }

  private static func text(of date: Date) -> String {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    // The format cuts off, and most milliseconds lie a little below the nearest binary number.
    let rounded = Date(timeIntervalSince1970: (milliseconds + 0.25) / 1000)
    let isWhole = milliseconds.truncatingRemainder(dividingBy: 1000) == 0
    return rounded.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: !isWhole))
  }
}
