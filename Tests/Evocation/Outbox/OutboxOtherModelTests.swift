import Evocation
import EvocationTesting
import Foundation
import TestSupport
import Testing

@testable import EvocationCalls
@testable import EvocationOutbox
@testable import EvocationStores
@testable import EvocationValues

/// A server that answers a question about one model with another.
@Suite(.timeLimit(.minutes(30))) struct OutboxOtherModelTests {
  /// What the app's resolver says to each conflict.
  enum Resolver: CaseIterable, Sendable {
    case none, mine, theirs, merged, park
  }

  private static let mine = Memo(id: 3, title: "taken", body: "mine")
  private static let other = Memo(id: 7, title: "taken", body: "other")

  private let local = InMemoryRepository<Memo>()

  private func evocation(_ remote: some Repository<Memo>, _ resolver: Resolver) -> Evocation {
    let evocation = Evocation.flushedByHand()
    let proxy = evocation.register(for: Memo.self).repository(remote: remote)
      .repository(local: local).strategy(.offlineFirst)
    switch resolver {
    case .none: break
    case .mine: proxy.conflicts { _ in .mine }
    case .theirs: proxy.conflicts { _ in .theirs }
    case .merged: proxy.conflicts { .merged($0.mine) }
    case .park: proxy.conflicts { _ in .park }
    }
    return evocation
  }

  /// Writes, and returns what became of the write once a flush has ended.
  private func write(
    _ kind: Outbox.EntryKind, in evocation: Evocation
  ) async throws -> Outbox.Delivery.Outcome {
    let written: Outbox.Delivery? =
      switch kind {
      case .store: await evocation.storeOne(Self.mine).delivery
      case .update: await evocation.updateOne(Self.mine).delivery
      case .storeOrUpdate: await evocation.storeOrUpdate([Self.mine]).delivery
      case .remove: await evocation.removeOne(Memo(id: 3)).delivery
      }
    let delivery = try #require(written)
    for _ in 0..<8 { _ = await evocation.outbox.flush() }
    return await delivery.value()
  }

  @Test(arguments: Outbox.EntryKind.allCases, Resolver.allCases)
  func `a conflict that names another model neither delivers a write nor leaves that model`(
    kind: Outbox.EntryKind, resolver: Resolver
  ) async throws {
    let before: [Memo] = kind == .store ? [] : [Memo(id: 3)]
    _ = try await local.store(before)
    let service = ScriptedService<Memo>(before + [Self.other]) { _, _ in
      throw Refused(.conflict, current: Self.other)
    }
    let evocation = evocation(service, resolver)
    let outcome = try await write(kind, in: evocation)
    #expect(outcome != .delivered)
    #expect(try await service.all == before + [Self.other])
    #expect(try await local.find(["id": 7]).value == [])
    // Whatever the resolver says is about the model itself.
    let held = try await local.find(["id": 3]).value
    switch (resolver, kind) {
    case (.theirs, .store): #expect(outcome == .discarded && held == [])
    case (.theirs, _): #expect(outcome == .discarded && held == [Memo(id: 3)])
    case (_, .remove): #expect(held == [])
    case (.none, _), (.mine, _), (.merged, _), (.park, _): #expect(held == [Self.mine])
    }
  }

  /// A remote that answers each question with another model, as one that ignores criteria.
  private struct Confused: ForwardingRepository {
    let base: ScriptedService<Memo>

    func findOne(_ criteria: Criteria) async throws -> Response<Memo?> {
      Response(OutboxOtherModelTests.other)
    }
  }

  @Test(arguments: Outbox.EntryKind.allCases, Resolver.allCases)
  func `a remote that answers a question with another model has the write parked, and kept`(
    kind: Outbox.EntryKind, resolver: Resolver
  ) async throws {
    let before: [Memo] = kind == .store ? [] : [Memo(id: 3)]
    _ = try await local.store(before)
    let service = ScriptedService<Memo>(before + [Self.other]) { _, _ in
      throw Refused(.conflict)
    }
    let evocation = evocation(Confused(base: service), resolver)
    guard case .parked(let failure) = try await write(kind, in: evocation) else {
      Issue.record("It is not parked.")
      return
    }
    #expect(!failure.reason.isEmpty)
    #expect(try await service.all == before + [Self.other])
    #expect(try await local.find(["id": 7]).value == [])
    let held = try await local.find(["id": 3]).value
    #expect(held == (kind == .remove ? [] : [Self.mine]))
    // Given up, local has what was there before.
    let entry = try #require(try await evocation.outbox.entries(of: Memo.self).first)
    try await evocation.outbox.discard(entry)
    #expect(try await local.find(Criteria()).value == before)
  }

  @Test func `a remote that cannot be asked for a model says so by name`() async throws {
    _ = try await local.store([Memo(id: 3)])
    let service = ScriptedService<Memo>([Memo(id: 3), Self.other])
    let evocation = evocation(Confused(base: service), .theirs)
    let outcome = try await write(.update, in: evocation)
    #expect(
      outcome
        == .parked(
          Outbox.Failure(
            reason: "Asking the server for one Memo failed: it answered with a model that has "
              + "another id; check findOne(_:) of the remote repository.")))
    #expect(service.requests.isEmpty)
  }
}
