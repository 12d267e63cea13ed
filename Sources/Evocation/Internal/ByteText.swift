/// A text that is told from others by its bytes, as files tell it, and not by its letters.
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
