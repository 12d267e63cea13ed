import EvocationTesting
import TestTraits
import Testing

@testable import CoreSupport
@testable import Evocation

/// Repositories that write each other's models inside their own writes.
@Suite(.patient) struct WriteCircleTests {
  private struct Owner: Identifiable, Codable { var id = 1 }
  private struct Street: Identifiable, Codable { var id = 1 }

  private let evocation = Evocation()
  private let errors = Lock<[any Error]>([])

  /// Registers a model whose remote writes another inside its own write, when the gate lets it.
  private func register<Model: Sendable & Identifiable, Other: Sendable>(
    _ model: Model, writing other: Other, _ gate: Gate
  ) {
    evocation.register(for: Model.self).strategy(.remoteOnly).repository(
      remote: RepositoryMock<Model> { [evocation, errors] _ in
        try await gate.pass()
        if let error = await evocation.updateOne(other).error {
          errors.withLock { $0.append(error) }
        }
        return [model]
      })
  }

  @Test func `Of two models that write each other at once, one is refused, naming both`()
    async throws
  {
    let standstill = Standstill()
    defer { standstill.isOver() }
    for _ in 0..<50 {
      errors.withLock { $0 = [] }
      let gate = Gate()
      register(Car(id: 1), writing: Owner(), gate)
      register(Owner(), writing: Car(id: 1), gate)
      async let car = evocation.updateOne(Car(id: 1))
      async let owner = evocation.updateOne(Owner())
      await gate.arrivals(2)
      gate.open()
      #expect(await car.error == nil)
      #expect(await owner.error == nil)
      // The one that got through is inside the other's write, so its own inner write is nested.
      let told = errors.withLock { $0 }
      #expect(told.allSatisfy { $0 as? EvocationError == .nestedWrite })
      let text = "\(try #require(told.first))"
      let end =
        " would wait for each other forever, because each was made through Evocation inside a "
        + "write of another; call the inner repository directly, or write after the outer write "
        + "has ended."
      #expect(
        ["The writes of Car and Owner" + end, "The writes of Owner and Car" + end].contains(text))
    }
  }

  @Test func `A longer circle is known too, and names all who are in it`() async throws {
    let standstill = Standstill()
    defer { standstill.isOver() }
    let gate = Gate()
    register(Car(id: 1), writing: Owner(), gate)
    register(Owner(), writing: Street(), gate)
    register(Street(), writing: Car(id: 1), gate)
    async let car = evocation.updateOne(Car(id: 1))
    async let owner = evocation.updateOne(Owner())
    async let street = evocation.updateOne(Street())
    await gate.arrivals(3)
    gate.open()
    _ = await (car, owner, street)
    let text = "\(try #require(errors.withLock { $0.first }))"
    for name in ["Car", "Owner", "Street"] { #expect(text.contains(name), "\(text)") }
    #expect(await evocation.updateOne(Street()).error == nil)
  }

  @Test func `Writes that only wait for the same model are never refused`() async throws {
    let standstill = Standstill()
    defer { standstill.isOver() }
    let gate = Gate()
    gate.open()
    register(Car(id: 1), writing: Street(), gate)
    register(Owner(), writing: Street(), gate)
    evocation.register(for: Street.self).strategy(.remoteOnly)
      .repository(remote: RepositoryMock<Street> { _ in [Street()] })
    let failures = await withTaskGroup(of: (any Error)?.self) { group in
      for number in 0..<300 {
        group.addTask {
          switch number % 3 {
          case 0: await evocation.updateOne(Car(id: 1)).error
          case 1: await evocation.updateOne(Owner()).error
          default: await evocation.updateOne(Street()).error
          }
        }
      }
      return await group.reduce(into: 0) { $0 += $1 == nil ? 0 : 1 }
    }
    #expect(failures == 0)
    #expect(errors.withLock { $0.isEmpty })
  }

  @Test func `A cache's save and a model's write that wait for each other are a circle`()
    async throws
  {
    let standstill = Standstill()
    defer { standstill.isOver() }
    let (source, gate) = (FakeSource(), Gate())
    let words = CacheRepository(source, ledger: InMemoryFetchLedger())
    words.requirements = "words"
    evocation.register(for: Car.self).strategy(.remoteOnly).repository(
      remote: RepositoryMock<Car> { [errors] _ in
        try await gate.pass()
        do { try await words.update(["inner"]) } catch { errors.withLock { $0.append(error) } }
        return []
      })
    source.onSave { [evocation, errors] saved in
      guard saved == ["outer"] else { return }
      try await gate.pass()
      if let error = await evocation.updateOne(Car(id: 1)).error {
        errors.withLock { $0.append(error) }
      }
    }
    async let car = evocation.updateOne(Car(id: 1))
    async let cache: Void = words.update(["outer"])
    await gate.arrivals(2)
    gate.open()
    _ = try await (car, cache)
    let told = errors.withLock { $0 }
    let text = "\(try #require(told.first))"
    #expect(text.contains("Car") && text.contains("the cache of Array<String>"), "\(text)")
    try await words.update(["end"])
    #expect(try await words.value() == ["end"])
  }

  @Test func `Waiting for a place leaves nothing behind when it is cancelled`() async throws {
    let (outer, inner) = (WriteSerializer("outer"), WriteSerializer("inner"))
    let ticket = inner.enter()
    let waiting = Task {
      try await WriteScope.$current.withValue(WriteScope(outer)) {
        let ticket = inner.enter()
        defer { inner.leave(ticket) }
        try await inner.turn(ticket)
      }
    }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    // Nobody inside `outer` waits for `inner` any more.
    let scope = WriteScope(inner)
    WriteScope.$current.withValue(scope) { #expect(!WaitGraph.isInCircle(with: outer)) }
    inner.leave(ticket)
  }
}
