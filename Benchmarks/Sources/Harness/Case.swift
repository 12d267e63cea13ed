/// One thing to measure.
package struct Case: Sendable {
  /// What is measured, unique in its suite.
  package let name: String

  /// What a sample counts.
  let quantity: Quantity

  /// The name of the case that this one is compared with.
  let reference: String?

  /// What must not be exceeded; nil for a figure given for information.
  let bar: Bar?

  /// Takes one sample, for one operation.
  let sample: @Sendable () async throws -> Double

  /// Makes a case that takes its samples by itself.
  package init(
    _ name: String,
    _ quantity: Quantity,
    against reference: String? = nil,
    bar: Bar? = nil,
    sample: @escaping @Sendable () async throws -> Double
  ) {
    self.name = name
    self.quantity = quantity
    self.reference = reference
    self.bar = bar
    self.sample = sample
  }

  /// Makes a case whose samples are the time that `body` takes for a number of operations.
  package init(
    _ name: String,
    count: Int,
    against reference: String? = nil,
    bar: Bar? = nil,
    body: @escaping @Sendable (Int) async throws -> Void
  ) {
    self.init(name, .nanoseconds, against: reference, bar: bar) {
      let time = try await ContinuousClock().measure { try await body(count) }
      return time / .nanoseconds(1) / Double(count)
    }
  }
}
