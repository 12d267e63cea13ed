import Foundation

/// Writes a model's properties as one JSON object.
///
/// `JSONDecoder` reads it like the output of `JSONEncoder`, but it takes a fifth of the work
/// ("storeOne, by the outbox"). NaN and the infinities are `"nan"`, `"inf"` and `"-inf"`.
package final class JSONSink: ValueSink {
  private let names: [String]
  private var bytes: [UInt8] = []
  private var isWritten: [Bool]

  /// Whether the object differs from the output of `JSONEncoder`.
  package private(set) var isIrregular = false

  package init(_ layout: ModelLayout) {
    names = layout.names
    isWritten = Array(repeating: false, count: names.count)
  }

  /// Begins an empty object.
  package func begin() {
    bytes.removeAll(keepingCapacity: true)
    isIrregular = false
    for place in isWritten.indices { isWritten[place] = false }
  }

  /// Passes the object's bytes to `body`.
  package func finish<Value>(
    _ body: (UnsafeRawBufferPointer) throws -> Value
  ) rethrows -> Value {
    bytes.append(contentsOf: bytes.isEmpty ? "{}".utf8 : "}".utf8)
    return try bytes.withUnsafeBytes(body)
  }

  package func put(_ value: Criteria.Scalar, _ place: Int32) {
    begin(place)
    switch value {
    case .null: append("null")
    case .bool(let value): append(value ? "true" : "false")
    case .integer(let value): append(String(value))
    case .unsigned(let value): append(String(value))
    case .real(let value): append(value)
    case .date(let value): append(value.timeIntervalSinceReferenceDate)
    case .decimal(let value):
      if value.isNaN { isIrregular = true }
      append(value.description)
    case .text(let value): append(quoted: value)
    case .uuid, .data, .url: append(quoted: value.exactText)
    }
  }

  package func put(json: String, _ place: Int32) {
    begin(place)
    append(json)
  }

  package func leaveOut(_ place: Int32) {}

  /// Writes a property's name.
  private func begin(_ place: Int32) {
    let place = Int(place)
    // `JSONDecoder` does not promise which of two values counts.
    if isWritten[place] { isIrregular = true }
    isWritten[place] = true
    bytes.append(bytes.isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
    append(quoted: names[place])
    bytes.append(UInt8(ascii: ":"))
  }

  private func append(_ word: String) {
    bytes.append(contentsOf: word.utf8)
  }

  private func append(_ number: Double) {
    if number.isFinite {
      append(number.description)
    } else {
      append(number.isNaN ? "\"nan\"" : number < 0 ? "\"-inf\"" : "\"inf\"")
    }
  }

  private func append(quoted text: String) {
    bytes.append(UInt8(ascii: "\""))
    for character in text.utf8 {
      switch character {
      case 0..<0x20:
        let digits = String(character, radix: 16)
        bytes.append(contentsOf: (character < 0x10 ? "\\u000\(digits)" : "\\u00\(digits)").utf8)
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), character]
      default: bytes.append(character)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
