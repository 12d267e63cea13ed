internal import CEvocationSQLite
internal import Evocation

/// Compares a row with a model, and records which columns a write would leave unchanged.
///
/// It compares columns, in the form in which the file stores them, and not models: the type's own
/// `==` may compare only the id. Values of different storage classes are different.
final class RowComparison: ValueSink {
  /// The effect that writing the model would have on the row.
  struct Outcome {
    /// Whether it is the row of the model's key.
    let hasKey: Bool
    /// Whether all its other columns would stay unchanged.
    let hasRest: Bool
  }

  // Checking each access takes a tenth of "a refresh of an observed 10,000".
  /// Whether each column of the row holds the model's value.
  @exclusivity(unchecked) private var isHeld: [Bool]
  @exclusivity(unchecked) private var row: Statement?

  init(columnCount: Int) {
    isHeld = Array(repeating: false, count: columnCount)
  }

  /// Begins with the statement's present row.
  ///
  /// A column that the model omits is null.
  func begin(_ row: Statement) {
    self.row = row
    for column in isHeld.indices {
      isHeld[column] = sqlite3_column_type(row.handle, Int32(column)) == SQLITE_NULL
    }
  }

  /// Returns the outcome, after the model's values have been compared.
  func end(key: [Int]) -> Outcome {
    row = nil
    var (hasKey, hasRest) = (true, true)
    for column in isHeld.indices where !isHeld[column] {
      if key.contains(column) { hasKey = false } else { hasRest = false }
    }
    return Outcome(hasKey: hasKey, hasRest: hasRest)
  }

  func put(_ value: Criteria.Scalar, _ place: Int32) {
    isHeld[Int(place)] = row?.holds(SQLValue(value), at: place) ?? false
  }
}

extension Statement {
  /// Whether a column of the present row has this value; text is compared byte by byte.
  fileprivate func holds(_ value: SQLValue, at index: Int32) -> Bool {
    guard case .text(var text) = value else { return self.value(at: index) == value }
    guard sqlite3_column_type(handle, index) == SQLITE_TEXT else { return false }
    return text.withUTF8 { $0.elementsEqual(textBytes(at: index)) }
  }
}
