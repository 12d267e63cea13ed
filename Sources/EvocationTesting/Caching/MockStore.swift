import Evocation

/// The latest value of each tag, and the streams that observe it.
final class MockStore<Value: Sendable>: Sendable {
  typealias Stream = AsyncThrowingStream<Value, any Error>

  private struct State {
    var held: [ByteText: Value] = [:]
    var streams: [UInt64: (tag: ByteText, continuation: Stream.Continuation)] = [:]
    var lastNumber: UInt64 = 0
    var isClosed = false
  }

  /// How many streams have begun.
  let observations = Gate.Counter()

  private let state = Lock(State())

  deinit { close() }

  /// How many streams observe now.
  var observerCount: Int { state.withLock { $0.streams.count } }

  func held(_ tag: String) -> Value? {
    state.withLock { $0.held[ByteText(tag)] }
  }

  func hold(_ value: Value?, _ tag: String) {
    let tag = ByteText(tag)
    // Released outside the lock, because that may run a deinit of the app's.
    let old = state.withLock { state in
      let old = state.held[tag]
      state.held[tag] = value
      guard let value else { return old }
      for stream in state.streams.values where stream.tag == tag {
        stream.continuation.yield(value)
      }
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Ends all streams.
  ///
  /// Later streams end after the latest value.
  func close() {
    let ended = state.withLock { state in
      state.isClosed = true
      defer { state.streams = [:] }
      return state.streams
    }
    for stream in ended.values { stream.continuation.finish() }
  }

  /// Begins to observe a tag.
  func stream(_ tag: String) -> Stream {
    let (stream, continuation) = Stream.makeStream()
    let tag = ByteText(tag)
    let (number, isClosed) = state.withLock { state in
      state.lastNumber += 1
      if let held = state.held[tag] { continuation.yield(held) }
      if !state.isClosed { state.streams[state.lastNumber] = (tag, continuation) }
      return (state.lastNumber, state.isClosed)
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.streams.removeValue(forKey: number) }
    }
    if isClosed { continuation.finish() }
    observations.increase()
    return stream
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
    private var store: MockStore<Element>?
    private var iterator: MockStore<Element>.Stream.Iterator?

    init(store: MockStore<Element>) { self.store = store }

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> Element? {
      var iterator = self.iterator ?? store?.stream("").makeAsyncIterator()
      store = nil
      defer { self.iterator = iterator }
      return try? await iterator?.next(isolation: actor)
    }
  }
}
