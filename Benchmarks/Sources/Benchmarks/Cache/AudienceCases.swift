import Evocation
import Harness

/// The cost of many observers of one cache key, when its cache changes and when it does not.
struct AudienceCases {
  private static let changes = 10
  private static let tags = 2_000

  var all: [Case] {
    let (few, many) = ("1,000 observers", "10,000 observers")
    func name(_ what: String, _ who: String) -> String { "a change, \(who): \(what) of each" }
    let shares: [(String, @Sendable (Cost) -> Double)] = [
      ("until all have it", { $0.time }), ("processor", { $0.processor }),
    ]
    return shares.flatMap { what, share in
      [
        Case(name(what, few), .nanoseconds) { share(try await Self.change(1_000)) },
        Case(
          name(what, many), .nanoseconds, against: name(what, few), bar: .atMost(1_000)
        ) { share(try await Self.change(10_000)) },
      ]
    } + [
      Case("memory: an idle observed tag", .bytes) { try await Self.weigh() },
      Case("memory: an idle observer of a tag", .bytes) { try await Self.weighObserver() },
    ]
  }

  /// The cost of a change for each observer.
  private struct Cost {
    var time: Double
    var processor: Double
  }

  /// Changes a cached car, and lets each observer take the state out of its mailbox.
  ///
  /// Only the first observer waits and is woken. Waking all of them would measure the system's tasks.
  private static func change(_ count: Int) async throws -> Cost {
    let cars = try await CachedCars()
    let cache = cars.cache()
    let states = cache.observe()
    var audience = (0..<count).map { _ in states.makeAsyncIterator() }
    for index in audience.indices { _ = await audience[index].next() }
    let before = ProcessorTime.nanoseconds
    let time = try await ContinuousClock().measure {
      for change in 1...changes {
        _ = try await cars.local.storeOrUpdate([Car(id: 0, model: "\(change)")])
        for index in audience.indices {
          let state = await audience[index].next()
          try expect(state?.cache?.first?.model == "\(change)")
        }
      }
    }
    let operations = Double(changes * count)
    return Cost(
      time: time / .nanoseconds(1) / operations,
      processor: (ProcessorTime.nanoseconds - before) / operations)
  }

  /// Returns the bytes of a cache key with its repository, its one observer, and a car in it.
  private static func weigh() async throws -> Double {
    let cars = try await CachedCars(tags)
    let before = Memory.inUse
    var observed: [(cache: CacheRepository<ProxyCacheDataSource<Car>>, states: Any)] = []
    for year in 0..<tags {
      let cache = cars.cache()
      cache.requirements = ["year": .init(year)]
      _ = try await cache.update([Car(id: year, year: year)])
      var states = cache.observe().makeAsyncIterator()
      let state = await states.next()
      try expect(state?.cache?.count == 1)
      observed.append((cache, states))
    }
    return withExtendedLifetime(observed) { Double(Memory.inUse - before) / Double(tags) }
  }

  private static func weighObserver() async throws -> Double {
    let cars = try await CachedCars()
    let cache = cars.cache()
    let before = Memory.inUse
    let states = cache.observe()
    var audience = (0..<10_000).map { _ in states.makeAsyncIterator() }
    for index in audience.indices { _ = await audience[index].next() }
    return withExtendedLifetime(audience) { Double(Memory.inUse - before) / 10_000 }
  }
}
