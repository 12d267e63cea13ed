import Evocation
import EvocationTesting
import Foundation
import TestSupport
import Testing

@testable import CoreSupport

/// Brings lists of any length down to local.
@Suite struct PrefetchTests {
  /// A remote that gives its models in batches of at most three, and may fail after some.
  private final class BatchedRemote: ForwardingRepository, BatchingRepository {
    typealias Model = Car

    let base: InMemoryRepository<Car>
    private let failsAfter: Int
    private let between: @Sendable () async -> Void
    /// Whether the answers say how many there are.
    private let total: Int?

    init(
      _ count: Int, failsAfter: Int = .max, saysTotal: Bool = false,
      between: @escaping @Sendable () async -> Void = {}
    ) {
      base = InMemoryRepository((0..<count).map { Car(id: $0) })
      self.failsAfter = failsAfter
      total = saysTotal ? count : nil
      self.between = between
    }

    func find(
      _ criteria: Criteria, inBatchesOf size: Int,
      _ take: @escaping @Sendable (Response<[Car]>) async throws -> Void
    ) async throws -> Response<Int> {
      let all = try await base.find(criteria).value
      for (number, start) in stride(from: 0, to: all.count, by: 3).enumerated() {
        if number >= failsAfter { throw Outage(place: .remote) }
        let metadata = total.map { ["totalCount": $0 as any Sendable] } ?? [:]
        let batch = Array(all[start..<min(start + 3, all.count)])
        try await take(Response(batch, metadata: metadata))
        await between()
      }
      return Response(all.count)
    }
  }

  private let clock = ManualClock()

  private func evocation(
    _ remote: some Repository<Car>, _ local: some Repository<Car>
  ) -> Evocation {
    let evocation = Evocation(configuration: .init(clock: clock))
    evocation.register(for: Car.self)
      .repository(remote: remote)
      .repository(local: local)
      .strategy(.cacheFirst(maxAge: .seconds(60)))
    return evocation
  }

  @Test(arguments: [true, false])
  func `A progress counts what is saved, of a total that the remote says`(saysTotal: Bool) async {
    let (progress, seen) = (Progress(totalUnitCount: -1), Lock<[[Int64]]>([]))
    let remote = BatchedRemote(8, saysTotal: saysTotal) {
      seen.withLock { $0.append([progress.completedUnitCount, progress.totalUnitCount]) }
    }
    let evocation = evocation(remote, InMemoryRepository<Car>())
    #expect(await evocation.prefetch(Car.self, progress: progress).data == 8)
    let total: Int64 = saysTotal ? 8 : -1
    #expect(seen.withLock { $0 } == [[0, -1], [3, total], [6, total]])
    #expect(progress.isFinished)
  }

  @Test func `Canceling a progress ends the fetch, and what is saved stays`() async throws {
    let (progress, local) = (Progress(totalUnitCount: -1), InMemoryRepository<Car>())
    let batches = Lock(0)
    let remote = BatchedRemote(9) {
      let count = batches.withLock { batches in
        batches += 1
        return batches
      }
      if count == 2 { progress.cancel() }
    }
    let result = await evocation(remote, local).prefetch(Car.self, progress: progress)
    #expect(result.error is CancellationError)
    #expect(try #require(result.data) >= 3)
    #expect(try await local.find(Criteria()).value.count == result.data)
    #expect(progress.isCancelled && !progress.isFinished)
  }

  @Test(arguments: [0, 1, 3, 8])
  func `Local has what the remote has, in whatever batches it came`(count: Int) async throws {
    let local = InMemoryRepository([Car(id: 100)])
    let remote = BatchedRemote(count)
    let evocation = evocation(remote, local)
    let result = await evocation.prefetch(Car.self)
    #expect(result.error == nil && result.data == count && result.origin == .remote)
    #expect(result.metadata[.remote]?.count == count)
    #expect(try await local.find(Criteria()).value.map(\.id) == Array(0..<count) + [100])
    // The criteria count as fetched, so that a rule with an age does not ask again, unless it mirrors:
    // the prefetch has removed nothing.
    let (rule, mirroring) = (
      Strategy.Rule(maxAge: .hours(1)), Strategy.Rule.cacheFirst(maxAge: .hours(1))
    )
    #expect(await evocation.find(model: Car.self, rule: rule).origin == .local)
    #expect(await evocation.find(model: Car.self, rule: mirroring).origin == .remote)
  }

  @Test func `A remote that knows no batches is asked for all at once`() async throws {
    let local = InMemoryRepository<Car>()
    let evocation = evocation(InMemoryRepository([Car(id: 1), Car(id: 2)]), local)
    let result = await evocation.prefetch(Car.self, criteria: ["id": 2])
    #expect(result.error == nil && result.data == 1)
    #expect(try await local.find(Criteria()).value.map(\.id) == [2])
  }

  @Test func `What was fetched within the age is not fetched again, and later it is`() async throws
  {
    let remote = BatchedRemote(4)
    let evocation = evocation(remote, InMemoryRepository<Car>())
    await evocation.prefetch(Car.self)
    clock.advance(by: .seconds(30))
    let second = await evocation.prefetch(Car.self, maxAge: .seconds(60))
    #expect(second.data == 0 && second.origin == .local && second.error == nil)
    #expect("\(second.trace)".contains("remote was skipped: local has them from a recent fetch."))
    clock.advance(by: .seconds(31))
    #expect(await evocation.prefetch(Car.self, maxAge: .seconds(60)).data == 4)
    #expect(await evocation.prefetch(Car.self).data == 4)
  }

  @Test func `What came before a failure stays, and the criteria do not count as fetched`()
    async throws
  {
    let local = InMemoryRepository<Car>()
    let evocation = evocation(BatchedRemote(9, failsAfter: 2), local)
    let result = await evocation.prefetch(Car.self)
    #expect(result.error as? Outage == Outage(place: .remote))
    #expect(result.data == 3 && result.metadata[.remote]?.error is Outage)
    #expect(try await local.find(Criteria()).value.map(\.id) == [0, 1, 2])
    #expect(await evocation.find(model: Car.self).origin == .remote)
  }

  @Test func `Where local cannot store, the call says that it was local`() async throws {
    let local = FaultyRepository(
      InMemoryRepository<Car>(), FaultSchedule(.fails(), on: .each(.write)))
    let result = await evocation(BatchedRemote(9), local).prefetch(Car.self)
    #expect(result.error != nil && result.data == nil)
    #expect(result.metadata[.local]?.error != nil && result.metadata[.remote]?.error == nil)
  }

  @Test func `Without a remote or a local there is nothing to bring, or nowhere to bring it`() async
  {
    let evocation = Evocation()
    #expect(await evocation.prefetch(Car.self).error is EvocationError)
    evocation.register(for: Car.self).repository(local: InMemoryRepository<Car>())
    #expect(
      await evocation.prefetch(Car.self).error as? EvocationError
        == .missingRepository(.remote, model: "Car"))
    evocation.register(for: Car.self).repository(remote: BatchedRemote(1))
    #expect(
      await evocation.prefetch(Car.self).error as? EvocationError
        == .missingRepository(.local, model: "Car"))
  }

  @Test func `What the app writes meanwhile is not overwritten by what was on its way`()
    async throws
  {
    let local = InMemoryRepository<Car>()
    let written = Signal()
    let batchStarted = Signal()
    let remote = BatchedRemote(6) {
      batchStarted.give()
      _ = await written.comes()
    }
    let evocation = evocation(remote, local)
    let prefetch = Task { await evocation.prefetch(Car.self) }
    #expect(await batchStarted.comes())
    _ = await evocation.updateOne(Car(id: 1, model: "mine"))
    for _ in 1...2 { written.give() }
    #expect(await prefetch.value.error == nil)
    #expect(try await local.findOne(["id": 1]).value?.model ?? "mine" == "mine")
  }

  @Test func `Where there is no connection, the remote is not asked, and it is said at once`()
    async throws
  {
    let connectivity = ManualConnectivity(isOnline: false)
    let remote = RepositoryMock<Car> { _ in [Car(id: 1)] }
    let evocation = Evocation(
      configuration: .init(clock: clock, outbox: .init(connectivity: connectivity)))
    evocation.register(for: Car.self).repository(remote: remote)
      .repository(local: InMemoryRepository<Car>())
    let offline = await evocation.prefetch(Car.self)
    #expect(offline.error as? EvocationError == .offline(model: "Car"))
    #expect(offline.error.map { FailureKind($0) } == .transient)
    #expect(
      offline.error.map { "\($0)" }
        == "Evocation did not fetch Car, because the device has no connection; try again when the "
        + "connection returns.")
    #expect(remote.calls.isEmpty)
    connectivity.goOnline()
    #expect(await evocation.prefetch(Car.self).data == 1)
    // What local has young enough is there without a connection too.
    connectivity.goOffline()
    let known = await evocation.prefetch(Car.self, maxAge: .seconds(60))
    #expect(known.error == nil && known.origin == .local)
    #expect(remote.calls.count == 1)
  }
}
