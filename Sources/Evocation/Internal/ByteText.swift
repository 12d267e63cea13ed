/// A text that is compared by its bytes, as files compare it, and not by its characters.
struct ByteText: Hashable, Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (left: ByteText, right: ByteText) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(utf8: text)
  }
}

extension Hasher {
  /// Hashes the bytes of a text.
  mutating func combine(utf8 text: String) {
    var text = text
    text.withUTF8 { combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension String {
  /// Whether the text begins with the bytes of another.
  ///
  /// Stores compare bytes; `hasPrefix` compares characters, and "e\u{301}" does not begin with "e".
  package func beginsWithBytes(of prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

  /// Whether the texts have the same bytes; by `==`, canonical equivalents are equal too.
  package func hasSameBytes(as other: String) -> Bool {
    // Texts that differ as characters differ in bytes, which is the fast answer for most.
    self == other && utf8.elementsEqual(other.utf8)
  }
}
