/// The line in which the writes on one model type wait, so that they are applied one at a time.
///
/// A place is taken at once, when the call is made; that fixes the order. Whoever took a place
/// must call ``leave(_:)`` in the end, whether its turn came or not.
final class WriteLine: Sendable {
  /// A place in the line.
  typealias Ticket = UInt64

  private let queue = Lock(WriteQueue())

  /// Takes the next place, for a write by the app.
  func enter() -> Ticket {
    queue.withLock { $0.enter(isWrite: true) }
  }

  /// Takes the next place, for what was fetched, and says whether a write comes before it.
  func enterToSave() -> (ticket: Ticket, isBehindWrite: Bool) {
    queue.withLock { queue in (queue.enter(isWrite: false), queue.isWriting) }
  }

  /// Waits for the turn of a place.
  ///
  /// - Throws: `CancellationError` when the task is cancelled before the turn comes.
  func turn(_ ticket: Ticket) async throws {
    if queue.withLock({ $0.isTurn(of: ticket) }) { return try Task.checkCancellation() }
    let turn = Promise<Bool>()
    let comesAtOnce = queue.withLock { $0.wait(ticket, for: turn) }
    if comesAtOnce { return try Task.checkCancellation() }
    let came = await withCancellationHandler {
      await turn.value
    } onCancel: {
      turn.fulfil(false)
    }
    if !came { throw CancellationError() }
  }

  /// Gives the place up and lets the next one have its turn.
  func leave(_ ticket: Ticket) {
    let next = queue.withLock { $0.leave(ticket) }
    next?.fulfil(true)
  }
}
