import Evocation
import EvocationHTTP
import EvocationSQLite
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

/// The samples of the page of questions, word for word, and what its answers say.
@Suite(.patient) struct FAQPageTests {
  private final class Stamp: Codable, Identifiable, Sendable {
    let id: Int
    let country: String

    init(id: Int, country: String) {
      self.id = id
      self.country = country
    }
  }

  private struct Forbidden: ClassifiedError {
    var failureKind: FailureKind { .permanent }
  }

  private let beetle = Car(id: 1, name: "Beetle", origin: "Germany", year: 1970)

  @Test func `a push invalidates what is shown, and brings what is not`() async throws {
    let evocation = Evocation()
    let civic = Car(id: 2, name: "honda civic", origin: "Japan", year: 1980)
    let remote = RepositoryMock<Car> { _ in [civic] }
    let local = InMemoryRepository<Car>()
    try evocation.register(Car.self, remote: remote, local: local, strategy: .remoteFirst)
    let cars = evocation.cache(Car.self)
    let observation = cars.observe { _ in }
    defer { observation.cancel() }
    try await eventually("the first fetch") { cars.state?.cache == [civic] }
    let before = remote.calls.count
    try await evocation.invalidate(Car.self)
    let fetched = await evocation.prefetch(Car.self, where: \.year >= 1980)
    #expect(fetched.error == nil)
    try await eventually("both fetches") { remote.calls.count == before + 2 }
  }

  @Test @MainActor func `a preview has models in memory`() async throws {
    let preview = Evocation()
    let beetle = Car(id: 1, name: "Beetle", origin: "Germany", year: 1970)
    try preview.register(Car.self, local: InMemoryRepository([beetle]))
    let shown = ObservedModels(Car.self, in: preview)
    try await eventually("the models") { shown.models == [beetle] }
  }

  @Test func `a constant class is a model`() async throws {
    let evocation = Evocation()
    try evocation.register(Stamp.self, local: SQLiteRepository(SQLiteDatabase.inMemory()))
    #expect(await evocation.storeOne(Stamp(id: 1, country: "Peru")).error == nil)
    #expect(try await evocation.findOne(Stamp.self, id: 1)?.country == "Peru")
    #expect(try await evocation.find(Stamp.self, where: \.country == "Peru").count == 1)
  }

  @Test func `a remote alone is read and written, and nothing can be observed`() async throws {
    let evocation = Evocation()
    try evocation.register(Car.self, remote: RepositoryMock<Car> { _ in [beetle] })
    #expect(try await evocation.find(Car.self) == [beetle])
    for await result in evocation.observe(Car.self) {
      #expect(result.error as? EvocationError == .notObservable(model: "Car"))
    }
  }

  @Test func `a refusal parks one entry, and the others are sent`() async throws {
    let evocation = Evocation(
      configuration: .init(outbox: .init(sendsAutomatically: false, connectivity: nil)))
    let remote = RepositoryMock<Car> { call in
      guard case .storeOne(let car) = call else { return [] }
      if car.id == 1 { throw Forbidden() }
      return [car]
    }
    try evocation.register(
      Car.self, remote: remote, local: InMemoryRepository(), strategy: .offlineFirst)
    _ = await evocation.storeOne(beetle)
    _ = await evocation.storeOne(Car(id: 2, name: "honda civic", origin: "Japan", year: 1980))
    let result = await evocation.outbox.flush()
    #expect(result.sent == 1 && result.parked == 1)
    #expect(try await evocation.outbox.parked(Car.self).map(\.model) == [beetle])
  }

  @Test func `a fetch leaves an unsent change alone, and a local write overwrites it`() async throws
  {
    let evocation = Evocation(
      configuration: .init(outbox: .init(sendsAutomatically: false, connectivity: nil)))
    let pushed = Car(id: 1, name: "of the server", origin: "Germany", year: 1970)
    try evocation.register(
      Car.self, remote: InMemoryRepository([pushed]), local: InMemoryRepository(),
      strategy: .offlineFirst)
    _ = await evocation.storeOrUpdate([beetle])
    #expect(await evocation.prefetch(Car.self).error == nil)
    #expect(try await evocation.find(Car.self) == [beetle])
    _ = await evocation.storeOrUpdate([pushed], rule: .localOnly)
    #expect(try await evocation.find(Car.self, rule: .localOnly) == [pushed])
  }
}
