import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCalls
@testable import EvocationValues

/// A local repository that is none of the package's own, so that it is asked for ids.
private struct PlainLocal: ForwardingRepository {
  let base: InMemoryRepository<Car>
}

/// The same for models whose ids are no single values under the key `id`.
private struct PlainStore<Model: Codable & Identifiable & Sendable>: ForwardingRepository {
  let base: InMemoryRepository<Model>
}

/// A write that the remote refuses for good is undone in local, in the same call.
@Suite(.patient) struct RollbackTests {
  private let rule = Strategy.Rule(target: .local, rollsBack: true)
  private let before = [Car(id: 1, model: "old"), Car(id: 2, model: "other")]
  private let base: InMemoryRepository<Car>
  private let evocation = Evocation()

  init() { base = InMemoryRepository(before) }

  private func register(_ kind: FailureKind?, isPlain: Bool = false) {
    let remote = RepositoryMock<Car> { call in
      if let kind { throw Refusal(place: .remote, failureKind: kind) }
      return [Car(id: 1, model: "new")]
    }
    let proxy = evocation.register(for: Car.self).repository(remote: remote)
    if isPlain {
      proxy.repository(local: PlainLocal(base: base))
    } else {
      proxy.repository(local: base)
    }
  }

  private static let writes = Evocation.Call.allCases.filter { ![.find, .findOne].contains($0) }

  @Test(arguments: writes, [1, 3])
  func `what the remote refuses leaves local as it was`(call: Evocation.Call, id: Int) async throws
  {
    for isPlain in [false, true] {
      for kind in [FailureKind.permanent, .conflict] {
        register(kind, isPlain: isPlain)
        let result = await evocation.call(call, Car(id: id, model: "new"), rule: rule)
        #expect(try await base.find(Criteria()).value == before)
        // What local refuses by itself, or has nothing to do for, never came to the remote.
        let came = ![.store, .storeOne].contains(call) || id == 3
        let isThere = [.store, .storeOne, .storeOrUpdate].contains(call) || id == 1
        guard came, isThere else { continue }
        #expect((result.error as? Refusal)?.place == .remote)
        #expect(result.data == nil && result.origin == nil)
        #expect(result.trace.steps.map(\.role) == [.target, .synchronization, .rollback])
      }
    }
  }

  @Test(arguments: [FailureScope.service, .carriedOut])
  func `what says nothing against the write leaves in local what was written`(
    scope: FailureScope
  ) async throws {
    struct Failed: ClassifiedError {
      let failureScope: FailureScope
      var failureKind: FailureKind { .permanent }
    }
    evocation.register(for: Car.self).repository(local: base).repository(
      remote: RepositoryMock<Car> { _ in throw Failed(failureScope: scope) })
    let new = Car(id: 1, model: "new")
    let result = await evocation.updateOne(new, rule: rule)
    #expect(result.data == new && result.error == nil)
    #expect(result.synchronizationError is Failed)
    #expect(try await base.find(["id": 1]).value == [new])
  }

  /// What local has after a write of the second model, which the remote refuses.
  private func refused<Model: Codable & Identifiable & Sendable>(
    _ old: [Model], _ new: Model
  ) async throws -> (error: (any Error)?, [Model]) {
    let local = PlainStore(base: InMemoryRepository(old))
    evocation.register(for: Model.self).repository(local: local).repository(
      remote: RepositoryMock<Model> { _ in
        throw Refusal(place: .remote, failureKind: .permanent)
      })
    let result = await evocation.storeOrUpdate([new], rule: rule)
    return (result.error, try await local.base.find(Criteria()).value)
  }

  @Test func `ids of several parts and computed ones are undone in every repository`() async throws
  {
    struct Seat: Codable, Identifiable, Hashable, Sendable {
      struct ID: Codable, Hashable, Sendable { var row, number: Int }
      var id: ID
      var name: String
    }
    struct Wheel: Codable, Identifiable, Hashable, Sendable {
      var car, place: Int
      var id: String { "\(car)/\(place)" }
      var size = 1.0
    }
    let seats = [1, 2].map { Seat(id: .init(row: 1, number: $0), name: "old") }
    let wheels = [1, 2].map { Wheel(car: 1, place: $0) }
    for number in [1, 3] {
      let seat = try await refused(seats, Seat(id: .init(row: 1, number: number), name: "new"))
      #expect(seat.error is Refusal && seat.1 == seats)
      let wheel = try await refused(wheels, Wheel(car: 1, place: number, size: 2))
      #expect(wheel.error is Refusal && wheel.1 == wheels)
    }
  }

  @Test(arguments: [FailureKind.transient, .authorization])
  func `a failure that may pass undoes nothing`(kind: FailureKind) async throws {
    register(kind)
    let result = await evocation.updateOne(Car(id: 1, model: "new"), rule: rule)
    #expect(result.origin == .local)
    #expect(result.synchronizationError is Refusal)
    #expect(try await base.find(["id": 1]).value.map(\.model) == ["new"])
  }

  @Test func `without rollsBack a refusal undoes nothing`() async throws {
    register(.permanent)
    let result = await evocation.updateOne(Car(id: 1, model: "new"), rule: .init(target: .local))
    #expect(result.synchronizationError is Refusal)
    #expect(try await base.find(["id": 1]).value.map(\.model) == ["new"])
  }

  @Test func `a write that cannot be undone is said to have been made`() async throws {
    let local = RepositoryMock<Car> { call in
      switch call {
      case .find: return [Car(id: 1)]
      case .storeOrUpdate: throw Outage(place: .local)
      default: return [Car(id: 1, model: "new")]
      }
    }
    register(.permanent)
    try evocation.proxy(for: Car.self).repository(local: local)
    let result = await evocation.updateOne(Car(id: 1, model: "new"), rule: rule)
    #expect(result.origin == .local && result.error == nil)
    #expect(result.synchronizationError is Refusal)
    let last = try #require(result.trace.steps.last)
    #expect(last.role == .rollback)
    #expect(last.description.hasPrefix("local could not undo its write"))
  }

  @Test func `models without ids are refused before anything is written`() async throws {
    struct Note: Sendable {}
    let local = RepositoryMock<Note> { _ in [Note()] }
    evocation.register(for: Note.self).repository(remote: local).repository(local: local)
    let result = await evocation.storeOne(Note(), rule: rule)
    #expect(
      "\(try #require(result.error))"
        == "Evocation cannot mirror Note or undo its writes, because its models have no id; make "
        + "Note Identifiable.")
    #expect(local.calls.isEmpty)
  }

  @Test func `it fits writes that go to local first and then to the remote`() {
    let reason =
      "rollsBack undoes local writes that the server refused; make local the target, and "
      + "synchronize with true"
    #expect(rule.misfit(for: .store) == nil)
    #expect(Strategy.Rule(rollsBack: true).misfit(for: .update) == reason)
    let queued = Strategy.Rule(target: .local, synchronize: .outbox, rollsBack: true)
    #expect(queued.misfit(for: .update) == reason)
    #expect(Strategy.Rule(rollsBack: true).misfit(for: .find) == nil)
  }

  @Test func `it is explained`() {
    #expect(
      rule.explain(for: .store).description.hasPrefix(
        """
        | store | result |
        |---|---|
        | local answers, remote is synced | data from local |
        | local answers, syncing to remote fails | data from local; synchronizationError from remote |
        | local answers, remote refuses it, local undoes it | error from remote |
        | local answers, remote refuses it, local cannot undo it | data from local; \
        synchronizationError from remote |
        """))
  }
}
