import Evocation
import EvocationInspection
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

/// No value of a model is in an inspection that hides values, wherever it was put.
@Suite(.patient) struct InspectionSecrecyTests {
  private struct Gossip: ClassifiedError, CustomStringConvertible {
    let failureKind = FailureKind.permanent
    var description: String { "Hildegard is not allowed." }
    var serviceWords: ServiceWords? {
      ServiceWords(status: 422, message: "No Hildegard.", fields: ["model": ["Not Hildegard."]])
    }
  }

  private let evocation = Evocation.flushedByHand()

  /// An app with a secret in a model, in criteria, in an entry, in a cache and in errors.
  private func gossip() async throws {
    let remote = RepositoryMock<Car> { _ in throw Gossip() }
    evocation.register(for: Car.self).repository(remote: remote)
      .repository(local: InMemoryRepository<Car>()).strategy(.offlineFirst)
    _ = await evocation.inspection()
    _ = await evocation.storeOne(Car(id: 1, model: "Hildegard"))
    _ = await evocation.find(model: Car.self, criteria: ["model": "Hildegard"])
    _ = await evocation.find(model: Car.self, rule: .remoteOnly)
    await evocation.outbox.flush()
  }

  private func json(revealing: Bool) async throws -> String {
    let inspection = await evocation.inspection(revealing: revealing)
    return String(decoding: try JSONEncoder().encode(inspection), as: UTF8.self)
  }

  @Test func `Values are in no part of it until they are asked for`() async throws {
    try await gossip()
    let cache = evocation.cache(Car.self, where: \.model == "Hildegard")
    var states = cache.observe().makeAsyncIterator()
    while let state = await states.next(), state.refreshError == nil {}
    #expect(!(try await json(revealing: false)).contains("Hildegard"))
    let revealed = try await json(revealing: true)
    // In the model, the entry's value and reason, the call's criteria and error, and the cache.
    #expect(revealed.components(separatedBy: "Hildegard").count > 6)
  }

  @Test
  func `The status of a refused write is in it, and the service's words if they are asked for`()
    async throws
  {
    try await gossip()
    let hidden = try #require(await evocation.inspection().outbox.entries.first)
    #expect(hidden.status == 422 && hidden.failure == .permanent)
    #expect(hidden.message == nil && hidden.fields == nil)
    let shown = try #require(await evocation.inspection(revealing: true).outbox.entries.first)
    #expect(shown.message == "No Hildegard." && shown.fields == ["model": ["Not Hildegard."]])
  }

  @Test func `Its JSON is read back as the same value`() async throws {
    try await gossip()
    let inspection = await evocation.inspection(revealing: true)
    let data = try JSONEncoder().encode(inspection)
    #expect(try JSONDecoder().decode(Inspection.self, from: data) == inspection)
  }
}
