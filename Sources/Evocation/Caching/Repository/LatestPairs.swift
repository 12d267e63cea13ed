/// The last elements of two sequences as pairs: one as soon as both have given one, and then one at
/// each change.
///
/// Both are read from the first call of an iterator's `next` on; each iterator reads them by itself.
/// It ends when both have ended, or when one did before it gave anything.
struct LatestPairs<
  Left: AsyncSequence & Sendable, Right: AsyncSequence & Sendable
>: ObservedSequence
where
  Left.Failure == Never, Right.Failure == Never, Left.Element: Sendable, Right.Element: Sendable
{
  typealias Element = (Left.Element, Right.Element)
  typealias Failure = Never

  let left: Left
  let right: Right
  /// What is kept of an element once it was given, to be paired with later ones of the other.
  let keepLeft: @Sendable (Left.Element) -> Left.Element
  let keepRight: @Sendable (Right.Element) -> Right.Element

  func makeAsyncIterator() -> Iterator {
    Iterator(pairs: self)
  }

  struct Iterator: ObservedIterator {
    let pairs: LatestPairs
    private var reader: LatestPairsReader<Left.Element, Right.Element>?

    init(pairs: LatestPairs) {
      self.pairs = pairs
    }

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> Element? {
      let present = reader ?? pairs.read()
      reader = present
      return await present.next()
    }
  }

  private func read() -> LatestPairsReader<Left.Element, Right.Element> {
    let latest = LatestPair(keepLeft, keepRight)
    let tasks = [
      Task { [left] in
        for await element in left { latest.put(left: element) }
        latest.end(hadElement: \.hadLeft)
      },
      Task { [right] in
        for await element in right { latest.put(right: element) }
        latest.end(hadElement: \.hadRight)
      },
    ]
    return LatestPairsReader(latest, tasks)
  }
}
