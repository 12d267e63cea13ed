import EvocationSQLite
import Harness

/// The cases of the suite "sqlite" that measure memory, with a million rows.
struct StreamCases {
  private static let count = 1_000_000

  var all: [Case] {
    [
      Case("store 1,000,000: peak beside the models", .bytes, bar: .atMost(67_108_864)) {
        let scratch = try Scratch()
        let contender = try EvocationContender<Item>(path: scratch.path())
        let items = Item.make(Self.count)
        return Double(try await Memory.peak { try await contender.store(items) })
      },
      Case("stream 1,000,000: peak", .bytes, bar: .atMost(16_777_216)) {
        let (scratch, contender) = try await Self.filled(Self.count)
        defer { withExtendedLifetime(scratch) {} }
        return Double(try await Memory.peak { try await Self.stream(contender, Self.count) })
      },
      Case("stream 100,000, Evocation", .nanoseconds, against: "find all, C by hand") {
        let count = 100_000
        let (scratch, contender) = try await Self.filled(count)
        defer { withExtendedLifetime(scratch) {} }
        let time = try await ContinuousClock().measure { try await Self.stream(contender, count) }
        return time / .nanoseconds(1) / Double(count)
      },
    ]
  }

  /// Fills a file part by part, so that its models need little memory.
  private static func filled(_ count: Int) async throws -> (Scratch, EvocationContender<Item>) {
    let scratch = try Scratch()
    let contender = try EvocationContender<Item>(path: scratch.path())
    for start in stride(from: 0, to: count, by: 10_000) {
      try await contender.store((start..<(start + 10_000)).map { Item($0) })
    }
    return (scratch, contender)
  }

  private static func stream(_ contender: EvocationContender<Item>, _ count: Int) async throws {
    var streamed = 0
    for try await _ in contender.repository.stream() { streamed += 1 }
    try expect(streamed == count)
  }
}
