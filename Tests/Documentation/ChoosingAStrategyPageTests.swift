import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

/// The samples of the page on choosing a strategy, and its table against what strategies do.
@Suite(.patient) struct ChoosingAStrategyPageTests {
  private struct Unreachable: ClassifiedError {
    var failureKind: FailureKind { .transient }
  }

  /// What shows a number, on any thread.
  private final class Badge: Sendable {
    private let shown = Lock<Int?>(nil)
    var count: Int? { shown.withLock { $0 } }

    func show(_ count: Int) { shown.withLock { $0 = count } }
  }

  private static let strategies: [(name: String, strategy: Strategy)] = [
    (".remoteFirst", .remoteFirst),
    (".cacheFirst(maxAge:)", .cacheFirst(maxAge: .zero)),
    (".staleWhileRevalidate(maxAge:)", .staleWhileRevalidate(maxAge: .zero)),
    (".offlineFirst", .offlineFirst),
    (".remoteOnly", .remoteOnly),
    (".localOnly", .localOnly),
    (".localFirst", .localFirst),
    (".default()", .default()),
  ]

  private let car = Car(id: 1, name: "datsun 210", origin: "Japan", year: 1980)

  /// The rows of the page's first table, without their first cell.
  private func rows() throws -> [[String]] {
    let page = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(path: "Sources/Evocation/Evocation.docc/ChoosingAStrategy.md"), encoding: .utf8)
    let lines = page.split(separator: "\n").drop { !$0.hasPrefix("| you need | strategy") }
    return lines.dropFirst(2).prefix { $0.hasPrefix("|") }.map { line in
      line.split(separator: "|").dropFirst().map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  private func app(
    _ strategy: Strategy, local: InMemoryRepository<Car>, clock: ManualClock = ManualClock(),
    remote: @escaping @Sendable () throws -> [Car]
  ) -> Evocation {
    let evocation = Evocation(
      configuration: .init(
        clock: clock, outbox: .init(sendsAutomatically: false, connectivity: nil)))
    evocation.register(for: Car.self)
      .repository(remote: RepositoryMock<Car> { _ in try remote() })
      .repository(local: local).strategy(strategy)
    return evocation
  }

  /// What a read returns while the server is away.
  private func readsOffline(_ strategy: Strategy) async -> String {
    let evocation = app(strategy, local: InMemoryRepository([car])) { throw Unreachable() }
    return (try? await evocation.find(Car.self)) == [car] ? "yes" : "no"
  }

  /// What becomes of a write while the server is away.
  private func writesOffline(_ strategy: Strategy) async throws -> String {
    let local = InMemoryRepository<Car>()
    let evocation = app(strategy, local: local) { throw Unreachable() }
    let result = await evocation.storeOne(car)
    if result.isPending { return "sent later" }
    if result.error != nil {
      #expect(try await local.find(Criteria()).value.isEmpty)
      return "an error"
    }
    return try await local.find(Criteria()).value == [car] ? "on this device only" : "lost"
  }

  /// What becomes of a model that the server does not have any more.
  private func deleted(_ strategy: Strategy) async throws -> String {
    let local = InMemoryRepository<Car>()
    let gone = Lock(false)
    let car = car
    let clock = ManualClock()
    let evocation = app(strategy, local: local, clock: clock) { gone.withLock { $0 } ? [] : [car] }
    _ = await evocation.find(model: Car.self)
    if strategy[.find].target == .local { _ = try await local.store([car]) }
    guard try await !local.find(Criteria()).value.isEmpty else { return "never saved here" }
    gone.withLock { $0 = true }
    clock.advance(by: .seconds(1))
    _ = await evocation.find(model: Car.self)
    guard strategy[.find].synchronize == .mirror else {
      return try await local.find(Criteria()).value == [car] ? "stays here" : "removed here"
    }
    try await eventually("the removal") { try await local.find(Criteria()).value.isEmpty }
    return "removed here"
  }

  /// Whether the strategy says of itself that a write may stay in one repository.
  private func loses(_ strategy: Strategy) -> String {
    let isLost = strategy.explain().warnings.contains {
      $0.contains("never sends it later") || $0.contains("never repeats it")
    }
    return isLost ? "yes" : "no"
  }

  @Test func `the table says what the strategies do`() async throws {
    let rows = try rows()
    #expect(rows.map(\.first) == Self.strategies.map { "`\($0.name)`" })
    for (row, (name, strategy)) in zip(rows, Self.strategies) {
      try #require(row.count == 6, "\(name)")
      let (reads, writes) = (await readsOffline(strategy), try await writesOffline(strategy))
      let deleted = try await deleted(strategy)
      #expect(row[1] == reads, "\(name): reads offline")
      #expect(row[2] == writes, "\(name): writes offline")
      #expect(row[4] == deleted, "\(name): deleted on the server")
      #expect(row[5] == loses(strategy), "\(name): can a write be lost?")
      let isServers = deleted == "removed here" || deleted == "never saved here"
      #expect((row[3] == "server") == isServers, "\(name): truth")
    }
  }

  @Test func `a strategy of your own explains itself`() throws {
    let strategy = try Strategy(
      reads: .init(target: .remote, fallback: .local, synchronize: .mirror, timeout: .seconds(3)),
      writes: .init(target: .local, synchronize: .outbox))
    for warning in strategy.explain().warnings { print(warning) }
    #expect(strategy.explain().warnings.isEmpty)
  }

  @Test func `one answer is found, and later ones are observed`() async throws {
    let evocation = Evocation()
    try evocation.register(Car.self, local: InMemoryRepository([car]))
    let cars = try await evocation.find(Car.self, where: \.origin == "Japan", sortedBy: \.year)
    #expect(cars == [car])
    let badge = Badge()
    let following = Task {
      for await result in evocation.observe(Car.self, where: \.origin == "Japan") {
        badge.show(result.data?.count ?? 0)
      }
    }
    try await eventually("the first answer") { badge.count == 1 }
    _ = await evocation.storeOne(Car(id: 2, name: "honda civic", origin: "Japan", year: 1976))
    try await eventually("the second answer") { badge.count == 2 }
    following.cancel()
    await following.value
  }

  @Test @MainActor func `views show models, a cache and a list`() async throws {
    let evocation = Evocation()
    try evocation.register(
      Car.self, remote: InMemoryRepository([car]), local: InMemoryRepository(),
      strategy: .remoteFirst)
    let shown = ObservedModels(Car.self, where: \.origin == "Japan", in: evocation)
    let recent = evocation.cache(Car.self, where: \.origin == "Japan", maxAge: .minutes(5))
    let screen = ObservedCache(recent)
    let list = ObservedList(
      evocation.pagingCache(Car.self, where: Criteria().sorted(by: "year"), pageSize: 50))
    try await eventually("the models") { shown.models == [car] }
    try await eventually("the cache") { screen.cache == [car] }
    try await eventually("the list") { list.models == [car] }
  }
}
