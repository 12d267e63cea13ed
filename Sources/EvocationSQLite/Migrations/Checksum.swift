/// A checksum of SQL that changes with the SQL, but not with its layout.
enum Checksum {
  /// Returns the checksum of the statements, in hexadecimal digits.
  static func of(_ statements: [String]) -> String {
    // FNV-1a is enough, because the checksum detects mistakes, not attacks.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in statements.map(normalized).joined(separator: ";").utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Returns the statement without comments and final semicolons, and with single spaces.
  ///
  /// Quoted text stays unchanged.
  static func normalized(_ sql: String) -> String {
    var text = String.UnicodeScalarView()
    var rest = sql.unicodeScalars[...]
    while let next = rest.first {
      var end = rest.index(after: rest.startIndex)
      if let blankEnd = blankEnd(next, rest) {
        if text.last.map({ $0 != " " }) == true { text.append(" ") }
        end = blankEnd
      } else {
        if "'\"`[".unicodeScalars.contains(next) {
          let close = rest[end...].firstIndex(of: next == "[" ? "]" : next)
          end = close.map { rest.index(after: $0) } ?? rest.endIndex
        }
        text.append(contentsOf: rest[..<end])
      }
      rest = rest[end...]
    }
    while let last = text.last, last == ";" || last == " " { text.removeLast() }
    return String(text)
  }

  /// Returns the end of the white space or the comment that begins here; nil if there is none.
  private static func blankEnd(
    _ next: Unicode.Scalar, _ rest: Substring.UnicodeScalarView
  ) -> Substring.UnicodeScalarView.Index? {
    if " \t\n\r\u{C}".unicodeScalars.contains(next) { return rest.index(after: rest.startIndex) }
    if rest.starts(with: "--".unicodeScalars) {
      return rest.firstIndex(of: "\n").map { rest.index(after: $0) } ?? rest.endIndex
    }
    guard rest.starts(with: "/*".unicodeScalars) else { return nil }
    var tail = rest.dropFirst(2)
    while !tail.isEmpty, !tail.starts(with: "*/".unicodeScalars) { tail.removeFirst() }
    return tail.dropFirst(2).startIndex
  }
}
