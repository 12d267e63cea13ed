import Evocation
import EvocationTesting
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationStores
@testable import EvocationValues

/// Writes that a repository in memory takes whole.
@Suite(.patient) struct InMemoryCommitTests {
  /// Where the models lie in memory.
  private func place(_ cars: InMemoryRepository<Car>) -> UInt {
    cars.shared.withLock { shared in
      shared.models.ordered.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    }
  }

  @Test func `A commit changes the models in place, and copies none of the others`() async throws {
    let cars = InMemoryRepository((0..<1_000).map { Car(id: $0) })
    let before = place(cars)
    for id in 0..<20 {
      _ = try await cars.commit(StoreWrite([.storeOrUpdate([Car(id: id, year: 9)])]))
    }
    _ = try await cars.commit(
      StoreWrite([.update([Car(id: 30, year: 9)]), .remove([Car(id: 40)])]))
    _ = try await cars.mirror([Car(id: 50, year: 9)], for: ["id": 50])
    #expect(place(cars) == before)
    #expect(try await cars.count(["year": 9]) == 22)
    #expect(try await cars.count(Criteria()) == 999)
  }

  @Test func `A commit that fails in the middle has done nothing, and nobody is told of it`()
    async throws
  {
    let cars = InMemoryRepository([Car(id: 1), Car(id: 2)])
    let told = Lock(0)
    let observation = cars.observeChanges { _ in told.withLock { $0 += 1 } }
    let begun: [StoreWrite<Car>.Change] = [
      .storeOrUpdate([Car(id: 1, year: 9), Car(id: 3)]), .remove([Car(id: 2)]),
    ]
    await #expect(throws: EvocationError.alreadyExists(["3"])) {
      _ = try await cars.commit(StoreWrite(begun + [.store([Car(id: 3)])]))
    }
    await #expect(throws: EvocationError.self) {
      _ = try await cars.commit(StoreWrite(begun + [.mirror([], for: ["colour": 1], keeping: [])]))
    }
    #expect(try await cars.find(Criteria()).value == [Car(id: 1), Car(id: 2)])
    #expect(told.withLock { $0 } == 0)
    let removed = try await cars.commit(StoreWrite(begun + [.store([Car(id: 2, year: 5)])]))
    #expect(removed.answers.map { $0.map(\.id) } == [[1, 3], [2], [2]])
    #expect(
      try await cars.find(Criteria()).value
        == [Car(id: 1, year: 9), Car(id: 2, year: 5), Car(id: 3)])
    #expect(told.withLock { $0 } == 1)
    withExtendedLifetime(observation) {}
  }
}
