import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

/// Content that was saved, and cannot be read.
@Suite(.patient) struct UnreadableContentTests {
  private let clock = ManualClock()
  private let local = FailingLocal(base: InMemoryRepository<Car>())

  private func evocation() -> Evocation {
    let evocation = Evocation(configuration: .init(clock: clock))
    evocation.register(for: Car.self).repository(remote: InMemoryRepository([Car(id: 1)]))
      .repository(local: local).strategy(.remoteFirst)
    return evocation
  }

  @Test func `it is not shown as empty, and the error is`() async throws {
    let evocation = evocation()
    let cache = evocation.cache(Car.self)
    #expect(try await cache.refresh() == .successful)
    local.fails.withLock { $0 = true }
    var states = cache.observe().makeAsyncIterator()
    var state = await states.next()
    while state?.refreshError == nil { state = await states.next() }
    #expect(state?.refreshError as? Outage == Outage(place: .local))
    #expect(state?.phase == .never)
    #expect(state?.isReading == true && state?.fetchedAt == nil)
    guard case .noCache = state?.state else {
      Issue.record("a cache without its content: \(String(describing: state))")
      return
    }
  }

  @Test func `the next commit is read at once, without a pause`() async throws {
    let evocation = evocation()
    let cache = evocation.cache(Car.self)
    #expect(try await cache.refresh() == .successful)
    local.fails.withLock { $0 = true }
    var states = cache.observe().makeAsyncIterator()
    while let state = await states.next(), state.refreshError == nil {}
    local.fails.withLock { $0 = false }
    // The clock stands still, so that no pause can end.
    _ = try await local.store([Car(id: 2)])
    let state = await states.next()
    #expect(state?.cache == [Car(id: 1), Car(id: 2)] && state?.refreshError == nil)
    #expect(state?.isReading == false)
  }

  @Test func `without a commit it is read again after a pause`() async throws {
    let evocation = evocation()
    let cache = evocation.cache(Car.self)
    #expect(try await cache.refresh() == .successful)
    local.fails.withLock { $0 = true }
    var states = cache.observe().makeAsyncIterator()
    while let state = await states.next(), state.refreshError == nil {}
    local.fails.withLock { $0 = false }
    await clock.sleeps(1)
    clock.advance(by: .seconds(1))
    #expect(await states.next()?.cache == [Car(id: 1)])
  }

  @Test func `content that was shown stays, with the error, until the next commit`() async throws {
    let evocation = evocation()
    let cache = evocation.cache(Car.self)
    #expect(try await cache.refresh() == .successful)
    var states = cache.observe().makeAsyncIterator()
    while let state = await states.next(), state.cache == nil {}
    local.fails.withLock { $0 = true }
    _ = try await local.store([Car(id: 2)])
    let failed = await states.next()
    #expect(failed?.cache == [Car(id: 1)] && failed?.refreshError as? Outage != nil)
    local.fails.withLock { $0 = false }
    _ = try await local.store([Car(id: 3)])
    let state = await states.next()
    #expect(state?.cache == [1, 2, 3].map { Car(id: $0) } && state?.refreshError == nil)
  }
}

/// A local repository that reports its commits, and whose reads fail when a test says so.
private struct FailingLocal: ForwardingRepository, ObservableRepository {
  let base: InMemoryRepository<Car>
  let fails = Lock(false)

  func find(_ criteria: Criteria) async throws -> Response<[Car]> {
    if fails.withLock({ $0 }) { throw Outage(place: .local) }
    return try await base.find(criteria)
  }

  func observeChanges(
    _ handler: @escaping @Sendable (RepositoryChange<Car>) -> Void
  ) -> Evocation.Observation {
    base.observeChanges(handler)
  }
}
