internal import CEvocationSQLite

extension Connection {
  /// Adds the collation and the four functions that the library's SQL uses.
  func addFunctions() throws {
    let action = "Opening the database"
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
    for code in [
      sqlite3_create_collation_v2(
        handle, "evocation_decimal", SQLITE_UTF8, nil, compareDecimals, nil),
      sqlite3_create_function_v2(
        handle, "evocation_json", 1, flags, nil, valueInJSON, nil, nil, nil),
      sqlite3_create_function_v2(
        handle, "evocation_real", 1, flags, nil, realInJSON, nil, nil, nil),
      sqlite3_create_function_v2(
        handle, "evocation_unpack", 1, flags, nil, unpackedValue, nil, nil, nil),
      sqlite3_create_function_v2(
        handle, "evocation_pack", 1, flags, nil, packedValue, nil, nil, nil),
    ] where code != SQLITE_OK {
      throw error(code, action)
    }
  }
}

private func compareDecimals(
  _: UnsafeMutableRawPointer?, _ leftCount: Int32, _ left: UnsafeRawPointer?,
  _ rightCount: Int32, _ right: UnsafeRawPointer?
) -> Int32 {
  DecimalText.compare(
    UnsafeBufferPointer(
      start: left?.assumingMemoryBound(to: UInt8.self), count: Int(leftCount)),
    UnsafeBufferPointer(
      start: right?.assumingMemoryBound(to: UInt8.self), count: Int(rightCount))
  )
}

private func valueInJSON(
  _ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
) {
  give(text(arguments?.pointee).map(JSONScalar.value) ?? .null, context)
}

private func realInJSON(
  _ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
) {
  give(text(arguments?.pointee).map(JSONScalar.real) ?? .null, context)
}

private func unpackedValue(
  _ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
) {
  let packed = arguments?.pointee
  guard sqlite3_value_type(packed) != SQLITE_INTEGER else {
    return sqlite3_result_value(context, packed)
  }
  give(text(packed).map(PackedValues.unpack) ?? .null, context)
}

private func packedValue(
  _ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
) {
  let value = arguments?.pointee
  let unpacked: SQLValue? =
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: .real(sqlite3_value_double(value))
    case SQLITE_TEXT: text(value).map { .text($0) }
    case SQLITE_BLOB: .blob(bytes(value))
    default: nil
    }
  give(unpacked.map(PackedValues.pack) ?? .null, context)
}

private func bytes(_ value: OpaquePointer?) -> [UInt8] {
  let start = sqlite3_value_blob(value)
  return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
}

private func text(_ value: OpaquePointer?) -> String? {
  guard let start = sqlite3_value_text(value) else { return nil }
  let count = Int(sqlite3_value_bytes(value))
  return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
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
