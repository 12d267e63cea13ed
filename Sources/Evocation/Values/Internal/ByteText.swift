#if canImport(Darwin)
  public import Darwin
#elseif canImport(Glibc)
  public import Glibc
#elseif canImport(Musl)
  public import Musl
#endif

/// A text that is compared by its bytes, as files compare it, and not by its characters.
///
/// Stores and servers distinguish ids and cache keys by their bytes. `String` takes canonical
/// equivalents for the same: "\u{E9}" and "e\u{301}". Code that finds or compares an id's text or a
/// cache key uses this type.
@usableFromInline package struct ByteText: Hashable, Sendable {
  @usableFromInline package let text: String

  package init(_ text: String) { self.text = text }

  @inlinable
  package static func == (left: ByteText, right: ByteText) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  @inlinable
  package func hash(into hasher: inout Hasher) {
    hasher.combine(utf8: text)
  }
}

extension Hasher {
  /// Hashes the bytes of a text.
  @usableFromInline
  mutating func combine(utf8 text: String) {
    var text = text
    text.withUTF8 { combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension String {
  /// Whether the text begins with the bytes of another.
  ///
  /// Stores compare bytes. `hasPrefix` compares characters, and by it "e\u{301}" does not begin
  /// with "e".
  package func beginsWithBytes(of prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

  /// Whether the texts have the same bytes; by `==`, canonical equivalents are equal too.
  @inlinable
  package func hasSameBytes(as other: String) -> Bool {
    let areSame = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in
        guard left.count == right.count, let one = left.baseAddress, let two = right.baseAddress
        else { return left.count == right.count }
        // If the storage is the same, its bytes need no comparison; SQL texts are long.
        return one == two || memcmp(one, two, left.count) == 0
      } ?? left.elementsEqual(other.utf8)
    }
    return areSame ?? utf8.elementsEqual(other.utf8)
  }
}
