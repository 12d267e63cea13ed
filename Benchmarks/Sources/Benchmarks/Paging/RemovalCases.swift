import Evocation
import EvocationSQLite
import Foundation
import Harness

/// The cases of the suite "paging" that remove models of long lists.
struct RemovalCases {
  private static let items = 20_000
  private static let removed = 20

  private let unlisted = Once { try await ListedItems(lists: 0) }
  private let listed = Once { try await ListedItems(lists: 5) }

  var all: [Case] {
    pair("remove one") { _ = try await $0.local.removeOne(Item($1)) }
      + pair("remove one by criteria") {
        _ = try await $0.local.removeAll(matching: Criteria.Key("id") == $1)
      }
      + pair("write SQL of one") { file, id in
        try await file.local.database.write { db in
          _ = try db.execute("UPDATE item SET price = 1 WHERE id = ?", [id])
        }
      }
  }

  private func pair(
    _ name: String, _ write: @escaping @Sendable (ListedItems, Int) async throws -> Void
  ) -> [Case] {
    let listedName = "\(name), in five lists of 20,000"
    return [
      Case("\(name), in no list", .nanoseconds) { [unlisted] in
        try await unlisted.value.time(write)
      },
      Case(listedName, .nanoseconds, against: "\(name), in no list", bar: .times(3)) { [listed] in
        try await listed.value.time(write)
      },
    ]
  }

  /// Items in a file, and lists of all of them.
  private struct ListedItems: Sendable {
    let scratch: Scratch
    let local: SQLiteRepository<Item>

    init(lists: Int) async throws {
      scratch = try Scratch()
      let database = try SQLiteDatabase(path: scratch.path())
      local = try SQLiteRepository(database)
      _ = try await local.store(Item.make(RemovalCases.items))
      let size = PagedItems.pageSize
      // As fetching the pages would leave them, in a hundredth of the time.
      try await database.write { db in
        for list in 0..<lists {
          for page in 0..<RemovalCases.items / size {
            let ids = (0..<size).map { String(page * size + $0) }.joined(separator: ",")
            try db.execute(
              "INSERT INTO evocation_pages (list, page, model, ids, requirements) VALUES (?, ?, ?, ?, ?)",
              ["list \(list)", page, "item", "[\(ids)]", Data()])
          }
        }
      }
    }

    /// Returns the time of one write; the items are stored again after the measurement.
    func time(_ write: (ListedItems, Int) async throws -> Void) async throws -> Double {
      let ids = (0..<RemovalCases.removed).map { $0 * 997 % RemovalCases.items }
      let time = try await ContinuousClock().measure {
        for id in ids { try await write(self, id) }
      }
      _ = try await local.storeOrUpdate(ids.map { Item($0) })
      return time / .nanoseconds(1) / Double(ids.count)
    }
  }
}
