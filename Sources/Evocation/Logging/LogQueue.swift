internal import Dispatch

/// The entries of a log that are not written yet.
final class LogQueue: Sendable {
  typealias Make = @Sendable () -> Evocation.Log.Line

  private struct State {
    var waiting: [Make] = []
    /// The number of entries that were left out.
    var lost = 0
    /// Whether the entries are being written, or are about to be.
    var isWriting = false
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
  func add(_ make: @escaping Make) {
    let begins = state.withLock { state in
      guard state.waiting.count < Self.capacity else {
        state.lost = state.lost.addingClamped(1)
        return false
      }
      state.waiting.append(make)
      defer { state.isWriting = true }
      return !state.isWriting
    }
    if begins { queue.asyncAfter(deadline: .now() + Self.pause) { self.writeAll() } }
  }

  /// Waits until all earlier entries are written.
  func flush() { queue.sync { writeAll() } }

  private func writeAll() {
    while true {
      let (entries, lost) = state.withLock { state in
        defer { (state.waiting, state.lost) = ([], 0) }
        state.isWriting = !state.waiting.isEmpty || state.lost > 0
        return (state.waiting, state.lost)
      }
      if entries.isEmpty, lost == 0 { return }
      Self.$isWriting.withValue(true) {
        for make in entries { write(make()) }
        if lost > 0 { write(.lost(lost)) }
      }
    }
  }
}

extension LogQueue: Hashable {
  static func == (left: LogQueue, right: LogQueue) -> Bool { left === right }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
