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

  private func drawer(_ location: String?, refusesToPrepare: Bool = false) -> Drawer {
    Drawer(location, refusesToPrepare: refusesToPrepare) { [notes] note in
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
  func `each store is told what is emptied in it, and where the others are that outlive us`(
    _ unsent: Outbox.UnsentWrites, _ entries: StoreEmptying.UnsentWrites
  ) async throws {
    let cars = drawer("a")
    put(Car.self, in: cars, as: "cars")
    put(Owner.self, in: cars, as: "owners")
    put(Street.self, in: drawer("b"), as: "streets")
    put(Number.self, in: drawer(nil), as: "numbers")
    try await evocation.signOut(unsent)
    let all = notes.withLock { $0 }
    #expect(all.map(\.step) == [.prepare, .prepare, .empty, .empty, .empty, .end, .end])
    let id = try #require(all.first).emptying.id
    func emptying(_ names: String..., with fellow: StoreEmptying.Fellow? = nil) -> StoreEmptying {
      StoreEmptying(
        id: id, repositories: names, unsent: entries, fellows: fellow.map { [$0] } ?? [])
    }
    for step in [Drawer.Step.prepare, .empty, .end] {
      var both = try #require(told(step, "a").first)
      both.repositories.sort()
      let streets = StoreEmptying.Fellow(location: "b", repositories: ["streets"])
      #expect(both == emptying("cars", "owners", with: streets))
      var other = try #require(told(step, "b").first)
      other.fellows[0].repositories.sort()
      let two = StoreEmptying.Fellow(location: "a", repositories: ["cars", "owners"])
      #expect(other == emptying("streets", with: two))
    }
    #expect(told(.empty, nil) == [emptying("numbers")])
    // Those that outlive us are emptied first.
    #expect(all[4].location == nil)
    try await evocation.signOut(unsent)
    #expect(notes.withLock { $0.last }?.emptying.id != id)
  }

  @Test func `a store alone is not prepared, as nothing else has to follow it`() async throws {
    put(Car.self, in: drawer("a"), as: "cars")
    put(Owner.self, in: drawer(nil), as: "owners")
    try await evocation.signOut(.block)
    let all = notes.withLock { $0 }
    #expect(all.map(\.step) == [.empty, .empty])
    #expect(all.allSatisfy { $0.emptying.fellows.isEmpty })
  }

  @Test func `where one cannot be prepared, none is emptied, and all forget it`() async throws {
    put(Car.self, in: drawer("a"), as: "cars")
    put(Owner.self, in: drawer("b", refusesToPrepare: true), as: "owners")
    await #expect(throws: Drawer.Refusal()) { try await evocation.signOut(.block) }
    #expect(told(.empty, "a").isEmpty && told(.empty, "b").isEmpty)
    #expect(told(.end, "a").count == 1 && told(.end, "b").count == 1)
  }
}

/// A store that says what it is told.
private final class Drawer: RepositoryStore {
  enum Step { case prepare, empty, end }

  struct Refusal: Error, Equatable {}

  struct Note: Sendable {
    let location: String?
    let step: Step
    let emptying: StoreEmptying
  }

  let durableLocation: String?
  private let refusesToPrepare: Bool
  private let note: @Sendable (Note) -> Void

  init(
    _ location: String?, refusesToPrepare: Bool, _ note: @escaping @Sendable (Note) -> Void
  ) {
    durableLocation = location
    self.refusesToPrepare = refusesToPrepare
    self.note = note
  }

  func prepare(_ emptying: StoreEmptying) async throws {
    if refusesToPrepare { throw Refusal() }
    note(Note(location: durableLocation, step: .prepare, emptying: emptying))
  }

  func empty(_ emptying: StoreEmptying) async throws {
    note(Note(location: durableLocation, step: .empty, emptying: emptying))
  }

  func end(_ emptying: StoreEmptying) async throws {
    note(Note(location: durableLocation, step: .end, emptying: emptying))
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
