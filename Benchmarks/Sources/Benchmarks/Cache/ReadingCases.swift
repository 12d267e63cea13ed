import Evocation
import Harness

/// The time in which a cache in memory answers.
struct ReadingCases {
  private let reading = Once {
    let cars = try await CachedCars()
    return (cars: cars, cache: cars.cache())
  }

  var all: [Case] {
    [
      Case("memory: local.find, direct", count: 1_000) { [reading] count in
        let local: any Repository<Car> = try await reading.value.cars.local
        for _ in 0..<count { try await expect(local.find(Criteria()).value.count == 1) }
      },
      Case(
        "memory: value(from: .cache)", count: 1_000, against: "memory: local.find, direct",
        bar: .atMost(1_000)
      ) { [reading] count in
        let cache = try await reading.value.cache
        for _ in 0..<count { try await expect(cache.value(from: .cache).count == 1) }
      },
      Case("memory: until the first state of a cache", .nanoseconds, bar: .atMost(20_000)) {
        [reading] in
        let cache = try await reading.value.cache
        var time = Duration.zero
        for _ in 0..<100 {
          var states = cache.observe().makeAsyncIterator()
          let clock = ContinuousClock()
          let start = clock.now
          let state = await states.next()
          time += start.duration(to: clock.now)
          try expect(state?.cache?.count == 1)
        }
        return time / .nanoseconds(100)
      },
    ]
  }
}
