import Harness

/// The cases of the suite "sqlite" with one row in each call.
struct SingleCases {
  private static let items = Item.make(100_000)
  private static let order = items.map(\.id).shuffled()
  private static let half = "storeOne, main actor, half of the calls"

  var all: [Case] { reads + writes }

  private var reads: [Case] {
    let (byHand, ours) = ("findOne, C by hand", "findOne, Evocation")
    return [
      read(byHand, 20_000, CContender.self) { try $0.findOne($1) },
      read(ours, 20_000, EvocationContender<Item>.self, against: byHand, bar: .times(1.2)) {
        try await $0.findOne($1)
      },
      read(
        "findOne, GRDB Codable, awaited", 1_000, GRDBContender<Item>.self, against: ours,
        bar: .timesAtLeast(25)
      ) { try await $0.findOne($1) },
      read(
        "findOne, GRDB Codable, synchronous", 4_000, GRDBContender<Item>.self, against: ours,
        bar: .timesAtLeast(8)
      ) { try $0.findOneNow($1) },
      read(
        "findOne, GRDB by hand, awaited", 1_000, GRDBContender<HandRecord>.self, against: ours
      ) { try await $0.findOne($1) },
      read(
        "findOne, GRDB by hand, synchronous", 4_000, GRDBContender<HandRecord>.self, against: ours
      ) { try $0.findOneNow($1) },
    ]
  }

  private var writes: [Case] {
    [
      write("storeOne, C by hand", CContender.self),
      write(
        "storeOne, Evocation", EvocationContender<Item>.self, against: "storeOne, C by hand",
        bar: .times(1.2)),
      write(
        "storeOne, Evocation, main actor", against: "storeOne, C by hand", bar: .times(1.2)),
      share(Self.half, 0.5, EvocationContender<Item>.self),
      share(
        "storeOne, main actor, 999 of 1,000", 0.999, EvocationContender<Item>.self,
        against: Self.half, bar: .times(5)),
      share(
        "storeOne, main actor, 999 of 1,000, C by hand", 0.999, CContender.self, against: Self.half),
      write(
        "storeOne, GRDB Codable", GRDBContender<Item>.self, against: "storeOne, Evocation",
        bar: .timesAtLeast(1.2)),
      write(
        "storeOne, GRDB by hand", GRDBContender<HandRecord>.self, against: "storeOne, Evocation"),
    ]
  }

  private func read<Kind: Contender>(
    _ name: String, _ count: Int, _ type: Kind.Type, against reference: String? = nil,
    bar: Bar? = nil, _ find: @escaping @Sendable (Kind, Int64) async throws -> Kind.Row?
  ) -> Case {
    Case(name, .nanoseconds, against: reference, bar: bar) {
      let scratch = try Scratch()
      // Filled before a contender opens the file, because some contenders lock it for themselves.
      try CContender(path: scratch.path()).store(Self.items)
      let contender = try type.init(path: scratch.path())
      // So that all cases begin with the file's pages in memory.
      _ = try await contender.findAll()
      let time = try await ContinuousClock().measure {
        for id in Self.order[..<count] { try await expect(find(contender, id)?.id == id) }
      }
      return time / .nanoseconds(1) / Double(count)
    }
  }

  private func write(
    _ name: String, _ type: (some Contender).Type, against reference: String? = nil,
    bar: Bar? = nil
  ) -> Case {
    let count = 2_000
    return Case(name, .nanoseconds, against: reference, bar: bar) {
      let scratch = try Scratch()
      let contender = try type.init(path: scratch.path())
      let rows = type.rows(Array(Self.items[..<count]))
      let time = try await ContinuousClock().measure {
        for row in rows { try await contender.storeOne(row) }
      }
      return time / .nanoseconds(1) / Double(count)
    }
  }

  /// Measures the same from the main actor, which must not wait for another thread.
  private func write(_ name: String, against reference: String, bar: Bar) -> Case {
    let count = 2_000
    return Case(name, .nanoseconds, against: reference, bar: bar) {
      let scratch = try Scratch()
      let contender = try EvocationContender<Item>(path: scratch.path())
      let time = try await Self.storeOnMainActor(Self.items[..<count], contender)
      return time / .nanoseconds(1) / Double(count)
    }
  }

  /// Measures the time that a share of many calls takes at most, one after another on the main actor.
  private func share<Kind: Contender>(
    _ name: String, _ share: Double, _ type: Kind.Type, against reference: String? = nil,
    bar: Bar? = nil
  ) -> Case {
    Case(name, .nanoseconds, against: reference, bar: bar) {
      let scratch = try Scratch()
      let contender = try type.init(path: scratch.path())
      let rows = type.rows(Array(Self.items[..<20_000]))
      let times = try await Self.timesOnMainActor(rows, contender).sorted()
      return times[Int(Double(times.count - 1) * share)] / .nanoseconds(1)
    }
  }

  @MainActor
  private static func timesOnMainActor<Kind: Contender>(
    _ rows: [Kind.Row], _ contender: Kind
  ) async throws -> [Duration] {
    var times: [Duration] = []
    for row in rows {
      times.append(try await ContinuousClock().measure { try await contender.storeOne(row) })
    }
    return times
  }

  @MainActor
  private static func storeOnMainActor(
    _ items: ArraySlice<Item>, _ contender: EvocationContender<Item>
  ) async throws -> Duration {
    try await ContinuousClock().measure {
      for item in items { try await contender.storeOne(item) }
    }
  }
}
