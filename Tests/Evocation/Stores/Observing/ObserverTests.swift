import Evocation
import EvocationTesting
import TestTraits
import Testing

@testable import CoreSupport

@Suite(.patient) struct ObserverTests {
  private func evocation(on cars: ReadHookRepository) -> Evocation {
    let evocation = Evocation()
    evocation.register(for: Car.self).repository(local: cars).strategy(.localOnly)
    return evocation
  }

  private func ids(_ result: Evocation.Result<[Car]>?) -> [Int]? {
    result?.data?.map(\.id)
  }

  @Test func `commits during the first question are answered one by one`() async {
    let questions = Lock(0)
    let evocation = evocation(
      on: ReadHookRepository { criteria, cars in
        let question = questions.withLock { questions in
          questions += 1
          return questions
        }
        guard question == 1 else { return try await cars.snapshot(criteria) }
        for id in 1...3 { _ = try await cars.store([Car(id: id)]) }
        let found = try await cars.snapshot(criteria)
        _ = try await cars.store([Car(id: 4)])
        _ = try await cars.update([Car(id: 1, year: 1980)])
        _ = try await cars.remove([Car(id: 2)])
        return found
      })
    var answers = evocation.observe(model: Car.self).makeAsyncIterator()
    #expect(ids(await answers.next(isolation: nil)) == [1, 2, 3])
    #expect(ids(await answers.next(isolation: nil)) == [1, 2, 3, 4])
    #expect(await answers.next(isolation: nil)?.data?.map(\.year) == [1980, 1970, 1970, 1970])
    #expect(ids(await answers.next(isolation: nil)) == [1, 3, 4])
    _ = await evocation.storeOne(Car(id: 5))
    #expect(ids(await answers.next(isolation: nil)) == [1, 3, 4, 5])
    #expect(questions.withLock { $0 } == 1)
  }

  @Test func `a question that commits come into every time is answered in order all the same`()
    async
  {
    let last = Lock(0)
    let criteria = (Criteria.Key("year") >= 0).sorted(by: "year", descending: true)
    let evocation = evocation(
      on: ReadHookRepository { criteria, cars in
        let found = try await cars.snapshot(criteria)
        for _ in 1...2 {
          let year = last.withLock { last in
            last += 1
            return last
          }
          _ = try await cars.storeOrUpdate([Car(id: year % 3, year: year)])
        }
        return found
      })
    var answers = evocation.observe(model: Car.self, criteria: criteria).makeAsyncIterator()
    #expect(await answers.next(isolation: nil)?.data == [])
    #expect(await answers.next(isolation: nil)?.data?.map(\.year) == [1])
    #expect(await answers.next(isolation: nil)?.data?.map(\.year) == [2, 1])
  }

  @Test func `a repository that fails is an answer, and so is its recovery`() async {
    let fails = Lock(false)
    let flaky = ReadHookRepository { criteria, cars in
      if fails.withLock({ $0 }) { throw Outage(place: .local) }
      return try await cars.snapshot(criteria)
    }
    let evocation = evocation(on: flaky)
    var answers = evocation.observe(model: Car.self).makeAsyncIterator()
    #expect(ids(await answers.next(isolation: nil)) == [])
    fails.withLock { $0 = true }
    flaky.tell(.unknown)
    #expect(await answers.next(isolation: nil)?.error as? Outage == Outage(place: .local))
    fails.withLock { $0 = false }
    _ = await evocation.storeOne(Car(id: 1))
    #expect(ids(await answers.next(isolation: nil)) == [1])
  }

  @Test func `a commit that ends where it began is no new answer`() async {
    let cars = ReadHookRepository { try await $1.snapshot($0) }
    let evocation = evocation(on: cars)
    _ = await evocation.storeOne(Car(id: 1))
    var answers = evocation.observe(model: Car.self).makeAsyncIterator()
    #expect(ids(await answers.next(isolation: nil)) == [1])
    cars.tell(.models(stored: [Car(id: 1)], updated: [], removed: [Car(id: 1)]))
    _ = await evocation.storeOne(Car(id: 2))
    #expect(ids(await answers.next(isolation: nil)) == [1, 2])
  }

  @Test func `a repository that gives up by itself is an answer too`() async {
    let evocation = evocation(on: ReadHookRepository { _, _ in throw CancellationError() })
    var answers = evocation.observe(model: Car.self).makeAsyncIterator()
    #expect(await answers.next(isolation: nil)?.error is CancellationError)
  }

  @Test func `what observes an old wiring is not kept for a new one`() async throws {
    let evocation = Evocation()
    let proxy = evocation.register(for: Rewiring.self).repository(local: Constant(1))
    let task = Rewiring.whenLookedInto.withLock { hook in
      hook = { proxy.repository(local: Constant(2)) }
      return Task {
        for await result in evocation.observe(model: Rewiring.self) { return result.data }
        return nil
      }
    }
    // It began with the old one, which its observer may show, and later ones may not.
    #expect(await task.value?.map(\.id) == [1])
    var later = evocation.observe(model: Rewiring.self).makeAsyncIterator()
    #expect(await later.next(isolation: nil)?.data?.map(\.id) == [2])
  }
}

/// A model that runs a hook when its type is looked into, which is when it is first observed.
private struct Rewiring: Codable, Identifiable, Sendable {
  static let whenLookedInto = Lock<(@Sendable () -> Void)?>(nil)

  var id: Int

  init(id: Int) { self.id = id }

  init(from decoder: any Decoder) throws {
    let hook = Self.whenLookedInto.withLock { hook in
      defer { hook = nil }
      return hook
    }
    hook?()
    id = try decoder.singleValueContainer().decode(IDOnly.self).id
  }

  private struct IDOnly: Codable { var id: Int }
}

/// A repository that holds one model, whose type it does not look into.
private struct Constant: ObservableRepository {
  private let model: Rewiring

  init(_ id: Int) { model = Rewiring(id: id) }

  func find(_ criteria: Criteria) -> Response<[Rewiring]> { Response([model]) }
  func store(_ models: [Rewiring]) -> Response<[Rewiring]> { Response(models) }
  func update(_ models: [Rewiring]) -> Response<[Rewiring]> { Response(models) }
  func storeOrUpdate(_ models: [Rewiring]) -> Response<[Rewiring]> { Response(models) }
  func remove(_ models: [Rewiring]) -> Response<[Rewiring]> { Response([]) }
  func observeChanges(
    _ handler: @escaping @Sendable (RepositoryChange<Rewiring>) -> Void
  ) -> Evocation.Observation {
    Evocation.Observation {}
  }
}
