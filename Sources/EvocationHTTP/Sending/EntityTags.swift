import Evocation
import Foundation

/// The version of each model as the app last received it, by the model's id: mostly its `ETag`.
///
/// A tag is forgotten when the app receives the model without one: a change that is based on that
/// newer state must not be refused because of an older tag.
final class EntityTags: Sendable {
  private struct Entry {
    var tag: String
    /// The address that the tag came from, at another one it means nothing; nil for the model's own
    /// version, which means the same everywhere.
    var url: URL?
  }

  private struct State {
    var entries = RecentValues<Entry>(room: 2048)
    var writes = 0

    mutating func learn(_ tag: String?, of id: String, at url: URL?) {
      entries[id] = tag.map { Entry(tag: $0, url: url) }
    }
  }

  private let state = Lock(State())

  var isEmpty: Bool { state.withLock(\.entries.isEmpty) }

  /// How many writes there have been; a read that began before the last one is not remembered.
  var writes: Int { state.withLock(\.writes) }

  /// The tag of the model at this address, if it is known.
  func tag(of id: String, at url: URL) -> String? {
    state.withLock { state in
      guard let entry = state.entries[id], (entry.url ?? url).isSame(as: url) else {
        return nil
      }
      return state.entries.used(id)?.tag
    }
  }

  /// Takes the tag of a read that began when there had been this many writes; nil for none.
  func read(_ id: String, at url: URL?, _ tag: String?, writes: Int) {
    state.withLock { state in
      guard state.writes == writes else { return }
      state.learn(tag, of: id, at: url)
    }
  }

  /// Takes the tag of the answer to a write of one model; nil for none.
  func wrote(_ id: String, at url: URL?, _ tag: String?) {
    state.withLock { state in
      state.writes &+= 1
      state.learn(tag, of: id, at: url)
    }
  }

  /// Forgets models that were written, or removed, by an answer without their tags.
  func wroteUntagged(_ ids: [String]) {
    state.withLock { $0.writes &+= 1 }
    forget(ids)
  }

  /// Forgets all models, and what reads bring that have begun.
  func forgetAll() {
    state.withLock { state in
      state.writes &+= 1
      state.entries = RecentValues(room: 2048)
    }
  }

  /// Forgets models.
  func forget(_ ids: [String]) {
    state.withLock { state in
      for id in ids { state.entries[id] = nil }
    }
  }
}

extension URL {
  /// Whether it is the same address, with a slash at the end or without.
  fileprivate func isSame(as other: URL) -> Bool {
    if self == other { return true }
    func bare(_ text: String) -> Substring { text.hasSuffix("/") ? text.dropLast() : text[...] }
    return bare(absoluteString) == bare(other.absoluteString)
  }
}

extension HTTPAnswer {
  /// The field that tells exactly one version of a model, by the kind of version that a service has.
  ///
  /// A weak tag does not, and `no-store` is about keeping bodies and not tags.
  func tag(_ version: HTTPFormat.Version) -> String? {
    switch version {
    case .entityTag: headers["etag"].flatMap { $0.hasPrefix("\"") ? $0 : nil }
    case .lastModified: headers["last-modified"]
    case .property: nil
    }
  }
}

extension HTTPFormat.Version {
  /// The field that says which version a request is based on.
  func condition(_ tag: String) -> HTTPRequest.Condition {
    switch self {
    case .entityTag: .init(field: "If-Match", value: tag)
    case .lastModified: .init(field: "If-Unmodified-Since", value: tag)
    case .property: .init(field: "If-Match", value: "\"\(tag)\"")
    }
  }
}
