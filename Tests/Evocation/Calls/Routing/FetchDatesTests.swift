import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCaching
@testable import EvocationCalls
@testable import EvocationOutbox
@testable import EvocationStores
@testable import EvocationValues

/// When what an answer holds was fetched.
@Suite(.patient) struct FetchDatesTests {
  private let clock = ManualClock()
  private let service = InMemoryRepository([
    Car(id: 1, model: "Beetle", year: 1970), Car(id: 2, model: "Mini", year: 1970),
    Car(id: 3, model: "Corolla", year: 1980),
  ])
  private let local = InMemoryRepository<Car>()
  private let evocation: Evocation

  init() {
    evocation = Evocation(configuration: .init(clock: clock))
    evocation.register(for: Car.self).repository(remote: service).repository(local: local)
      .strategy(.remoteFirst)
  }

  /// Fetches from the remote, and gives the date.
  @discardableResult
  private func fetch(_ criteria: Criteria) async -> Date? {
    clock.advance(by: .seconds(60))
    return await evocation.find(model: Car.self, criteria: criteria).fetchedAt
  }

  private func localDate(_ criteria: Criteria) async -> Date? {
    await evocation.find(model: Car.self, criteria: criteria, rule: .localOnly).fetchedAt
  }

  @Test func `an answer of the remote was fetched now, and local's when its criteria were`() async {
    clock.advance(by: .seconds(60))
    let now = clock.date
    #expect(await fetch(["year": 1970]) == now.addingTimeInterval(60))
    clock.advance(by: .seconds(240))
    let result = await evocation.find(
      model: Car.self, criteria: ["year": 1970], rule: .localOnly)
    #expect(result.fetchedAt == now.addingTimeInterval(60))
    #expect(result.trace.steps.first?.age == .seconds(240))
    #expect("\(result.trace)".hasSuffix(", fetched 4 min ago."))
    let one = await evocation.findOne(
      model: Car.self, criteria: ["year": 1970], rule: .localOnly)
    #expect(one.fetchedAt == result.fetchedAt)
    let count = await evocation.count(
      model: Car.self, criteria: ["year": 1970], rule: .localOnly)
    #expect(count.fetchedAt == result.fetchedAt)
  }

  @Test func `a fallback says how old its answer is`() async {
    let first = await fetch(Criteria())
    evocation.register(for: Car.self)
      .repository(remote: RepositoryMock<Car> { _ in throw Outage(place: .remote) })
      .repository(local: local).strategy(.remoteFirst)
    clock.advance(by: .seconds(7200))
    let result = await evocation.find(model: Car.self)
    #expect(result.origin == .local)
    #expect(result.fetchedAt == first)
    #expect(result.trace.steps.last?.age == .seconds(7200))
  }

  @Test func `only the same criteria's fetch says when an answer was fetched`() async {
    let first = await fetch(Criteria())
    #expect(await localDate(["year": 1970]) == nil)
    let second = await fetch(["year": 1970])
    #expect(await localDate(["year": 1970]) == second)
    #expect(await localDate(Criteria()) == first)
    #expect(await localDate(["year": 1970, "model": "Mini"]) == nil)
    for year in 0..<80 { await fetch(["year": .init(year)]) }
    #expect(await localDate(["year": 1970]) == second)
  }

  @Test func `a single model has the later date of its own fetch and of a find of its criteria`()
    async
  {
    for (criteria, isNamed) in [(["id": 1] as Criteria, true), (["year": 1970], false)] {
      func oneDate(_ rule: Strategy.Rule) async -> Date? {
        clock.advance(by: .seconds(60))
        return await evocation.findOne(model: Car.self, criteria: criteria, rule: rule).fetchedAt
      }
      let first = await fetch(criteria)
      #expect(await oneDate(.localOnly) == first)
      let second = await oneDate(.remoteFirst)
      #expect(second != nil && second != first)
      // The service may have chosen another model than local does, if several match.
      #expect(await oneDate(.localOnly) == (isNamed ? second : first))
      let third = await fetch(criteria)
      #expect(await oneDate(.localOnly) == third)
    }
  }

  @Test func `a result holds no models but its data, and codes none to say their date`() async {
    final class Token: Sendable {}
    struct Held: Codable, Identifiable, Sendable {
      static let coded = Lock(0)
      var id = 1
      var token: Token? = Token()

      init() {}
      init(from decoder: any Decoder) throws { token = nil }
      func encode(to encoder: any Encoder) throws { Self.coded.withLock { $0 += 1 } }
    }
    let traces = Lock<[Evocation.Trace]>([])
    let evocation = Evocation(
      configuration: .init(
        clock: clock, onTrace: { trace in traces.withLock { $0.append(trace) } }))
    evocation.register(for: Held.self)
      .repository(remote: RepositoryMock<Held> { _ in [Held()] })
      .repository(local: RepositoryMock<Held> { _ in [Held()] })
    _ = await evocation.find(model: Held.self, criteria: ["a": 1], rule: .remoteFirst)
    Held.coded.withLock { $0 = 0 }
    var result = await evocation.find(model: Held.self, criteria: ["b": 1], rule: .localOnly)
    weak let token = result.data?.first?.token
    #expect(token != nil)
    result.data = nil
    #expect(token == nil)
    #expect(result.fetchedAt == nil && Held.coded.withLock { $0 } == 0)
    #expect(traces.withLock { $0.count } == 2)
  }

  @Test func `models of several fetches have no date that is known`() async {
    await fetch(["year": 1970])
    await fetch(["year": 1980])
    #expect(await localDate(Criteria()) == nil)
    #expect(await localDate(["model": "Corolla"]) == nil)
  }

  @Test func `what is not known is not guessed`() async throws {
    #expect(await localDate(Criteria()) == nil)
    _ = try await local.store([Car(id: 9, model: "Own", year: 1990)])
    await fetch(["year": 1970])
    #expect(await localDate(Criteria()) == nil)
    #expect(await localDate(["model": "Own"]) == nil)
    #expect(await localDate(["model": "nothing like it"]) == nil)
    // The first of a page says nothing of the others.
    await fetch(Criteria().limit(1))
    #expect(await localDate(Criteria()) == nil)
    let stored = await evocation.storeOne(Car(id: 10), rule: .localOnly)
    #expect(stored.fetchedAt == nil)
  }

  @Test func `one that was fetched by its id is known by it`() async {
    clock.advance(by: .seconds(60))
    let fetched = await evocation.findOne(model: Car.self, criteria: ["id": 2])
    #expect(fetched.fetchedAt != nil)
    let held = await evocation.findOne(model: Car.self, criteria: ["id": 2], rule: .localOnly)
    #expect(held.fetchedAt == fetched.fetchedAt)
  }

  @Test func `a cache, a prefetch and a cleared ledger are known too`() async throws {
    let cars = evocation.cache(Car.self, maxAge: .seconds(60))
    cars.requirements = ["year": 1970]
    clock.advance(by: .seconds(5))
    #expect(await localDate(["year": 1970]) == nil)
    _ = try await cars.refresh()
    #expect(try await cars.value(from: .cache).count == 2)
    #expect(cars.state?.fetchedAt == clock.date)
    #expect(await localDate(["year": 1970]) == clock.date)
    clock.advance(by: .seconds(5))
    let prefetched = await evocation.prefetch(Car.self)
    #expect(prefetched.fetchedAt == clock.date)
    #expect(await localDate(Criteria()) == prefetched.fetchedAt)
    let again = await evocation.prefetch(Car.self, maxAge: .seconds(60))
    #expect(again.data == 0 && again.fetchedAt == prefetched.fetchedAt)
    try await evocation.environment.ledger.clear()
    #expect(await localDate(Criteria()) == nil)
  }

  @Test func `what is observed says when it was fetched`() async {
    let first = await fetch(Criteria())
    var answers = evocation.observe(model: Car.self).makeAsyncIterator()
    #expect(await answers.next()?.fetchedAt == first)
  }

  @Test func `a date that was set back makes the age of everything unknown`() async {
    await fetch(Criteria())
    #expect(await localDate(Criteria()) != nil)
    clock.setDate(clock.date - 86_400)
    clock.advance(by: .seconds(120))
    _ = await evocation.find(model: Car.self, criteria: ["year": 1980])
    #expect(await localDate(["year": 1970]) == nil)
    // Nor is it known again where the date goes on to what it was, and beyond.
    clock.setDate(clock.date + 2 * 86_400)
    #expect(await localDate(["year": 1970]) == nil)
    #expect(await localDate(Criteria()) == nil)
  }

  @Test func `a fetch from after the present date has no age, also before the remote is asked`()
    async
  {
    await fetch(Criteria())
    clock.setDate(clock.date - 86_400)
    #expect(await localDate(Criteria()) == nil)
    #expect(await localDate(["year": 1970]) == nil)
  }

  @Test func `after a sign-out nothing was fetched`() async throws {
    await fetch(Criteria())
    #expect(await localDate(Criteria()) != nil)
    try await evocation.signOut(.discard)
    _ = try await local.store([Car(id: 1)])
    #expect(await localDate(Criteria()) == nil)
  }

  @Test func `ages are told in the unit that suits them`() {
    let ages: [(Duration, String)] = [
      (.milliseconds(20), "just now"), (.seconds(-5), "just now"), (.seconds(12), "12 s ago"),
      (.seconds(250), "4 min ago"), (.seconds(7300), "2 h ago"), (.seconds(200_000), "2 d ago"),
    ]
    for (age, words) in ages { #expect(age.ago == words) }
    #expect(Duration.seconds(Int64.max).ago.hasSuffix(" d ago"))
  }
}
