import Foundation

extension Criteria.Scalar {
  /// Returns the value as the kind that a key holds, or throws if that is impossible.
  ///
  /// A number becomes one that compares in the same way with all values of the kind. For a decimal
  /// key, a floating-point number becomes the decimal of its printed form. For a floating-point
  /// key, a decimal with a fraction becomes the nearest `Double`.
  func coerced(to kind: ModelSchema.Kind, key: Criteria.Key) throws(EvocationError) -> Self {
    let result: Self?
    switch kind {
    case .json: result = inJSON
    case .scalar(let kind): result = self == .null ? .null : coerced(to: kind)
    case .list, .object: result = self == .null ? .null : nil
    }
    guard let result else {
      throw .incomparableValue(key: key.name, reason: reason(against: kind))
    }
    return result
  }

  private func coerced(to kind: ScalarKind) -> Self? {
    switch (kind, self) {
    case (.bool, .bool), (.text, .text), (.uuid, .uuid), (.url, .url), (.date, .date),
      (.data, .data):
      self
    case (.bool, .integer(let value)): value == 0 || value == 1 ? .bool(value == 1) : nil
    case (.integer, .bool), (.unsigned, .bool): .nestedForm(self)
    case (.integer, _), (.unsigned, _): wholeNumber
    case (.real, _): realNumber
    case (.decimal, _): decimalNumber
    case (.text, .url(let value)): .text(value.absoluteString)
    case (.url, .text): self
    case (.uuid, .text(let text)), (.data, .text(let text)): kind.scalar(text)
    case (.date, .text(let text)): Self.date(text)
    case (.bool, _), (.text, _), (.url, _), (.uuid, _), (.date, _), (.data, _): nil
    }
  }

  private var wholeNumber: Self? {
    switch number {
    case .integer, .unsigned: return self
    case .real(let value):
      if let value = Int64(exactly: value) { return .integer(value) }
      return UInt64(exactly: value).map { .unsigned($0) } ?? self
    case .decimal(let value):
      guard !value.isNaN else { return .real(.nan) }
      if let whole = value.whole { return whole }
      var (value, floor) = (value, Decimal())
      NSDecimalRound(&floor, &value, 0, .down)
      // For a comparison with whole numbers only the two neighbors matter, and a half is exact.
      return value == floor ? .real(value.nearest) : .real(floor.nearest + 0.5)
    case nil: return nil
    }
  }

  private var realNumber: Self? {
    guard case .decimal(let value)? = number else { return number == nil ? nil : self }
    return value.isNaN ? .real(.nan) : value.whole ?? .real(value.nearest)
  }

  private var decimalNumber: Self? {
    switch number {
    case .integer(let value): .decimal(Decimal(value))
    case .unsigned(let value): .decimal(Decimal(value))
    case .real(let value): Decimal(shortest: value).map { .decimal($0) } ?? self
    case .decimal: self
    case nil: nil
    }
  }

  private static func date(_ text: String) -> Self? {
    let style = Date.ISO8601FormatStyle()
    let date =
      (try? style.parse(text))
      ?? (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text))
      ?? (try? style.year().month().day().parse(text))
    return date.map { .date($0) }
  }

  private func reason(against kind: ModelSchema.Kind) -> String {
    let given = self.kind?.description ?? "null"
    return switch (kind, self) {
    case (.list, _): "the key holds a list; ask with contains or isNull"
    case (.object, _): "the key holds an object; name one of its keys, or ask with isNull"
    case (.scalar(.uuid), .text): "the key holds a UUID, and the text is not one"
    case (.scalar(.date), .text): "the key holds a date, and the text is not one in ISO 8601"
    case (.scalar(.data), .text): "the key holds data, and the text is not base64"
    case (.scalar(.bool), .integer):
      "the key holds a Boolean, and the number is neither 0 nor 1"
    case (.scalar, _), (.json, _): "the key holds \(kind), and the value is \(given)"
    }
  }
}

extension Decimal {
  /// The value as a whole number; nil if it has a fraction or is out of range.
  fileprivate var whole: Criteria.Scalar? {
    if let value = Int64(description) { return .integer(value) }
    return UInt64(description).map { .unsigned($0) }
  }
}
