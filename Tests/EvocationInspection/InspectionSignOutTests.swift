import Evocation
import EvocationInspection
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

/// What an inspection says of work that began before somebody signed out, and ended after it.
@Suite(.patient) struct InspectionSignOutTests {
  private let clock = ManualClock()
  private let gate = Gate()
  private let traced = Lock(0)
  private let evocation: Evocation

  init() {
    let (gate, traced) = (gate, traced)
    let remote = RepositoryMock<Car> { _ in
      // It does not heed cancellation.
      await Task { try? await gate.pass() }.value
      return [Car(id: 1)]
    }
    evocation = Evocation(
      configuration: .init(clock: clock, onTrace: { _ in traced.withLock { $0 += 1 } }))
    evocation.register(for: Car.self).repository(remote: remote)
      .repository(local: InMemoryRepository<Car>())
      .strategy(.staleWhileRevalidate(maxAge: .seconds(60)))
  }

  /// Signs out while the remote holds a request, and lets the request go on.
  private func signOut(asking count: Int) async throws {
    await gate.arrivals(count)
    try await evocation.signOut(.discard)
    gate.open()
  }

  private var calls: [String]? {
    get async {
      await evocation.inspection(revealing: true).models.first?.calls.map(\.trace.call)
    }
  }

  @Test func `A read is not among the next user's calls`() async throws {
    _ = await evocation.inspection()
    let read = Task { [evocation] in
      await evocation.find(model: Car.self, criteria: ["model": "Hildegard"], rule: .remoteOnly)
    }
    try await signOut(asking: 1)
    _ = await read.value
    #expect(await calls == [])
    _ = await evocation.find(model: Car.self, rule: .remoteOnly)
    #expect(await calls == ["find"])
  }

  @Test func `Nor is a prefetch`() async throws {
    _ = await evocation.inspection()
    let prefetch = Task { [evocation] in await evocation.prefetch(Car.self) }
    try await signOut(asking: 1)
    _ = await prefetch.value
    #expect(await calls == [])
    await evocation.prefetch(Car.self)
    #expect(await calls == ["find"])
  }

  @Test func `Nor is a fetch behind an answer`() async throws {
    gate.letOneThrough()
    _ = await evocation.find(model: Car.self)
    clock.advance(by: .seconds(61))
    _ = await evocation.inspection()
    _ = await evocation.find(model: Car.self)
    try await signOut(asking: 2)
    try await eventually("the end of the fetch") { traced.withLock { $0 } == 3 }
    #expect(await calls == [])
  }
}
