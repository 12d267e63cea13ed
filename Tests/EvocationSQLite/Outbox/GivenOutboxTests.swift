import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import EvocationCalls
@testable import EvocationSQLite
@testable import EvocationValues
@testable import SQLiteSupport

/// A write that one call alone gives to the outbox.
@Suite(.patient) struct GivenOutboxTests {
  private let rule = Strategy.Rule(target: .local, synchronize: .outbox)
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// An app whose strategy has no outbox, as it starts.
  private func app(_ remote: InMemoryRepository<Car>, isPaused: Bool = false) throws -> Evocation {
    let evocation = Evocation()
    if isPaused { evocation.outbox.pause() }
    let database = try SQLiteDatabase(path: folder.path())
    evocation.register(for: Car.self).repository(remote: remote)
      .repository(local: try SQLiteRepository<Car>(database)).strategy(.remoteFirst)
    return evocation
  }

  @Test func `it lies over what the remote answers, and is sent`() async throws {
    let remote = InMemoryRepository<Car>()
    let evocation = try app(remote, isPaused: true)
    let result = await evocation.storeOne(Car(id: 1, name: "1"), rule: rule)
    #expect(result.isPending)
    #expect(await evocation.find(model: Car.self).data?.count == 1)
    #expect(try await remote.find(Criteria()).value.isEmpty)
    evocation.outbox.resume()
    await evocation.outbox.drained()
    #expect(try await remote.find(Criteria()).value.count == 1)
  }

  @Test func `it is sent by the next start too, and lies over its answers till then`() async throws
  {
    let remote = InMemoryRepository<Car>()
    do {
      let evocation = try app(remote, isPaused: true)
      #expect(await evocation.storeOne(Car(id: 1, name: "1"), rule: rule).isPending)
    }
    let evocation = try app(remote, isPaused: true)
    #expect(await evocation.find(model: Car.self).data?.count == 1)
    evocation.outbox.resume()
    await evocation.outbox.drained()
    #expect(try await remote.find(Criteria()).value.count == 1)
  }
}
