internal import Foundation

extension Criteria: CacheRequirements {
  /// The criteria as text, the same for criteria that ask the same in another order of words.
  ///
  /// It is JSON, as the criteria are coded, with the parts of *and* and *or* sorted.
  public var tag: String {
    var sorted = self
    sorted.predicate = predicate?.sorted
    return Predicate.text(of: sorted)
  }
}

extension Criteria.Predicate {
  fileprivate var sorted: Self {
    switch self {
    case .all(let parts): .all(Self.sorted(parts))
    case .any(let parts): .any(Self.sorted(parts))
    case .not(let part): .not(part.sorted)
    case .comparison, .isIn, .between, .isNull, .hasPrefix, .contains: self
    }
  }

  private static func sorted(_ parts: [Self]) -> [Self] {
    let named = parts.map { part in
      let part = part.sorted
      return (part: part, text: text(of: part))
    }
    return named.sorted { $0.text < $1.text }.map(\.part)
  }

  fileprivate static func text(of value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    // Criteria are made of what JSON can hold; were it otherwise, they would still have a name.
    guard let data = try? encoder.encode(value) else { return "\(value)" }
    return String(decoding: data, as: UTF8.self)
  }
}
