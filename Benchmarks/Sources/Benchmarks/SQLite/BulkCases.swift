import Harness

/// The cases of the suite "sqlite" with 100,000 rows in one call.
struct BulkCases {
  private static let items = Item.make(100_000)
  private static let changed = items.map { item in
    var item = item
    item.price += 1
    return item
  }

  /// The call that is made on the rows of a file.
  private enum Call {
    case store, storeOrUpdate, findAll, remove
  }

  /// A call on a new file or a filled one, with its bars.
  ///
  /// The bar against C is for a mapping by hand, which does what C does. `Codable` asks the standard
  /// library for each column, so its distance is shown beside it, without a bar unless it has one.
  private struct Work: Sendable {
    let name: String
    let call: Call
    var isFilled = true
    let againstC: Bar
    var codableAgainstC: Bar?
    let againstGRDB: Bar
  }

  var all: [Case] { [store, storeOrUpdate, findAll, remove].flatMap(cases) }

  private var store: Work {
    Work(
      name: "store", call: .store, isFilled: false, againstC: .times(1), codableAgainstC: .times(1),
      againstGRDB: .timesAtLeast(4))
  }

  private var storeOrUpdate: Work {
    Work(
      name: "storeOrUpdate", call: .storeOrUpdate, againstC: .times(1), codableAgainstC: .times(1),
      againstGRDB: .timesAtLeast(10))
  }

  private var findAll: Work {
    Work(
      name: "find all", call: .findAll, againstC: .times(1.5), againstGRDB: .timesAtLeast(2))
  }

  private var remove: Work {
    Work(name: "remove", call: .remove, againstC: .times(1.5), againstGRDB: .timesAtLeast(5))
  }

  private func cases(_ work: Work) -> [Case] {
    let (byHand, ours) = ("\(work.name), C by hand", "\(work.name), Evocation")
    return [
      item(work, byHand, CContender.self),
      item(work, ours, EvocationContender<Item>.self, against: byHand, bar: work.codableAgainstC),
      item(
        work, "\(work.name), Evocation by hand", EvocationContender<MappedItem>.self,
        against: byHand, bar: work.againstC),
      item(
        work, "\(work.name), GRDB Codable", GRDBContender<Item>.self, against: ours,
        bar: work.againstGRDB),
      item(work, "\(work.name), GRDB by hand", GRDBContender<HandRecord>.self, against: ours),
    ]
  }

  /// Returns a case on a separate file, which is filled by the C API and opened before the measurement.
  private func item(
    _ work: Work, _ name: String, _ type: (some Contender).Type, against reference: String? = nil,
    bar: Bar? = nil
  ) -> Case {
    Case(name, .nanoseconds, against: reference, bar: bar) {
      let scratch = try Scratch()
      let contender = try type.init(path: scratch.path())
      if work.isFilled {
        try CContender(path: scratch.path()).store(Self.items)
        // Opens the connection for reads, if there is a separate one.
        _ = try await contender.findOne(0)
      }
      let rows = type.rows(work.call == .storeOrUpdate ? Self.changed : Self.items)
      let time = try await ContinuousClock().measure {
        try await Self.run(work.call, contender, rows)
      }
      return time / .nanoseconds(1) / Double(Self.items.count)
    }
  }

  private static func run<Kind: Contender>(
    _ call: Call, _ contender: Kind, _ rows: [Kind.Row]
  ) async throws {
    switch call {
    case .store: try await contender.store(rows)
    case .storeOrUpdate: try await contender.storeOrUpdate(rows)
    case .findAll: try await expect(contender.findAll().count == rows.count)
    case .remove: try await contender.remove(rows)
    }
  }
}
