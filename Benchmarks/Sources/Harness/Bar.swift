/// What a case must not exceed, or fall below.
package enum Bar: Sendable {
  /// The median itself.
  case atMost(Double)
  /// The median of what each round was above the reference of the same round.
  case above(Double)
  /// The median of each round's ratio to the reference of the same round.
  case times(Double)
  /// The same ratio, which must not be less: for a peer that shall be slower.
  case timesAtLeast(Double)

  /// The number that the bar is.
  var limit: Double {
    switch self {
    case .atMost(let limit), .above(let limit), .times(let limit), .timesAtLeast(let limit): limit
    }
  }
}
