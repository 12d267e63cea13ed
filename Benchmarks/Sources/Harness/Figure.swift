/// The result of the samples of a case.
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

  /// The value that the bar limits: the median, the difference or the ratio; nil without a bar.
  var judged: Double? {
    switch bar {
    case .atMost: median
    case .above: difference
    case .times, .timesAtLeast: ratio
    case nil: nil
    }
  }

  /// Whether the bar is kept; nil without a bar.
  var isWithinBar: Bool? {
    switch bar {
    case .atMost(let limit), .above(let limit), .times(let limit):
      judged.map { $0 <= limit } ?? false
    case .timesAtLeast(let limit): judged.map { $0 >= limit } ?? false
    case nil: nil
    }
  }
}

extension [Double] {
  /// The value in the middle, or the mean of the two in the middle.
  fileprivate var median: Double {
    guard !isEmpty else { return .nan }
    let sorted = sorted()
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
  }
}
