/// The models that were written since each mark, as a value.
///
/// Writes are added to the newest span. Each mark begins a span; it needs that span and all later
/// ones. When a mark is released, its span joins the span before it, so that there are as many
/// spans as marks.
///
/// The spans know no model, because looking up generic types for each fetch would cost more than the
/// rest of their work (`find, async, and local is synced`).
struct WriteMarks {
  typealias Number = UInt64

  private struct Span {
    let number: Number
    /// The ``WrittenModels`` of the span; nil if nothing was written.
    var written: (any Sendable)?

    mutating func add<Model>(_ later: WrittenModels<Model>) -> [WrittenModels<Model>.LastState] {
      guard var sum = written as? WrittenModels<Model> else {
        written = later
        return []
      }
      // The models are in one place, so that adding does not copy them.
      written = nil
      defer { written = sum }
      return sum.add(later)
    }
  }

  private var spans: [Span] = []
  private var lastNumber: Number = 0

  /// Whether there is any mark.
  var isMarked: Bool { !spans.isEmpty }

  /// Whether there is an earlier mark than this one.
  func isMarked(before number: Number) -> Bool { spans.first.map { $0.number < number } ?? false }

  /// Whether nothing was written since a mark.
  func isQuiet(since number: Number) -> Bool {
    guard let index = index(of: number) else { return true }
    return spans[index...].allSatisfy { $0.written == nil }
  }

  /// Sets a mark, which ``release(_:of:)`` removes.
  mutating func mark() -> Number {
    lastNumber += 1
    spans.append(Span(number: lastNumber))
    return lastNumber
  }

  /// Records the models of a write for all marks, and returns the last states that it replaced.
  mutating func record<Model>(_ written: WrittenModels<Model>) -> [WrittenModels<Model>.LastState] {
    guard let last = spans.indices.last else { return [] }
    return spans[last].add(written)
  }

  /// Records the models that were fetched since a mark, for earlier marks.
  ///
  /// It returns the last states that it replaced. The app's writes since that mark take precedence,
  /// because they are in a later span.
  mutating func record<Model>(
    _ landed: WrittenModels<Model>, before number: Number
  ) -> [WrittenModels<Model>.LastState] {
    guard let index = index(of: number), index > 0 else { return [] }
    return spans[index - 1].add(landed)
  }

  /// Removes a mark, and returns the models that no mark needs any more; nil for none.
  mutating func release<Model: Sendable>(_ number: Number, of: Model.Type) -> (any Sendable)? {
    guard let index = index(of: number) else { return nil }
    let written = spans.remove(at: index).written
    guard index > 0, let written = written as? WrittenModels<Model> else { return written }
    return spans[index - 1].add(written)
  }

  /// Returns the models that were written since a mark, span by span.
  func written<Model>(since number: Number, of: Model.Type) -> [WrittenModels<Model>] {
    guard let index = index(of: number) else { return [] }
    return spans[index...].compactMap { $0.written as? WrittenModels<Model> }
  }

  private func index(of number: Number) -> Int? { spans.index(of: number) { $0.number } }
}
