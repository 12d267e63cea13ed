import Evocation
import Foundation
import TestTraits
import Testing

@Suite(.patient) struct InMemoryObservationTests {
  private typealias Item = InMemoryRepositoryTests.Item

  /// What an observer was told, as words.
  private final class Told: Sendable {
    private let words = Lock<[String]>([])

    var all: [String] { words.withLock { $0 } }

    func tell(_ change: RepositoryChange<Item>) {
      guard case .models(let stored, let updated, let removed) = change.extent else { return }
      let parts = [("+", stored), ("~", updated.map(\.after)), ("-", removed)].flatMap {
        sign, items in
        items.map { "\(sign)\($0.id)\($0.value)" }
      }
      words.withLock { $0.append(parts.joined(separator: " ")) }
    }
  }

  @Test func `each commit is told, with what it stored, updated and removed`() async throws {
    let repository = InMemoryRepository([Item(id: "a", value: 1)])
    let told = Told()
    let observation = repository.observeChanges(told.tell)
    _ = try await repository.store([Item(id: "b", value: 1), Item(id: "c", value: 1)])
    _ = try await repository.update([Item(id: "a", value: 1), Item(id: "x", value: 1)])
    _ = try await repository.storeOrUpdate([Item(id: "d", value: 1), Item(id: "a", value: 3)])
    _ = try await repository.remove([Item(id: "b", value: 9)])
    _ = try await repository.mirror([Item(id: "e", value: 1), Item(id: "a", value: 4)], for: [:])
    #expect(told.all == ["+b1 +c1", "~a1", "+d1 ~a3", "-b1", "+e1 ~a4 -c1 -d1"])
    observation.cancel()
    _ = try await repository.remove([Item(id: "a", value: 1)])
    #expect(told.all.count == 5)
  }

  @Test func `a call that touches no model is not told`() async throws {
    let repository = InMemoryRepository([Item(id: "a", value: 1)])
    let told = Told()
    let observation = repository.observeChanges(told.tell)
    #expect(try await repository.store([]).value.isEmpty)
    #expect(try await repository.update([]).value.isEmpty)
    #expect(try await repository.storeOrUpdate([]).value.isEmpty)
    #expect(try await repository.remove([]).value.isEmpty)
    #expect(try await repository.update([Item(id: "x", value: 1)]).value.isEmpty)
    #expect(try await repository.remove([Item(id: "x", value: 1)]).value.isEmpty)
    #expect(try await repository.mirror([], for: ["value": 7]).value.isEmpty)
    await #expect(throws: EvocationError.self) {
      try await repository.store([Item(id: "y", value: 1), Item(id: "a", value: 1)])
    }
    #expect(told.all.isEmpty)
    observation.cancel()
  }

  @Test func `an observation that is let go ends, and outlives its repository`() async throws {
    let told = Told()
    var repository: InMemoryRepository<Item>? = InMemoryRepository()
    weak let weakly = repository
    let kept = repository?.observeChanges(told.tell)
    _ = repository?.observeChanges(told.tell)
    _ = try await repository?.store([Item(id: "a", value: 1)])
    #expect(told.all.count == 1)
    repository = nil
    #expect(weakly == nil)
    kept?.cancel()
  }

  @Test func `commits from many threads are told in their order, to all alike`() async throws {
    let repository = InMemoryRepository([Item(id: "n", value: 0)])
    let (first, second) = (Told(), Told())
    let observations = [first, second].map { repository.observeChanges($0.tell) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<8 {
        group.addTask {
          for step in 0..<100 {
            _ = try await repository.update([Item(id: "n", value: writer * 100 + step)])
          }
        }
      }
      for _ in 0..<2 {
        group.addTask {
          for _ in 0..<100 {
            let found = try await repository.find(Criteria.Key("value") >= 0).value
            #expect(found.count == 1)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(first.all.count == 800)
    #expect(first.all == second.all)
    let last = try await repository.find(Criteria()).value[0].value
    #expect(first.all.last == "~n\(last)")
    observations.forEach { $0.cancel() }
  }

  @Test func `a handler may end its own observation`() async throws {
    let repository = InMemoryRepository<Item>()
    let (seen, holder) = (Lock(0), Lock<Evocation.Observation?>(nil))
    let observation = repository.observeChanges { _ in
      seen.withLock { $0 += 1 }
      holder.withLock { $0 }?.cancel()
    }
    holder.withLock { $0 = observation }
    _ = try await repository.store([Item(id: "a", value: 1)])
    _ = try await repository.store([Item(id: "b", value: 1)])
    #expect(seen.withLock { $0 } == 1)
  }
}
