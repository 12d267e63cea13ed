/// The distinct ones of many values, each with how often it is there.
///
/// Of thousands of values that are nearly all equal, code that asks all of them asks each once.
package struct Tally<Value: Hashable & Sendable>: Sendable {
  private var counts: [Value: Int] = [:]

  package init() {}

  /// The values, each once.
  package var values: some Collection<Value> { counts.keys }

  package mutating func add(_ value: Value) { counts[value, default: 0] += 1 }

  /// Removes a value once; it does nothing if the value is not there.
  package mutating func remove(_ value: Value) {
    guard let count = counts[value] else { return }
    counts[value] = count > 1 ? count - 1 : nil
  }
}
