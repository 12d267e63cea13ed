/// Which models were written since which marks, as a value.
///
/// Writes go into the newest span. A mark stands at the beginning of a span, and to it belong that
/// one and all after it. Where its mark is taken away a span joins the one before, so that there are
/// as many of them as marks.
struct WriteMarks<Model: Sendable> {
  typealias Number = UInt64
  typealias Written = WrittenModels<Model>

  private struct Span {
    let number: Number
    var written = Written()
  }

  private var spans: [Span] = []
  private var lastNumber: Number = 0

  /// Whether anybody wants to know what is written.
  var isMarked: Bool { !spans.isEmpty }

  /// Sets a mark; it is given back with ``release(_:)``.
  mutating func mark() -> Number {
    lastNumber += 1
    spans.append(Span(number: lastNumber))
    return lastNumber
  }

  /// Notes what was written, for all marks that are set; gives what is no longer needed.
  mutating func note(_ written: Written) -> [Written.Fate] {
    guard let last = spans.indices.last else { return [] }
    return spans[last].written.add(written)
  }

  /// Notes what was fetched since a mark, for those that were set before it; gives what is no longer
  /// needed.
  ///
  /// What the app has written since that mark counts for more, because it lies in a later span.
  mutating func note(_ landed: Written, before number: Number) -> [Written.Fate] {
    guard let index = index(of: number), index > 0 else { return [] }
    return spans[index - 1].written.add(landed)
  }

  /// Takes a mark away; gives what is no longer needed.
  mutating func release(_ number: Number) -> (span: Written, fates: [Written.Fate]) {
    guard let index = index(of: number) else { return (Written(), []) }
    let written = spans.remove(at: index).written
    return index == 0 ? (written, []) : (Written(), spans[index - 1].written.add(written))
  }

  /// What was written since a mark, span by span.
  func written(since number: Number) -> [Written] {
    guard let index = index(of: number) else { return [] }
    return spans[index...].map(\.written)
  }

  private func index(of number: Number) -> Int? {
    var (low, high) = (0, spans.count)
    while low < high {
      let middle = (low + high) / 2
      if spans[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low < spans.count && spans[low].number == number ? low : nil
  }
}
