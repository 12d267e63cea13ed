extension String {
  /// The name in quotes for SQL, with any characters.
  var quoted: String { "\"" + doubling("\"") + "\"" }

  /// The text as an SQL literal; only for text from a type, never for a user's input.
  var literal: String { "'" + doubling("'") + "'" }

  /// Doubles a quote also where a combining mark behind it makes it another character.
  private func doubling(_ quote: Unicode.Scalar) -> String {
    guard utf8.contains(UInt8(ascii: quote)) else { return self }
    return String(UnicodeScalarView(unicodeScalars.flatMap { $0 == quote ? [$0, $0] : [$0] }))
  }
}
