/// What a model has coded, key by key, in the order of coding.
package struct Fields: Sendable, Hashable {
  package private(set) var names: [String] = []
  package private(set) var values: [Field] = []

  package init() {}

  /// What was coded last under the key, or nil when nothing was.
  ///
  /// It looks from key to key, because models have too few for a dictionary to pay.
  package subscript(name: String) -> Field? {
    names.lastIndex(of: name).map { values[$0] }
  }

  mutating func append(_ value: Field, _ name: String) {
    names.append(name)
    values.append(value)
  }

  mutating func replace(at index: Int, with value: Field) {
    values[index] = value
  }
}
