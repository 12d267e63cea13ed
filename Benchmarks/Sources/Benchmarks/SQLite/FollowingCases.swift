import Evocation
import EvocationSQLite
import Foundation
import Harness
import Synchronization

/// The cases of the suite "sqlite" in which a service answers, and the local store follows.
///
/// A commit then has two parts: the model, and the record of when its criteria were fetched.
struct FollowingCases {
  private static let items = Item.make(2_000)

  var all: [Case] {
    let byHand = "a read that local follows, C by hand"
    return [
      Case(byHand, .nanoseconds) {
        let scratch = try Scratch()
        let contender = try CContender(path: scratch.path())
        let service = NextItem(items: Self.items)
        let time = try await ContinuousClock().measure {
          for item in Self.items {
            guard let found = try await service.findOne(["id": item.id]).value else {
              throw WrongAnswer()
            }
            try contender.storeOrUpdate(found, fetchedBy: "id == \(item.id)")
          }
        }
        return time / .nanoseconds(1) / Double(Self.items.count)
      },
      Case(
        "a read that local follows, Evocation", .nanoseconds, against: byHand, bar: .times(1.3)
      ) {
        let scratch = try Scratch()
        let evocation = Evocation()
        let local = try SQLiteRepository<Item>(SQLiteDatabase(path: scratch.path()), table: "item")
        evocation.register(for: Item.self).repository(remote: NextItem(items: Self.items))
          .repository(local: local).strategy(Strategy(Strategy.Rule(target: .remote)))
        let time = try await ContinuousClock().measure {
          for item in Self.items {
            let found = await evocation.findOne(model: Item.self, criteria: ["id": item.id])
            try expect(found.data?.id == item.id && found.synchronizationError == nil)
          }
        }
        try await expect(local.find(Criteria()).value.count == Self.items.count)
        return time / .nanoseconds(1) / Double(Self.items.count)
      },
    ]
  }
}

/// A service that answers with one item after another.
private final class NextItem: Repository {
  private let items: [Item]
  private let next = Atomic(0)

  init(items: [Item]) { self.items = items }

  func findOne(_: Criteria) async throws -> Response<Item?> {
    Response(items[next.wrappingAdd(1, ordering: .relaxed).oldValue])
  }

  func find(_ criteria: Criteria) async throws -> Response<[Item]> {
    Response([try await findOne(criteria).value].compactMap(\.self))
  }
  func store(_ items: [Item]) async throws -> Response<[Item]> { Response(items) }
  func update(_ items: [Item]) async throws -> Response<[Item]> { Response(items) }
  func storeOrUpdate(_ items: [Item]) async throws -> Response<[Item]> { Response(items) }
  func remove(_ items: [Item]) async throws -> Response<[Item]> { Response(items) }
}
