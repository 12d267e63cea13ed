import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

/// What a repository says of its states, and what observers make of it.
@Suite(.patient) struct VersionTests {
  @Test func `each change makes the version that the next answer is of`() async throws {
    let cars = InMemoryRepository<Car>()
    let versions = Lock<[UInt64?]>([])
    let observation = cars.observeChanges { change in
      versions.withLock { $0.append(change.version) }
    }
    _ = try await cars.store([Car(id: 1), Car(id: 2)])
    _ = try await cars.update([Car(id: 9)])
    _ = try await cars.mirror([Car(id: 1)], for: Criteria())
    observation.cancel()
    let snapshot = try await cars.snapshot(["id": 1])
    #expect(snapshot.models.map(\.id) == [1])
    #expect(versions.withLock { $0 } == [1, 2])
    #expect(snapshot.version == 2)
    #expect(try await cars.snapshot(Criteria()).version == 2)
  }

  @Test func `a repository that counts no versions is asked anew after each change`() async {
    let cars = Uncounted()
    let evocation = evocation(on: cars)
    var answers = evocation.observe(model: Car.self).makeAsyncIterator()
    #expect(await answers.next()?.data == [])
    for id in 1...3 {
      _ = await evocation.storeOne(Car(id: id))
      #expect(await answers.next()?.data?.map(\.id) == Array(1...id))
    }
  }

  @Test func `a version that goes back is told once, and everybody asks anew`() async throws {
    let traces = Lock<[Evocation.Trace]>([])
    let cars = ReadHookRepository { try await $1.snapshot($0) }
    let evocation = evocation(on: cars) { trace in
      guard trace.call == "observe" else { return }
      traces.withLock { $0.append(trace) }
    }
    var answers = evocation.observe(model: Car.self, criteria: ["year": 1999]).makeAsyncIterator()
    #expect(await answers.next()?.data == [])
    for id in 1...2 { _ = await evocation.storeOne(Car(id: id, year: 1999)) }
    #expect(await answers.next()?.data?.map(\.id) == [1])
    #expect(await answers.next()?.data?.map(\.id) == [1, 2])
    // Where versions count it is no news, and where they do not it says nothing of this observer.
    cars.tell(.models(removed: [Car(id: 7, year: 1970)], version: 1))
    _ = await evocation.storeOne(Car(id: 3, year: 1999))
    #expect(await answers.next()?.data?.map(\.id) == [1, 2, 3])
    #expect(
      traces.withLock { $0 }.map { "\($0)" } == [
        "observe Car: local failed: it told a change of version 1 after one of version 2, so its "
          + "observers ask again; increase it with each commit."
      ])
  }

  @Test func `a model that was told as updated is in the next answer, and nothing is asked`() async
  {
    let asked = Lock(0)
    let (old, new) = (Car(id: 1, year: 1970), Car(id: 1, year: 1980))
    let cars = ReadHookRepository { _, _ in
      asked.withLock { $0 += 1 }
      return RepositorySnapshot([old], version: 1)
    }
    let evocation = evocation(on: cars)
    var answers = evocation.observe(model: Car.self).makeAsyncIterator()
    #expect(await answers.next()?.data == [old])
    cars.tell(.models(updated: [.init(before: old, after: new)], version: 2))
    #expect(await answers.next()?.data == [new])
    #expect(asked.withLock { $0 } == 1)
  }

  private func evocation(
    on cars: some Repository<Car>, onTrace: (@Sendable (Evocation.Trace) -> Void)? = nil
  ) -> Evocation {
    let evocation = Evocation(configuration: .init(onTrace: onTrace))
    evocation.register(for: Car.self).repository(local: cars).strategy(.localOnly)
    return evocation
  }
}

/// A repository that tells its changes and counts none of them.
private final class Uncounted: ForwardingRepository, ObservableRepository {
  let base = InMemoryRepository<Car>()

  func observeChanges(
    _ handler: @escaping @Sendable (RepositoryChange<Car>) -> Void
  ) -> Evocation.Observation {
    base.observeChanges { handler(RepositoryChange($0.extent)) }
  }
}
