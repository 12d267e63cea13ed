import Foundation

/// The result of comparing two values in the order that every repository uses.
package enum ScalarOrder: Sendable {
  case less, same, greater

  /// Compares two values: null comes first, then numbers and Booleans, then text.
  ///
  /// Values of one kind compare by that kind, and values of two kinds in their JSON forms.
  package static func of(_ left: Criteria.Scalar, _ right: Criteria.Scalar) -> ScalarOrder {
    switch (left, right) {
    case (.null, .null): return .same
    case (.text(let left), .text(let right)): return bytes(left, right)
    case (.integer(let left), .integer(let right)): return comparing(left, right)
    case (.real(let left), .real(let right)): return reals(left, right)
    case (.bool(let left), .bool(let right)): return comparing(left ? 1 : 0, right ? 1 : 0)
    case (.uuid(let left), .uuid(let right)): return bytes(left, right)
    case (.data(let left), .data(let right)): return bytes(left, right)
    case (.date(let left), .date(let right)):
      return reals(left.timeIntervalSinceReferenceDate, right.timeIntervalSinceReferenceDate)
    case (.url(let left), .url(let right)): return bytes(left.absoluteString, right.absoluteString)
    case (.null, _), (.text, _), (.integer, _), (.real, _), (.bool, _), (.uuid, _), (.data, _),
      (.date, _), (.url, _), (.decimal, _), (.unsigned, _):
      if let left = left.number, let right = right.number { return NumberOrder.of(left, right) }
      return nested(.nestedForm(left), .nestedForm(right))
    }
  }

  /// Compares value by value; if one array is the beginning of the second, the longer one is
  /// greater.
  package static func of(_ left: [Criteria.Scalar], _ right: [Criteria.Scalar]) -> ScalarOrder {
    for index in 0..<min(left.count, right.count) {
      let order = of(left[index], right[index])
      if order != .same { return order }
    }
    return comparing(left.count, right.count)
  }

  /// The result with both values swapped.
  package var reversed: ScalarOrder {
    switch self {
    case .less: .greater
    case .same: .same
    case .greater: .less
    }
  }

  static func comparing<Value: Comparable>(_ left: Value, _ right: Value) -> ScalarOrder {
    left < right ? .less : left == right ? .same : .greater
  }

  /// Compares numbers; NaN equals itself and is greater than all others.
  static func reals(_ left: Double, _ right: Double) -> ScalarOrder {
    guard left.isNaN || right.isNaN else { return comparing(left, right) }
    return comparing(left.isNaN ? 1 : 0, right.isNaN ? 1 : 0)
  }

  private static func nested(_ left: Criteria.Scalar, _ right: Criteria.Scalar) -> ScalarOrder {
    if let left = left.number, let right = right.number { return NumberOrder.of(left, right) }
    if case .text(let left) = left, case .text(let right) = right { return bytes(left, right) }
    return comparing(left.rank, right.rank)
  }

  private static func bytes(_ left: String, _ right: String) -> ScalarOrder {
    let order = left.utf8.withContiguousStorageIfAvailable { left in
      right.utf8.withContiguousStorageIfAvailable { right in
        bytes(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
      }
    }
    if let order, let order { return order }
    return bytes(Data(left.utf8), Data(right.utf8))
  }

  private static func bytes(_ left: UUID, _ right: UUID) -> ScalarOrder {
    withUnsafeBytes(of: left.uuid) { left in
      withUnsafeBytes(of: right.uuid) { right in bytes(left, right) }
    }
  }

  private static func bytes(_ left: Data, _ right: Data) -> ScalarOrder {
    left.withUnsafeBytes { left in
      right.withUnsafeBytes { right in bytes(left, right) }
    }
  }

  private static func bytes(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
  ) -> ScalarOrder {
    let count = min(left.count, right.count)
    guard count > 0, let first = left.baseAddress, let second = right.baseAddress else {
      return comparing(left.count, right.count)
    }
    let difference = memcmp(first, second, count)
    return difference == 0
      ? comparing(left.count, right.count) : comparing(difference, 0)
  }
}

extension Criteria.Scalar {
  fileprivate var rank: Int {
    kind == nil ? 0 : number != nil ? 1 : 2
  }
}

extension Criteria.Scalar: Hashable {
  /// Whether both have the same kind and value.
  ///
  /// Text is the same if its bytes are, and NaN equals itself.
  public static func == (left: Self, right: Self) -> Bool {
    left.kind == right.kind && ScalarOrder.of(left, right) == .same
  }

  /// Hashes the values that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hashByOrder(into: &hasher)
  }

  /// Hashes the value, with the same hash for all values that ``ScalarOrder`` calls the same.
  func hashByOrder(into hasher: inout Hasher) {
    switch self {
    case .text(let value): hasher.combine(utf8: value)
    case .integer(let value): hasher.combine(value)
    case .null: hasher.combine(0)
    case .unsigned(let value): hasher.combine(whole: value)
    case .real(let value): hasher.combine(number: value)
    case .decimal(let value):
      if let whole = UInt64(value.description) {
        hasher.combine(whole: whole)
      } else if let whole = Int64(value.description) {
        hasher.combine(whole)
      } else {
        hasher.combine(number: value.nearest)
      }
    case .bool, .date, .uuid, .data, .url: Self.nestedForm(self).hashByOrder(into: &hasher)
    }
  }
}

extension Hasher {
  fileprivate mutating func combine(whole: UInt64) {
    combine(Int64(truncatingIfNeeded: whole))
  }

  /// Hashes whole numbers alike for every type that holds them, and every NaN alike.
  fileprivate mutating func combine(number: Double) {
    if let whole = Int64(exactly: number) {
      combine(whole)
    } else if let whole = UInt64(exactly: number) {
      combine(whole: whole)
    } else {
      combine(number.isNaN ? .nan : number)
    }
  }
}
