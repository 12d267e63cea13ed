import Foundation

/// Compares numbers of different types by their exact values.
enum NumberOrder {
  /// A number of one of four types.
  enum Number {
    case integer(Int64)
    case unsigned(UInt64)
    case real(Double)
    case decimal(Decimal)
  }

  static func of(_ left: Number, _ right: Number) -> ScalarOrder {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): ScalarOrder.comparing(left, right)
    case (.unsigned(let left), .unsigned(let right)): ScalarOrder.comparing(left, right)
    case (.real(let left), .real(let right)): ScalarOrder.reals(left, right)
    case (.integer(let left), .unsigned(let right)):
      left < 0 ? .less : ScalarOrder.comparing(UInt64(left), right)
    case (.unsigned, .integer): of(right, left).reversed
    case (.integer(let left), .real(let right)): whole(left, right)
    case (.unsigned(let left), .real(let right)): whole(left, right)
    case (.real, .integer), (.real, .unsigned): of(right, left).reversed
    case (.decimal(let left), .real(let right)): decimal(left, right)
    case (.decimal(let left), .integer(let right)): decimals(left, Decimal(right))
    case (.decimal(let left), .unsigned(let right)): decimals(left, Decimal(right))
    case (.decimal(let left), .decimal(let right)): decimals(left, right)
    case (.real, .decimal), (.integer, .decimal), (.unsigned, .decimal): of(right, left).reversed
    }
  }

  /// Compares without rounding the whole number, because a `Double` cannot hold every whole number.
  private static func whole<Whole: FixedWidthInteger>(
    _ left: Whole, _ right: Double
  ) -> ScalarOrder {
    if right.isNaN { return .less }
    let floor = right.rounded(.down)
    guard let whole = Whole(exactly: floor) else { return right > 0 ? .less : .greater }
    if left == whole { return floor == right ? .same : .less }
    return ScalarOrder.comparing(left, whole)
  }

  /// Compares with the number's printed form, or with its sign if a decimal cannot hold that.
  private static func decimal(_ left: Decimal, _ right: Double) -> ScalarOrder {
    if left.isNaN || right.isNaN {
      return ScalarOrder.comparing(left.isNaN ? 1 : 0, right.isNaN ? 1 : 0)
    }
    guard let decimal = Decimal(shortest: right) else { return right > 0 ? .less : .greater }
    return decimals(left, decimal)
  }

  private static func decimals(_ left: Decimal, _ right: Decimal) -> ScalarOrder {
    guard left.isNaN || right.isNaN else { return ScalarOrder.comparing(left, right) }
    return ScalarOrder.comparing(left.isNaN ? 1 : 0, right.isNaN ? 1 : 0)
  }
}

extension Decimal {
  /// Creates a decimal from the number's printed form; nil if a decimal cannot hold it.
  init?(shortest number: Double) {
    guard number.isFinite, let decimal = Decimal(string: number.description), !decimal.isNaN
    else { return nil }
    self = decimal
  }
}

extension Criteria.Scalar {
  /// The value as a number, if its kind is numeric; Booleans are numbers only in JSON.
  var number: NumberOrder.Number? {
    switch self {
    case .integer(let value): .integer(value)
    case .unsigned(let value): .unsigned(value)
    case .real(let value): .real(value)
    case .decimal(let value): .decimal(value)
    case .null, .bool, .text, .date, .uuid, .data, .url: nil
    }
  }
}
