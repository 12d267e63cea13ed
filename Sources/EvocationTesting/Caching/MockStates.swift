/// The states that a mock shows; observing begins with the first iteration.
struct MockStates<Element: Sendable>: AsyncSequence, Sendable {
  typealias Failure = Never

  let begin: @Sendable () -> any AsyncIteratorProtocol<Element, Never>

  func makeAsyncIterator() -> Iterator {
    Iterator(begin: begin)
  }

  struct Iterator: AsyncIteratorProtocol {
    private let begin: @Sendable () -> any AsyncIteratorProtocol<Element, Never>
    private var iterator: (any AsyncIteratorProtocol<Element, Never>)?

    init(begin: @escaping @Sendable () -> any AsyncIteratorProtocol<Element, Never>) {
      self.begin = begin
    }

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> Element? {
      var iterator = self.iterator ?? begin()
      defer { self.iterator = iterator }
      return await iterator.next(isolation: actor)
    }
  }
}
