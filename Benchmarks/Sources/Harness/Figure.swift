/// What the samples of a case come to.
struct Figure {
  let name: String
  let quantity: Quantity
  let reference: String?
  let bar: Bar?
  let least: Double
  let median: Double
  let most: Double
  /// The medians of each round's difference and ratio to the reference of the same round.
  let difference: Double?
  let ratio: Double?

  init(_ item: Case, _ samples: [Double], reference: [Double]?) {
    name = item.name
    quantity = item.quantity
    self.reference = item.reference
    bar = item.bar
    least = samples.min() ?? .nan
    median = samples.median
    most = samples.max() ?? .nan
    let pairs = reference.map { Array(zip(samples, $0)) }
    difference = pairs?.map { $0 - $1 }.median
    ratio = pairs?.map { $0 / $1 }.median
  }

  /// Whether the bar is kept; nil without one.
  var isWithinBar: Bool? {
    switch bar {
    case .atMost(let limit): median <= limit
    case .above(let limit): difference.map { $0 <= limit } ?? false
    case .times(let limit): ratio.map { $0 <= limit } ?? false
    case .timesAtLeast(let limit): ratio.map { $0 >= limit } ?? false
    case nil: nil
    }
  }
}

extension [Double] {
  /// The value in the middle, or between the two in the middle.
  fileprivate var median: Double {
    guard !isEmpty else { return .nan }
    let sorted = sorted()
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
  }
}
