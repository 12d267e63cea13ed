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

  /// The kind that the file records for a column.
  ///
  /// A URL is text.
  var storedKind: String {
    switch self {
    case .bool: "bool"
    case .integer: "integer"
    case .unsigned: "unsigned"
    case .real: "real"
    case .decimal: "decimal"
    case .text, .url: "text"
    case .uuid: "uuid"
    case .date: "date"
    case .data: "data"
    }
  }

  /// The kind inside a ``ColumnSlot``, where it has a byte.
  ///
  /// It is defined here because a raw value of another module is a call for each column of each
  /// row: "find all, Evocation".
  @inline(__always)
  var code: UInt32 {
    switch self {
    case .bool: 0
    case .integer: 1
    case .unsigned: 2
    case .real: 3
    case .decimal: 4
    case .text: 5
    case .uuid: 6
    case .url: 7
    case .date: 8
    case .data: 9
    }
  }

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

extension ColumnDecoder {
  /// Decodes any type: from JSON, as a single value of a known type, or with its `init(from:)`.
  ///
  /// The plain types have their own methods in the containers.
  func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if slot.isJSON { return try row.json.decode(type, from: reader.json(column)) }
    if type == Date.self { return try known(reader.date(column), type) }
    if type == UUID.self { return try known(reader.uuid(column), type) }
    if type == Data.self { return try known(reader.data(column), type) }
    if type == URL.self { return try known(reader.url(column), type) }
    if type == Decimal.self { return try known(reader.decimal(column), type) }
    return try Value(from: self)
  }

  @inline(__always)
  private func known<Known, Value>(_ value: Known?, _ type: Value.Type) throws -> Value {
    guard let value else { throw mismatch(type) }
    // The caller has checked that the types are the same. A cast would look that up for each value.
    return unsafeBitCast(value, to: type)
  }
}

extension ColumnReader {
  func date(_ column: Int32) -> Date? {
    double(column).map { Date(timeIntervalSinceReferenceDate: $0) }
  }

  func uuid(_ column: Int32) -> UUID? {
    guard let bytes = bytes(column), bytes.count == 16 else { return nil }
    return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
  }

  func data(_ column: Int32) -> Data? { bytes(column).map { Data($0) } }

  func url(_ column: Int32) -> URL? {
    text(column).flatMap { URL(string: $0) }
  }

  func decimal(_ column: Int32) -> Decimal? {
    text(column).flatMap { $0 == "NaN" ? .nan : Decimal(string: $0) }
  }
}

extension ParameterWriter {
  /// Binds a value of a known type as its kind, and ignores the type's own coding.
  ///
  /// Returns false, and does nothing, for another type.
  @inline(__always)
  mutating func write<Value>(_ value: Value, _ column: Int32) -> Bool {
    let type = Value.self
    if type == Date.self {
      double(Self.same(value, Date.self).timeIntervalSinceReferenceDate, column)
    } else if type == UUID.self {
      uuid(Self.same(value, UUID.self), column)
    } else if type == Data.self {
      data(Self.same(value, Data.self), column)
    } else if type == URL.self {
      text(Self.same(value, URL.self).absoluteString, column)
    } else if type == Decimal.self {
      decimal(Self.same(value, Decimal.self), column)
    } else {
      return false
    }
    return true
  }

  @inline(__always)
  private static func same<Value, Known>(_ value: Value, _ type: Known.Type) -> Known {
    // The caller has checked that the types are the same. A cast would look that up for each value.
    unsafeBitCast(value, to: type)
  }
}
