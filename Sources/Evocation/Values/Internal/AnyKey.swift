/// A coding key of any name.
package struct AnyKey: CodingKey {
  package let stringValue: String
  package var intValue: Int? { nil }

  /// Creates a key from a name.
  package init(_ name: String) {
    stringValue = name
  }

  package init?(stringValue: String) {
    self.init(stringValue)
  }

  package init?(intValue: Int) { nil }
}
