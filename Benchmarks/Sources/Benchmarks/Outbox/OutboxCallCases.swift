import Evocation
import EvocationSQLite
import Foundation
import Harness

/// The cost of a write through the outbox for its caller, compared with the same local write.
struct OutboxCallCases {
  private static let count = 2_000
  private static let models = (0..<count).map { Item($0) }

  var all: [Case] {
    [
      Case("storeOne, local only", .nanoseconds) { try await Self.store(by: .localOnly) },
      Case(
        "storeOne, by the outbox", .nanoseconds, against: "storeOne, local only", bar: .times(1.8)
      ) { try await Self.store(by: .offlineFirst) },
      Case(
        "storeOne, by the outbox, main actor", .nanoseconds, against: "storeOne, by the outbox",
        bar: .times(1.2)
      ) { try await Self.storeOnMain() },
      Case("updateOne, local only", .nanoseconds) { try await Self.update(.localOnly) },
      Case(
        "updateOne, by the outbox", .nanoseconds, against: "updateOne, local only", bar: .times(2.5)
      ) { try await Self.update(.offlineFirst) },
      Case(
        "updateOne again, by the outbox", .nanoseconds, against: "updateOne, local only",
        bar: .times(2.5)
      ) { try await Self.update(.offlineFirst, before: .offlineFirst) },
    ]
  }

  private static func store(by strategy: Strategy) async throws -> Double {
    let scratch = try Scratch()
    let evocation = try Evocation(items: scratch.path(), strategy)
    return try await time {
      for model in models { try expect(await evocation.storeOne(model).error == nil) }
    }
  }

  @MainActor
  private static func storeOnMain() async throws -> Double {
    let scratch = try Scratch()
    let evocation = try Evocation(items: scratch.path(), .offlineFirst)
    let clock = ContinuousClock()
    let start = clock.now
    for model in models { try expect(await evocation.storeOne(model).error == nil) }
    return start.duration(to: clock.now) / .nanoseconds(1) / Double(count)
  }

  /// Measures changes of models without entries; with `before`, the models have been written by it.
  private static func update(
    _ strategy: Strategy, before: Strategy? = nil
  ) async throws -> Double {
    let scratch = try Scratch()
    _ = try await Evocation(items: scratch.path(), .localOnly).store(models)
    let evocation = try Evocation(items: scratch.path(), strategy)
    for model in before == nil ? [] : models { _ = await evocation.updateOne(model) }
    return try await time {
      for var model in models {
        model.price += 1
        try expect(await evocation.updateOne(model).error == nil)
      }
    }
  }

  /// Returns the time that `body` takes, for each of the models.
  private static func time(_ body: () async throws -> Void) async throws -> Double {
    try await ContinuousClock().measure(body) / .nanoseconds(1) / Double(count)
  }
}

extension Evocation {
  /// Stores items in a file, and sends nothing automatically.
  convenience init(items path: String, _ strategy: Strategy) throws {
    self.init(configuration: .init(outbox: .init(sendsAutomatically: false)))
    register(for: Item.self)
      .repository(remote: InMemoryRepository<Item>())
      .repository(local: try SQLiteRepository<Item>(SQLiteDatabase(path: path)))
      .strategy(strategy)
  }
}

extension Suite {
  /// The cost of writes through the outbox, and the speed of sending them.
  static var outbox: Suite {
    Suite("outbox", OutboxCallCases().all + LongQueueCases().all + DrainCases().all)
  }
}
