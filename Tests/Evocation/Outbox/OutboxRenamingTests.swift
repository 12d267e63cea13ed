import Evocation
import Foundation
import Testing

@testable import EvocationStores

/// What becomes of a model that was read under the id that the service gave it, before the answer to
/// its own write came.
@Suite struct OutboxRenamingTests {
  let local = InMemoryRepository<Draft>()
  let answer = Draft(id: 100, title: "a")

  private func queue(_ action: StoreWrite<Draft>.Change) async throws {
    let note = OutboxNote<Draft>(queuedAt: Date(timeIntervalSinceReferenceDate: 0))
    _ = try await local.commit(StoreWrite([action], outbox: note))
  }

  /// Sends the first entry, lands what a read brought, does what the user does, and then answers.
  private func rename(_ meanwhile: () async throws -> Void) async throws -> [Outbox.Entry<Draft>] {
    try await queue(.store([Draft(id: -1, title: "a")]))
    let sent = try await local.transact(isShort: true) { transaction in
      let key = try transaction.key(of: Draft(id: -1, title: ""))
      var entry = try #require(transaction.records(of: key).first?.entry)
      entry.wasAttempted = true
      try transaction.setState(of: entry)
      return entry
    }
    _ = try await local.commit(StoreWrite([.storeOrUpdate([answer])], source: .remote))
    try await meanwhile()
    let answer = answer
    return try await local.transact(isShort: true) { transaction in
      let outcome = try #require(
        try transaction.acknowledge(sent, answer: VersionedModel(answer), isRepeated: false))
      let left = try transaction.records(after: .min, limit: 10)
      #expect(outcome.isLast == left.isEmpty)
      return left.compactMap(\.entry)
    }
  }

  @Test func `one that was removed under its first id is not shown under the second`() async throws
  {
    let left = try await rename { try await queue(.remove([Draft(id: -1, title: "a")])) }
    #expect(left.map(\.kind) == [.remove])
    #expect(left.map(\.model) == [answer])
    #expect(left.map(\.base) == [answer])
    #expect(try await local.find(Criteria()).value == [])
  }

  @Test func `one that was removed under its second id is not shown under it`() async throws {
    let left = try await rename { try await queue(.remove([answer])) }
    #expect(left.map(\.kind) == [.remove])
    #expect(try await local.find(Criteria()).value == [])
  }

  @Test func `one that was edited under its second id stays as edited`() async throws {
    let edited = Draft(id: 100, title: "b")
    let left = try await rename { try await queue(.update([edited])) }
    #expect(left.map(\.model) == [edited])
    #expect(try await local.find(Criteria()).value == [edited])
  }

  @Test func `one that was edited under both ids is shown as it is sent last`() async throws {
    let left = try await rename {
      try await queue(.update([Draft(id: 100, title: "b")]))
      try await queue(.update([Draft(id: -1, title: "c")]))
    }
    #expect(left.map(\.model) == [Draft(id: 100, title: "b"), Draft(id: 100, title: "c")])
    #expect(try await local.find(Criteria()).value == [Draft(id: 100, title: "c")])
  }

  /// Changes the first entry under the second id.
  private func change(_ body: @escaping @Sendable (inout Outbox.Entry<Draft>) -> Void) async throws
  {
    try await local.transact(isShort: true) { transaction in
      let key = try transaction.key(of: Draft(id: 100, title: ""))
      var entry = try #require(transaction.records(of: key).first?.entry)
      body(&entry)
      try transaction.replace(entry)
    }
  }

  @Test(arguments: [false, true])
  func `one that is kept under its first id outlives its removal under the second`(
    mayHaveArrived: Bool
  ) async throws {
    let left = try await rename {
      try await queue(.update([Draft(id: -1, title: "b")]))
      try await queue(.remove([answer]))
      if mayHaveArrived { try await change { $0.wasAttempted = true } }
      // It is merged with the first, and stands before the removal.
      try await queue(.update([Draft(id: -1, title: "c")]))
    }
    let kept = Draft(id: 100, title: "c")
    #expect(left.map(\.kind) == (mayHaveArrived ? [.remove, .storeOrUpdate] : [.update]))
    #expect(left.map(\.model) == (mayHaveArrived ? [answer, kept] : [kept]))
    #expect(left[0].base == answer)
    #expect(try await local.find(Criteria()).value == [kept])
  }

  @Test func `one that is kept under its second id outlives its removal under the first`()
    async throws
  {
    let kept = Draft(id: 100, title: "b")
    let left = try await rename {
      try await queue(.update([kept]))
      try await queue(.remove([Draft(id: -1, title: "a")]))
    }
    #expect(left.map(\.kind) == [.update])
    #expect(left.map(\.model) == [kept])
    #expect(try await local.find(Criteria()).value == [kept])
  }

  @Test func `one that was edited under its second id is sent on what was read, not on the answer`()
    async throws
  {
    let read = Draft(id: 100, title: "read")
    let left = try await rename {
      _ = try await local.commit(StoreWrite([.storeOrUpdate([read])], source: .remote))
      try await queue(.update([Draft(id: 100, title: "b")]))
      try await queue(.remove([Draft(id: -1, title: "a")]))
    }
    #expect(left.map(\.base) == [read])
  }

  @Test(arguments: [false, true])
  func `what was written under an id goes with its removal, unless it may have arrived`(
    mayHaveArrived: Bool
  ) async throws {
    let (written, kept) = (Draft(id: 100, title: "b"), Draft(id: 100, title: "c"))
    let left = try await rename {
      try await queue(.update([Draft(id: -1, title: "c")]))
      try await queue(.update([written]))
      // So that the removal does not take its place.
      try await change { $0.wasAttempted = true }
      try await queue(.remove([written]))
      if !mayHaveArrived { try await change { $0.wasAttempted = false } }
    }
    #expect(left.map(\.kind) == (mayHaveArrived ? [.update, .update] : [.update]))
    #expect(left.map(\.model) == (mayHaveArrived ? [written, kept] : [kept]))
    #expect(left[0].base == answer)
    #expect(try await local.find(Criteria()).value == [kept])
  }

  @Test func `one that was edited under both ids is sent after what may have arrived`()
    async throws
  {
    let (sent, edited) = (Draft(id: 100, title: "b"), Draft(id: 100, title: "c"))
    let left = try await rename {
      try await queue(.update([Draft(id: -1, title: "c")]))
      try await queue(.update([sent]))
      try await change { $0.wasAttempted = true }
    }
    #expect(left.map(\.model) == [sent, edited])
    #expect(left[0].base == answer)
    #expect(try await local.find(Criteria()).value == [edited])
  }

  @Test func `one that was removed under both ids is removed first as it may have arrived`()
    async throws
  {
    var sent: String?
    let left = try await rename {
      try await queue(.remove([Draft(id: -1, title: "a")]))
      try await queue(.remove([answer]))
      try await change { $0.wasAttempted = true }
      sent = try await local.transact(isShort: true) { [answer] in
        try $0.records(of: $0.key(of: answer)).first?.id
      }
    }
    #expect(left.map(\.kind) == [.remove, .remove])
    #expect(left[0].id == sent)
    #expect(try await local.find(Criteria()).value == [])
  }

  /// Has a unit remove what is kept under its second id.
  private func removeInUnit(mayHaveArrived: Bool) async throws -> [Outbox.Entry<Draft>] {
    try await rename {
      try await queue(.update([Draft(id: 100, title: "b")]))
      if mayHaveArrived { try await change { $0.wasAttempted = true } }
      var note = OutboxNote<Draft>(queuedAt: Date(timeIntervalSinceReferenceDate: 0))
      note.unit = 3
      let removal = StoreWrite.Change.remove([Draft(id: -1, title: "a")])
      _ = try await local.commit(StoreWrite([removal], outbox: note))
    }
  }

  @Test func `one that is kept is added again after a unit that removes it`() async throws {
    let left = try await removeInUnit(mayHaveArrived: false)
    #expect(left.map(\.kind) == [.remove, .storeOrUpdate])
    #expect(try await local.find(Criteria()).value == [Draft(id: 100, title: "b")])
  }

  @Test func `one that a unit removes stays removed when what was kept may have arrived`()
    async throws
  {
    let left = try await removeInUnit(mayHaveArrived: true)
    #expect(left.map(\.kind) == [.update, .remove])
    #expect(try await local.find(Criteria()).value == [])
  }

  @Test func `one that was read as it is later stays so, whatever a repeated answer says`()
    async throws
  {
    let later = Draft(id: 100, title: "later")
    let left = try await rename {
      _ = try await local.commit(StoreWrite([.storeOrUpdate([later])], source: .remote))
    }
    #expect(left.isEmpty)
    #expect(try await local.find(Criteria()).value == [later])
  }

  @Test func `one that was read under its second id is edited on the version that was read`()
    async throws
  {
    let left = try await rename {
      let read = VersionedModel(answer, version: "2")
      _ = try await local.commit(
        StoreWrite([.storeOrUpdate([answer])], source: .remote, versions: [read]))
    }
    #expect(left.isEmpty)
    try await queue(.update([Draft(id: 100, title: "b")]))
    let entry = try await local.look(isShort: true) { try $0.records(of: $0.key(of: answer)) }
    #expect(entry.map(\.entry?.version) == ["2"])
  }
}
