import Evocation
import EvocationSQLite
import EvocationTesting
import TestTraits
import Testing

@testable import SQLiteSupport

@Suite(.patient) struct UnknownAnswerFileTests {
  private struct Offline: Error, Equatable {}

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Starts the app anew on the file; without cars, the service cannot be reached.
  private func start(_ cars: [Car]?, _ strategy: Strategy) throws -> Evocation {
    let evocation = Evocation(configuration: .init(clock: ManualClock()))
    let remote = RepositoryMock<Car> { _ in
      guard let cars else { throw Offline() }
      return cars
    }
    let local = try SQLiteRepository<Car>(SQLiteDatabase(path: folder.path()))
    try evocation.register(Car.self, remote: remote, local: local, strategy: strategy)
    evocation.outbox.pause()
    return evocation
  }

  @Test(arguments: [
    Strategy.remoteFirst, .cacheFirst(maxAge: .seconds(60)),
    .staleWhileRevalidate(maxAge: .seconds(60)), .offlineFirst, .default(),
  ])
  func `An empty list that was fetched is an answer after a restart, and no other is`(
    strategy: Strategy
  ) async throws {
    let fresh = try start(nil, strategy)
    await #expect(throws: Offline()) { try await fresh.find(Car.self) }
    #expect(try await start([], strategy).find(Car.self).isEmpty)
    let again = try start(nil, strategy)
    try await again.invalidate(Car.self)
    let found = await again.find(model: Car.self)
    #expect(found.data == [] && found.origin == .local && found.error == nil)
    #expect(try await again.count(Car.self) == 0)
    await #expect(throws: Offline()) { try await again.find(Car.self, where: \.year == 1) }
    await #expect(throws: Offline()) { try await again.findOne(Car.self, id: 7) }
  }

  @Test func `Unsent writes are models after a restart too`() async throws {
    let car = Car(id: 7, name: "a", year: 1)
    #expect(try await start(nil, .offlineFirst).storeOne(car).isPending)
    let again = try start(nil, .offlineFirst)
    #expect(try await again.find(Car.self) == [car])
    #expect(try await again.findOne(Car.self, id: 7) == car)
    await #expect(throws: Offline()) { try await again.findOne(Car.self, id: 8) }
  }
}
