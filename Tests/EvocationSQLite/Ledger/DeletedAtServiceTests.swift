import Evocation
import EvocationSQLite
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import EvocationValues
@testable import SQLiteSupport

/// What the service deleted, under the ready-made strategies.
@Suite(.patient) struct DeletedAtServiceTests {
  /// A ready-made strategy whose remote is the truth.
  enum Ready: CaseIterable, Sendable {
    case remoteFirst, cacheFirst, staleWhileRevalidate, offlineFirst

    var strategy: Strategy {
      switch self {
      case .remoteFirst: .remoteFirst
      case .cacheFirst: .cacheFirst(maxAge: .zero)
      case .staleWhileRevalidate: .staleWhileRevalidate(maxAge: .zero)
      case .offlineFirst: .offlineFirst
      }
    }
  }

  private let bed: ChangesBed

  init() throws {
    bed = try ChangesBed()
    bed.service.set(listsChanges: false)
  }

  /// Reads until local holds these, because some strategies fetch behind their answer.
  private func reads(_ app: ChangesBed.App, until ids: [Int]) async throws {
    for _ in 0..<1_000 {
      bed.clock.advance(by: .seconds(1))
      _ = await app.evocation.find(model: LoggedPart.self)
      if try await app.parts().map(\.id) == ids { return }
      await Task.yield()
    }
    Issue.record("local has \(try await app.parts().map(\.id)), and not \(ids)")
  }

  @Test(arguments: CacheStore.Place.allCases, Ready.allCases)
  func `what the service deleted goes, also the last of it`(
    place: CacheStore.Place, ready: Ready
  ) async throws {
    let app = try bed.app(place, ready.strategy)
    try await reads(app, until: [1, 2, 3])
    bed.service.drop([2])
    try await reads(app, until: [1, 3])
    bed.service.drop([1, 3])
    try await reads(app, until: [])
  }

  @Test(arguments: CacheStore.Place.allCases)
  func `what is not sent yet stays, whatever the service answers`(
    place: CacheStore.Place
  ) async throws {
    let app = try bed.app(place, .offlineFirst)
    try await reads(app, until: [1, 2, 3])
    #expect(await app.evocation.storeOne(LoggedPart(id: 9)).isPending)
    #expect(await app.evocation.updateOne(LoggedPart(id: 2, name: "mine")).isPending)
    bed.service.drop([1])
    try await reads(app, until: [2, 3, 9])
    #expect(try await app.parts().first?.name == "mine")
  }

  @Test(arguments: CacheStore.Place.allCases)
  func `a list that is empty is asked for once, and not at each read`(
    place: CacheStore.Place
  ) async throws {
    bed.service.drop([1, 2, 3])
    for synchronize in [Strategy.Synchronization.upsert, .mirror] {
      let rule = Strategy.Rule(
        fallback: .local, synchronize: synchronize, maxAge: .seconds(60))
      let app = try bed.app(place, Strategy(reads: rule, writes: .localOnly))
      let criteria: Criteria = ["kind": .init(synchronize == .upsert ? 1 : 2)]
      let asked = bed.service.finds
      for _ in 0..<3 {
        let result = await app.evocation.find(model: LoggedPart.self, criteria: criteria)
        #expect(result.data == [] && result.error == nil)
      }
      #expect(bed.service.finds == asked + 1)
      bed.service.put([LoggedPart(id: 5, kind: 5)])
      #expect(await app.evocation.count(model: LoggedPart.self, criteria: ["kind": 5]).data == 1)
      let found = await app.evocation.find(model: LoggedPart.self, criteria: ["kind": 5])
      #expect(found.data?.count == 1, "a count says nothing of what local has")
      await app.database?.close()
    }
  }
}
