/// The line of the writes on one model type, which applies them one at a time.
///
/// A call takes a ticket when it is made, which fixes the order. It must end each ticket with
/// ``leave(_:)``, whether its turn came or not. Writes whose tickets name instances wait only for
/// earlier writes on the same instances.
final class WriteSerializer: Awaited {
  /// A ticket for a position in the line.
  typealias Ticket = WriteQueue.Ticket

  private let queue = Lock(WriteQueue())
  /// The call that has its turn; nil if that is no write of the app.
  private let present = Lock<String?>(nil)
  private let makeName: @Sendable () -> String

  /// Creates a line; the name says what its writes change.
  init(_ name: @escaping @autoclosure @Sendable () -> String) {
    makeName = name
  }

  /// The number of tickets that have not ended yet; one of them may have its turn.
  var placeCount: Int { queue.withLock(\.placeCount) }

  /// The name of what the line's writes change.
  var name: String { makeName() }

  /// Takes the next ticket, for a write of the app.
  func enter() -> Ticket {
    queue.withLock { $0.enter(isWrite: true) }
  }

  /// Takes the next ticket, for a write of the app on these instances alone.
  ///
  /// `isWrite` is false for changes of the outbox, which are no writes of the app, so that saving
  /// fetched models does not count as behind them.
  func enter(on instances: [ModelID], isWrite: Bool = true) -> Ticket {
    queue.withLock { $0.enter(on: instances, isWrite: isWrite) }
  }

  /// Takes the next ticket, for saving fetched models, and returns whether a write comes before it.
  func enterToSave() -> (ticket: Ticket, isBehindWrite: Bool) {
    queue.withLock { queue in (queue.enter(isWrite: false), queue.isWriting) }
  }

  /// The name of the write that last began its turn; nil if that is no write of the app.
  var presentWrite: String? { present.withLock { $0 } }

  /// Records which write has its turn.
  func noteTurn(of write: String) {
    present.withLock { $0 = write }
  }

  /// Whether it is the turn of a ticket.
  func isTurn(of ticket: Ticket) -> Bool { queue.withLock { $0.isTurn(of: ticket) } }

  /// Waits for the turn of a ticket.
  ///
  /// - Throws: `CancellationError` if the task is canceled before the turn comes, and
  ///   ``EvocationError/nestedWrite(model:circle:)`` if the write whose turn it is waits for this
  ///   task.
  func turn(_ ticket: Ticket) async throws {
    if queue.withLock({ $0.isTurn(of: ticket) }) { return try Task.checkCancellation() }
    let turn = Promise<Bool>()
    let wait = try enter(turn)
    defer { WaitGraph.leave(wait) }
    let comesAtOnce = queue.withLock { $0.wait(ticket, for: turn) }
    if comesAtOnce { return try Task.checkCancellation() }
    let came = await withCancellationHandler {
      await turn.value
    } onCancel: {
      turn.fulfil(false)
    }
    if !came { throw CancellationError() }
  }

  /// Waits for the turn of a ticket, and runs the body as work that other tasks may have to wait
  /// for.
  ///
  /// It ends the ticket afterward, whether its turn came or not.
  ///
  /// - Throws: The errors of ``turn(_:)`` and of the body.
  func run<Value>(
    _ ticket: Ticket, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Value
  ) async throws -> Value {
    defer { leave(ticket) }
    try await turn(ticket)
    let scope = WriteScope(self)
    defer { scope.close() }
    return try await WriteScope.$current.binding(scope, body)
  }

  private func enter(_ turn: Promise<Bool>) throws(EvocationError) -> WaitGraph.Number? {
    do throws(WaitGraph.Circle) {
      return try WaitGraph.enter(for: self) { turn.isFulfilled }
    } catch {
      throw .nestedWrite(model: name, circle: error.names)
    }
  }

  /// Ends the ticket, and begins the turn of the next one.
  func leave(_ ticket: Ticket) {
    present.withLock { $0 = nil }
    let (next, others) = queue.withLock { $0.leave(ticket) }
    next?.fulfil(true)
    for turn in others { turn.fulfil(true) }
  }
}
