import Evocation
import EvocationTesting
import TestTraits
import Testing

@testable import CoreSupport

/// What a state and a result say of the fetch that made them.
@Suite(.patient) struct CacheTraceTests {
  private let bench = CacheBench()

  /// The repositories and outcomes of a trace.
  private func told(_ trace: Evocation.Trace?) -> [String] {
    (trace?.steps ?? []).map { "\($0.repository.rawValue) \($0.role.rawValue): \($0.outcome)" }
  }

  @Test func `A state and a result have what the fetch and its save tried`() async throws {
    let repository = bench.repository(FakeSource { _ in ["one", "two"] })
    #expect(repository.state?.trace == nil)
    let result = try await repository.refresh()
    #expect(
      told(result.trace) == [
        "remote target: answered(count: 2)", "local synchronization: answered(count: 2)",
      ])
    #expect(repository.state?.trace == result.trace)
    #expect(result.trace?.call == "refresh")
    #expect(result == .successful)
    #expect("\(result)" == "successful")
    // Nothing was fetched for a caller who needs nothing.
    #expect(try await repository.refreshIfNoCache().trace == nil)
    #expect(repository.state?.trace == result.trace)
  }

  @Test func `A state has what a fetch that failed tried, until the next fetch`() async throws {
    let source = FakeSource { count in
      if count == 1 { throw Trouble.fetching }
      return ["words"]
    }
    let repository = bench.repository(source)
    #expect(try await repository.refresh() == .failed(Trouble.fetching))
    let failed = told(repository.state?.trace)
    #expect(failed.count == 1 && failed[0].hasPrefix("remote target: failed("))
    #expect(try await repository.refresh() == .successful)
    #expect(told(repository.state?.trace).first == "remote target: answered(count: 1)")
  }

  @Test func `A save that failed is told beside the fetch that came before it`() async throws {
    let source = FakeSource { _ in ["words"] }
    source.onSave { _ in throw Trouble.saving }
    let repository = bench.repository(source)
    #expect(try await repository.refresh() == .failed(Trouble.saving))
    let told = told(repository.state?.trace)
    #expect(told.first == "remote target: answered(count: 1)")
    #expect(told.last?.hasPrefix("local synchronization: failed(") == true)
  }

  @Test func `What the app wrote has no trace`() async throws {
    let repository = try await bench.fetched(FakeSource { _ in ["words"] })
    try await repository.update(["mine"])
    #expect(repository.state?.trace == nil)
    try await repository.refresh(force: true)
    #expect(repository.state?.trace != nil)
    try await repository.clear()
    #expect(repository.state?.trace == nil)
  }

  @Test func `The attempts of a rule's retries are counted`() async throws {
    let evocation = Evocation(configuration: .init(clock: bench.clock, chance: { 0 }))
    let asked = Lock(0)
    let remote = RepositoryMock<Car> { _ in
      let count = asked.withLock { asked in
        asked += 1
        return asked
      }
      if count < 3 { throw Outage(place: .remote) }
      return [Car(id: 1, model: "Beetle", year: 1970)]
    }
    var rule = Strategy.Rule(target: .remote, fallback: .local)
    rule.retry = .init(attempts: 3, delay: .zero)
    evocation.register(for: Car.self).repository(local: InMemoryRepository<Car>())
      .repository(remote: remote).strategy(Strategy(rule))
    let cars = evocation.cache(Car.self)
    let result = try await cars.refresh()
    #expect(result.trace?.steps.first?.attempts == 3)
    #expect(cars.state?.trace?.steps.first?.attempts == 3)
  }
}
