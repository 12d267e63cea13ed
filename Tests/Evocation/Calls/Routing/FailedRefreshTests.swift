import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCalls
@testable import EvocationStores
@testable import EvocationValues

/// Refreshes behind answers of the local store that fail.
@Suite(.patient) struct FailedRefreshTests {
  private let clock = ManualClock()
  private let outage = Lock<Outage?>(nil)
  private let refreshes = Gate.Counter()
  private let lines = Lock<[String]>([])
  private let evocation: Evocation
  private let log: Evocation.Log

  init() {
    log = Evocation.Log { [lines] entry in lines.withLock { $0.append("\(entry)") } }
    evocation = Evocation(
      configuration: .init(
        clock: clock,
        onTrace: { [refreshes] trace in
          if trace.steps.first?.repository == .remote { refreshes.increase() }
        }, log: log, outbox: .init(sendsAutomatically: false)))
    evocation.register(for: Car.self)
      .repository(
        remote: RepositoryMock<Car> { [outage] _ in
          if let outage = outage.withLock({ $0 }) { throw outage }
          return [Car(id: 1)]
        }
      )
      .repository(local: InMemoryRepository<Car>())
  }

  private static let strategies: [Strategy] = [
    .offlineFirst, .staleWhileRevalidate(maxAge: .seconds(60)),
  ]

  /// Finds once the present answer of local is old, and waits until the refresh behind it has ended.
  private func find(
    _ criteria: Criteria? = nil, refresh number: Int
  ) async -> Evocation.Result<[Car]> {
    clock.advance(by: .seconds(120))
    let result = await evocation.find(model: Car.self, criteria: criteria)
    await refreshes.reach(number)
    return result
  }

  @Test(arguments: strategies)
  func `the next results of the query say that the refresh failed, until one succeeds`(
    _ strategy: Strategy
  ) async throws {
    try evocation.proxy(for: Car.self).strategy(strategy)
    _ = await evocation.find(model: Car.self)
    outage.withLock { $0 = Outage(place: .remote) }
    let first = await find(refresh: 1)
    #expect(first.data == [Car(id: 1)] && first.metadata[.remote] == nil)
    for number in 2...3 {
      let told = await find(refresh: number)
      #expect(told.data == [Car(id: 1)] && told.origin == .local && told.error == nil)
      #expect(!told.didFallBack)
      #expect(told.metadata[.remote]?.error as? Outage == Outage(place: .remote))
      let reason = "Outage(place: Evocation.Evocation.RepositoryType.remote)"
      let said = "remote failed: \(reason). This was the last refresh; another one has begun."
      #expect(told.trace.description.hasSuffix(said))
    }
    // A refresh of another query says nothing of this one.
    #expect(await find(ids(2), refresh: 4).metadata[.remote]?.error == nil)
    outage.withLock { $0 = nil }
    #expect(await find(refresh: 5).metadata[.remote]?.error != nil)
    #expect(await find(refresh: 6).metadata[.remote] == nil)
  }

  @Test(arguments: strategies)
  func `a refresh that failed is one line of the log`(_ strategy: Strategy) async throws {
    try evocation.proxy(for: Car.self).strategy(strategy)
    _ = await evocation.find(model: Car.self)
    outage.withLock { $0 = Outage(place: .remote) }
    _ = await find(refresh: 1)
    _ = await find(refresh: 2)
    log.flush()
    let written = lines.withLock { $0 }
    #expect(
      written.filter { $0.hasPrefix("evocation: find Car remote ✗ failed") }.count == 2)
    let told = "remote ✗ Outage (transient). This was the last refresh; another one has begun."
    #expect(written.filter { $0.hasSuffix(told) }.count == 1)
  }

  @Test func `a fetch that was made since ends what the results say`() async throws {
    try evocation.proxy(for: Car.self).strategy(.offlineFirst)
    _ = await evocation.find(model: Car.self)
    outage.withLock { $0 = Outage(place: .remote) }
    _ = await find(refresh: 1)
    outage.withLock { $0 = nil }
    clock.advance(by: .seconds(1))
    _ = await evocation.find(model: Car.self, rule: .remoteFirst)
    #expect(await find(refresh: 3).metadata[.remote] == nil)
  }

  @Test func `the failures of the last queries are kept, and no more`() async throws {
    let proxy = try evocation.proxy(for: Car.self).strategy(.offlineFirst)
    _ = await evocation.find(model: Car.self)
    outage.withLock { $0 = Outage(place: .remote) }
    for number in 1...40 { _ = await find(ids(number), refresh: number) }
    #expect(proxy.wiring.failedRefreshes.count == FailedRefreshes.most)
  }

  /// Another query for each number, which matches the car of the server and no other.
  private func ids(_ number: Int) -> Criteria {
    Criteria(.isIn("id", [.integer(1), .integer(Int64(number + 1))]))
  }
}
