import Evocation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

/// What the stores are told that a sign-out empties together.
@Suite(.patient) struct EmptyingTests {
  private struct Owner: Codable, Identifiable, Sendable { var id = 1 }
  private struct Street: Codable, Identifiable, Sendable { var id = 1 }
  private struct Number: Codable, Identifiable, Sendable { var id = 1 }

  private let notes = Lock<[Drawer.Note]>([])
  private let evocation = Evocation()

  private func drawer(_ location: String?, refuses: Drawer.Step? = nil) -> Drawer {
    Drawer(location, refuses: refuses) { [notes] note in
      notes.withLock { $0.append(note) }
    }
  }

  private func put<Model: Codable & Identifiable & Sendable>(
    _ type: Model.Type, in drawer: Drawer, as name: String
  ) {
    evocation.register(for: Model.self).strategy(.localOnly)
      .repository(local: DrawerRepository<Model>(drawer, name))
  }

  /// What a drawer was told at a step, apart from the sign-out's name.
  private func told(_ step: Drawer.Step, _ location: String?) -> [StoreEmptying] {
    notes.withLock { $0 }.filter { $0.step == step && $0.location == location }
      .map(\.emptying)
  }

  @Test(arguments: [
    (Outbox.UnsentWrites.block, StoreEmptying.UnsentWrites.stay), (.keep, .wait), (.discard, .go),
  ])
  func `each store is told what is emptied in it, and what may not be marked if it is`(
    _ unsent: Outbox.UnsentWrites, _ entries: StoreEmptying.UnsentWrites
  ) async throws {
    let cars = drawer("a")
    put(Car.self, in: cars, as: "cars")
    put(Owner.self, in: cars, as: "owners")
    put(Street.self, in: drawer("b"), as: "streets")
    put(Number.self, in: drawer(nil), as: "numbers")
    try await evocation.signOut(unsent)
    let all = notes.withLock { $0 }
    #expect(all.map(\.step) == [.mark, .mark, .empty, .empty, .empty])
    let id = try #require(all.first).emptying.id
    for step in [Drawer.Step.mark, .empty] {
      var both = try #require(told(step, "a").first)
      both.repositories.sort()
      let other = try #require(told(step, "b").first)
      let models = [both, other].map { ($0.later ?? []).count }
      // The first one does not know whether the second is marked.
      #expect(all[0].location == "a" ? models == [1, 0] : models == [0, 2])
      let expected = [(both, ["cars", "owners"]), (other, ["streets"])]
      for (emptying, names) in expected {
        #expect(
          emptying
            == StoreEmptying(
              id: id, repositories: names, unsent: entries, later: emptying.later ?? []))
      }
    }
    #expect(
      told(.empty, nil) == [StoreEmptying(id: id, repositories: ["numbers"], unsent: entries)])
    // Those that outlive us are emptied first.
    #expect(all[4].location == nil)
    try await evocation.signOut(unsent)
    #expect(notes.withLock { $0.last }?.emptying.id != id)
  }

  @Test func `a store alone is not marked, as nothing else has to follow it`() async throws {
    put(Car.self, in: drawer("a"), as: "cars")
    put(Owner.self, in: drawer(nil), as: "owners")
    try await evocation.signOut(.block)
    let all = notes.withLock { $0 }
    #expect(all.map(\.step) == [.empty, .empty])
    #expect(all.allSatisfy { $0.emptying.later == nil })
  }

  @Test func `where one cannot be marked, none is emptied, and all forget it`() async throws {
    put(Car.self, in: drawer("a"), as: "cars")
    put(Owner.self, in: drawer("b", refuses: .mark), as: "owners")
    await #expect(throws: Drawer.Refusal()) { try await evocation.signOut(.block) }
    #expect(told(.empty, "a").isEmpty && told(.empty, "b").isEmpty)
    #expect(told(.unmark, "a").count == told(.mark, "a").count && told(.unmark, "b").count == 1)
  }

  @Test func `where the first cannot be emptied, all forget it, the last one first`() async throws {
    put(Car.self, in: drawer("a", refuses: .empty), as: "cars")
    put(Owner.self, in: drawer("b", refuses: .empty), as: "owners")
    await #expect(throws: Drawer.Refusal()) { try await evocation.signOut(.block) }
    let all = notes.withLock { $0 }
    #expect(all.map(\.step) == [.mark, .mark, .unmark, .unmark])
    #expect(all.map(\.location).prefix(2) == all.map(\.location).suffix(2).reversed()[...])
  }
}

/// A store that says what it is told.
private final class Drawer: RepositoryStore {
  enum Step { case mark, empty, unmark }

  struct Refusal: Error, Equatable {}

  struct Note: Sendable {
    let location: String?
    let step: Step
    let emptying: StoreEmptying
  }

  let durableLocation: String?
  private let refuses: Step?
  private let note: @Sendable (Note) -> Void

  init(
    _ location: String?, refuses: Step?, _ note: @escaping @Sendable (Note) -> Void
  ) {
    durableLocation = location
    self.refuses = refuses
    self.note = note
  }

  func mark(_ emptying: StoreEmptying) throws { try take(.mark, emptying) }

  func empty(_ emptying: StoreEmptying) throws { try take(.empty, emptying) }

  func unmark(_ emptying: StoreEmptying) throws { try take(.unmark, emptying) }

  var hasUnfinishedSignOuts: Bool { false }

  func signOuts() -> [StoreEmptying] { [] }

  func finish(_ emptying: StoreEmptying) {}

  private func take(_ step: Step, _ emptying: StoreEmptying) throws {
    if step == refuses { throw Refusal() }
    note(Note(location: durableLocation, step: step, emptying: emptying))
  }
}

/// A repository in such a store.
private final class DrawerRepository<Model: Codable & Identifiable & Sendable>:
  ForwardingRepository, StoredRepository
{
  let base = InMemoryRepository<Model>()
  let repositoryStore: any RepositoryStore
  let nameInStore: String

  init(_ store: Drawer, _ name: String) {
    repositoryStore = store
    nameInStore = name
  }
}
