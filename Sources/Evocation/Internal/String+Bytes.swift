extension String {
  /// Whether the text begins with the bytes of another.
  ///
  /// Stores compare bytes; `hasPrefix` compares letters, of which "e" is not one in "e\u{301}".
  package func beginsWithBytes(of prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

  /// Whether the texts have the same bytes; `==` takes canonical equivalents for the same.
  package func hasSameBytes(as other: String) -> Bool {
    // Equal bytes are equal letters, and most texts differ in these.
    self == other && utf8.elementsEqual(other.utf8)
  }
}
