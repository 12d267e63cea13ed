internal import CEvocationSQLite
internal import Evocation

/// The collation and the functions that the library's SQL uses.
enum SQLFunctions {
  /// Adds them to a connection; `check` throws for a result code that is a failure.
  static func add(to handle: OpaquePointer, check: (Int32) throws -> Void) throws {
    try check(
      sqlite3_create_collation_v2(
        handle, "evocation_decimal", SQLITE_UTF8, nil, compareDecimals, nil))
    let functions: [(name: String, count: Int32, function: SQLFunction)] = [
      ("evocation_json", 1, { answer($0, $2) { JSONScalar.value($0) } }),
      ("evocation_real", 1, { answer($0, $2) { JSONScalar.real($0) } }),
      ("evocation_unpack", 1, { answer($0, $2) { PackedValues.unpack($0) } }),
      ("evocation_fold", 2, { fold($0, $2) }),
    ]
    for (name, count, function) in functions {
      try check(
        sqlite3_create_function_v2(
          handle, name, count, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil, function,
          nil, nil, nil))
    }
  }
}

private typealias SQLFunction =
  @convention(c) (
    OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?
  ) -> Void

private func compareDecimals(
  _: UnsafeMutableRawPointer?, _ leftCount: Int32, left: UnsafeRawPointer?,
  rightCount: Int32, right: UnsafeRawPointer?
) -> Int32 {
  DecimalText.compare(
    UnsafeRawBufferPointer(start: left, count: Int(leftCount)),
    UnsafeRawBufferPointer(start: right, count: Int(rightCount)))
}

/// Answers a call of `evocation_fold` with the folded text, or with null for what is no text.
private func fold(
  _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
) {
  guard let text = arguments?[0], sqlite3_value_type(text) == SQLITE_TEXT else {
    return sqlite3_result_null(context)
  }
  let options = Criteria.CompareOptions(rawValue: Int(sqlite3_value_int(arguments?[1])))
  give(
    .text(options.folded(String(decoding: bytes(sqlite3_value_text(text), text), as: UTF8.self))),
    context)
}

/// Answers a call of a function of one value.
private func answer(
  _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?,
  _ function: (SQLValue) -> SQLValue
) {
  let argument = arguments?.pointee
  let value: SQLValue =
    switch sqlite3_value_type(argument) {
    case SQLITE_INTEGER: .integer(sqlite3_value_int64(argument))
    case SQLITE_FLOAT: .real(sqlite3_value_double(argument))
    case SQLITE_TEXT:
      .text(String(decoding: bytes(sqlite3_value_text(argument), argument), as: UTF8.self))
    case SQLITE_BLOB: .blob([UInt8](bytes(sqlite3_value_blob(argument), argument)))
    default: .null
    }
  give(function(value), context)
}

private func bytes(_ start: UnsafeRawPointer?, _ value: OpaquePointer?) -> UnsafeRawBufferPointer {
  UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
}

private func give(_ value: SQLValue, _ context: OpaquePointer?) {
  switch value {
  case .null: sqlite3_result_null(context)
  case .integer(let value): sqlite3_result_int64(context, value)
  case .real(let value): sqlite3_result_double(context, value)
  case .text(var value):
    value.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        sqlite3_result_text64(
          context, $0.baseAddress ?? Statement.nothing, UInt64($0.count), Statement.copies,
          UInt8(SQLITE_UTF8))
      }
    }
  case .blob(let bytes), .textBytes(let bytes):
    bytes.withUnsafeBytes {
      if let start = $0.baseAddress, !$0.isEmpty {
        sqlite3_result_blob64(context, start, UInt64($0.count), Statement.copies)
      } else {
        sqlite3_result_zeroblob(context, 0)
      }
    }
  }
}
