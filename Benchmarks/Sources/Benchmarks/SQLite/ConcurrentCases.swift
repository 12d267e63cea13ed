import Harness

/// The cases of the suite "sqlite" in which two tasks read while a third writes.
///
/// With fewer than three cores, any third task takes time from the readers. So they are compared with
/// readers beside the same kind of writer on another file.
struct ConcurrentCases {
  private static let count = 20_000
  private static let items = Item.make(100_000)
  private static let order = items.map(\.id).shuffled()

  /// The file on which the writer works.
  private enum Writer {
    case none, sameFile, otherFile
  }

  var all: [Case] {
    let elsewhere = "two readers, a writer on another file"
    return [
      Case("two readers alone", .nanoseconds) { try await read(beside: .none) },
      Case(elsewhere, .nanoseconds) { try await read(beside: .otherFile) },
      Case(
        "two readers, a writer on the same", .nanoseconds, against: elsewhere, bar: .times(1.3)
      ) { try await read(beside: .sameFile) },
    ]
  }

  /// Returns the time of one read while two tasks read and one stores models.
  private func read(beside writer: Writer) async throws -> Double {
    let scratch = try Scratch()
    let file = try Self.filled(scratch.path())
    let written = writer == .sameFile ? file : try Self.filled(scratch.path("other"))
    let isOver = Flag(writer == .none)
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        var count = 0
        while !isOver.isSet {
          count += 1
          var item = Self.items[count % Self.items.count]
          // SQLite writes no page for a row that did not change.
          item.price += Double(count)
          try await written.storeOrUpdate([item])
        }
      }
      let time = try await ContinuousClock().measure { try await Self.read(file) }
      isOver.set()
      try await group.waitForAll()
      return time / .nanoseconds(1) / Double(2 * Self.count)
    }
  }

  private static func filled(_ path: String) throws -> EvocationContender<Item> {
    try CContender(path: path).store(items)
    return try EvocationContender<Item>(path: path)
  }

  private static func read(_ file: EvocationContender<Item>) async throws {
    try await withThrowingTaskGroup(of: Void.self) { readers in
      for start in [0, count] {
        readers.addTask {
          for id in order[start..<(start + count)] {
            try await expect(file.findOne(id)?.id == id)
          }
        }
      }
      try await readers.waitForAll()
    }
  }
}
