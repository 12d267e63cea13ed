import Evocation
import EvocationTesting
import Observation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

@Suite(.patient) struct ObserveTests {
  private let cars = InMemoryRepository<Car>()
  private let evocation = Evocation()

  init() {
    evocation.register(for: Car.self).repository(local: cars).strategy(.localOnly)
  }

  private func ids(_ result: Evocation.Result<[Car]>?) -> [Int]? {
    result?.data?.map(\.id)
  }

  @Test func `the present answer comes first, then one for each commit that changes it`() async {
    _ = await evocation.storeOne(Car(id: 1))
    var answers = evocation.observe(model: Car.self).makeAsyncIterator()
    #expect(ids(await answers.next(isolation: nil)) == [1])
    _ = await evocation.storeOne(Car(id: 3))
    _ = await evocation.storeOne(Car(id: 2))
    _ = await evocation.updateOne(Car(id: 3, year: 1980))
    _ = await evocation.removeOne(Car(id: 1))
    #expect(ids(await answers.next(isolation: nil)) == [1, 3])
    #expect(ids(await answers.next(isolation: nil)) == [1, 2, 3])
    #expect(await answers.next(isolation: nil)?.data?.map(\.year) == [1970, 1970, 1980])
    let last = await answers.next(isolation: nil)
    #expect(ids(last) == [2, 3])
    #expect(last?.origin == .local)
    #expect(last?.trace.description == "observe Car: local returned 2 models.")
  }

  @Test func `what enters, leaves or moves within an answer shows`() async {
    let criteria = (Criteria.Key("year") >= 1975).sorted(by: "year", descending: true)
    var answers = evocation.observe(model: Car.self, criteria: criteria).makeAsyncIterator()
    #expect(ids(await answers.next(isolation: nil)) == [])
    _ = await evocation.store([Car(id: 1, year: 1980), Car(id: 2, year: 1970)])
    #expect(ids(await answers.next(isolation: nil)) == [1])
    _ = await evocation.updateOne(Car(id: 2, year: 1990))
    #expect(ids(await answers.next(isolation: nil)) == [2, 1])
    _ = await evocation.updateOne(Car(id: 1, year: 1995))
    #expect(ids(await answers.next(isolation: nil)) == [1, 2])
    _ = await evocation.updateOne(Car(id: 2, year: 1971))
    #expect(ids(await answers.next(isolation: nil)) == [1])
  }

  @Test func `an answer equal to the last is not given`() async {
    _ = await evocation.storeOne(Car(id: 1))
    var answers = evocation.observe(model: Car.self).makeAsyncIterator()
    #expect(ids(await answers.next(isolation: nil)) == [1])
    _ = await evocation.updateOne(Car(id: 1))
    _ = await evocation.storeOrUpdate([Car(id: 1)])
    _ = await evocation.storeOne(Car(id: 2))
    #expect(ids(await answers.next(isolation: nil)) == [1, 2])
  }

  @Test func `a page is filled up from behind it`() async {
    _ = await evocation.store((1...5).map { Car(id: $0) })
    let page = Criteria().offset(1).limit(2)
    var answers = evocation.observe(model: Car.self, criteria: page).makeAsyncIterator()
    #expect(ids(await answers.next(isolation: nil)) == [2, 3])
    _ = await evocation.removeOne(Car(id: 3))
    #expect(ids(await answers.next(isolation: nil)) == [2, 4])
    _ = await evocation.removeOne(Car(id: 1))
    #expect(ids(await answers.next(isolation: nil)) == [4, 5])
  }

  @Test func `whoever reads too slowly is given the final state`() async {
    var answers = evocation.observe(model: Car.self).makeAsyncIterator()
    #expect(ids(await answers.next(isolation: nil)) == [])
    for id in 1...1_000 { _ = await evocation.storeOne(Car(id: id)) }
    var count = 0
    while await answers.next(isolation: nil)?.data?.count != 1_000 { count += 1 }
    #expect(count < 1_000)
  }

  @Test func `the callback form gives the same answers, and ends when it is let go`() async {
    let seen = Lock<[[Int]]>([])
    let arrivals = Gate.Counter()
    var observation: Evocation.Observation? = evocation.observe(model: Car.self) { result in
      seen.withLock { $0.append(result.data?.map(\.id) ?? []) }
      arrivals.increase()
    }
    await arrivals.reach(1)
    _ = await evocation.storeOne(Car(id: 1))
    await arrivals.reach(2)
    withExtendedLifetime(observation) {}
    observation = nil
    _ = await evocation.storeOne(Car(id: 2))
    var answers = evocation.observe(model: Car.self).makeAsyncIterator()
    #expect(ids(await answers.next(isolation: nil)) == [1, 2])
    #expect(seen.withLock { $0 } == [[], [1]])
  }

  @Test func `observing ends when its task is cancelled`() async throws {
    let (arrivals, hasEnded) = (Gate.Counter(), Lock(false))
    let task = Task { [evocation] in
      for await _ in evocation.observe(model: Car.self) { arrivals.increase() }
      hasEnded.withLock { $0 = true }
    }
    await arrivals.reach(1)
    _ = await evocation.storeOne(Car(id: 1))
    await arrivals.reach(2)
    #expect(!hasEnded.withLock { $0 })
    task.cancel()
    try await eventually("the end of the observation") { hasEnded.withLock { $0 } }
  }

  @Test func `a question that does not fit is answered once, with the error`() async {
    var answers = evocation.observe(model: Car.self, criteria: ["yer": 1]).makeAsyncIterator()
    let first = await answers.next(isolation: nil)
    #expect(
      first?.error as? EvocationError == .unknownKey("yer", model: "Car", nearest: ["year"])
    )
    #expect(await answers.next(isolation: nil) == nil)
    let other = Evocation()
    var none = other.observe(model: Car.self).makeAsyncIterator()
    #expect(await none.next(isolation: nil)?.error as? EvocationError == .proxyNotFound)
    other.register(for: Car.self).repository(remote: RepositoryMock { _ in [] })
    var mute = other.observe(model: Car.self).makeAsyncIterator()
    #expect(
      await mute.next(isolation: nil)?.error.map { "\($0)" }
        == "Evocation cannot observe Car; register an ObservableRepository, and make Car Codable "
        + "and Identifiable."
    )
  }

  @Test func `a write wakes only those whose answer it can change`() async {
    let queries = Lock(0)
    let counted = ReadHookRepository { criteria, cars in
      queries.withLock { $0 += 1 }
      return try await cars.snapshot(criteria)
    }
    let evocation = Evocation()
    evocation.register(for: Car.self).repository(local: counted).strategy(.localOnly)
    let first = Gate.Counter()
    let answers = Lock<[Int: Int]>([:])
    let changed = Gate.Counter()
    // A page is asked for again whenever its observer is woken, so the questions count the wakings.
    let observations = (0..<200).map { year in
      let criteria: Criteria = ["year": year]
      return evocation.observe(model: Car.self, criteria: criteria.limit(5)) { result in
        let count = answers.withLock { answers in
          answers[year, default: 0] += 1
          return answers[year]
        }
        if count == 1 { first.increase() } else { changed.increase() }
      }
    }
    await first.reach(200)
    let before = queries.withLock { $0 }
    _ = await evocation.storeOne(Car(id: 1, year: 7))
    await changed.reach(1)
    _ = await evocation.updateOne(Car(id: 1, year: 8))
    await changed.reach(3)
    #expect(answers.withLock { $0.filter { $0.value > 1 } } == [7: 3, 8: 2])
    #expect(queries.withLock { $0 } == before + 3)
    for observation in observations { observation.cancel() }
  }

  @Test @MainActor func `a view's models follow`() async {
    let models = ObservedModels(
      Car.self, where: ["year": 1970], fetches: false, in: evocation)
    await change { models.result }
    #expect(models.models.isEmpty)
    _ = await evocation.storeOne(Car(id: 1))
    await change { models.models.isEmpty ? nil : models.models }
    #expect(models.models == [Car(id: 1)])
  }

  /// Waits until a value that is observed is there.
  @MainActor private func change<Value>(_ value: @escaping () -> Value?) async {
    while true {
      let changed = Promise<Void>()
      let now = withObservationTracking(value) { changed.fulfil(()) }
      if now != nil { return }
      await changed.value
    }
  }

  @Test func `answers are those of a fresh question after every write, whatever the criteria`()
    async
  {
    var random = Trials.random("answers after every write")
    for _ in 0..<40 {
      let cars = InMemoryRepository<Car>()
      let evocation = Evocation()
      evocation.register(for: Car.self).repository(local: cars).strategy(.localOnly)
      var criteria = Criteria.Key("year") >= Int.random(in: 0...4, using: &random)
      if Bool.random(using: &random) { criteria = criteria.sorted(by: "model") }
      if Bool.random(using: &random) { criteria = criteria.limit(3) }
      var answers = evocation.observe(model: Car.self, criteria: criteria).makeAsyncIterator()
      var shown = await answers.next(isolation: nil)?.data
      for _ in 0..<25 {
        let car = Car(
          id: .random(in: 0...6, using: &random),
          model: ["a", "b", "c"].randomElement(using: &random) ?? "",
          year: .random(in: 0...6, using: &random)
        )
        switch Int.random(in: 0...2, using: &random) {
        case 0: _ = await evocation.storeOrUpdate([car])
        case 1: _ = await evocation.updateOne(car)
        default: _ = await evocation.removeOne(car)
        }
        let expected = await evocation.find(model: Car.self, criteria: criteria).data
        if shown != expected { shown = await answers.next(isolation: nil)?.data }
        #expect(shown == expected)
      }
    }
  }
}
