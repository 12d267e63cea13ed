package import Evocation
import EvocationTesting

/// A model whose ids are texts, of which two may look alike and differ in bytes.
package struct LikeNamed: Codable, Identifiable, Sendable, CustomStringConvertible {
  package var id: String
  package var year: Int

  package init(id: String, year: Int) {
    self.id = id
    self.year = year
  }

  /// "café" in five bytes.
  package static let composed = LikeNamed(id: "caf\u{E9}", year: 1)
  /// "café" in six bytes.
  package static let decomposed = LikeNamed(id: "cafe\u{301}", year: 2)

  /// The number of the id's bytes, which tells the two apart, and the year.
  package var description: String { "\(id.utf8.count): \(year)" }
}

/// An app without a connection, whose models have ids that look alike.
package struct LikeNamedApp: Sendable {
  package let evocation: Evocation
  package let service: InMemoryRepository<LikeNamed>
  private let local: any OutboxStore<LikeNamed>

  package init(_ local: some OutboxStore<LikeNamed>, holding models: [LikeNamed] = []) {
    self.local = local
    service = InMemoryRepository(models)
    evocation = Evocation(
      configuration: .init(clock: ManualClock(), outbox: .init(sendsAutomatically: false)))
    evocation.register(for: LikeNamed.self).repository(remote: service).repository(local: local)
      .strategy(.offlineFirst)
  }

  /// What the service has after all was sent that waits, and what local has.
  package func sent() async throws -> [[String]] {
    _ = await evocation.outbox.flush()
    return try await [
      service.find(Criteria()).value.map(\.description).sorted(),
      local.find(Criteria()).value.map(\.description).sorted(),
    ]
  }
}

/// What must hold of them over every local store.
extension LikeNamedApp {
  /// Writes both in one call; gives the entries, and what ``sent()`` does.
  package static func writesBoth(
    _ local: some OutboxStore<LikeNamed>
  ) async throws -> [[String]] {
    let app = LikeNamedApp(local)
    _ = await app.evocation.storeOrUpdate([LikeNamed.composed, .decomposed])
    let entries = try await app.evocation.outbox.entries(of: LikeNamed.self)
    return try await [entries.map(\.model.description).sorted()] + app.sent()
  }

  /// Stores both, and changes the first, and gives what ``sent()`` does.
  package static func changesOne(
    _ local: some OutboxStore<LikeNamed>
  ) async throws -> [[String]] {
    let app = LikeNamedApp(local)
    _ = await app.evocation.storeOne(LikeNamed.composed)
    _ = await app.evocation.storeOne(LikeNamed.decomposed)
    _ = await app.evocation.updateOne(LikeNamed(id: LikeNamed.composed.id, year: 3))
    return try await app.sent()
  }

  /// Removes the first of two that the service has, changes the other, and gives what is read before
  /// it is sent, and what ``sent()`` does.
  package static func removesOne(
    _ local: some OutboxStore<LikeNamed>
  ) async throws -> [[String]] {
    let app = LikeNamedApp(local, holding: [.composed, .decomposed])
    _ = await app.evocation.find(model: LikeNamed.self, rule: .remoteFirst)
    _ = await app.evocation.updateOne(LikeNamed(id: LikeNamed.decomposed.id, year: 3))
    _ = await app.evocation.removeOne(LikeNamed.composed)
    let read = await app.evocation.find(model: LikeNamed.self, rule: .remoteFirst)
    return try await [read.data?.map(\.description) ?? []] + app.sent()
  }
}
