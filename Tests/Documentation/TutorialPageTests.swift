import Evocation
import EvocationTesting
import TestTraits
import Testing

/// The rules for conflicts of the tutorial.
@Suite(.patient) struct TutorialPageTests {
  struct Note: Codable, Identifiable, Hashable, Sendable {
    let id: String
    var text: String
    var isDone = false
  }

  /// A device that has fetched the note, and sends when it is asked to.
  private struct Device {
    let evocation: Evocation
    let notes: Proxy<Note>

    init(_ server: InMemoryRepository<Note>) async throws {
      evocation = Evocation(
        configuration: .init(clock: ManualClock(), outbox: .init(sendsAutomatically: false)))
      notes = try evocation.register(
        Note.self, remote: server, local: InMemoryRepository(), strategy: .offlineFirst)
      _ = try await evocation.find(Note.self, rule: .remoteFirst)
    }

    func change(_ change: (inout Note) -> Void) async throws {
      var note = try #require(try await evocation.findOne(Note.self, id: "milk"))
      change(&note)
      #expect(await evocation.updateOne(note).isPending)
    }
  }

  private let server = InMemoryRepository([Note(id: "milk", text: "Buy milk")])

  @Test func `a change to what another device changed is parked, and then merged by a line`()
    async throws
  {
    let (phone, tablet) = (try await Device(server), try await Device(server))
    try await phone.change { $0.isDone = true }
    try await tablet.change { $0.text = "Buy oat milk" }
    #expect(await phone.evocation.outbox.flush() == .init(sent: 1))
    #expect(await tablet.evocation.outbox.flush() == .init(parked: 1))
    let notes = tablet.notes
    notes.conflicts { try .mergedByFields($0) }
    let parked = try #require(try await tablet.evocation.outbox.parked(Note.self).first)
    #expect(parked.seen == Note(id: "milk", text: "Buy milk", isDone: true))
    try await tablet.evocation.outbox.retry(parked)
    #expect(await tablet.evocation.outbox.flush() == .init(sent: 1))
    #expect(
      try await server.find([:]).value == [Note(id: "milk", text: "Buy oat milk", isDone: true)])
  }

  @Test func `a change to one text is parked until the user has chosen`() async throws {
    let (phone, tablet) = (try await Device(server), try await Device(server))
    try await phone.change { $0.text = "Buy soy milk" }
    try await tablet.change { $0.text = "Buy rice milk" }
    #expect(await phone.evocation.outbox.flush() == .init(sent: 1))
    tablet.notes.conflicts { try .mergedByFields($0) }
    #expect(await tablet.evocation.outbox.flush() == .init(parked: 1))
    tablet.notes.conflicts { _ in .mine }
    let parked = try #require(try await tablet.evocation.outbox.parked(Note.self).first)
    try await tablet.evocation.outbox.retry(parked)
    #expect(await tablet.evocation.outbox.flush() == .init(sent: 1))
    #expect(try await server.find([:]).value == [Note(id: "milk", text: "Buy rice milk")])
  }
}
