import Evocation
import Harness

/// The memory of ten thousand observers, and the time until a very large write reaches one of them.
struct LargeCases {
  private let crowd = Once { await Crowd.inMemory(10_000, of: .equality) }

  var all: [Case] {
    [
      Case("memory: an idle observer", .bytes) {
        let before = Memory.inUse
        let crowd = await Crowd.inMemory(10_000, of: .equality)
        return withExtendedLifetime(crowd) { Double(Memory.inUse - before) / 10_000 }
      },
      Case("memory: 100,000 models that concern one of 10,000, until answered", .nanoseconds) {
        [crowd] in
        let crowd = try await crowd.value
        let cars = (0..<100_000).map { Car(id: $0 + 10, year: $0 == 99_999 ? 0 : 20_000 + $0) }
        return try await crowd.limited {
          let time = try await ContinuousClock().measure {
            _ = await crowd.evocation.store(cars)
            try await crowd.answer { $0.count == 2 }
          }
          _ = await crowd.evocation.remove(cars)
          try await crowd.answer { $0.count == 1 }
          return time / .nanoseconds(1)
        }
      },
    ]
  }
}
