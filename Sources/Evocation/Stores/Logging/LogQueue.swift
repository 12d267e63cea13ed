internal import Dispatch

/// Writes the entries of a log, one after another, on a queue of its own.
final class LogQueue: Sendable {
  private struct State {
    var waiting: [@Sendable () -> Evocation.Log.Line] = []
    /// The number of entries that were left out.
    var lost = 0
  }

  /// Whether the current task runs in a log's closure, or was created there.
  @TaskLocal static var isWriting = false

  /// How long an entry waits for more, because waking a thread for each would cost the caller more
  /// than the entry does (`find, async, with a log`).
  private static let pause = DispatchTimeInterval.milliseconds(1)

  /// The greatest number of entries that wait.
  private static var capacity: Int { 10_000 }

  private let queue = DispatchQueue(label: "Evocation.Log", qos: .utility)
  private let state = Lock(State())
  private let write: @Sendable (Evocation.Log.Line) -> Void

  init(_ write: @escaping @Sendable (Evocation.Log.Line) -> Void) {
    self.write = write
  }

  /// Adds an entry at the end.
  func add(_ make: @escaping @Sendable () -> Evocation.Log.Line) {
    let isFirst = state.withLock { state in
      guard state.waiting.count < Self.capacity else {
        state.lost += 1
        return false
      }
      state.waiting.append(make)
      return state.waiting.count == 1
    }
    if isFirst { queue.asyncAfter(deadline: .now() + Self.pause) { self.writeAll() } }
  }

  /// Waits until all earlier entries are written.
  func flush() { queue.sync { writeAll() } }

  private func writeAll() {
    let ended = state.withLock { state in
      defer { state = State() }
      return state
    }
    Self.$isWriting.withValue(true) {
      for make in ended.waiting { write(make()) }
      if ended.lost > 0 { write(.lost(ended.lost)) }
    }
  }
}
