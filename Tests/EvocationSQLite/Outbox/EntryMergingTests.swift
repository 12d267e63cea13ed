import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

@testable import EvocationSQLite
@testable import EvocationStores
@testable import EvocationValues
@testable import SQLiteSupport

/// The short ways to add the first entry on an instance and to change the last one.
@Suite(.patient) struct EntryMergingTests {
  enum Home: CaseIterable {
    case memory, file
  }

  private let folder: TemporaryFolder
  private let date = Date(timeIntervalSinceReferenceDate: 1)

  init() throws { folder = try TemporaryFolder() }

  private func pieces(_ home: Home) throws -> any OutboxStore<Piece> {
    switch home {
    case .memory: InMemoryRepository<Piece>()
    case .file: try SQLiteRepository<Piece>(SQLiteDatabase(path: folder.path()))
    }
  }

  @Test(arguments: Home.allCases)
  func `The first entry on an instance is added once, with the row's version`(
    _ home: Home
  ) async throws {
    let (before, now) = (Piece(id: 1, name: "a"), Piece(id: 1, name: "b"))
    try await pieces(home).transact(isShort: true) { [date] transaction in
      try transaction.put(before, before: nil)
      try transaction.setVersion("3", of: before)
      let key = try transaction.key(of: now)
      let row = try #require(
        try transaction.appendFirst(.update, now, on: before, queuedAt: date, key: key))
      #expect(row.instance.key == key && row.kind == .update && !row.hasReferences)
      let entry = try #require(try transaction.record(at: row.position)?.entry)
      #expect(entry.id == row.id && entry.model == now && entry.base == before)
      #expect(entry.version == "3" && entry.queuedAt == date && entry.state == .pending)
      let other = try transaction.appendFirst(.update, now, on: before, queuedAt: date, key: key)
      #expect(other == nil)
      #expect(try transaction.records(of: key).count == 1)
    }
  }

  @Test func `An entry in the file's index is found before another one is added`() async throws {
    let pieces = try pieces(.file)
    let rows = try await pieces.transact(isShort: false) { [date] transaction in
      try (0...EntryIndex.batch).compactMap { id in
        try transaction.appendFirst(
          .store, Piece(id: id, name: "a"), on: nil, queuedAt: date, key: "\(id)")
      }
    }
    #expect(rows.count == EntryIndex.batch + 1)
    try await pieces.transact(isShort: true) { [date] transaction in
      let again = Piece(id: 0, name: "b")
      let other = try transaction.appendFirst(.update, again, on: nil, queuedAt: date, key: "0")
      #expect(other == nil)
      #expect(try transaction.last(of: "0") == .free(rows[0]))
    }
  }

  @Test(arguments: Home.allCases)
  func `What a write is merged into keeps all but its kind and its model`(
    _ home: Home
  ) async throws {
    let (before, now) = (Piece(id: 1, name: "a"), Piece(id: 1, name: "b"))
    try await pieces(home).transact(isShort: true) { [date] transaction in
      #expect(try transaction.last(of: "1") == nil)
      let row = try #require(
        try transaction.appendFirst(.update, before, on: before, queuedAt: date, key: "1"))
      #expect(try transaction.last(of: "1") == .free(row))
      transaction.entries.searched = row.position
      try transaction.merge(.remove, now, into: row)
      #expect(transaction.entries.searched < row.position)
      let entry = try #require(try transaction.record(at: row.position)?.entry)
      #expect(entry.kind == .remove && entry.model == now && entry.base == before)
      #expect(entry.id == row.id && entry.queuedAt == date)
      var merged = row
      merged.kind = .remove
      #expect(try transaction.last(of: "1") == .free(merged))
    }
  }

  @Test(arguments: Home.allCases)
  func `What was taken, waits or is parked is free no more`(_ home: Home) async throws {
    try await pieces(home).transact(isShort: true) { [date] transaction in
      for (id, change) in [0, 1, 2].enumerated() {
        let model = Piece(id: id, name: "a")
        let row = try #require(
          try transaction.appendFirst(.store, model, on: nil, queuedAt: date, key: "\(id)"))
        var entry = try #require(try transaction.record(at: row.position)?.entry)
        switch change {
        case 0: try transaction.entries.take(row.position)
        case 1:
          entry.state = .parked(.permanent, reason: "no")
          try transaction.setState(of: entry)
        default:
          entry.state = .waiting(until: date, reason: "busy")
          try transaction.replace(entry)
        }
        guard case .fixed(let fixed)? = try transaction.last(of: "\(id)") else {
          Issue.record("\(change): it is free.")
          continue
        }
        #expect(fixed.id == row.id && fixed.wasAttempted == (change == 0))
        try transaction.delete(row.position)
        #expect(try transaction.last(of: "\(id)") == nil)
      }
    }
  }

  @Test func `An entry that SQL of the app has changed is read again`() async throws {
    let pieces = try SQLiteRepository<Piece>(SQLiteDatabase(path: folder.path()))
    _ = try await pieces.queue(.store, [Piece(id: 1, name: "a")], note: OutboxNote(queuedAt: date))
    try await pieces.database.write { access in
      try access.execute("UPDATE evocation_entries SET model = '{}'")
    }
    let last = try await pieces.transact(isShort: true) { try $0.last(of: "1") }
    #expect(last == .unreadable)
    _ = try await pieces.queue(.update, [Piece(id: 1, name: "b")], note: OutboxNote(queuedAt: date))
    let count = try await pieces.look(isShort: true) { try $0.records(of: "1").count }
    #expect(count == 2)
  }

  /// Two writes that become one, or the first of which is enough.
  private static let merged: [(Outbox.EntryKind, Outbox.EntryKind)] = [
    (.store, .update), (.update, .update), (.update, .remove), (.remove, .remove),
  ]

  @Test(arguments: Home.allCases, [nil, 7])
  func `Writes that become one are as urgent as the more urgent of them`(
    _ home: Home, owner: Int?
  ) async throws {
    let pieces = try pieces(home)
    for (first, second) in Self.merged {
      for priority in Strategy.Priority.allCases {
        for next in Strategy.Priority.allCases {
          var note = OutboxNote<Piece>(queuedAt: date)
          if owner != nil {
            note.references = { piece in
              piece.owner.map { [Outbox.Reference(queue: "owners", key: "\($0)")] } ?? []
            }
          }
          var piece = Piece(id: 1, name: "a", owner: owner)
          if first != .store { _ = try await pieces.storeOrUpdate([piece]) }
          note.priority = priority
          _ = try await pieces.queue(first, [piece], note: note)
          piece.name = "b"
          note.priority = next
          let rows = try await pieces.queue(second, [piece], note: note).entries
          let entries = try await pieces.look(isShort: true) { transaction in
            try transaction.records(of: "1").compactMap(\.entry)
          }
          let expected = priority == next ? priority : .normal
          #expect(entries.map(\.priority) == [expected], "\(first), \(second)")
          #expect(rows.map(\.isUtility) == [expected == .utility], "\(first), \(second)")
          try await pieces.transact(isShort: true) { transaction in
            for entry in entries { try transaction.delete(entry.position) }
          }
          _ = try await pieces.remove([piece])
        }
      }
    }
  }
}
