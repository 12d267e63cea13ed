import Foundation

/// What a service saw since it returned, second by second, and how long the devices waited.
struct FleetReport {
  var capacity = 0.0
  var entries = 0
  var asked: [Int] = []
  var taken: [Int] = []
  /// When the last entry of each device was acknowledged, in seconds since the return.
  var waits: [Double] = []
  /// When the first entry of each device was acknowledged.
  var probes: [Double] = []

  mutating func note(_ answer: FleetService.Answer, at time: Double) {
    let second = Int(time)
    while asked.count <= second {
      asked.append(0)
      taken.append(0)
    }
    asked[second] += 1
    if case .taken = answer { taken[second] += 1 }
  }

  /// The most that was asked for in one window of so many seconds, after the first ten, as a
  /// multiple of the capacity.
  func peak(window: Int = 1) -> Double {
    var most = 0
    for start in stride(from: 10, to: max(10, asked.count - window + 1), by: 1) {
      most = max(most, asked[start..<start + window].reduce(0, +))
    }
    return Double(most) / (capacity * Double(window))
  }

  /// Which part of all requests was refused.
  var refusedShare: Double {
    let all = asked.reduce(0, +)
    return all == 0 ? 0 : Double(all - taken.reduce(0, +)) / Double(all)
  }

  /// How long it took until the last entry was taken, as a multiple of what the capacity allows.
  var drain: Double { (waits.max() ?? 0) / (Double(entries) / capacity) }

  /// When half of the devices had sent all, in seconds.
  var median: Double { waits.sorted()[waits.count / 2] }

  /// How long the slowest device took from its first entry to its last one.
  var longestSending: Double { zip(waits, probes).map { $0 - $1 }.max() ?? 0 }

  /// The figures in one line.
  var summary: String {
    let figures = [
      ("most asked", peak()), ("refused", refusedShare), ("drained in", drain),
      ("last to median", unfairness),
    ]
    return figures.map { "\($0) \(($1 * 1000).rounded() / 1000)" }.joined(separator: ", ")
  }

  /// How much longer than the median device the last one waited.
  var unfairness: Double { (waits.max() ?? 0) / median }
}
