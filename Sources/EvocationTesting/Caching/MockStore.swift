import Evocation

/// What a mocked source holds by tag, and the streams that read it.
final class MockStore<Cache: Sendable>: Sendable {
  typealias Stream = AsyncThrowingStream<Cache, any Error>

  private struct State {
    var held: [ByteText: Cache] = [:]
    var readers: [UInt64: (tag: ByteText, continuation: Stream.Continuation)] = [:]
    var lastNumber: UInt64 = 0
  }

  /// How many streams have begun.
  let observations = Gate.Counter()

  private let state = Lock(State())

  deinit { finish() }

  func held(_ tag: String) -> Cache? {
    state.withLock { $0.held[ByteText(tag)] }
  }

  func hold(_ cache: Cache, _ tag: String) {
    let tag = ByteText(tag)
    state.withLock { state in
      state.held[tag] = cache
      for reader in state.readers.values where reader.tag == tag {
        reader.continuation.yield(cache)
      }
    }
  }

  func drop(_ tag: String) {
    state.withLock { _ = $0.held.removeValue(forKey: ByteText(tag)) }
  }

  /// Ends the streams of a tag, or all.
  func finish(_ tag: String? = nil, throwing error: (any Error)? = nil) {
    let tag = tag.map(ByteText.init)
    let ended = state.withLock { state in
      let ended = state.readers.filter { tag == nil || $0.value.tag == tag }
      for number in ended.keys { state.readers[number] = nil }
      return ended
    }
    for reader in ended.values { reader.continuation.finish(throwing: error) }
  }

  func stream(_ tag: String) -> Stream {
    let (stream, continuation) = Stream.makeStream()
    let tag = ByteText(tag)
    let number = state.withLock { state in
      state.lastNumber += 1
      state.readers[state.lastNumber] = (tag, continuation)
      if let held = state.held[tag] { continuation.yield(held) }
      return state.lastNumber
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.readers.removeValue(forKey: number) }
    }
    observations.increase()
    return stream
  }
}
