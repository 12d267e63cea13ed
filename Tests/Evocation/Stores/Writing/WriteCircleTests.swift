import Evocation
import EvocationTesting
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCalls
@testable import EvocationValues

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

  @Test func `A model that is written inside a write that its own write made names both`()
    async throws
  {
    let gate = Gate()
    gate.open()
    register(Car(id: 1), writing: Owner(), gate)
    register(Owner(), writing: Car(id: 1), gate)
    #expect(await evocation.updateOne(Car(id: 1)).error == nil)
    #expect(
      errors.withLock { $0.map { "\($0)" } } == [
        "The writes of Car and Owner would wait for each other forever, because each was made "
          + "through Evocation inside a write of another; call the inner repository directly, or "
          + "write after the outer write has ended."
      ])
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
}
