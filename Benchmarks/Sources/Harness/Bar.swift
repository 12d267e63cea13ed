/// The limit that a case must keep.
package enum Bar: Sendable {
  /// The largest median.
  case atMost(Double)
  /// The largest median of each round's difference to the reference of the same round.
  case above(Double)
  /// The largest median of each round's ratio to the reference of the same round.
  case times(Double)
  /// The smallest median of that ratio, for a peer that is expected to be slower.
  case timesAtLeast(Double)

  /// The number of the bar.
  var limit: Double {
    switch self {
    case .atMost(let limit), .above(let limit), .times(let limit), .timesAtLeast(let limit): limit
    }
  }
}
