import Evocation
import EvocationSQLite
import Foundation
import Harness

/// The cases of the suite "sqlite" about the outbox: the cost of 100,000 waiting entries.
///
/// The suite "outbox" has their cost for a write.
struct OutboxCases {
  private static let count = 100_000

  var all: [Case] { writes + reads }

  private var writes: [Case] {
    let alone = "storeOne, without an entry"
    return [
      write(alone) { try await $0.storeOne($1) },
      write("storeOne, a commit", against: alone) {
        try await $0.commit(StoreWrite([.store([$1])]))
      },
    ]
  }

  private var reads: [Case] {
    let none = "none wait"
    let many = "100,000 wait"
    return [
      read("findOne, \(none)", Self.empty, 20_000) { try await Self.findOne($1, $0) },
      read(
        "findOne, \(many)", Self.full, 20_000, against: "findOne, \(none)", bar: .times(1.1)
      ) { try await Self.findOne($1, $0) },
      read("find 1,000, \(none)", Self.empty, 100) { try await Self.findMany($1, $0) },
      read(
        "find 1,000, \(many)", Self.full, 100, against: "find 1,000, \(none)", bar: .times(1.2)
      ) { try await Self.findMany($1, $0) },
      start("start, \(none)", Self.empty),
      start("start, \(many)", Self.full, against: "start, \(none)", bar: .above(5_000_000)),
    ]
  }

  private static func findOne(_ number: Int, _ items: SQLiteRepository<Item>) async throws {
    let id = Int64(number * 7_919 % count)
    try await expect(items.findOne(["id": id]).value?.id == id)
  }

  private static func findMany(_ number: Int, _ items: SQLiteRepository<Item>) async throws {
    let first = Int64(number * 900 % (count - 1_000))
    let criteria = Criteria.Key("id").between(first, and: first + 999)
    try await expect(items.find(criteria).value.count == 1_000)
  }

  private func write<Value>(
    _ name: String, against reference: String? = nil,
    _ body: @escaping @Sendable (SQLiteRepository<Item>, Item) async throws -> Value
  ) -> Case {
    let count = 2_000
    return Case(name, .nanoseconds, against: reference) {
      let scratch = try Scratch()
      let items = try SQLiteRepository<Item>(SQLiteDatabase(path: scratch.path()))
      let models = (0..<count).map { Item($0) }
      let time = try await ContinuousClock().measure {
        for model in models { _ = try await body(items, model) }
      }
      return time / .nanoseconds(1) / Double(count)
    }
  }

  private func read(
    _ name: String, _ template: Template, _ count: Int, against reference: String? = nil,
    bar: Bar? = nil,
    _ body: @escaping @Sendable (SQLiteRepository<Item>, Int) async throws -> Void
  ) -> Case {
    Case(name, .nanoseconds, against: reference, bar: bar) {
      let scratch = try Scratch()
      try await template.copy(to: scratch.path())
      let items = try SQLiteRepository<Item>(SQLiteDatabase(path: scratch.path()))
      // So that all cases begin with the file's pages in memory.
      _ = try await items.find(Criteria())
      let time = try await ContinuousClock().measure {
        for number in 0..<count { try await body(items, number) }
      }
      return time / .nanoseconds(1) / Double(count)
    }
  }

  /// Measures opening the file and counting the entries.
  private func start(
    _ name: String, _ template: Template, against reference: String? = nil, bar: Bar? = nil
  ) -> Case {
    Case(name, .nanoseconds, against: reference, bar: bar) {
      let scratch = try Scratch()
      try await template.copy(to: scratch.path())
      let time = try await ContinuousClock().measure {
        let evocation = try Evocation(items: scratch.path(), .offlineFirst)
        _ = try await evocation.outbox.status()
      }
      return time / .nanoseconds(1)
    }
  }

  private static let empty = Template(.localOnly)

  private static let full = Template(.offlineFirst)

  /// A file that is created when it is first needed, and copied for each sample.
  private actor Template {
    private let strategy: Strategy
    private var making: Task<Scratch, any Error>?

    init(_ strategy: Strategy) {
      self.strategy = strategy
    }

    func copy(to path: String) async throws {
      let making =
        making
        ?? Task { [strategy] in
          let scratch = try Scratch()
          let database = try SQLiteDatabase(path: scratch.path())
          let evocation = Evocation(configuration: .init(outbox: .init(sendsAutomatically: false)))
          evocation.register(for: Item.self)
            .repository(remote: InMemoryRepository<Item>())
            .repository(local: try SQLiteRepository<Item>(database))
            .strategy(strategy)
          try expect(await evocation.store(Item.make(count)).error == nil)
          evocation.unregister(Item.self)
          await database.close()
          return scratch
        }
      self.making = making
      let scratch = try await making.value
      try FileManager.default.copyItem(atPath: scratch.path(), toPath: path)
    }
  }
}
