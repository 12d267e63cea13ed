extension String {
  /// Whether the text begins with the bytes of another.
  ///
  /// Stores compare bytes; `hasPrefix` compares letters, of which "e" is not one in "e\u{301}".
  func beginsWithBytes(of prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }
}
