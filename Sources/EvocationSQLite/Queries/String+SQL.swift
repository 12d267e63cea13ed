extension String {
  /// The name as SQL takes it, whatever it contains.
  var quoted: String { "\"\(doubling("\""))\"" }

  /// The text as an SQL literal; only for what comes from a type, never for what users enter.
  var literal: String { "'\(doubling("'"))'" }

  private func doubling(_ quote: Character) -> String {
    contains(quote)
      ? split(separator: quote, omittingEmptySubsequences: false)
        .joined(separator: "\(quote)\(quote)") : self
  }
}
