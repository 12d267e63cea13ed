internal import Evocation

/// Where SQL finds the value of a key: in a column, or by a path in a column's JSON.
extension ModelSchema.Target {
  /// The path as an SQL literal.
  var jsonPath: String { ("$" + path.map { ".\"\($0)\"" }.joined()).literal }

  /// Whether SQLite reads the path as it is meant.
  var hasJSONPath: Bool {
    path.allSatisfy { name in
      name.utf8.allSatisfy {
        $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
      }
    }
  }

  /// The error for a path that SQLite would not read as it is meant.
  func hasNoPath(_ key: Criteria.Key) -> EvocationError {
    .incomparableValue(
      key: key.name,
      reason: "a nested key with a quote, a backslash or a control character cannot be part of a "
        + "path in SQLite")
  }

  /// Returns SQL for the value as SQLite's own functions read it from the column.
  func plain(_ column: String) -> String {
    isNested ? "json_extract(\(column), \(jsonPath))" : column
  }
}
