import Evocation
import Foundation

/// A file with an index on the price, and the calls of the suite "growth" on it.
struct GrownFile<Kind: GrowingContender>: Sendable where Kind.Row == Item {
  /// How many rows the file has between two samples.
  let rows: Int
  private let contender: Kind
  private let scratch: Scratch

  /// Fills a file part by part, so that its models need little memory, and opens it.
  init(rows: Int) async throws {
    self.rows = rows
    scratch = try Scratch()
    let filling = try CContender(path: scratch.path())
    let part = 10_000
    for start in stride(from: 0, to: rows, by: part) {
      try filling.store((start..<min(start + part, rows)).map { Item($0) })
    }
    try CDatabase(path: scratch.path()).run("CREATE INDEX item_price ON item (price)")
    contender = try Kind(path: scratch.path())
    // Opens the connection for reads, if there is a separate one.
    _ = try await contender.findOne(0)
  }

  /// Returns the time of one `findOne` of a row anywhere in the file.
  func findOne() async throws -> Double {
    try await time(2_000) { number in
      let id = anywhere(number)
      try await expect(contender.findOne(id)?.id == id)
    }
  }

  /// Returns the time to find twenty rows by the index, in its order.
  func findTwenty() async throws -> Double {
    try await time(300) { number in
      let price = Item(Int(anywhere(number)) / 2).price / 2
      try await expect(contender.findTwenty(from: price).count == 20)
    }
  }

  /// Returns the time to count all rows.
  func count() async throws -> Double {
    try await time(max(5, min(300, 3_000_000 / rows))) { _ in
      try await expect(contender.count() == rows)
    }
  }

  /// Returns the time of one `storeOne` of a new row; the rows are removed after the measurement.
  func storeOne() async throws -> Double {
    let items = (rows..<(rows + 200)).map { Item($0) }
    let time = try await time(items.count) { try await contender.storeOne(items[$0]) }
    try await contender.remove(items)
    return time
  }

  /// Returns the id of a row, far from that of the number before.
  private func anywhere(_ number: Int) -> Int64 { Int64(number * 7_919 % rows) }

  private func time(_ count: Int, _ body: (Int) async throws -> Void) async throws -> Double {
    let time = try await ContinuousClock().measure {
      for number in 0..<count { try await body(number) }
    }
    return time / .nanoseconds(1) / Double(count)
  }
}

/// A contender that can also count rows, and find some of them by an index.
protocol GrowingContender: Contender {
  /// Returns the twenty rows with the lowest prices from one on, in the order of their prices.
  func findTwenty(from price: Double) async throws -> [Item]
  func count() async throws -> Int
}

extension CContender: GrowingContender {}

extension EvocationContender: GrowingContender where Model == Item {
  func findTwenty(from price: Double) async throws -> [Item] {
    try await evocation.find(Item.self, where: \.price >= price, sortedBy: \.price, limit: 20)
  }

  func count() async throws -> Int { try await evocation.count(Item.self) }
}
