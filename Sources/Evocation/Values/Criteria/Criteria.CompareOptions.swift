internal import Foundation

extension Criteria {
  /// What a comparison of text leaves out: case, accents, or both.
  ///
  /// ```swift
  /// let found = try await Evocation.find(
  ///   Car.self, where: .contains(\.name, "citroen", options: .like))
  /// ```
  ///
  /// Both texts are folded, and then compared byte by byte: `Citroën` contains `citroen`, and
  /// `Straße` equals `STRASSE`. The fold is Foundation's `folding(options:locale:)` without a
  /// locale, the same on every device, of the composed text: in contrast to comparisons without
  /// options, composed and decomposed accents are the same. Letters that are not a letter with an
  /// accent stay what they are, such as `ø` and `ı`.
  public struct CompareOptions: OptionSet, Sendable, Hashable, Codable, PlainlyPrinted {
    /// Letters in both cases are the same, as `String.CompareOptions.caseInsensitive`.
    public static let caseInsensitive = Self(rawValue: 1)

    /// A letter is the same with and without accents, as `String.CompareOptions.diacriticInsensitive`.
    public static let diacriticInsensitive = Self(rawValue: 2)

    /// Without case and without accents, as people search.
    public static let like: Self = [.caseInsensitive, .diacriticInsensitive]

    /// The options as bits: 1 for case, and 2 for accents.
    public let rawValue: Int

    /// Creates options from their bits; there are no others, so further bits have no effect.
    public init(rawValue: Int) {
      self.rawValue = rawValue & 3
    }
  }
}

extension Criteria.CompareOptions {
  private static let names: [(option: Self, name: String)] = [
    (.caseInsensitive, "caseInsensitive"), (.diacriticInsensitive, "diacriticInsensitive"),
  ]

  /// The names of the options, in a fixed order.
  var names: [String] { Self.names.filter { contains($0.option) }.map(\.name) }

  /// Reads a list of names.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self = []
    for name in try container.decode([String].self) {
      guard let known = Self.names.first(where: { $0.name == name }) else {
        throw DecodingError.dataCorruptedError(
          in: container,
          debugDescription: "Criteria compare text with the options \"caseInsensitive\" and "
            + "\"diacriticInsensitive\", and not \"\(name)\".")
      }
      insert(known.option)
    }
  }

  /// Writes a list of names, such as `["caseInsensitive"]`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(names)
  }

  /// Returns the text without what the options leave out: the one definition for all repositories.
  ///
  /// Folding composed text alone would leave equal texts different where the fold decomposes a letter,
  /// and where it does not know the script, as with decomposed Hangul; so it is composed before and
  /// after. Text in ASCII has neither accents nor two forms.
  package func folded(_ text: String) -> String {
    if isEmpty { return text }
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      return contains(.caseInsensitive) ? text.lowercased() : text
    }
    var options: String.CompareOptions = []
    if contains(.caseInsensitive) { options.insert(.caseInsensitive) }
    if contains(.diacriticInsensitive) { options.insert(.diacriticInsensitive) }
    return text.precomposedStringWithCanonicalMapping.folding(options: options, locale: nil)
      .precomposedStringWithCanonicalMapping
  }
}

extension Criteria {
  /// The ways in which a text compares with another by options.
  public enum TextComparison: String, Sendable, Hashable, Codable, CaseIterable, PlainlyPrinted {
    /// The same text.
    case equal
    /// A text that begins with the other.
    case hasPrefix
    /// A text with the other somewhere in it; of a list, the same text as one of the elements.
    case contains
  }
}

extension Criteria.TextComparison {
  /// Whether the comparison holds between two folded texts, byte by byte.
  func holds(_ text: String, _ other: String) -> Bool {
    switch self {
    case .equal: text.utf8.elementsEqual(other.utf8)
    case .hasPrefix: text.utf8.starts(with: other.utf8)
    case .contains: text.hasBytes(other)
    }
  }
}
