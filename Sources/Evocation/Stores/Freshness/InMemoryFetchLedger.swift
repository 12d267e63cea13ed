public import Foundation

/// A ledger that forgets everything when the process ends.
///
/// A test gives each `Evocation` a ledger of its own:
///
/// ```swift
/// let ledger = InMemoryFetchLedger()
/// let evocation = Evocation(configuration: .init(ledger: ledger))
/// ```
public final class InMemoryFetchLedger: FetchLedger, PlainlyPrinted {
  /// The ledger of every repository that received none.
  public static let shared = InMemoryFetchLedger()

  private struct State {
    var records: FetchRecords = [:]
    var seen = SeenDate()
  }

  private let state = Lock(State())

  /// Creates an empty ledger.
  public init() {}

  /// Returns the record of a tag.
  public func record(for tag: String) async throws -> FetchRecord? {
    state.withLock { $0.records[tag] }
  }

  /// Stores a record, in place of an earlier one.
  public func write(_ record: FetchRecord, for tag: String) async throws {
    _ = try exchange(tag) { _ in record }
  }

  /// Stores the record that the body makes of the present one, in one step.
  func exchange(
    _ tag: String, _ body: (FetchRecord?) throws -> FetchRecord
  ) throws -> FetchRecord {
    try state.withLock { state in
      let record = try body(state.records[tag])
      state.records[tag] = record
      state.seen.recordFetch(at: record.fetchedAt)
      return record
    }
  }

  /// Removes the records of the tags that begin with a prefix; all records when it is empty.
  public func erase(prefix: String) async throws {
    state.withLock { state in
      state.records =
        prefix.isEmpty ? [:] : state.records.filter { !$0.tag.beginsWithBytes(of: prefix) }
    }
  }

  /// Removes the record of one tag.
  public func erase(tag: String) async throws {
    state.withLock { $0.records[tag] = nil }
  }

  /// Declares the records of the tags that begin with a prefix stale.
  public func markInvalidated(prefix: String) async throws {
    state.withLock { state in
      for tag in Array(state.records.tags) where tag.beginsWithBytes(of: prefix) {
        state.records[tag]?.isInvalidated = true
      }
    }
  }

  /// Returns the records of the tags that begin with a prefix.
  public func records(prefix: String) async throws -> FetchRecords {
    let records = state.withLock { $0.records }
    return prefix.isEmpty ? records : records.filter { $0.tag.beginsWithBytes(of: prefix) }
  }

  /// Returns the latest date that was recorded, also by a fetch.
  public func greatestDate() async throws -> Date? { state.withLock { $0.seen.greatest } }

  /// Records the present date; where it was set back, every record becomes undated.
  public func note(_ date: Date) async throws {
    state.withLock { state in
      guard state.seen.record(date) else { return }
      for tag in Array(state.records.tags) { state.records[tag]?.isUndated = true }
    }
  }
}
