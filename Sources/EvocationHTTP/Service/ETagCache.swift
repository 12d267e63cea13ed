import Evocation
import Foundation

/// Holds the decoded values of recently used answers with an `ETag`, up to a size in bytes.
final class ETagCache: Sendable {
  /// Identifies an answer, separately for each account, model type and format.
  struct Key: Hashable, Sendable {
    var url: URL
    /// The client that sent the request, because only that client can decode the answer.
    var asker: UUID?
    var range: String?
    var authorization: String?
    var type: ObjectIdentifier
    /// The value of ``ETagCache/forgettings`` when the request was sent.
    var forgettings = 0
  }

  struct Entry: Sendable {
    var etag: String
    var value: any Sendable
    var headers: [String: String]
    var size: Int
    fileprivate var lastUse = 0
  }

  private struct State {
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

  /// Whether the cache may hold anything.
  var isEnabled: Bool { limit > 0 }

  /// How often ``forgetAll()`` was called.
  var forgettings: Int { state.withLock(\.forgettings) }

  /// Removes all entries; answers to earlier requests are no longer stored when they arrive.
  func forgetAll() {
    state.change { state in
      defer { (state.entries, state.size) = ([:], 0) }
      state.forgettings += 1
      return state.entries
    }
  }

  /// Returns an entry, and marks it as used.
  func entry(_ key: Key) -> Entry? {
    state.withLock { state in
      state.uses += 1
      state.entries[key]?.lastUse = state.uses
      return state.entries[key]
    }
  }

  /// Stores the value of an answer, unless the answer has no `ETag` or says `no-store`.
  func remember(_ value: any Sendable, of answer: HTTPAnswer) {
    let mayBeKept = answer.headers["cache-control"]?.lowercased().contains("no-store") != true
    guard
      let key = answer.key, let etag = answer.headers["etag"], mayBeKept, answer.body.count <= limit
    else { return }
    state.change { state -> [Entry?] in
      guard key.forgettings == state.forgettings else { return [] }
      state.uses += 1
      let entry = Entry(
        etag: etag, value: value, headers: answer.headers, size: answer.body.count,
        lastUse: state.uses
      )
      var gone = [state.entries.updateValue(entry, forKey: key)]
      state.size += answer.body.count - (gone[0]?.size ?? 0)
      while state.size > limit || state.entries.count > 256,
        // There are few entries, and an ordered list would be more code.
        let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
      {
        state.entries[oldest.key] = nil
        state.size -= oldest.value.size
        gone.append(oldest.value)
      }
      return gone
    }
  }
}
