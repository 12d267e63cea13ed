/// What the samples of a case count.
package enum Quantity: String, Sendable {
  /// Time for one operation.
  case nanoseconds = "ns"
  /// Memory for one operation.
  case bytes = "B"
  /// Objects for one operation.
  case objects

  /// A value with its unit, in as many digits as matter.
  func format(_ value: Double) -> String {
    let rounded = abs(value) < 100 ? (value * 100).rounded() / 100 : value.rounded()
    let digits = rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    return "\(digits) \(rawValue)"
  }
}
