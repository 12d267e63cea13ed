extension Int {
  /// The sum, or the end of the range beyond which it lies.
  func addingClamped(_ other: Int) -> Int {
    let (sum, isOver) = addingReportingOverflow(other)
    guard isOver else { return sum }
    return other > 0 ? .max : .min
  }

  /// The difference, or the end of the range beyond which it lies.
  func subtractingClamped(_ other: Int) -> Int {
    let (difference, isOver) = subtractingReportingOverflow(other)
    guard isOver else { return difference }
    return other > 0 ? .min : .max
  }
}
