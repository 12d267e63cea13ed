import Evocation
import EvocationSQLite
import Foundation
import Harness

/// The cost of the outbox if many models are unsent.
struct LongQueueCases {
  var all: [Case] {
    [
      Case("storeOne among 100,000 in step", .nanoseconds) {
        try await Self.store(among: LongQueue.stored)
      },
      Case(
        "storeOne among 100,000 pending", .nanoseconds, against: "storeOne among 100,000 in step",
        bar: .times(1.1)
      ) { try await Self.store(among: LongQueue.pending) },
      Case("the first of 50,000 merges", .nanoseconds) { try await Self.merge(after: 0) },
      Case(
        "the last of 50,000 merges", .nanoseconds, against: "the first of 50,000 merges",
        bar: .times(1.1)
      ) { try await Self.merge(after: 49_000) },
      Case("start with 1,000,000 pending", .nanoseconds, bar: .atMost(10_000_000)) {
        try await Self.start()
      },
      Case("status with 1,000,000 pending", .nanoseconds, bar: .atMost(5_000_000)) {
        let evocation = try Evocation(items: try await LongQueue.million.value.path, .offlineFirst)
        return try await ContinuousClock().measure {
          try expect(try await evocation.outbox.status().pending == 1_000_000)
        } / .nanoseconds(1)
      },
      Case("memory of status with 1,000,000 pending", .bytes, bar: .atMost(1_000_000)) {
        let evocation = try Evocation(items: try await LongQueue.million.value.path, .offlineFirst)
        return Double(try await Memory.peak { _ = try await evocation.outbox.status() })
      },
    ]
  }

  /// Stores models with unordered ids, in a copy of the file.
  private static func store(among queue: Task<LongQueue, any Error>) async throws -> Double {
    let scratch = try Scratch()
    let path = try await queue.value.path
    try FileManager.default.copyItem(atPath: path, toPath: scratch.path())
    let evocation = try Evocation(items: scratch.path(), .offlineFirst)
    let models = LongQueue.numbers(2_000).map { Item($0 * 100 + 1) }
    let time = try await ContinuousClock().measure {
      for model in models { try expect(await evocation.storeOne(model).error == nil) }
    }
    return time / .nanoseconds(1) / 2_000
  }

  private static func merge(after count: Int) async throws -> Double {
    let scratch = try Scratch()
    let evocation = try Evocation(items: scratch.path(), .offlineFirst)
    var model = Item(1)
    _ = await evocation.storeOne(model)
    for _ in 0..<count {
      model.price += 1
      _ = await evocation.updateOne(model)
    }
    let time = try await ContinuousClock().measure {
      for _ in 0..<1_000 {
        model.price += 1
        try expect(await evocation.updateOne(model).error == nil)
      }
    }
    return time / .nanoseconds(1) / 1_000
  }

  /// Measures the time from opening the file to the first request.
  private static func start() async throws -> Double {
    let path = try await LongQueue.million.value.path
    let remote = FirstRequest()
    // By then the lease of the last sample has ended.
    try await Task.sleep(for: .milliseconds(300))
    let start = ContinuousClock.now
    let database = try SQLiteDatabase(path: path)
    let evocation = Evocation(configuration: .init(outbox: .init(lease: .milliseconds(100))))
    evocation.register(for: Item.self)
      .repository(remote: remote)
      .repository(local: try SQLiteRepository<Item>(database))
      .strategy(.offlineFirst)
    for await moment in remote.moments {
      evocation.outbox.pause()
      evocation.unregister(Item.self)
      await database.close()
      return start.duration(to: moment) / .nanoseconds(1)
    }
    return .nan
  }
}

/// A remote that reports the time of its first request, and refuses all requests.
private struct FirstRequest: Repository {
  let moments: AsyncStream<ContinuousClock.Instant>
  private let asked: AsyncStream<ContinuousClock.Instant>.Continuation

  init() { (moments, asked) = AsyncStream.makeStream() }

  private func refuse() throws -> Never {
    asked.yield(.now)
    throw URLError(.cannotConnectToHost)
  }

  func find(_ criteria: Criteria) async throws -> Response<[Item]> { try refuse() }
  func store(_ models: [Item]) async throws -> Response<[Item]> { try refuse() }
  func update(_ models: [Item]) async throws -> Response<[Item]> { try refuse() }
  func storeOrUpdate(_ models: [Item]) async throws -> Response<[Item]> { try refuse() }
  func remove(_ models: [Item]) async throws -> Response<[Item]> { try refuse() }
}

/// A file with many models, which is created once.
struct LongQueue: Sendable {
  static let stored = Task { try await LongQueue(100_000, .localOnly) }
  static let pending = Task { try await LongQueue(100_000, .offlineFirst) }
  static let million = Task { try await LongQueue(1_000_000, .offlineFirst) }

  private let scratch: Scratch

  var path: String { scratch.path() }

  private init(_ count: Int, _ strategy: Strategy) async throws {
    scratch = try Scratch()
    let database = try SQLiteDatabase(path: scratch.path())
    let evocation = Evocation(configuration: .init(outbox: .init(sendsAutomatically: false)))
    evocation.register(for: Item.self)
      .repository(remote: InMemoryRepository<Item>())
      .repository(local: try SQLiteRepository<Item>(database))
      .strategy(strategy)
    let numbers = Self.numbers(count)
    for start in stride(from: 0, to: count, by: 10_000) {
      let models = numbers[start..<start + 10_000].map { Item($0 * 2) }
      let result = await evocation.store(models)
      try expect(result.error == nil)
    }
    evocation.unregister(Item.self)
    await database.close()
  }

  /// Returns a number of unordered numbers.
  static func numbers(_ count: Int) -> [Int] {
    // A prime that divides no count.
    (0..<count).map { $0 * 7_919 % count }
  }
}
