/// The line of the writes on one model type, which applies them one at a time.
///
/// A call takes a ticket when it is made, which fixes the order. It must end each ticket with
/// ``leave(_:)``, whether its turn came or not. Writes whose tickets name instances wait only for
/// earlier writes on the same instances.
@usableFromInline package final class WriteSerializer: Sendable {
  /// A ticket for a position in the line.
  @usableFromInline package typealias Ticket = WriteQueue.Ticket

  private let queue = Lock(WriteQueue())
  private let state = Lock(State())
  private let makeName: @Sendable () -> String

  private struct State {
    /// The call that has its turn; nil if that is no write of the app.
    var present: String?
    /// The number of waiting calls that have a turn in another line.
    var nested = 0
    /// The turn in another line for which the task that has this line waits.
    var next: Promise<Bool>?
  }

  /// Creates a line; the name says what its writes change.
  package init(_ name: @escaping @autoclosure @Sendable () -> String) {
    makeName = name
  }

  /// The number of tickets that have not ended yet; one of them may have its turn.
  package var placeCount: Int { queue.withLock(\.placeCount) }

  /// The name of what the line's writes change.
  package var name: String { makeName() }

  /// Takes the next ticket, for a write of the app.
  package func enter() -> Ticket {
    queue.withLock { $0.enter(isWrite: true) }
  }

  /// Takes the next ticket, for a change of the outbox on these instances alone.
  ///
  /// It is no write of the app, so saving fetched models does not count as behind it.
  package func enter(on instances: [ModelID]) -> Ticket {
    queue.withLock { $0.enter(on: instances) }
  }

  /// Takes the next ticket, for saving fetched models, and returns whether a write comes before it.
  package func enterToSave() -> (ticket: Ticket, isBehindWrite: Bool) {
    queue.withLock { queue in (queue.enter(isWrite: false), queue.isWriting) }
  }

  /// The name of the write that last began its turn; nil if that is no write of the app.
  package var presentWrite: String? { state.withLock { $0.present } }

  /// Records which write has its turn.
  package func setTurn(of write: String) {
    state.withLock { $0.present = write }
  }

  /// Whether it is the turn of a ticket.
  package func isTurn(of ticket: Ticket) -> Bool { queue.withLock { $0.isTurn(of: ticket) } }

  /// The lines in which this task has its turn, the innermost first.
  package static var around: [WriteSerializer] {
    WriteScope.around.compactMap { $0 as? WriteSerializer }
  }

  /// Waits for the turn of a ticket.
  ///
  /// - Throws: `CancellationError` if the task is canceled before the turn comes.
  @usableFromInline
  package func turn(_ ticket: Ticket) async throws {
    if isTurn(of: ticket) { return try Task.checkCancellation() }
    _ = try await turn(ticket, having: [], isNested: !Self.around.isEmpty)
  }

  /// Does the same for a task that has other lines.
  ///
  /// It returns false, without the turn, when a call that has a turn in any line waits for one of those.
  /// It may have the turn in this one.
  func turn(
    _ ticket: Ticket, having lines: [WriteSerializer], isNested: Bool
  ) async throws -> Bool {
    let turn = Promise<Bool>()
    if isNested { countNested(1) }
    defer {
      if isNested { countNested(-1) }
      for line in lines { line.state.withLock { $0.next = nil } }
    }
    let areWanted = lines.map { line in
      line.state.withLock { state in
        state.next = turn
        return state.nested > 0
      }
    }
    if !queue.withLock({ $0.wait(ticket, for: turn) }) {
      if areWanted.contains(true) { return false }
      let came = await turn.value(ifCancelled: false)
      if !came, !Task.isCancelled { return false }
    }
    try Task.checkCancellation()
    return true
  }

  private func countNested(_ change: Int) {
    let next = state.withLock { state in
      state.nested += change
      return change > 0 ? state.next : nil
    }
    next?.fulfil(false)
  }

  /// Waits for the turn of a ticket, and runs the body as work that other tasks may have to wait
  /// for.
  ///
  /// It ends the ticket afterward, whether its turn came or not.
  ///
  /// - Throws: The errors of ``turn(_:)`` and of the body.
  @inlinable
  package func run<Value>(
    _ ticket: Ticket, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Value
  ) async throws -> Value {
    defer { leave(ticket) }
    try await turn(ticket)
    return try await inScope(body)
  }

  /// Runs the body as work for which other tasks may have to wait.
  @inlinable
  package func inScope<Value>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
  ) async rethrows -> Value {
    try await WriteScope.run(self, body)
  }

  /// Ends the ticket, and begins the turn of the next one.
  @usableFromInline
  package func leave(_ ticket: Ticket) {
    state.withLock { $0.present = nil }
    for turn in queue.withLock({ $0.leave(ticket) }) { turn.fulfil(true) }
  }
}
