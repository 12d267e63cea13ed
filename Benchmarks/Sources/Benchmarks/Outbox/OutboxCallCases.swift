import Evocation
import EvocationSQLite
import Foundation
import Harness

/// What a write by the outbox costs its caller, beside the same write to local alone.
struct OutboxCallCases {
  private static let count = 2_000

  var all: [Case] {
    [
      Case("storeOne, local only", .nanoseconds) { try await Self.store(by: .localOnly) },
      Case(
        "storeOne, by the outbox", .nanoseconds, against: "storeOne, local only", bar: .times(1.6)
      ) { try await Self.store(by: .offlineFirst) },
      Case(
        "storeOne, by the outbox, main actor", .nanoseconds, against: "storeOne, by the outbox",
        bar: .times(1.2)
      ) { try await Self.storeOnMain() },
    ]
  }

  private static func store(by strategy: Strategy) async throws -> Double {
    let scratch = try Scratch()
    let evocation = try evocation(scratch, strategy)
    let models = (0..<count).map { Item($0) }
    let time = try await ContinuousClock().measure {
      for model in models {
        let result = await evocation.storeOne(model)
        try expect(result.error == nil)
      }
    }
    return time / .nanoseconds(1) / Double(count)
  }

  @MainActor
  private static func storeOnMain() async throws -> Double {
    let scratch = try Scratch()
    let evocation = try evocation(scratch, .offlineFirst)
    let models = (0..<count).map { Item($0) }
    let clock = ContinuousClock()
    let start = clock.now
    for model in models {
      let result = await evocation.storeOne(model)
      try expect(result.error == nil)
    }
    return start.duration(to: clock.now) / .nanoseconds(1) / Double(count)
  }

  private static func evocation(_ scratch: Scratch, _ strategy: Strategy) throws -> Evocation {
    let evocation = Evocation(configuration: .init(outbox: .init(sendsAutomatically: false)))
    evocation.register(for: Item.self)
      .repository(remote: InMemoryRepository<Item>())
      .repository(local: try SQLiteRepository<Item>(SQLiteDatabase(path: scratch.path())))
      .strategy(strategy)
    return evocation
  }
}

extension Suite {
  /// What writes by the outbox cost, and how fast they are sent.
  static var outbox: Suite {
    Suite("outbox", OutboxCallCases().all + DrainCases().all)
  }
}
