import Foundation

extension Criteria.Scalar: Hashable {
  /// Whether both are of one kind and the same; text is when its bytes are, and NaN equals itself.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.unsigned(let left), .unsigned(let right)): left == right
    case (.real(let left), .real(let right)): ScalarOrder.reals(left, right) == .same
    case (.decimal(let left), .decimal(let right)): left == right
    case (.text(let left), .text(let right)): left.hasSameBytes(as: right)
    case (.date(let left), .date(let right)):
      ScalarOrder.reals(left.timeIntervalSinceReferenceDate, right.timeIntervalSinceReferenceDate)
        == .same
    case (.uuid(let left), .uuid(let right)): left == right
    case (.data(let left), .data(let right)): left == right
    case (.url(let left), .url(let right)):
      left.absoluteString.hasSameBytes(as: right.absoluteString)
    case (.null, _), (.bool, _), (.integer, _), (.unsigned, _), (.real, _), (.decimal, _),
      (.text, _), (.date, _), (.uuid, _), (.data, _), (.url, _):
      false
    }
  }

  /// Hashes what is compared.
  public func hash(into hasher: inout Hasher) {
    hashByOrder(into: &hasher)
  }
}
