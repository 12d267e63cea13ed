import Harness

/// The cases of the suite "sqlite" that concern 100,000 rows in one call.
struct BulkCases {
  private static let items = Item.make(100_000)
  private static let changed = items.map { item in
    var item = item
    item.price += 1
    return item
  }

  /// Something done to a new file or a filled one, and how it has to compare.
  private struct Work: Sendable {
    let name: String
    let isFilled: Bool
    let againstC: Bar
    let againstGRDB: Bar
    let run: @Sendable (any Contender) async throws -> Void
  }

  var all: [Case] { [store, storeOrUpdate, findAll, remove].flatMap(cases) }

  private var store: Work {
    Work(name: "store", isFilled: false, againstC: .times(1.5), againstGRDB: .timesAtLeast(4)) {
      try await $0.store(Self.items)
    }
  }

  private var storeOrUpdate: Work {
    Work(
      name: "storeOrUpdate", isFilled: true, againstC: .times(1.5), againstGRDB: .timesAtLeast(10)
    ) {
      try await $0.storeOrUpdate(Self.changed)
    }
  }

  private var findAll: Work {
    Work(name: "find all", isFilled: true, againstC: .times(2), againstGRDB: .timesAtLeast(2)) {
      try await expect($0.findAll().count == Self.items.count)
    }
  }

  private var remove: Work {
    Work(name: "remove", isFilled: true, againstC: .times(2), againstGRDB: .timesAtLeast(5)) {
      try await $0.remove(Self.items)
    }
  }

  private func cases(_ work: Work) -> [Case] {
    let (byHand, ours) = ("\(work.name), C by hand", "\(work.name), Evocation")
    return [
      item(work, byHand, CContender.self),
      item(work, ours, EvocationContender.self, against: byHand, bar: work.againstC),
      item(
        work, "\(work.name), GRDB Codable", GRDBContender<Item>.self, against: ours,
        bar: work.againstGRDB),
      item(work, "\(work.name), GRDB by hand", GRDBContender<HandRecord>.self, against: ours),
    ]
  }

  /// A case on a file of its own, which is filled through the C API, and opened before time runs.
  private func item(
    _ work: Work, _ name: String, _ type: any Contender.Type, against reference: String? = nil,
    bar: Bar? = nil
  ) -> Case {
    Case(name, .nanoseconds, against: reference, bar: bar) {
      let scratch = try Scratch()
      let contender = try type.init(path: scratch.path())
      if work.isFilled {
        try CContender(path: scratch.path()).store(Self.items)
        // Opens the connection that reads, where there is one for that.
        _ = try await contender.findOne(0)
      }
      let time = try await ContinuousClock().measure { try await work.run(contender) }
      return time / .nanoseconds(1) / Double(Self.items.count)
    }
  }
}
