import Evocation
import Foundation

/// The decoded values of answers with an `ETag`: the most recently used, up to a size in bytes.
final class ETagCache: Sendable {
  /// Identifies an answer; two accounts do not share one, nor do two types of models or two formats.
  struct Key: Hashable, Sendable {
    var url: URL
    /// Who asks, who alone knows how the answer is to be decoded.
    var asker: UUID?
    var range: String?
    var authorization: String?
    var type: ObjectIdentifier
    /// How often everything was forgotten before it was asked for.
    var forgettings = 0
  }

  struct Entry: Sendable {
    var etag: String
    var value: any Sendable
    var headers: [String: String]
    var size: Int
    fileprivate var lastUse = 0
  }

  fileprivate struct State {
    var entries: [Key: Entry] = [:]
    var size = 0
    var uses = 0
    var forgettings = 0
  }

  private let limit: Int
  private let state = Lock(State())

  init(limit: Int) {
    self.limit = limit
  }

  /// Whether anything is remembered.
  var isEnabled: Bool { limit > 0 }

  /// How often everything was forgotten.
  var forgettings: Int { state.withLock(\.forgettings) }

  /// Forgets everything; what was asked for before is remembered for nobody.
  func forgetAll() {
    // Released outside the lock, because that may run a deinit of the app's.
    let gone = state.withLock { state in
      defer { (state.entries, state.size) = ([:], 0) }
      state.forgettings += 1
      return state.entries
    }
    withExtendedLifetime(gone) {}
  }

  /// Gives an entry, and counts it as used.
  func entry(_ key: Key) -> Entry? {
    state.withLock { state in
      state.uses += 1
      state.entries[key]?.lastUse = state.uses
      return state.entries[key]
    }
  }

  /// Remembers the value of an answer, unless that has no tag or must not be stored.
  func remember(_ value: any Sendable, of answer: HTTPAnswer) {
    let mayBeKept = answer.headers["cache-control"]?.contains("no-store") != true
    guard
      let key = answer.key, let etag = answer.headers["etag"], mayBeKept, answer.body.count <= limit
    else { return }
    // Released outside the lock, because that may run a deinit of the app's.
    let gone = state.withLock { state -> [Entry?] in
      guard key.forgettings == state.forgettings else { return [] }
      state.uses += 1
      let entry = Entry(
        etag: etag, value: value, headers: answer.headers, size: answer.body.count,
        lastUse: state.uses
      )
      var gone = [state.entries.updateValue(entry, forKey: key)]
      state.size += answer.body.count - (gone[0]?.size ?? 0)
      while state.size > limit || state.entries.count > 256, let oldest = state.oldest {
        let entry = state.entries.removeValue(forKey: oldest)
        state.size -= entry?.size ?? 0
        gone.append(entry)
      }
      return gone
    }
    withExtendedLifetime(gone) {}
  }
}

extension ETagCache.State {
  /// Found by a scan, because there are few entries and an ordered list would be more code.
  fileprivate var oldest: ETagCache.Key? {
    entries.min { $0.value.lastUse < $1.value.lastUse }?.key
  }
}
