/// Ranges of values, arranged so that those around a value are found without asking the others.
///
/// They stand in the order of their lower bounds, as a tree whose nodes know the furthest upper
/// bound below them. What was added since the tree was made is asked one by one.
struct ObserverRanges {
  typealias Number = UInt64

  fileprivate struct Entry {
    let lower: Criteria.Scalar?
    let upper: Criteria.Scalar?
    let number: Number
  }

  private static let mostNew = 64

  private var sorted: [Entry] = []
  /// For each node, where the range is that goes furthest among it and what is below it.
  private var furthest: [Int32] = []
  private var new: [Entry] = []
  private var gone: Set<Number> = []
  private var count = 0

  /// Whether no range is left.
  var isEmpty: Bool { count == 0 }

  /// Adds all ranges of a number, which must not have been here before.
  mutating func insert(_ number: Number, _ bounds: [ObserverDemand.Bounds]) {
    count += 1
    new += bounds.map { Entry(lower: $0.lower, upper: $0.upper, number: number) }
  }

  /// Removes the ranges of a number, which must be here.
  mutating func remove(_ number: Number) {
    count -= 1
    gone.insert(number)
    if gone.count > max(Self.mostNew, count) { arrange() }
  }

  /// Calls `body` with the number of each range that the value is in.
  mutating func forEach(around value: Criteria.Scalar, _ body: (Number) -> Void) {
    guard value != .null else { return }
    if new.count > Self.mostNew { arrange() }
    for range in new where range.contains(value) && !gone.contains(range.number) {
      body(range.number)
    }
    visit(0..<sorted.count, value, body)
  }

  private func visit(
    _ part: Range<Int>, _ value: Criteria.Scalar, _ body: (Number) -> Void
  ) {
    var part = part
    while !part.isEmpty {
      let middle = part.middle
      guard !sorted[Int(furthest[middle])].isBelow(value) else { return }
      visit(part.lowerBound..<middle, value, body)
      guard !sorted[middle].isAbove(value) else { return }
      if !sorted[middle].isBelow(value), !gone.contains(sorted[middle].number) {
        body(sorted[middle].number)
      }
      part = middle + 1..<part.upperBound
    }
  }

  private mutating func arrange() {
    let kept = (sorted + new).filter { !gone.contains($0.number) }
    sorted = kept.sorted { left, right in
      guard let second = right.lower else { return false }
      guard let first = left.lower else { return true }
      return ScalarOrder.of(first, second) == .less
    }
    (new, gone) = ([], [])
    furthest = Array(repeating: 0, count: sorted.count)
    _ = findFurthest(0..<sorted.count)
  }

  private mutating func findFurthest(_ part: Range<Int>) -> Int32? {
    guard !part.isEmpty else { return nil }
    let middle = part.middle
    var found = Int32(middle)
    let below = [
      findFurthest(part.lowerBound..<middle), findFurthest(middle + 1..<part.upperBound),
    ]
    for case let other? in below where sorted[Int(other)].goesFurther(than: sorted[Int(found)]) {
      found = other
    }
    furthest[middle] = found
    return found
  }
}

extension ObserverRanges.Entry {
  fileprivate func contains(_ value: Criteria.Scalar) -> Bool {
    !isAbove(value) && !isBelow(value)
  }

  fileprivate func isAbove(_ value: Criteria.Scalar) -> Bool {
    lower.map { ScalarOrder.of($0, value) == .greater } ?? false
  }

  fileprivate func isBelow(_ value: Criteria.Scalar) -> Bool {
    upper.map { ScalarOrder.of($0, value) == .less } ?? false
  }

  fileprivate func goesFurther(than other: Self) -> Bool {
    guard let most = other.upper else { return false }
    return upper.map { ScalarOrder.of($0, most) == .greater } ?? true
  }
}

extension Range<Int> {
  fileprivate var middle: Int { (lowerBound + upperBound) / 2 }
}
