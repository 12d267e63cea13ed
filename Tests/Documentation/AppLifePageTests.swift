import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation
import TestTraits
import Testing

/// The activity of an app on a screen that it never leaves.
struct KioskActivity: AppActivity {
  var isActive: Bool? { true }

  func changes() -> AsyncStream<Bool> { AsyncStream { $0.finish() } }
}

/// The samples of the page on an app's life, and of what stands on it, word for word.
@Suite(.patient) struct AppLifePageTests {
  private let connectivity = ManualConnectivity()

  /// An app whose service has one car.
  private func app() -> Evocation {
    let evocation = Evocation(
      configuration: .init(outbox: .init(connectivity: connectivity), activity: ManualActivity()))
    evocation.register(for: Car.self)
      .repository(
        remote: InMemoryRepository([Car(id: 1, name: "Beetle", origin: "Germany", year: 1970)])
      )
      .repository(local: InMemoryRepository<Car>())
    return evocation
  }

  @Test func `an app says whether it is active`() {
    let activity = NotificationActivity(
      active: [Notification.Name("WindowShown")], inactive: [Notification.Name("WindowHidden")])
    let evocation = Evocation(
      configuration: .init(outbox: .init(connectivity: connectivity), activity: activity))
    NotificationCenter.default.post(name: Notification.Name("WindowShown"), object: nil)
    #expect(activity.isActive == true)
    #expect(throws: EvocationError.proxyNotFound) { try evocation.proxy(for: Car.self) }
  }

  @Test func `a test says it by hand`() {
    let activity = ManualActivity()
    let evocation = Evocation(configuration: .init(activity: activity))
    activity.becomeActive()
    #expect(activity.isActive == true)
    #expect(throws: EvocationError.proxyNotFound) { try evocation.proxy(for: Car.self) }
  }

  @Test func `an app that never leaves the screen has an activity of its own`() async throws {
    let activity = KioskActivity()
    let evocation = Evocation(configuration: .init(activity: activity))
    for await isActive in activity.changes() { Issue.record("It became \(isActive).") }
    #expect(activity.isActive == true)
    #expect(throws: EvocationError.proxyNotFound) { try evocation.proxy(for: Car.self) }
  }

  @Test func `a database is suspended while the app is not active`() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let database = try SQLiteDatabase(path: path)
    let cars = try SQLiteRepository<Car>(database)
    let activity = ManualActivity(isActive: false)
    let suspending = database.suspend(with: activity)
    let received = [Car(id: 1, name: "Beetle", origin: "Germany", year: 1970)]
    while (try? await cars.find(Criteria())) != nil { await Task.yield() }
    database.resume()
    try await cars.store(received)
    await database.suspend()
    await #expect(throws: SQLiteError.self) { try await cars.find(Criteria()) }
    suspending.cancel()
    #expect(try await cars.find(Criteria()).value.count == 1)
    await database.close()
  }

  @Test func `a cache is polled`() async throws {
    let evocation = app()
    let cars = evocation.cache(
      Car.self, maxAge: .minutes(1), options: .init(refreshEvery: .seconds(15)))
    #expect(cars.source.refreshEvery == .seconds(15))
    #expect(try await cars.value().count == 1)
  }

  @Test func `models are fetched ahead`() async {
    let evocation = app()
    connectivity.goOffline()
    let result = await evocation.prefetch(Car.self, maxAge: .seconds(3600))
    if let error = result.error { print("later:", error) }
    #expect(result.error as? EvocationError == .offline(model: "Car"))
  }

  @Test func `a list is paged by rows`() async throws {
    let evocation = app()
    let list = evocation.pagingCache(Car.self, pageSize: 50, options: .init(prefetchDistance: 10))
    list.requirements = Criteria().sorted(by: "year")
    list.rowAppeared(at: 45)
    #expect(list.prefetchDistance == 10)
    #expect(try await list.value().count == 1)
    let (cars, row) = (list, 0)
    cars.rowAppeared(at: row)
  }

  @Test @MainActor func `a view shows a list`() {
    let list = ObservedList(Evocation.pagingCache(Car.self, pageSize: 50))
    #expect(list.models.isEmpty)
  }

  @Test func `an extension opens the same file`() async throws {
    let (evocation, service) = (
      Evocation(), InMemoryRepository([Car(id: 1, name: "Beetle", origin: "Germany", year: 1970)])
    )
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "cars.sqlite").path
    let database = try SQLiteDatabase(path: path)
    evocation.register(for: Car.self)
      .repository(remote: service)
      .repository(local: try SQLiteRepository<Car>(database))
    #expect(await evocation.find(model: Car.self).data?.count == 1)
    await database.close()
  }
}
