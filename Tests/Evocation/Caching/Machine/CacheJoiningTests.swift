import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

/// How those who want a fetch share it.
@Suite(.patient) struct CachingJoiningTests {
  private let bench = CacheBench()
  private let first = ["no", "no/refreshing for the first time"]

  /// A source whose fetches wait at a gate from the given number on.
  private func source(
    _ gate: Gate, from number: Int = 1
  ) -> FakeSource {
    FakeSource { count in
      if count >= number { try await gate.pass() }
      return ["v\(count)"]
    }
  }

  @Test func `All repositories of a tag share a fetch and its answer, saved once`()
    async throws
  {
    let gate = Gate()
    let source = source(gate)
    let repositories = (0..<5).map { _ in bench.repository(source) }
    let results = await withTaskGroup(of: RefreshResult?.self) { group in
      for repository in repositories {
        group.addTask { try? await repository.refresh() }
      }
      await gate.arrivals(1)
      gate.open()
      return await group.reduce(into: []) { $0.append($1) }
    }
    // Who comes after the end finds it fresh.
    #expect(results.allSatisfy { $0 == .successful || $0 == .skipped(.cacheNotTooOld) })
    #expect(results.contains(.successful))
    #expect(source.fetches == 1)
    #expect(source.saves == [["v1"]])
  }

  @Test func `A cancelled caller is told so, and the fetch goes on for the others`()
    async throws
  {
    let gate = Gate()
    let source = source(gate)
    let repository = bench.repository(source)
    let staying = Task { try await repository.refresh(force: true) }
    await gate.arrivals(1)
    let leaving = Task { try await repository.refresh(force: true) }
    leaving.cancel()
    #expect(try await leaving.value == .skipped(.cancelled))
    gate.open()
    #expect(try await staying.value == .successful)
    #expect(source.fetches == 1)
  }

  @Test func `A fetch ends with the last who waits for it`() async throws {
    let (gate, ended) = (Gate(), Gate.Counter())
    let source = FakeSource(automaticallyRefresh: false) { count in
      guard count == 1 else { return ["v\(count)"] }
      do { try await gate.pass() } catch {
        ended.increase()
        throw error
      }
      return ["v1"]
    }
    let repository = bench.repository(source)
    var watch = Watch(repository.observe())
    #expect(await watch.next() == "no")
    let leaving = Task { try await repository.refresh() }
    await gate.arrivals(1)
    #expect(await watch.next() == "no/refreshing for the first time")
    leaving.cancel()
    #expect(try await leaving.value == .skipped(.cancelled))
    await ended.reach(1)
    #expect(await watch.next() == "no")
    #expect(try await repository.refresh() == .successful)
    #expect(source.saves == [["v2"]])
  }

  @Test func `Forcing a refresh by observing shows it to all, and joins one that runs`()
    async throws
  {
    let gate = Gate()
    let source = source(gate, from: 2)
    let (one, other) = (try await bench.fetched(source), bench.repository(source))
    var watch = Watch(one.observe())
    #expect(await watch.next() == "yes/v1")
    var forcing = Watch(other.observe(forceRefresh: true))
    #expect(await forcing.next(2) == ["yes/v1", "yes/v1/refreshing"])
    #expect(await watch.next() == "yes/v1/refreshing")
    var joining = Watch(one.observe(forceRefresh: true))
    #expect(await joining.next() == "yes/v1/refreshing")
    gate.open()
    #expect(await watch.next() == "yes/v2/just refreshed")
    #expect(await forcing.next() == "yes/v2/just refreshed")
    #expect(await joining.next() == "yes/v2/just refreshed")
    #expect(source.fetches == 2)
  }

  @Test func `A thousand callers at once make one fetch`() async throws {
    let gate = Gate()
    let source = source(gate)
    let repository = bench.repository(source)
    let results = await withTaskGroup(of: RefreshResult?.self) { group in
      for _ in 0..<1_000 { group.addTask { try? await repository.refresh() } }
      await gate.arrivals(1)
      gate.open()
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.count == 1_000)
    #expect(results.allSatisfy { $0 == .successful || $0 == .skipped(.cacheNotTooOld) })
    #expect(source.fetches == 1)
    #expect(source.saves.count == 1)
  }

  @Test func `Validating joins a fetch that runs`() async throws {
    let gate = Gate()
    let source = source(gate, from: 2)
    let repository = try await bench.fetched(source)
    let refreshing = Task { try await repository.refresh(force: true) }
    await gate.arrivals(1)
    let validated = Lock(false)
    let validating = Task {
      await repository.validate()
      validated.withLock { $0 = true }
      return source.saves
    }
    #expect(!validated.withLock { $0 })
    gate.open()
    #expect(await validating.value == [["v1"], ["v2"]])
    #expect(try await refreshing.value == .successful)
    #expect(source.fetches == 2)
  }

  @Test func `Cancelling one caller leaves the others' answers alone`() async throws {
    let gate = Gate()
    let source = source(gate)
    let (one, other) = (bench.repository(source), bench.repository(source))
    let leaving = Task { try await one.refresh(force: true) }
    await gate.arrivals(1)
    let staying = Task { try await other.refresh(force: true) }
    try await eventually("the other to join") { other.waiters == 2 }
    leaving.cancel()
    #expect(try await leaving.value == .skipped(.cancelled))
    gate.open()
    #expect(try await staying.value == .successful)
    #expect(source.fetches == 1)
  }

  @Test func `The fetch of the last repository ends with it, and the next begins anew`()
    async throws
  {
    let (gate, ended) = (Gate(), Gate.Counter())
    let source = FakeSource { count in
      guard count == 1 else { return ["v\(count)"] }
      do { try await gate.pass() } catch {
        ended.increase()
        throw error
      }
      return ["v1"]
    }
    var repository: CacheRepository<FakeSource>? = bench.repository(source)
    var watch = (repository?.observe()).map { Watch($0) }
    #expect(await watch?.next(2) == first)
    await gate.arrivals(1)
    // Who observes keeps it.
    repository = nil
    watch = nil
    await ended.reach(1)
    #expect(try await bench.repository(source).refresh() == .successful)
    #expect(source.saves == [["v2"]])
  }

  @Test func `A fetch that answers at once is answered like any other`() async throws {
    for _ in 0..<200 {
      let repository = CacheRepository(
        FakeSource(), ledger: InMemoryFetchLedger(), clock: bench.clock)
      repository.requirements = "words"
      #expect(try await repository.refresh() == .successful)
      #expect(try await repository.refresh(force: true) == .successful)
    }
  }
}
