/// A single value as JSON text has it, in the form in which criteria compare nested values.
///
/// `json_extract` does the same for whole numbers, Booleans and text. This is for numbers with a
/// fraction, which it rounds, and for places of which only the value tells the kind.
enum JSONScalar {
  /// Reads the JSON text of one value; null for a list, an object and null itself.
  static func value(_ json: String) -> SQLValue {
    switch json.utf8.first {
    case UInt8(ascii: "\""): text(json).map { .text($0) } ?? .null
    case UInt8(ascii: "t"): .integer(1)
    case UInt8(ascii: "f"): .integer(0)
    default: Int64(json).map { .integer($0) } ?? Double(json).map { .real($0) } ?? .null
    }
  }

  /// The same where numbers stand that are the nearest `Double`, and those that JSON lacks by name.
  static func real(_ json: String) -> SQLValue {
    switch json {
    case "\"nan\"": .blob(StoredForm.notANumber)
    case "\"inf\"": .real(.infinity)
    case "\"-inf\"": .real(-.infinity)
    default: Double(json).map { .real($0) } ?? .null
    }
  }

  private static func text(_ json: String) -> String? {
    let inner = json.dropFirst().dropLast()
    guard inner.utf8.contains(UInt8(ascii: "\\")) else { return String(inner) }
    var units: [UInt16] = []
    var rest = inner.utf16[...]
    while let unit = rest.popFirst() {
      guard unit == UInt16(ascii: "\\") else {
        units.append(unit)
        continue
      }
      guard let escaped = unescape(&rest) else { return nil }
      units.append(escaped)
    }
    return String(decoding: units, as: UTF16.self)
  }

  private static func unescape(_ rest: inout Substring.UTF16View) -> UInt16? {
    guard let unit = rest.popFirst() else { return nil }
    switch unit {
    case UInt16(ascii: "b"): return 8
    case UInt16(ascii: "f"): return 12
    case UInt16(ascii: "n"): return 10
    case UInt16(ascii: "r"): return 13
    case UInt16(ascii: "t"): return 9
    case UInt16(ascii: "u"):
      let digits = Substring(rest.prefix(4))
      rest = rest.dropFirst(4)
      return UInt16(digits, radix: 16)
    default: return unit
    }
  }
}

extension UInt16 {
  fileprivate init(ascii scalar: Unicode.Scalar) {
    self = UInt16(UInt8(ascii: scalar))
  }
}
