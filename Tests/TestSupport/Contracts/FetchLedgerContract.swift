package import Evocation
import EvocationTesting
import Foundation

/// What every ledger must do: the same as ``FetchRecords``, after any operations.
package struct FetchLedgerContract {
  /// Tags and prefixes: some begin with others, some hold characters that a store may treat
  /// specially.
  package static let tags = [
    "", "a", "ab", "abc", "b", "Car?{}", "Car?{\"a\":1}", "Car?{\"a\":12}", "Cars?", "%", "%a",
    "a%",
    "_", "_a", "a_", "'", "''a", "\"", "a\0", "a\0b", "a\0c", "\0", "\n", "🏁", "🏁🏁", "🏁a",
    "e\u{301}", "\u{E9}", "\u{E9}a",
    "e", "\u{301}x", "\u{7F}", "\u{FFFF}", "\u{10FFFF}", "*", "a*", "%25", "%00", "a b", ".",
  ]

  private var random: SeededGenerator
  private var model = FetchRecords()
  private var greatest: Date?
  private var hasWritten = false

  /// Makes the contract; the name is printed beside its seed.
  package init(_ name: String) {
    random = Trials.random(name)
  }

  /// Does random operations on an empty ledger and on ``FetchRecords``, and gives the first difference.
  package mutating func violation(
    of ledger: any FetchLedger, operations: Int = 400
  ) async throws -> String? {
    for number in 0..<operations {
      let done = try await change(ledger)
      let (tag, prefix) = (random.pick(Self.tags), random.pick(Self.tags))
      let record = try await ledger.record(for: tag)
      if record != model[tag] {
        return "\(number), after \(done): \(tag.debugDescription) is \(String(describing: record))"
      }
      let seen = try await ledger.greatestDate()
      if seen != greatest {
        return "\(number), after \(done): the greatest date is \(String(describing: seen))"
      }
      let records = try await ledger.records(prefix: prefix)
      if records != model.filter({ Self.begins($0.tag, with: prefix) }) {
        return
          "\(number), after \(done): with \(prefix.debugDescription) begin \(Array(records.tags))"
      }
    }
    return nil
  }

  private mutating func change(_ ledger: any FetchLedger) async throws -> String {
    let tag = random.pick(Self.tags)
    switch random.count(0...9) {
    case 0:
      try await ledger.erase(tag: tag)
      model[tag] = nil
      return "erasing \(tag.debugDescription)"
    case 1 where random.chance(40):
      try await ledger.erase(prefix: tag)
      model = model.filter { !Self.begins($0.tag, with: tag) }
      return "erasing all of \(tag.debugDescription)"
    case 2:
      try await ledger.markInvalidated(prefix: tag)
      for key in Array(model.tags) where Self.begins(key, with: tag) {
        model[key]?.isInvalidated = true
      }
      return "invalidating all of \(tag.debugDescription)"
    case 4:
      let tags = [tag, random.pick(Self.tags)]
      try await ledger.erase(tags: tags)
      for tag in tags { model[tag] = nil }
      return "erasing \(tags)"
    // The date is of use only after a record was written.
    case 3 where hasWritten && random.chance(40):
      let seconds = Double.random(in: -1e9...1.1e9, using: &random)
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      try await ledger.note(date)
      let isSetBack = type(of: ledger).isSetBack(date, from: greatest)
      if isSetBack { for key in Array(model.tags) { model[key]?.isUndated = true } }
      greatest = isSetBack ? date : type(of: ledger).latest(date, greatest)
      return "telling that it is \(date)"
    default:
      let record = makeRecord()
      try await ledger.write(record, for: tag)
      model[tag] = record
      hasWritten = true
      greatest = type(of: ledger).latest(record.fetchedAt, greatest)
      return "writing \(tag.debugDescription)"
    }
  }

  private mutating func makeRecord() -> FetchRecord {
    let date = Date(timeIntervalSinceReferenceDate: Double.random(in: -1e9...1e9, using: &random))
    return FetchRecord(
      fetchedAt: random.chance(5) ? .distantPast : date, isInvalidated: random.chance(20),
      isUndated: random.chance(5),
      usedAt: random.chance(50) ? date.addingTimeInterval(0.1) : nil,
      size: random.chance(5) ? .max : random.count(0...100_000), source: random.pick(Self.tags),
      requirements: random.chance(30) ? nil : Data((0..<random.count(0...40)).map { UInt8($0) }),
      mark: random.chance(70) ? nil : random.pick(Self.tags))
  }

  /// Compares bytes: by characters, "e\u{301}" does not begin with "e".
  private static func begins(_ tag: String, with prefix: String) -> Bool {
    tag.utf8.starts(with: prefix.utf8)
  }
}
