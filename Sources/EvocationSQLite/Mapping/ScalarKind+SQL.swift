internal import Evocation
internal import Foundation

/// The form of each kind of values in a table. The form of a kind in files never changes.
extension ScalarKind {
  /// The type as the table's definition declares it.
  ///
  /// A number that may be a blob has the type `INT`, because an `INTEGER` that is the primary key
  /// accepts only integers.
  var columnType: String {
    switch self {
    case .bool, .integer: "INTEGER"
    case .unsigned: "INT"
    case .real, .date: "REAL"
    case .text, .url: "TEXT"
    case .decimal: "TEXT COLLATE evocation_decimal"
    case .uuid, .data: "BLOB"
    }
  }

  /// The most bytes that a value takes; nil if that is unknown.
  var greatestSize: Int? {
    switch self {
    case .bool, .integer, .unsigned, .real, .date: 8
    case .uuid: 16
    case .decimal: 48
    case .text, .url, .data: nil
    }
  }

  /// The kind that the file records for a column.
  ///
  /// A URL is text.
  var storedKind: String { self == .url ? ScalarKind.text.name : name }

  /// Returns SQL for a value nested in JSON, in a form that compares as criteria require.
  ///
  /// `plain` is the value that SQLite's own functions read there. They round numbers with a
  /// fraction, and numbers that are too large.
  func nested(_ json: String, plain: String) -> String {
    switch self {
    case .bool, .integer, .uuid, .data: plain
    case .real, .date, .decimal: "evocation_real(\(json))"
    case .text, .url, .unsigned: "evocation_json(\(json))"
    }
  }
}

extension SQLValue {
  /// Creates the value in the form in which a column stores it.
  init(_ scalar: Criteria.Scalar) {
    self =
      switch scalar {
      case .null: .null
      case .bool(let value): .integer(value ? 1 : 0)
      case .integer(let value): .integer(value)
      case .unsigned(let value): StoredForm.integer(value)
      case .real(let value): StoredForm.real(value)
      case .decimal(let value): .text(value.description)
      case .text(let value): .text(value)
      case .date(let value): StoredForm.real(value.timeIntervalSinceReferenceDate)
      case .uuid(let value): .blob(withUnsafeBytes(of: value.uuid) { [UInt8]($0) })
      case .data(let value): .blob([UInt8](value))
      case .url(let value): .text(value.absoluteString)
      }
  }
}
