import Evocation
import EvocationSQLite
import Foundation
import Harness
import Synchronization

/// The cost of a refresh that finds few changes, while a task observes the cache.
struct RefreshingCases {
  private static let refreshes = 3
  private static let many = 10_000
  private static let few = 20
  private static let rows = 1_000_000

  private let inFile = Once { try await RefreshedItems.inFile(Self.many) }
  private let inMemory = Once { try await RefreshedItems.inMemory(Self.many) }
  private let fewOfMany = Once { try await RefreshedItems.inFile(Self.few, of: Self.rows) }

  var all: [Case] { large + small }

  /// Ten of ten thousand items change; compared with writing all and reading them again.
  private var large: [Case] {
    let byHand = "10,000 upserted and found, C by hand"
    return [
      Case(byHand, .nanoseconds) {
        let scratch = try Scratch()
        let contender = try CContender(path: scratch.path())
        try contender.store(Item.make(Self.many))
        let items = Item.make(Self.many)
        let time = try ContinuousClock().measure {
          try contender.storeOrUpdate(items)
          try expect(contender.findAll().count == Self.many)
        }
        return time / .nanoseconds(1)
      },
      Case(
        "a refresh of an observed 10,000, SQLite", .nanoseconds, against: byHand, bar: .times(1.5)
      ) { [inFile] in
        try await inFile.value.refresh(Self.refreshes)
      },
      Case("a refresh of an observed 10,000, memory", .nanoseconds, against: byHand) {
        [inMemory] in
        try await inMemory.value.refresh(Self.refreshes)
      },
    ]
  }

  /// Finds twenty of a million rows, by a column without an index and by one with an index.
  ///
  /// Without an index SQLite scans all rows. With an index, passing the answer between tasks costs more
  /// than the rows.
  private var small: [Case] {
    let (mirrored, refreshed) = (
      "a mirrored find of 20 among 1,000,000", "a refresh of an observed"
    )
    return [
      Case(mirrored, count: Self.refreshes) { [fewOfMany] count in
        try await fewOfMany.value.scanned.find(count)
      },
      Case(
        "\(refreshed) 20 among 1,000,000", .nanoseconds, against: mirrored, bar: .times(1.5)
      ) { [fewOfMany] in
        try await fewOfMany.value.scanned.refresh(Self.refreshes)
      },
      Case("\(mirrored), by an index", count: Self.few) { [fewOfMany] count in
        try await fewOfMany.value.indexed.find(count)
      },
      Case(
        "\(refreshed) 20 among 1,000,000, by an index", .nanoseconds,
        against: "\(mirrored), by an index", bar: .times(1.5)
      ) { [fewOfMany] in
        try await fewOfMany.value.indexed.refresh(Self.few)
      },
    ]
  }
}

/// Items of a service that changes some of them before each answer, stored in a local repository.
private final class RefreshedItems: Sendable {
  private let evocation = Evocation()
  private let criteria: Criteria
  private let count: Int
  private let scratch: Scratch?

  private init(
    _ items: [Item], _ criteria: Criteria, changing: Int, on local: some Repository<Item>,
    _ scratch: Scratch? = nil
  ) throws {
    self.criteria = criteria
    self.scratch = scratch
    count = items.count
    var rules = Dictionary(
      uniqueKeysWithValues: Strategy.Action.allCases.map { ($0, Strategy.Rule.remoteOnly) })
    rules[.find] = Strategy.Rule(target: .remote, synchronize: .mirror)
    evocation.register(for: Item.self)
      .repository(remote: RestlessItems(items, changing: changing))
      .repository(local: local).strategy(try Strategy(rules: rules))
  }

  /// Returns items in a table that has no other rows.
  static func inFile(_ count: Int) async throws -> RefreshedItems {
    let scratch = try Scratch()
    let local = try SQLiteRepository<Item>(SQLiteDatabase(path: scratch.path()), table: "item")
    return try RefreshedItems(Item.make(count), Criteria(), changing: 10, on: local, scratch)
  }

  /// Returns the same items in memory.
  static func inMemory(_ count: Int) async throws -> RefreshedItems {
    try RefreshedItems(Item.make(count), Criteria(), changing: 10, on: InMemoryRepository())
  }

  /// Returns items in a table of many groups of the same size, of which they are one.
  static func inFile(
    _ count: Int, of rows: Int
  ) async throws -> (scanned: RefreshedItems, indexed: RefreshedItems) {
    let scratch = try Scratch()
    let contender = try CContender(path: scratch.path())
    try contender.store(
      (0..<rows).map { number in
        var item = Item(number)
        item.name = "group \(number / count)"
        item.tags = item.name
        return item
      })
    let local = try SQLiteRepository<Item>(
      SQLiteDatabase(path: scratch.path()), table: "item", indexes: ["tags"])
    let items = try await local.find(["tags": "group 31415"]).value
    try expect(items.count == count)
    return (
      try RefreshedItems(items, ["name": "group 31415"], changing: 1, on: local, scratch),
      try RefreshedItems(items, ["tags": "group 31415"], changing: 1, on: local, scratch)
    )
  }

  /// Finds the items a number of times, and saves the service's answers.
  func find(_ times: Int) async throws {
    for _ in 0..<times {
      let found = await evocation.find(model: Item.self, criteria: criteria)
      try expect(found.data?.count == count && found.origin == .remote)
    }
  }

  /// Returns the time of one of a number of refreshes, each until a state shows its success.
  func refresh(_ times: Int) async throws -> Double {
    let cache = evocation.cache(Item.self, maxAge: .seconds(86_400))
    cache.requirements = criteria
    guard case .successful = try await cache.refreshIfNoCache() else { throw WrongAnswer() }
    var states = cache.observe().makeAsyncIterator()
    while await states.next()?.cache?.count != count {}
    // The first state appears while the observation still begins. The first refresh waits for that.
    try await refresh(cache, &states)
    let time = try await ContinuousClock().measure {
      for _ in 0..<times { try await refresh(cache, &states) }
    }
    return time / .nanoseconds(1) / Double(times)
  }

  private func refresh(
    _ cache: CacheRepository<ProxyCacheDataSource<Item>>,
    _ states: inout some AsyncIteratorProtocol<CacheState<[Item]>, Never>
  ) async throws {
    async let refresh = cache.refresh(force: true)
    var state = await states.next(isolation: nil)
    while state?.justFinishedSuccessfulRefresh == false {
      state = await states.next(isolation: nil)
    }
    try expect(state?.cache?.count == count)
    _ = try await refresh
  }
}

/// A service that changes the prices of some items before each answer, each time of other items.
private final class RestlessItems: Repository {
  private let held: Mutex<(items: [Item], last: Int)>
  private let changing: Int

  init(_ items: [Item], changing: Int) {
    held = Mutex((items, 0))
    self.changing = changing
  }

  func find(_ criteria: Criteria) async throws -> Response<[Item]> {
    Response(
      held.withLock { held in
        for _ in 0..<changing {
          // Far apart, so that they are in different pages.
          held.last = (held.last + 7_919) % held.items.count
          held.items[held.last].price += 1
        }
        return held.items
      })
  }

  func store(_ items: [Item]) async throws -> Response<[Item]> { Response(items) }
  func update(_ items: [Item]) async throws -> Response<[Item]> { Response(items) }
  func storeOrUpdate(_ items: [Item]) async throws -> Response<[Item]> { Response(items) }
  func remove(_ items: [Item]) async throws -> Response<[Item]> { Response(items) }
}
