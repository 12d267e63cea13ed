public import Foundation

/// A ledger in `UserDefaults`, which outlives the process.
///
/// ```swift
/// let cars = CacheRepository(source, ledger: UserDefaultsFetchLedger())
/// ```
///
/// Each tag has its own key, so a lookup does not read other tags. `UserDefaults` writes its file with
/// a delay, so a crash can lose the latest records. The only effect is that their caches are stale or
/// missing, and fetched again. Ledgers with the same suite and prefix are the same ledger.
public final class UserDefaultsFetchLedger: FetchLedger, PlainlyPrinted {
  private nonisolated(unsafe) let defaults: UserDefaults  // documented as safe to use anywhere
  private let prefix: String
  private let sharedIdentity: LedgerIdentity

  /// Creates a ledger.
  ///
  /// - Parameters:
  ///   - suite: The name of the suite; nil for the standard one.
  ///   - prefix: The beginning of the keys.
  public init(suite: String? = nil, prefix: String = "evocation.fetched.") {
    let own = suite.flatMap { name in UserDefaults(suiteName: name).map { (name, $0) } }
    defaults = own?.1 ?? .standard
    self.prefix = prefix
    sharedIdentity = .of(suite: own?.0, prefix: prefix)
  }

  /// The identity of the suite and the prefix of the keys.
  public var identity: ObjectIdentifier { ObjectIdentifier(sharedIdentity) }

  /// Returns the record of a tag; a record that cannot be decoded counts as never fetched.
  public func record(for tag: String) async throws -> FetchRecord? {
    defaults.data(forKey: key(tag)).flatMap(Self.read)
  }

  /// Stores a record, in place of an earlier one.
  public func write(_ record: FetchRecord, for tag: String) async throws {
    try put(record, tag)
    var seen = seen
    seen.recordFetch(at: record.fetchedAt)
    keep(seen)
  }

  /// Removes the records of the tags that begin with a prefix; all records when it is empty.
  public func erase(prefix: String) async throws {
    for key in keys(prefix) { defaults.removeObject(forKey: key) }
  }

  /// Removes the record of one tag.
  public func erase(tag: String) async throws {
    defaults.removeObject(forKey: key(tag))
  }

  /// Declares the records of the tags that begin with a prefix stale.
  public func markInvalidated(prefix: String) async throws {
    try await changeRecords(prefix) { $0.isInvalidated = true }
  }

  /// Returns the records of the tags that begin with a prefix.
  public func records(prefix: String) async throws -> FetchRecords {
    keys(prefix).reduce(into: FetchRecords()) { records, key in
      guard let tag = tag(key) else { return }
      records[tag] = defaults.data(forKey: key).flatMap(Self.read)
    }
  }

  /// Returns the latest date that was recorded, also by a fetch.
  public func greatestDate() async throws -> Date? { seen.greatest }

  /// Records the present date; where it was set back, every record becomes undated.
  public func note(_ date: Date) async throws {
    var seen = seen
    if seen.record(date) { try await changeRecords("") { $0.isUndated = true } }
    keep(seen)
  }

  /// Changes records, without noting their fetch dates as seen now.
  private func changeRecords(
    _ prefix: String, _ change: (inout FetchRecord) -> Void
  ) async throws {
    for (tag, var record) in try await records(prefix: prefix) {
      change(&record)
      try put(record, tag)
    }
  }

  private func put(_ record: FetchRecord, _ tag: String) throws {
    defaults.set(try JSONEncoder().encode(record), forKey: key(tag))
  }

  private var seen: SeenDate {
    let hasDate = defaults.object(forKey: dateKey) != nil
    return SeenDate(
      hasDate ? Date(timeIntervalSinceReferenceDate: defaults.double(forKey: dateKey)) : nil)
  }

  private func keep(_ date: SeenDate) {
    guard let date = date.greatest, date != seen.greatest else { return }
    defaults.set(date.timeIntervalSinceReferenceDate, forKey: dateKey)
  }

  /// No tag has this key, because percent signs in tags are escaped.
  private var dateKey: String { prefix + "%greatest date" }

  private func keys(_ prefix: String) -> [String] {
    let (beginning, own) = (key(prefix), dateKey)
    return defaults.dictionaryRepresentation().keys
      .filter { $0 != own && $0.beginsWithBytes(of: beginning) }
  }

  /// The key of a tag.
  ///
  /// Control characters are escaped, because property lists cannot hold them. All characters
  /// outside of ASCII are escaped too, so that keys are compared by bytes.
  private func key(_ tag: String) -> String {
    prefix + (tag.addingPercentEncoding(withAllowedCharacters: Self.allowed) ?? tag)
  }

  /// The tag of one of the ledger's keys.
  private func tag(_ key: String) -> String? {
    String(decoding: key.utf8.dropFirst(prefix.utf8.count), as: UTF8.self).removingPercentEncoding
  }

  private static let allowed = CharacterSet(charactersIn: " "..."~")
    .subtracting(CharacterSet(charactersIn: "%"))

  private static func read(_ data: Data) -> FetchRecord? {
    try? JSONDecoder().decode(FetchRecord.self, from: data)
  }
}

/// The identity of all ledgers of one suite and prefix in this process.
private final class LedgerIdentity: Sendable {
  private static let identities = Lock<[[String?]: LedgerIdentity]>([:])

  /// Returns the identity of a suite, or of the standard one, and a prefix; always the same object.
  static func of(suite: String?, prefix: String) -> LedgerIdentity {
    identities.withLock { identities in
      let identity = identities[[suite, prefix]] ?? LedgerIdentity()
      identities[[suite, prefix]] = identity
      return identity
    }
  }
}
