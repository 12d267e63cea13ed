extension String {
  /// The name in quotes for SQL, with any characters.
  var quoted: String { "\"\(doubling("\""))\"" }

  /// The text as an SQL literal; only for text from a type, never for a user's input.
  var literal: String { "'\(doubling("'"))'" }

  private func doubling(_ quote: Character) -> String {
    contains(quote)
      ? split(separator: quote, omittingEmptySubsequences: false)
        .joined(separator: "\(quote)\(quote)") : self
  }
}
