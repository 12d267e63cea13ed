/// One measurement.
package struct Case: Sendable {
  /// The name of the measurement, unique in its suite.
  package let name: String

  /// The quantity of a sample.
  let quantity: Quantity

  /// The name of the case with which this one is compared.
  let reference: String?

  /// The limit of the case; nil for a figure that is only information.
  let bar: Bar?

  /// Takes one sample, for one operation.
  let sample: @Sendable () async throws -> Double

  /// Creates a case that takes its samples by a closure.
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

  /// Creates a case whose samples are the time that `body` takes for a number of operations.
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
