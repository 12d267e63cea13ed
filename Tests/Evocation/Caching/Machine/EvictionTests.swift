import Evocation
import Foundation
import Testing

@testable import EvocationCaching
@testable import EvocationStores
@testable public import EvocationValues

extension FetchRecords {
  /// Makes records of tags and records.
  fileprivate init(_ records: [(String, FetchRecord)]) {
    self.init()
    for (tag, record) in records { self[tag] = record }
  }
}

extension ByteText: ExpressibleByStringLiteral {
  /// Makes the text of a literal.
  public init(stringLiteral text: String) { self.init(text) }
}

@Suite struct EvictionTests {
  struct Row: Sendable {
    var name: String
    var limits: CacheLimits
    var kept: Set<ByteText> = []
    var gone: [String]
  }

  private static let now = Date(timeIntervalSinceReferenceDate: 1_000)

  /// Five caches, used 50 seconds ago to 10, of 1, 2, 4, 8 and 16 bytes.
  private static let records = FetchRecords(
    ["a", "b", "c", "d", "e"].enumerated().map { index, tag in
      (
        tag,
        FetchRecord(
          fetchedAt: .distantPast, usedAt: now - Double(50 - 10 * index), size: 1 << index)
      )
    })

  private static let rows = [
    Row(name: "no limit", limits: .none, gone: []),
    Row(name: "room for all", limits: CacheLimits(age: .seconds(50), count: 5, size: 31), gone: []),
    Row(name: "one too many", limits: CacheLimits(count: 4), gone: ["a"]),
    Row(name: "three too many", limits: CacheLimits(count: 2), gone: ["a", "b", "c"]),
    Row(name: "none may be", limits: CacheLimits(count: 0), gone: ["a", "b", "c", "d", "e"]),
    Row(name: "fewer than none", limits: CacheLimits(count: -1), gone: ["a", "b", "c", "d", "e"]),
    Row(name: "one byte too many", limits: CacheLimits(size: 30), gone: ["a"]),
    Row(name: "two bytes too many", limits: CacheLimits(size: 29), gone: ["a", "b"]),
    Row(name: "no byte", limits: CacheLimits(size: 0), gone: ["a", "b", "c", "d", "e"]),
    Row(name: "too old", limits: CacheLimits(age: .seconds(30)), gone: ["a", "b"]),
    Row(name: "all too old", limits: CacheLimits(age: .zero), gone: ["a", "b", "c", "d", "e"]),
    Row(
      name: "the oldest are kept", limits: CacheLimits(count: 3), kept: ["a", "b"],
      gone: ["c", "d"]),
    Row(
      name: "more are kept than may be", limits: CacheLimits(count: 1), kept: ["a", "c"],
      gone: ["b", "d", "e"]),
    Row(
      name: "what is kept may be old", limits: CacheLimits(age: .seconds(20)), kept: ["b"],
      gone: ["a", "c"]),
    Row(
      name: "what is kept has its size", limits: CacheLimits(size: 20), kept: ["e"],
      gone: ["a", "b", "c", "d"]),
    Row(name: "old ones make room", limits: CacheLimits(age: .seconds(40), count: 4), gone: ["a"]),
    Row(
      name: "the stricter counts", limits: CacheLimits(count: 4, size: 24), gone: ["a", "b", "c"]),
    Row(name: "others are kept", limits: CacheLimits(count: 4), kept: ["z"], gone: ["a"]),
  ]

  @Test(arguments: rows) func `The longest unused go first, until the rest fits`(row: Row) {
    let gone = row.limits.surplus(of: Self.records, keeping: row.kept, at: Self.now)
    #expect(gone == row.gone, "\(row.name)")
  }

  @Test func `Of those that were used at the same time the lesser tag goes first`() {
    let records = ["b", "a", "c"].map { ($0, FetchRecord(fetchedAt: .distantPast)) }
    let gone = CacheLimits(count: 1).surplus(of: FetchRecords(records), keeping: [], at: Self.now)
    #expect(gone == ["a", "b"])
  }

  @Test func `What was used before the date was set back is not old, and goes first`() {
    var records: FetchRecords = ["a": FetchRecord(fetchedAt: .distantFuture)]
    let limits = CacheLimits(age: .zero)
    #expect(limits.surplus(of: records, keeping: [], at: Self.now).isEmpty)
    // It goes before what was used at a time that can be believed.
    records["b"] = FetchRecord(fetchedAt: Self.now)
    #expect(CacheLimits(count: 1).surplus(of: records, keeping: [], at: Self.now) == ["a"])
  }

  @Test func `Sizes beyond all bounds are too much`() {
    let records = ["a", "b", "c"].map { ($0, FetchRecord(fetchedAt: .distantPast, size: .max)) }
    let gone = CacheLimits(size: 5).surplus(of: FetchRecords(records), keeping: [], at: Self.now)
    #expect(gone == ["a", "b", "c"])
  }

  @Test func `Requirements are told where they can be read`() throws {
    let criteria: Criteria = ["year": 2002]
    var record = FetchRecord(fetchedAt: Self.now, requirements: try JSONEncoder().encode(criteria))
    let read = record.requirements(as: Criteria.self)
    #expect(read == criteria)
    let other = record.requirements(as: CacheTag.self)
    #expect(other == nil)
    record.requirements = nil
    let none = record.requirements(as: Criteria.self)
    #expect(none == nil)
  }
}
