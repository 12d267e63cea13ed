internal import Dispatch

/// The entries of a log that wait to be written.
final class LogQueue: Sendable {
  typealias Make = @Sendable () -> Evocation.Log.Line

  private struct State {
    var waiting: [Make] = []
    /// How many entries were left out.
    var lost = 0
    /// Whether they are being written, or are about to be.
    var isWriting = false
  }

  /// Whether this is inside a log's closure, or in a task that was begun there.
  @TaskLocal static var isWriting = false

  /// How long an entry waits for others, because to wake a thread for each costs the caller more than
  /// the entry (`find, async, with a log`).
  private static let pause = DispatchTimeInterval.milliseconds(1)

  /// How many entries wait at most.
  private static var capacity: Int { 10_000 }

  private let queue = DispatchQueue(label: "Evocation.Log", qos: .utility)
  private let state = Lock(State())
  private let write: @Sendable (Evocation.Log.Line) -> Void

  init(_ write: @escaping @Sendable (Evocation.Log.Line) -> Void) {
    self.write = write
  }

  /// Adds an entry behind the others.
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

  /// Waits until what was added before is written.
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
