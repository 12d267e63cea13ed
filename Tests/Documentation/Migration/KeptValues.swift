import Evocation

/// What the samples' sources save in: a value for each name, told to whoever reads it.
final class KeptValues<Value: Sendable>: Sendable {
  private struct State {
    var values: [String: Value] = [:]
    var readers: [Int: (name: String, stream: AsyncThrowingStream<Value, any Error>.Continuation)] =
      [:]
    var lastNumber = 0
  }

  private let state = Lock(State())
  private let initial: Value?

  /// Keeps nothing yet; every value is `initial` until it is saved.
  init(initial: Value? = nil) {
    self.initial = initial
  }

  func value(of name: String) -> Value? {
    state.withLock { $0.values[name] } ?? initial
  }

  func save(_ value: Value, as name: String) {
    state.withLock { state in
      state.values[name] = value
      for reader in state.readers.values where reader.name == name { reader.stream.yield(value) }
    }
  }

  func values(of name: String) -> AsyncThrowingStream<Value, any Error> {
    AsyncThrowingStream { continuation in
      state.withLock { state in
        state.lastNumber += 1
        let number = state.lastNumber
        state.readers[number] = (name, continuation)
        if let value = state.values[name] ?? initial { continuation.yield(value) }
        continuation.onTermination = { [weak self] _ in
          self?.state.withLock { _ = $0.readers.removeValue(forKey: number) }
        }
      }
    }
  }
}
