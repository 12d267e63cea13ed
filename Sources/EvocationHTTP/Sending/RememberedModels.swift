import Evocation
import Foundation

/// What the service has of each model, as the app last received it, by the model's id.
///
/// A version is forgotten when the app receives the model without one: a change that is based on that
/// newer state must not be refused because of an older version.
final class RememberedModels: Sendable {
  struct Entry {
    /// The version, mostly an `ETag`.
    var version: String?
    /// The address that the version came from, at another one it means nothing; nil for the model's own
    /// version, which means the same everywhere.
    var url: URL?
    /// The properties, for writes of what differs.
    var fields: Fields?
    /// Whether it is not known what the service has, since a write was not answered.
    var isDoubtful = false
  }

  private struct State {
    var entries = RecentValues<Entry>(room: 2048)
    var writes = 0

    mutating func learn(_ entry: Entry, of id: String) {
      let isEmpty = entry.version == nil && entry.fields == nil
      entries[id] = isEmpty ? nil : entry
    }
  }

  private let state = Lock(State())

  var isEmpty: Bool { state.withLock(\.entries.isEmpty) }

  /// How many writes there have been; a read that began before the last one is not remembered.
  var writes: Int { state.withLock(\.writes) }

  /// What is known of a model, which then counts as used.
  subscript(id: String) -> Entry? { state.withLock { $0.entries.used(id) } }

  /// The version of the model at this address, if it is known.
  func version(of id: String, at url: URL) -> String? {
    guard let entry = self[id], (entry.url ?? url).isSame(as: url) else { return nil }
    return entry.version
  }

  /// Takes what a read gave that began when there had been this many writes.
  func read(_ id: String, _ entry: Entry, writes: Int) {
    state.withLock { state in
      guard state.writes == writes else { return }
      state.learn(entry, of: id)
    }
  }

  /// Takes what the answer to a write of one model gave.
  func wrote(_ id: String, _ entry: Entry) {
    state.withLock { state in
      state.writes &+= 1
      state.learn(entry, of: id)
    }
  }

  /// Takes that a write of a model was not answered; its version stays, by which the service compares.
  func doubt(_ id: String) {
    state.withLock { state in
      state.writes &+= 1
      var entry = state.entries[id] ?? Entry()
      (entry.fields, entry.isDoubtful) = (nil, true)
      state.entries[id] = entry
    }
  }

  /// Forgets models that were written, or removed, by an answer without their versions.
  func forget(written ids: [String]) {
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
    // A weak one cannot be compared; Firebase's have no quotes, and are sent back as they came.
    case .entityTag: headers["etag"].flatMap { $0.isEmpty || $0.hasPrefix("W/") ? nil : $0 }
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
