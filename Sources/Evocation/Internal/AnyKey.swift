/// A coding key of any name.
package struct AnyKey: CodingKey {
  package let stringValue: String
  package var intValue: Int? { nil }

  /// Makes the key of a name that is known only at run time.
  package init(_ name: String) {
    stringValue = name
  }

  package init?(stringValue: String) {
    self.init(stringValue)
  }

  package init?(intValue: Int) { nil }
}
