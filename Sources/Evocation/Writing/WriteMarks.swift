/// The models that were written since each mark, as a value.
///
/// Writes are added to the newest span. Each mark begins a span; it needs that span and all later
/// ones. When a mark is released, its span joins the span before it, so that there are as many
/// spans as marks.
struct WriteMarks<Model: Sendable> {
  typealias Number = UInt64
  typealias Written = WrittenModels<Model>

  private struct Span {
    let number: Number
    var written = Written()
  }

  private var spans: [Span] = []
  /// The number of the first mark, kept beside it because every write looks at it; nil for none.
  private var first: Number?
  private var lastNumber: Number = 0

  /// Whether there is any mark.
  var isMarked: Bool { first != nil }

  /// Whether there is an earlier mark than this one.
  func isMarked(before number: Number) -> Bool { first.map { $0 < number } ?? false }

  /// Whether nothing was written since a mark.
  func isQuiet(since number: Number) -> Bool {
    spans.reversed().prefix { $0.number >= number }.allSatisfy(\.written.isEmpty)
  }

  /// Sets a mark, which ``release(_:)`` removes.
  mutating func mark() -> Number {
    lastNumber += 1
    spans.append(Span(number: lastNumber))
    if first == nil { first = lastNumber }
    return lastNumber
  }

  /// Records the models of a write for all marks, and returns the fates that it replaced.
  mutating func note(_ written: Written) -> [Written.Fate] {
    guard let last = spans.indices.last else { return [] }
    return spans[last].written.add(written)
  }

  /// Records the models that were fetched since a mark, for earlier marks.
  ///
  /// It returns the fates that it replaced. The app's writes since that mark take precedence,
  /// because they are in a later span.
  mutating func note(_ landed: Written, before number: Number) -> [Written.Fate] {
    guard let index = index(of: number), index > 0 else { return [] }
    return spans[index - 1].written.add(landed)
  }

  /// Removes a mark, and returns the models that no mark needs any more.
  mutating func release(_ number: Number) -> (span: Written, fates: [Written.Fate]) {
    guard let index = index(of: number) else { return (Written(), []) }
    let written = spans.remove(at: index).written
    if index == 0 { first = spans.first?.number }
    return index == 0 ? (written, []) : (Written(), spans[index - 1].written.add(written))
  }

  /// Returns the models that were written since a mark, span by span.
  func written(since number: Number) -> [Written] {
    guard let index = index(of: number) else { return [] }
    return spans[index...].map(\.written)
  }

  private func index(of number: Number) -> Int? { spans.index(of: number) { $0.number } }
}
