import Evocation
import Foundation

/// The state of each model at the service, as the app last received it, by the model's id.
///
/// A version is forgotten if the app receives the model without one: a change that is based on the
/// newer state must not be refused because of an older version.
final class RememberedModels: Sendable {
  struct Entry {
    /// The version, mostly an `ETag`.
    var version: String?
    /// The address from which the version came; at other addresses it has no meaning.
    ///
    /// It is nil for a version in the model itself, which has the same meaning everywhere.
    var url: URL?
    /// The model, for writes that send only differences.
    var model: (any Sendable)?
    /// The coding keys to which writes without an answer may have given values; nil if there are none.
    var doubted: Set<String>?
  }

  /// How many models are remembered.
  static let room = 2048

  private struct State {
    var entries = RecentValues<Entry>(room: RememberedModels.room)
    var writes = 0
    var hasSummaries = false

    mutating func learn(_ entry: Entry, of id: String) {
      let isEmpty = entry.version == nil && entry.model == nil
      entries[id] = isEmpty ? nil : entry
    }
  }

  private let state = Lock(State())

  var isEmpty: Bool { state.withLock(\.entries.isEmpty) }

  /// How many writes there have been; a read that began before the last one is not remembered.
  var writes: Int { state.withLock(\.writes) }

  /// Whether an answer has left out a key of a model, so that nil in a model may be what nobody read.
  var hasSummaries: Bool { state.withLock(\.hasSummaries) }

  /// Records that an answer has left out a key of a model.
  func foundSummaries() { state.withLock { $0.hasSummaries = true } }

  /// The remembered state of a model, which then counts as used.
  subscript(id: String) -> Entry? { state.withLock { $0.entries.used(id) } }

  /// Returns the version of the model at this address, if it is known.
  func version(of id: String, at url: URL) -> String? {
    guard let entry = self[id], (entry.url ?? url).isSame(as: url) else { return nil }
    return entry.version
  }

  /// Records the result of a read that began after this many writes.
  func read(_ id: String, _ entry: Entry, writes: Int) {
    state.withLock { state in
      guard state.writes == writes else { return }
      state.learn(entry, of: id)
    }
  }

  /// Records the result of a write of one model.
  func wrote(_ id: String, _ entry: Entry) {
    state.withLock { state in
      state.writes &+= 1
      state.learn(entry, of: id)
    }
  }

  /// Records that a write of a model was not answered.
  ///
  /// The version stays, so that the service can compare it. The keys are those to which the write gave
  /// values.
  func doubt(_ id: String, _ keys: Set<String>) {
    state.withLock { state in
      state.writes &+= 1
      var entry = state.entries[id] ?? Entry()
      entry.doubted = (entry.doubted ?? []).union(keys)
      state.entries[id] = entry
    }
  }

  /// Forgets models whose write or removal was answered without their versions.
  func forget(written ids: [String]) {
    state.withLock { $0.writes &+= 1 }
    forget(ids)
  }

  /// Forgets all models, and ignores the results of reads that have begun.
  func forgetAll() {
    state.withLock { state in
      state.writes &+= 1
      state.entries = RecentValues(room: Self.room)
    }
  }

  func forget(_ ids: [String]) {
    state.withLock { state in
      for id in ids { state.entries[id] = nil }
    }
  }
}

extension URL {
  /// Whether it is the same address, with or without a slash at the end.
  fileprivate func isSame(as other: URL) -> Bool {
    if self == other { return true }
    func bare(_ text: String) -> Substring { text.hasSuffix("/") ? text.dropLast() : text[...] }
    return bare(absoluteString) == bare(other.absoluteString)
  }
}

extension HTTPAnswer {
  /// Returns the header field that identifies one version of a model, by the format's kind of version.
  ///
  /// A weak tag does not identify one. `no-store` concerns bodies, not tags.
  func tag(_ version: HTTPFormat.Version) -> String? {
    switch version {
    // A weak tag cannot be compared. The tags of Firebase have no quotes, and are sent back as they came.
    case .entityTag: headers["etag"].flatMap { $0.isEmpty || $0.hasPrefix("W/") ? nil : $0 }
    case .lastModified: headers["last-modified"]
    case .property: nil
    }
  }
}

extension HTTPFormat.Version {
  /// Returns the header field that names the version on which a request is based.
  func condition(_ tag: String) -> HTTPRequest.Condition {
    switch self {
    case .entityTag: .init(field: "If-Match", value: tag)
    case .lastModified: .init(field: "If-Unmodified-Since", value: tag)
    case .property: .init(field: "If-Match", value: "\"\(tag)\"")
    }
  }
}
