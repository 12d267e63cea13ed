import Evocation
import EvocationLive
import EvocationSQLite
import Foundation
import Harness

extension Suite {
  /// How soon a change that a service sends by itself reaches observers, and how many are kept up with.
  static var live: Suite {
    Suite("live", LiveCases.all)
  }
}

/// A change that the app writes, and the same change from the service.
private enum LiveCases {
  private static let count = 1_000

  static var all: [Case] {
    let places: [(String, @Sendable () throws -> any Repository<Car>)] = [
      ("memory", { InMemoryRepository<Car>() }),
      ("SQLite", { try SQLiteRepository<Car>(SQLiteDatabase(path: Crowd.path())) }),
    ]
    return places.flatMap { place, local in
      let audience = Once { try await Audience(count, local: local()) }
      let name = "\(place): until 1,000 observers have"
      return [
        Case("\(name) a local write", .nanoseconds) {
          let audience = try await audience.value
          return try await audience.rounds { car in
            _ = await audience.evocation.storeOrUpdate([car])
          }
        },
        Case(
          "\(name) a pushed change", .nanoseconds, against: "\(name) a local write", bar: .times(2)
        ) {
          let audience = try await audience.value
          return try await audience.rounds { car in
            audience.service.send(RemoteChanges(stored: [car]))
          }
        },
      ]
    } + [
      // 10,000 in a second are 100 µs for each.
      Case("SQLite: each of 10,000 pushed changes", .nanoseconds, bar: .atMost(100_000)) {
        try await flood().time
      },
      Case("SQLite: memory beside 100,000 pushed changes, at most", .bytes, bar: .atMost(8e6)) {
        try await flood(100_000).memory
      },
    ]
  }

  /// Sends changes as fast as they are taken, and measures until the last one is saved.
  private static func flood(_ count: Int = 10_000) async throws -> (time: Double, memory: Double) {
    let service = CarFlood(count)
    let audience = try await Audience(
      1, service: service, local: SQLiteRepository<Car>(SQLiteDatabase(path: Crowd.path())))
    let before = Memory.inUse
    let time = try await ContinuousClock().measure {
      service.begin()
      try await audience.seen(by: 1) { $0.year == count }
    }
    return (time / .nanoseconds(count), Double(service.mostMemory - before))
  }
}

/// Observers of one car, and the service that changes it.
private final class Audience: Sendable {
  let evocation = Evocation()
  let service: LiveCars
  private let count: Int
  private let observations: [Evocation.Observation]
  private let answers: AsyncStream<Car>
  private let continuation: AsyncStream<Car>.Continuation

  init(
    _ count: Int, service: LiveCars = LiveCars(), local: any Repository<Car>
  ) async throws {
    self.count = count
    evocation.live.start()
    self.service = service
    (answers, continuation) = AsyncStream<Car>.makeStream()
    evocation.register(for: Car.self).repository(remote: service).repository(local: local)
      .strategy(.localOnly)
    observations = (0..<count).map { [evocation, continuation] _ in
      evocation.observe(model: Car.self, criteria: ["id": 1]) { result in
        if let car = result.data?.first { continuation.yield(car) }
      }
    }
    _ = await evocation.storeOrUpdate([Car(id: 1)])
    try await seen(by: count) { _ in true }
    await service.isFollowed()
  }

  deinit {
    for observation in observations { observation.cancel() }
  }

  /// Waits until so many observers have seen a car that fits.
  func seen(by count: Int, _ fits: (Car) -> Bool) async throws {
    var seen = 0
    for await car in answers where fits(car) {
      seen += 1
      if seen == count { return }
    }
    throw WrongAnswer()
  }

  /// Measures how long a change takes to all observers, each long after the one before.
  func rounds(_ change: (Car) async -> Void) async throws -> Double {
    var time = Duration.zero
    for year in 1...10 {
      try await Task.sleep(for: .milliseconds(25))
      let car = Car(id: 1, model: "\(UInt32.random(in: 0 ... .max))", year: year)
      time += try await ContinuousClock().measure {
        await change(car)
        try await seen(by: count) { $0 == car }
      }
    }
    return time / .nanoseconds(10)
  }
}

/// A service of cars that sends what it is told to.
private class LiveCars: LiveRepository, @unchecked Sendable {  // its state is in streams
  typealias Model = Car

  private let changes = AsyncStream<RemoteChanges<Car>>.makeStream()
  private let follows = AsyncStream<Void>.makeStream()

  /// Waits until it is followed.
  func isFollowed() async {
    for await _ in follows.stream { return }
  }

  func send(_ change: RemoteChanges<Car>) { changes.continuation.yield(change) }

  func next() async throws -> RemoteChanges<Car>? {
    for await change in changes.stream { return change }
    return nil
  }

  var announcesConnection: Bool { true }

  func liveChanges(since mark: String?) -> AsyncThrowingStream<RemoteChanges<Car>, any Error> {
    follows.continuation.yield()
    return AsyncThrowingStream { [self] in try await next() }
  }

  func find(_ criteria: Criteria) async throws -> Response<[Car]> { Response([]) }
  func store(_ models: [Car]) async throws -> Response<[Car]> { Response(models) }
  func update(_ models: [Car]) async throws -> Response<[Car]> { Response(models) }
  func storeOrUpdate(_ models: [Car]) async throws -> Response<[Car]> { Response(models) }
  func remove(_ models: [Car]) async throws -> Response<[Car]> { Response(models) }
}

/// A service that sends many cars as fast as they are taken.
private final class CarFlood: LiveCars, @unchecked Sendable {  // only one task reads it
  private let count: Int
  private var sent = 0
  private(set) var mostMemory = 0

  init(_ count: Int) { self.count = count }

  func begin() { send(RemoteChanges(mark: "0")) }

  override func next() async throws -> RemoteChanges<Car>? {
    guard sent > 0 else {
      sent = 1
      return try await super.next()
    }
    guard sent <= count else { return try await super.next() }
    defer { sent += 1 }
    if sent.isMultiple(of: 1_000) { mostMemory = max(mostMemory, Memory.inUse) }
    // The last one is the car that is observed.
    let id = sent == count ? 1 : sent + 1
    return RemoteChanges(
      stored: [Car(id: id, model: "Beetle number \(sent)", year: sent)], mark: "\(sent)")
  }
}
