/// The quantity that the samples of a case measure.
package enum Quantity: String, Sendable {
  /// Time for one operation.
  case nanoseconds = "ns"
  /// Memory for one operation.
  case bytes = "B"
  /// Objects for one operation.
  case objects

  /// Returns a value with its unit, with two decimal places below 100 and none above.
  func format(_ value: Double) -> String {
    let rounded = abs(value) < 100 ? (value * 100).rounded() / 100 : value.rounded()
    let digits = rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    return "\(digits) \(rawValue)"
  }
}
