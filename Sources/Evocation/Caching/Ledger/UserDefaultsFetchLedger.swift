internal import Foundation

/// A ledger in `UserDefaults`, which outlives the process.
///
/// ```swift
/// let cars = CacheRepository(source, ledger: UserDefaultsFetchLedger())
/// ```
///
/// Each tag is a key of its own, so a tag is found without reading the others. `UserDefaults` writes
/// to its file in its own time: a stamp of the last moments before a crash can be lost, which makes
/// the cache stale and nothing worse. Two ledgers on one suite are not one; keep one object.
public final class UserDefaultsFetchLedger: FetchLedger {
  private let defaults: SharedDefaults
  private let prefix: String

  /// Makes a ledger.
  ///
  /// - Parameters:
  ///   - suite: The name of the suite; nil for the standard one.
  ///   - prefix: What the keys begin with.
  public init(suite: String? = nil, prefix: String = "evocation.fetched.") {
    defaults = SharedDefaults(suite.flatMap { UserDefaults(suiteName: $0) } ?? .standard)
    self.prefix = prefix
  }

  /// Gives what is remembered of a tag; what cannot be read counts as never fetched.
  public func record(for tag: String) async throws -> FetchRecord? {
    defaults.value.data(forKey: prefix + tag).flatMap(Self.read)
  }

  /// Remembers a record.
  public func write(_ record: FetchRecord, for tag: String) async throws {
    defaults.value.set(try JSONEncoder().encode(record), forKey: prefix + tag)
  }

  /// Forgets the tags that begin with a prefix.
  public func erase(prefix: String) async throws {
    for key in keys(prefix) { defaults.value.removeObject(forKey: key) }
  }

  /// Forgets one tag.
  public func erase(tag: String) async throws {
    defaults.value.removeObject(forKey: prefix + tag)
  }

  /// Declares stale what was fetched under the tags that begin with a prefix.
  public func markInvalidated(prefix: String) async throws {
    for (tag, record) in try await records(prefix: prefix) {
      var stale = record
      stale.isInvalidated = true
      try await write(stale, for: tag)
    }
  }

  /// Gives the records of the tags that begin with a prefix.
  public func records(prefix: String) async throws -> [String: FetchRecord] {
    keys(prefix).reduce(into: [:]) { records, key in
      let tag = String(key.dropFirst(self.prefix.count))
      records[tag] = defaults.value.data(forKey: key).flatMap(Self.read)
    }
  }

  private func keys(_ prefix: String) -> [String] {
    defaults.value.dictionaryRepresentation().keys.filter { $0.hasPrefix(self.prefix + prefix) }
  }

  private static func read(_ data: Data) -> FetchRecord? {
    try? JSONDecoder().decode(FetchRecord.self, from: data)
  }
}

/// `UserDefaults`, which is documented as safe to use from any thread.
private struct SharedDefaults: @unchecked Sendable {  // as its documentation says
  let value: UserDefaults

  init(_ value: UserDefaults) {
    self.value = value
  }
}
