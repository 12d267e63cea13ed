internal import Evocation
internal import Foundation

/// A value to compare a column with, in a form for which SQLite's own order is right.
enum SQLOperand {
  /// The value as the column stores it.
  case exact(SQLValue)

  /// The column can only store the nearest numbers below and above the value.
  case between(SQLValue, SQLValue)

  init(_ scalar: Criteria.Scalar, _ expression: SQLExpression) {
    self =
      switch (expression.kind, scalar) {
      case _ where expression.isNested: .exact(SQLValue(Criteria.Scalar.nestedForm(scalar)))
      case (.scalar(.real), .integer(let value)): Self.real(value)
      case (.scalar(.real), .unsigned(let value)): Self.real(value)
      case (.scalar(.integer), .real(let value)), (.scalar(.unsigned), .real(let value)):
        Self.whole(value)
      case (.scalar(.decimal), .real(let value)): Self.decimal(value)
      case (.scalar, _), (.list, _), (.object, _), (.json, _): .exact(SQLValue(scalar))
      }
  }

  /// The value, or the nearest one below it if the column cannot store it.
  var nearest: SQLValue {
    switch self {
    case .exact(let value), .between(let value, _): value
    }
  }

  /// Returns a whole number for a column of `Double`, because an index would round it.
  private static func real<Number: FixedWidthInteger>(_ value: Number) -> SQLOperand {
    let rounded = Double(value)
    if let back = Number(exactly: rounded), back == value { return .exact(.real(rounded)) }
    let isAbove = Number(exactly: rounded).map { $0 > value } ?? (rounded > 0)
    return isAbove
      ? .between(.real(rounded.nextDown), .real(rounded))
      : .between(.real(rounded), .real(rounded.nextUp))
  }

  /// Returns a number for a column of whole numbers, where the greatest are blobs.
  private static func whole(_ value: Double) -> SQLOperand {
    value.isNaN || value >= 0x1p64
      ? .exact(.blob(StoredForm.beyondUnsigned)) : .exact(.real(value))
  }

  /// Returns the operand for a number that no decimal can represent.
  private static func decimal(_ value: Double) -> SQLOperand {
    if value.isNaN { return .exact(.text(Decimal.nan.description)) }
    return .exact(.text((value < 0 ? "-" : "") + StoredForm.beyondDecimal))
  }
}
