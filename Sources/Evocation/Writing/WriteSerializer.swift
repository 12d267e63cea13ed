/// The line in which the writes on one model type wait, so that they are applied one at a time.
///
/// A place is taken when the call is made, which fixes the order. Each place has to be given up by
/// ``leave(_:)`` in the end, whether its turn came or not. Writes that take a place on instances wait
/// for those on the same ones alone.
final class WriteSerializer: Awaited {
  /// A place in the line.
  typealias Ticket = WriteQueue.Ticket

  private let queue = Lock(WriteQueue())
  /// The call that has its turn; nil where that is none of the app's writes.
  private let present = Lock<String?>(nil)
  private let makeName: @Sendable () -> String

  /// Makes a line of the writes on something.
  init(_ name: @escaping @autoclosure @Sendable () -> String) {
    makeName = name
  }

  /// How many have a place, of whom one may have its turn.
  var placeCount: Int { queue.withLock(\.placeCount) }

  /// What is written.
  var name: String { makeName() }

  /// Takes the next place, for a write by the app.
  func enter() -> Ticket {
    queue.withLock { $0.enter(isWrite: true) }
  }

  /// Takes the next place, for a write by the app on these instances alone.
  ///
  /// What the outbox keeps is no write of the app's, and what was fetched need not go behind it.
  func enter(on instances: [ModelID], isWrite: Bool = true) -> Ticket {
    queue.withLock { $0.enter(on: instances, isWrite: isWrite) }
  }

  /// Takes the next place, for what was fetched, and says whether a write comes before it.
  func enterToSave() -> (ticket: Ticket, isBehindWrite: Bool) {
    queue.withLock { queue in (queue.enter(isWrite: false), queue.isWriting) }
  }

  /// The name of the write whose turn it is, of several the last that began; nil for none of the app's.
  var presentWrite: String? { present.withLock { $0 } }

  /// Notes which write has its turn.
  func noteTurn(of write: String) {
    present.withLock { $0 = write }
  }

  /// Whether it is the turn of a place.
  func isTurn(of ticket: Ticket) -> Bool { queue.withLock { $0.isTurn(of: ticket) } }

  /// Waits for the turn of a place.
  ///
  /// - Throws: `CancellationError` when the task is cancelled before the turn comes, and
  ///   ``EvocationError/nestedWrite(model:circle:)`` when the write whose turn it is waits for this task.
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

  /// Waits for the turn of a place, and runs the body as work that others may have to wait for.
  ///
  /// The place is given up in the end, whether its turn came or not.
  ///
  /// - Throws: What ``turn(_:)`` throws, and what the body does.
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

  /// Gives the place up and lets the next one have its turn.
  func leave(_ ticket: Ticket) {
    present.withLock { $0 = nil }
    let (next, others) = queue.withLock { $0.leave(ticket) }
    next?.fulfil(true)
    for turn in others { turn.fulfil(true) }
  }
}
