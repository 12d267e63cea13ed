internal import CEvocationSQLite
internal import Foundation

/// Compares a row with a model, and records which columns a write would leave unchanged.
///
/// It compares columns, in the form in which the file stores them, and not models: the type's own
/// `==` may compare only the id. Values of different storage classes are different.
struct RowComparison {
  /// The effect that writing the model would have on the row.
  struct Outcome {
    /// Whether it is the row of the model's key.
    let hasKey: Bool
    /// Whether all its other columns would stay unchanged.
    let hasRest: Bool
  }

  /// Whether each column of the row holds the model's value.
  private let isHeld: UnsafeMutableBufferPointer<Bool>
  private var row: OpaquePointer?

  init(columnCount: Int) {
    isHeld = .allocate(capacity: columnCount)
    isHeld.initialize(repeating: false)
  }

  func free() {
    isHeld.deallocate()
  }

  /// Begins with the statement's present row.
  ///
  /// A column that the model omits is null.
  mutating func begin(_ statement: Statement) {
    row = statement.handle
    for column in isHeld.indices { null(Int32(column)) }
  }

  /// Returns the outcome, after the model's values have been compared.
  func outcome(key: [Int]) -> Outcome {
    var (hasKey, hasRest) = (true, true)
    for column in isHeld.indices where !isHeld[column] {
      if key.contains(column) { hasKey = false } else { hasRest = false }
    }
    return Outcome(hasKey: hasKey, hasRest: hasRest)
  }

  @inline(__always)
  func null(_ column: Int32) {
    isHeld[Int(column)] = sqlite3_column_type(row, column) == SQLITE_NULL
  }

  @inline(__always)
  func integer(_ value: Int64, _ column: Int32) {
    let cell = sqlite3_column_value(row, column)
    isHeld[Int(column)] =
      sqlite3_value_type(cell) == SQLITE_INTEGER && sqlite3_value_int64(cell) == value
  }

  @inline(__always)
  func double(_ value: Double, _ column: Int32) {
    let cell = sqlite3_column_value(row, column)
    isHeld[Int(column)] =
      sqlite3_value_type(cell) == SQLITE_FLOAT && sqlite3_value_double(cell) == value
  }

  func text(_ bytes: UnsafeRawBufferPointer, _ column: Int32) {
    let cell = sqlite3_column_value(row, column)
    isHeld[Int(column)] =
      sqlite3_value_type(cell) == SQLITE_TEXT
      && Self.areSame(bytes, sqlite3_value_text(cell), sqlite3_value_bytes(cell))
  }

  func blob(_ bytes: UnsafeRawBufferPointer, _ column: Int32) {
    let cell = sqlite3_column_value(row, column)
    isHeld[Int(column)] =
      sqlite3_value_type(cell) == SQLITE_BLOB
      && Self.areSame(bytes, sqlite3_value_blob(cell), sqlite3_value_bytes(cell))
  }

  private static func areSame(
    _ bytes: UnsafeRawBufferPointer, _ start: UnsafeRawPointer?, _ count: Int32
  ) -> Bool {
    guard bytes.count == Int(count) else { return false }
    guard let first = bytes.baseAddress, let start else { return count == 0 }
    return memcmp(first, start, bytes.count) == 0
  }
}
