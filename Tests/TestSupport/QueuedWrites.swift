package import Evocation
import Foundation

/// What ``QueuedWrites`` writes.
package struct QueuedNote: Codable, Identifiable, Sendable, Equatable {
  package let id: Int
  package let text: String
}

/// A series of writes with entries, each of which follows from its number alone.
///
/// So whoever knows how many there were can do them again elsewhere, and compare. The note with the id
/// zero says how many there were; it is written with each, and has no entry.
package enum QueuedWrites {
  /// How many writes there were.
  package static func count(in notes: some Repository<QueuedNote>) async throws -> Int {
    try await notes.findOne(["id": 0]).value.flatMap { Int($0.text) } ?? 0
  }

  /// Does the write of a number, from one on.
  package static func write(
    _ number: Int, to notes: some OutboxStore<QueuedNote>
  ) async throws {
    let note = OutboxNote<QueuedNote>(
      queuedAt: Date(timeIntervalSinceReferenceDate: Double(number)))
    let write = StoreWrite([action(number)])
    try await notes.transact(isShort: true) { transaction in
      _ = try write.queue(note, in: transaction)
      if number.isMultiple(of: 4) {
        // As when a service has acknowledged it.
        let first = try transaction.records(after: .min, limit: 1).first
        if let first { try transaction.delete(first.position) }
      }
      let count = QueuedNote(id: 0, text: "\(number)")
      try transaction.put(count, before: transaction.held(count))
    }
  }

  private static func action(_ number: Int) -> StoreWrite<QueuedNote>.Change {
    let text = String(repeating: "x", count: number % 3_000)
    let last = QueuedNote(id: number - 1, text: text)
    if number > 1, number.isMultiple(of: 5) { return .remove([last]) }
    if number > 1, number.isMultiple(of: 3) { return .storeOrUpdate([last]) }
    return .store([QueuedNote(id: number, text: text)])
  }

  /// The notes and the entries, without the entries' ids, which are random.
  package static func state(
    of notes: some OutboxStore<QueuedNote>
  ) async throws -> (notes: [QueuedNote], entries: [String]) {
    let entries = try await notes.look(isShort: false) { transaction in
      try transaction.records(after: .min, limit: .max).map { record in
        record.entry.map { entry in
          "\(entry.kind) \(entry.model) on \(entry.base as QueuedNote?) at \(entry.queuedAt)"
        } ?? "unreadable"
      }
    }
    return (try await notes.find(Criteria()).value, entries)
  }
}
