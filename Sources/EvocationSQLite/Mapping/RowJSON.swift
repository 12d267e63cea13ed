internal import Foundation

/// The JSON object of a model's columns, written while they are encoded.
///
/// `JSONDecoder` reads it like the output of `JSONEncoder`, but it takes a fifth of the work
/// ("storeOne, by the outbox"), because the row's own encoder already knows the columns. NaN and
/// the infinities are `"nan"`, `"inf"` and `"-inf"`.
final class RowJSON {
  /// The bytes before the value of each column: its name in quotes, and a colon.
  private let names: [[UInt8]]
  // Nothing here makes a reentrant call, and checking each access is a quarter of the work.
  @exclusivity(unchecked) private var bytes: [UInt8] = []
  @exclusivity(unchecked) private var isWritten: [Bool]

  /// Whether the object differs from the output of `JSONEncoder`.
  var isIrregular = false

  init(_ columns: [Column]) {
    names = columns.map { column in
      var name: [UInt8] = []
      Self.append(column.name, to: &name)
      name.append(UInt8(ascii: ":"))
      return name
    }
    isWritten = Array(repeating: false, count: columns.count)
    bytes.reserveCapacity(256)
  }

  /// Begins an empty object.
  func begin() {
    bytes.removeAll(keepingCapacity: true)
    isIrregular = false
    for column in isWritten.indices { isWritten[column] = false }
  }

  /// Passes the object's bytes to `body`.
  func finish<Value>(_ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
    bytes.append(contentsOf: bytes.isEmpty ? "{}".utf8 : "}".utf8)
    return try bytes.withUnsafeBytes(body)
  }

  func null(_ column: Int32) { word("null", column) }

  func bool(_ value: Bool, _ column: Int32) { word(value ? "true" : "false", column) }

  func integer(_ value: some FixedWidthInteger, _ column: Int32) {
    word(String(value), column)
  }

  func double(_ value: Double, _ column: Int32) {
    if value.isFinite {
      word(value.description, column)
    } else {
      text(value.isNaN ? "nan" : value < 0 ? "-inf" : "inf", column)
    }
  }

  func decimal(_ value: Decimal, _ column: Int32) {
    if value.isNaN { isIrregular = true } else { word(value.description, column) }
  }

  func text(_ value: String, _ column: Int32) {
    if begins(column) { Self.append(value, to: &bytes) }
  }

  func json(_ data: Data, _ column: Int32) {
    if begins(column) { bytes.append(contentsOf: data) }
  }

  private func word(_ word: String, _ column: Int32) {
    if begins(column) { bytes.append(contentsOf: word.utf8) }
  }

  /// Writes a column's name; false if a column was written twice.
  private func begins(_ column: Int32) -> Bool {
    let column = Int(column)
    // `JSONDecoder` does not promise which of two values counts.
    if isWritten[column] { isIrregular = true }
    isWritten[column] = true
    bytes.append(bytes.isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
    bytes.append(contentsOf: names[column])
    return !isIrregular
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { characters in
      let isPlain = characters.allSatisfy {
        $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
      }
      if isPlain {
        bytes.append(contentsOf: characters)
      } else {
        for character in characters { append(escaping: character, to: &bytes) }
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func append(escaping character: UInt8, to bytes: inout [UInt8]) {
    if character < 0x20 {
      let digits = String(character, radix: 16)
      bytes.append(contentsOf: (digits.utf8.count == 1 ? "\\u000" : "\\u00").utf8)
      bytes.append(contentsOf: digits.utf8)
      return
    }
    if character == UInt8(ascii: "\"") || character == UInt8(ascii: "\\") {
      bytes.append(UInt8(ascii: "\\"))
    }
    bytes.append(character)
  }
}
