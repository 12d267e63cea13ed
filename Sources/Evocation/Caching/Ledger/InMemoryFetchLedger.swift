/// A ledger that forgets everything when the process ends.
public final class InMemoryFetchLedger: FetchLedger {
  /// The ledger of every repository that was given none.
  public static let shared = InMemoryFetchLedger()

  private let records = Lock<[ByteText: FetchRecord]>([:])

  /// Makes an empty ledger.
  public init() {}

  /// Gives what is remembered of a tag.
  public func record(for tag: String) async throws -> FetchRecord? {
    records.withLock { $0[ByteText(tag)] }
  }

  /// Remembers a record.
  public func write(_ record: FetchRecord, for tag: String) async throws {
    records.withLock { $0[ByteText(tag)] = record }
  }

  /// Forgets the tags that begin with a prefix.
  public func erase(prefix: String) async throws {
    records.withLock { records in
      records = prefix.isEmpty ? [:] : records.filter { !$0.key.text.beginsWithBytes(of: prefix) }
    }
  }

  /// Forgets one tag.
  public func erase(tag: String) async throws {
    records.withLock { $0[ByteText(tag)] = nil }
  }

  /// Declares stale what was fetched under the tags that begin with a prefix.
  public func markInvalidated(prefix: String) async throws {
    records.withLock { records in
      for tag in records.keys where tag.text.beginsWithBytes(of: prefix) {
        records[tag]?.isInvalidated = true
      }
    }
  }

  /// Gives the records of the tags that begin with a prefix.
  public func records(prefix: String) async throws -> [String: FetchRecord] {
    records.withLock { records in
      records.reduce(into: [:]) { found, entry in
        if entry.key.text.beginsWithBytes(of: prefix) { found[entry.key.text] = entry.value }
      }
    }
  }
}
