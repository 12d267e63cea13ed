internal import Foundation

/// A ledger's records of one model type's fetches, kept in memory.
///
/// They are read once, and then follow the writes of this process. After a write of another process,
/// or when records are cleared or invalidated by prefix, they are read again. So the date of a fetch
/// needs no access to the ledger (`find, async, with its date`).
@usableFromInline package final class KnownFetches: Sendable {
  @usableFromInline struct State {
    /// The records by their tags; nil where they have to be read.
    @usableFromInline var records: FetchRecords?
    /// How many times something has changed.
    var changes = 0
    var others: Evocation.Observation?
  }

  let prefix: String
  /// The ledger's registry, which tells it what changes.
  package let registry: CacheRegistry
  @usableFromInline let state = Lock(State())

  init(_ registry: CacheRegistry, prefix: String) {
    self.registry = registry
    self.prefix = prefix
  }

  /// The records as they are known; nil where they have to be read.
  @inlinable package var present: FetchRecords? { state.withLock { $0.records } }

  /// The records, read if they have to be; none as long as the ledger cannot be read.
  package var records: FetchRecords {
    get async {
      if let present { return present }
      followOthers()
      let changes = state.withLock { $0.changes }
      guard let records = try? await registry.ledger.records(prefix: prefix) else { return [:] }
      state.withLock { state in
        if state.changes == changes { state.records = records }
      }
      return records
    }
  }

  /// Keeps the record that was written for a tag; nil for an erased one.
  package func set(_ record: FetchRecord?, for tag: String) {
    state.withLock { state in
      state.changes += 1
      state.records?[tag] = record
    }
  }

  /// Has the records read again when they are needed next.
  func forget() {
    let old = state.withLock { state in
      state.changes += 1
      defer { state.records = nil }
      return state.records
    }
    withExtendedLifetime(old) {}
  }

  /// Has the records read again after others have written.
  private func followOthers() {
    guard state.withLock({ $0.others == nil }) else { return }
    // Outside the lock, because the ledger may be the app's code.
    let others =
      registry.ledger.observeOthers { [weak self] in self?.forget() } ?? Evocation.Observation {}
    let surplus = state.withLock { state in
      guard state.others == nil else { return Evocation.Observation?.some(others) }
      state.others = others
      return nil
    }
    withExtendedLifetime(surplus) {}
  }
}

// The known fetches of a ledger.
extension CacheRegistry {
  /// Returns the known fetches whose tags begin with a prefix.
  package func fetches(prefix: String) -> KnownFetches {
    knownFetches.withLock { known in
      if let found = known[ByteText(prefix)]?.object { return found }
      let made = KnownFetches(self, prefix: prefix)
      known[ByteText(prefix)] = Weak(made)
      return made
    }
  }

  /// Keeps the record that was written for a tag; nil for an erased one.
  package func recordWritten(_ record: FetchRecord?, for tag: String) {
    if record != nil { recordFirstDate() }
    for fetches in fetches where tag.beginsWithBytes(of: fetches.prefix) {
      fetches.set(record, for: tag)
    }
  }

  /// Has the known fetches whose tags may begin with a prefix read again.
  package func forgetFetches(prefix: String) {
    for fetches in fetches
    where fetches.prefix.beginsWithBytes(of: prefix) || prefix.beginsWithBytes(of: fetches.prefix) {
      fetches.forget()
    }
  }

  private var fetches: [KnownFetches] { knownFetches.withLock { $0.values.compactMap(\.object) } }
}
