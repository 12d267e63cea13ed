/// What the words of a search ask for: terms that must all be found, in any order.
///
/// A word stands between spaces, and a phrase between quotes, straight or curved, of which the last
/// may be missing. An asterisk behind either makes its last word a prefix. Nothing else has a meaning,
/// so nothing that a user types is an error. What has neither a letter nor a digit is no term.
package struct SearchWords: Sendable, Hashable {
  /// A word or a phrase, without quotes and control characters.
  package struct Term: Sendable, Hashable {
    package let text: String

    /// Whether the last word of the text may go on.
    package let isPrefix: Bool

    package init(_ text: String, isPrefix: Bool = false) {
      self.text = text
      self.isPrefix = isPrefix
    }
  }

  package private(set) var terms: [Term] = []

  package init(_ words: String) {
    // Code points and not characters: a combining mark behind a quote would be part of it.
    var rest = Array(words.unicodeScalars)[...]
    while let first = rest.first {
      if first.isQuote {
        let phrase = rest.dropFirst().prefix { !$0.isQuote }
        rest = rest[phrase.endIndex...].dropFirst()
        append(phrase, isPrefix: rest.first == "*")
      } else {
        let word = rest.prefix { !$0.isQuote && !$0.properties.isWhitespace }
        rest = word.isEmpty ? rest.dropFirst() : rest[word.endIndex...]
        append(word, isPrefix: word.last == "*")
      }
    }
  }

  private mutating func append(_ scalars: ArraySlice<Unicode.Scalar>, isPrefix: Bool) {
    guard scalars.contains(where: \.isInWords) else { return }
    var text = String.UnicodeScalarView()
    for scalar in scalars {
      text.append(scalar.value < 0x20 || scalar == "*" || scalar == "\u{7F}" ? " " : scalar)
    }
    terms.append(Term(String(text), isPrefix: isPrefix))
  }
}

extension Unicode.Scalar {
  fileprivate var isQuote: Bool {
    self == "\"" || self == "\u{201C}" || self == "\u{201D}" || self == "\u{201E}"
  }

  /// Whether it is a letter, a digit or another number, which indexes divide texts into words by.
  fileprivate var isInWords: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .privateUse:
      true
    default: false
    }
  }
}
