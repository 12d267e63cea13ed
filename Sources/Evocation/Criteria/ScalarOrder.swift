import Foundation

/// How two values stand to each other in the order that every repository keeps.
package enum ScalarOrder: Sendable {
  case less, same, greater

  /// Compares two values: null, then numbers and Booleans, then text.
  ///
  /// Values of one kind compare by that kind; of two kinds, as JSON would have them.
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
    case (.decimal, _) where right.isNumber: return NumberOrder.of(left, right)
    case (_, .decimal) where left.isNumber: return NumberOrder.of(left, right)
    case (.unsigned, _) where right.isNumber: return NumberOrder.of(left, right)
    case (_, .unsigned) where left.isNumber: return NumberOrder.of(left, right)
    case (.null, _), (.text, _), (.integer, _), (.real, _), (.bool, _), (.uuid, _), (.data, _),
      (.date, _), (.url, _), (.decimal, _), (.unsigned, _):
      return nested(.nestedForm(left), .nestedForm(right))
    }
  }

  /// Compares value by value; of two that begin alike the longer one is greater.
  package static func of(_ left: [Criteria.Scalar], _ right: [Criteria.Scalar]) -> ScalarOrder {
    for index in 0..<min(left.count, right.count) {
      let order = of(left[index], right[index])
      if order != .same { return order }
    }
    return comparing(left.count, right.count)
  }

  /// The other way round.
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
    if left.isNumber, right.isNumber { return NumberOrder.of(left, right) }
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
  fileprivate var isNumber: Bool {
    switch self {
    case .integer, .unsigned, .real, .decimal: true
    case .null, .bool, .text, .date, .uuid, .data, .url: false
    }
  }

  fileprivate var rank: Int {
    self == .null ? 0 : isNumber ? 1 : 2
  }
}
