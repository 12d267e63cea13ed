import Evocation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

/// Where observing begins and ends, and what is known already when it begins.
@Suite(.patient) struct ObservationEndTests {
  /// A repository in memory that knows how many listen to it.
  private final class HeardRepository: ForwardingRepository, ObservableRepository {
    let listeners = Lock(0)
    let base = InMemoryRepository([Car(id: 1)])

    func observeChanges(
      _ handler: @escaping @Sendable (RepositoryChange<Car>) -> Void
    ) -> Evocation.Observation {
      listeners.withLock { $0 += 1 }
      let observation = base.observeChanges(handler)
      return Evocation.Observation { [listeners] in
        observation.cancel()
        listeners.withLock { $0 -= 1 }
      }
    }
  }

  private func evocation(on cars: some ObservableRepository<Car>) -> Evocation {
    let evocation = Evocation()
    evocation.register(for: Car.self).repository(local: cars).strategy(.localOnly)
    return evocation
  }

  @Test func `a repository is listened to once, and no longer than somebody observes`() async {
    let cars = HeardRepository()
    let evocation = evocation(on: cars)
    func observeTwice() async {
      var first = evocation.observe(model: Car.self).makeAsyncIterator()
      var second = evocation.observe(model: Car.self, criteria: ["id": 1]).makeAsyncIterator()
      #expect(await first.next(isolation: nil)?.data?.count == 1)
      #expect(await second.next(isolation: nil)?.data?.count == 1)
      #expect(cars.listeners.withLock { $0 } == 1)
    }
    for _ in 1...2 {
      await observeTwice()
      #expect(cars.listeners.withLock { $0 } == 0)
    }
  }

  @Test func `what the first answer holds already does not show again as it was before`() async {
    let isFirst = Lock(true)
    let evocation = evocation(
      on: ReadHookRepository { criteria, cars in
        let isFirst = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        if isFirst {
          _ = try await cars.store([Car(id: 1, year: 1970)])
          for year in [1971, 1972] { _ = try await cars.update([Car(id: 1, year: year)]) }
        }
        return try await cars.snapshot(criteria)
      })
    var answers = evocation.observe(model: Car.self).makeAsyncIterator()
    #expect(await answers.next(isolation: nil)?.data?.map(\.year) == [1972])
    _ = await evocation.storeOne(Car(id: 2, year: 1980))
    #expect(await answers.next(isolation: nil)?.data?.map(\.year) == [1972, 1980])
  }
}
