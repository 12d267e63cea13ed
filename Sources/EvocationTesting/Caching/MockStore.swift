import Evocation

/// The latest value of each tag, and the sequences that observe it.
final class MockStore<Value: Sendable>: Sendable {
  private struct State {
    /// The values by their tags; nil after a deletion.
    var values: [ByteText: Broadcast<Value?>] = [:]
    var isClosed = false
  }

  /// How many sequences have begun.
  let observations = Gate.Counter()

  private let state = Lock(State())

  /// How many sequences observe now.
  var observerCount: Int {
    state.withLock { $0.values.values.reduce(0) { $0 + $1.listenerCount } }
  }

  func held(_ tag: String) -> Value? { value(of: tag).last ?? nil }

  func hold(_ value: Value?, _ tag: String) { self.value(of: tag).tell(value) }

  /// Ends all sequences.
  ///
  /// Later sequences end after the latest value.
  func close() {
    let values = state.withLock { state in
      state.isClosed = true
      return Array(state.values.values)
    }
    for value in values { value.finish() }
  }

  /// Begins to observe a tag.
  func stream(_ tag: String) -> AsyncThrowingStream<Value, any Error> {
    let values = values(of: tag)
    return AsyncThrowingStream { await values.next() }
  }

  /// Begins to observe a tag.
  func values(of tag: String) -> MockValues<Value> {
    defer { observations.increase() }
    return MockValues(events: value(of: tag).events(keeping: .max, replaysLast: true))
  }

  private func value(of tag: String) -> Broadcast<Value?> {
    state.withLock { state in
      if let known = state.values[ByteText(tag)] { return known }
      let value = Broadcast<Value?>(last: nil)
      if state.isClosed { value.finish() }
      state.values[ByteText(tag)] = value
      return value
    }
  }
}

/// The values of a tag from now on, without its deletions.
struct MockValues<Value: Sendable>: Sendable {
  let events: Broadcast<Value?>.Events

  func next() async -> Value? {
    while let value = await events.next() {
      if let value { return value }
    }
    return nil
  }
}

/// The states that your test sends.
///
/// Observing begins with the first iteration.
struct MockStates<Element: Sendable>: ObservedSequence {
  typealias Failure = Never

  let store: MockStore<Element>

  func makeAsyncIterator() -> Iterator { Iterator(store: store) }

  struct Iterator: ObservedIterator {
    @SharedByCopies private var store: MockStore<Element>?
    @SharedByCopies private var values: MockValues<Element>? = nil

    init(store: MockStore<Element>) { self.store = store }

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> Element? {
      // The iterator must not keep the store, whose release ends it.
      values = values ?? store?.values(of: "")
      store = nil
      return await values?.next()
    }
  }
}
