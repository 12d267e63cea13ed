import Evocation
import EvocationHTTP
import EvocationSQLite
import Foundation
import TestSupport

#if os(Linux)
  import CEvocationSQLite
  import Glibc
#endif

/// Stops this process at a boundary, and says so, for whoever started it to kill it there.
enum Stopping {
  private struct State {
    var boundary: Boundary?
    var passagesLeft = 0
    /// What the transaction that writes now is for.
    var writes: Boundary?
  }

  private static let state = Lock(State())

  static func prepare(_ stop: SendingTask.Stop?) {
    state.withLock { state in
      (state.boundary, state.passagesLeft) = (stop?.boundary, stop?.passage ?? 0)
    }
    #if os(Linux)
      if let stop, !stop.boundary.isService { TornWrites.install() }
    #endif
  }

  /// Passes a boundary, or stops there.
  static func pass(_ boundary: Boundary) {
    if isDue(boundary) { stop(boundary) }
  }

  /// Takes note of what the transaction is for that has begun; called within it.
  static func isWriting(_ boundary: Boundary) {
    state.withLock { $0.writes = boundary }
  }

  /// What is to be stopped in the middle of a write to a file's log; nil where nothing is.
  fileprivate static func dueInWrite() -> Boundary? {
    guard let boundary = state.withLock({ $0.writes }), isDue(boundary) else { return nil }
    return boundary
  }

  fileprivate static func stop(_ boundary: Boundary) -> Never {
    SQLiteChild.say("at \(boundary.rawValue)")
    // Nothing signals it: the thread stands here until the process is killed.
    while true { DispatchSemaphore(value: 0).wait() }
  }

  private static func isDue(_ boundary: Boundary) -> Bool {
    state.withLock { state in
      guard state.boundary == boundary else { return false }
      state.passagesLeft -= 1
      return state.passagesLeft == 0
    }
  }
}

/// A local repository that is stopped around its commits, and in them.
struct StoppingStore: ForwardingRepository, OutboxStore {
  let base: SQLiteRepository<NumberedNote>

  var fetchLedger: (any FetchLedger)? { base.fetchLedger }
  var queueName: String { base.queueName }
  var storeIdentity: ObjectIdentifier { base.storeIdentity }
  var keepsEntries: Bool { base.keepsEntries }

  func commit(_ write: StoreWrite<NumberedNote>) async throws -> StoreCommit<NumberedNote> {
    try await base.commit(write)
  }

  func queue(
    _ kind: Outbox.EntryKind, _ models: [NumberedNote], note: OutboxNote<NumberedNote>
  ) async throws -> QueuedWrite<NumberedNote> {
    Stopping.pass(.beforeCommit)
    var note = note
    // The references of an entry are asked for within the transaction.
    note.references = { _ in
      Stopping.isWriting(.inCommit)
      return []
    }
    let written = try await base.queue(kind, models, note: note)
    Stopping.pass(.afterCommit)
    return written
  }

  /// A short transaction keeps what became of an entry; a long one claims entries.
  func transact<Value: Sendable>(
    isShort: Bool,
    _ body: @escaping @Sendable (any OutboxTransaction<NumberedNote>) throws -> Value
  ) async throws -> Value {
    Stopping.pass(isShort ? .beforeAcknowledgement : .beforeClaim)
    let value = try await base.transact(isShort: isShort) { transaction in
      Stopping.isWriting(isShort ? .inAcknowledgement : .inClaim)
      return try body(transaction)
    }
    Stopping.pass(isShort ? .afterAcknowledgement : .afterClaim)
    return value
  }

  func look<Value: Sendable>(
    isShort: Bool,
    _ body: @escaping @Sendable (any OutboxTransaction<NumberedNote>) throws -> Value
  ) async throws -> Value {
    try await base.look(isShort: isShort, body)
  }

  func observeQueue(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation {
    base.observeQueue(handler)
  }

  func observeChanges(
    _ handler: @escaping @Sendable (RepositoryChange<NumberedNote>) -> Void
  ) -> Evocation.Observation {
    base.observeChanges(handler)
  }
}

/// A remote repository that is stopped before it sends.
struct StoppingService: ForwardingRepository {
  let base: HTTPRepository<NumberedNote>

  func storeOne(_ model: NumberedNote) async throws -> Response<NumberedNote?> {
    Stopping.pass(.beforeSending)
    return try await base.storeOne(model)
  }

  func updateOne(_ model: NumberedNote) async throws -> Response<NumberedNote?> {
    Stopping.pass(.beforeSending)
    return try await base.updateOne(model)
  }

  func storeOrUpdate(_ models: [NumberedNote]) async throws -> Response<[NumberedNote]> {
    Stopping.pass(.beforeSending)
    return try await base.storeOrUpdate(models)
  }

  func removeOne(_ model: NumberedNote) async throws -> Response<NumberedNote?> {
    Stopping.pass(.beforeSending)
    return try await base.removeOne(model)
  }
}

#if os(Linux)
  /// Writes of SQLite to its log of which half is done when the process stops.
  private enum TornWrites {
    typealias Writing = @convention(c) (Int32, UnsafeRawPointer?, Int) -> Int
    typealias WritingAt = @convention(c) (Int32, UnsafeRawPointer?, Int, Int) -> Int

    static func install() {
      guard let system = sqlite3_vfs_find(nil), let set = system.pointee.xSetSystemCall else {
        return SQLiteChild.say("failed: the system's calls cannot be put in place of")
      }
      let writing = unsafeBitCast(tornWrite as Writing, to: sqlite3_syscall_ptr.self)
      let writingAt = unsafeBitCast(tornWriteAt as WritingAt, to: sqlite3_syscall_ptr.self)
      _ = set(system, "write", writing)
      for name in ["pwrite", "pwrite64"] { _ = set(system, name, writingAt) }
    }

    static func boundary(_ descriptor: Int32) -> Boundary? {
      var bytes = [CChar](repeating: 0, count: 4_096)
      let count = readlink("/proc/self/fd/\(descriptor)", &bytes, bytes.count)
      let path = bytes.prefix(max(0, count)).map(UInt8.init(bitPattern:))
      guard String(decoding: path, as: UTF8.self).hasSuffix("-wal") else { return nil }
      return Stopping.dueInWrite()
    }
  }

  private func tornWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    if let boundary = TornWrites.boundary(file) {
      _ = write(file, bytes, count / 2)
      Stopping.stop(boundary)
    }
    return write(file, bytes, count)
  }

  private func tornWriteAt(
    _ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ offset: Int
  ) -> Int {
    if let boundary = TornWrites.boundary(file) {
      _ = pwrite(file, bytes, count / 2, offset)
      Stopping.stop(boundary)
    }
    return pwrite(file, bytes, count, offset)
  }
#endif
