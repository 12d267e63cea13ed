import Evocation
import Foundation

/// The `ETag` of each model as the app last received it, by the model's id.
///
/// A tag is forgotten when the app receives the model without one: a change that is based on that
/// newer state must not be refused because of an older tag.
final class EntityTags: Sendable {
  fileprivate struct Entry {
    var tag: String
    /// The address that the tag came from; at another one it means nothing.
    var url: URL
  }

  fileprivate struct State {
    /// The entries that were used since `recent` was last full, and those used before.
    var recent: [String: Entry] = [:]
    var older: [String: Entry] = [:]
    var writes = 0
  }

  /// How many entries `recent` holds; twice as many are kept.
  private static let room = 2048

  private let state = Lock(State())

  var isEmpty: Bool { state.withLock { $0.recent.isEmpty && $0.older.isEmpty } }

  /// How many writes there have been; a read that began before the last one is not remembered.
  var writes: Int { state.withLock { $0.writes } }

  /// The tag of the model at this address, if it is known.
  func tag(of id: String, at url: URL) -> String? {
    state.withLock { state in
      guard let entry = state[id], entry.url == url else { return nil }
      state.keep(entry, for: id, room: Self.room)
      return entry.tag
    }
  }

  /// Takes the tag of a read that began when there had been this many writes.
  func read(_ id: String, at url: URL, _ answer: HTTPAnswer, writes: Int) {
    state.withLock { state in
      guard state.writes == writes else { return }
      state.learn(answer, of: id, at: url, room: Self.room)
    }
  }

  /// Takes the tag of the answer to a write of one model.
  func wrote(_ id: String, at url: URL, _ answer: HTTPAnswer) {
    state.withLock { state in
      state.writes += 1
      state.learn(answer, of: id, at: url, room: Self.room)
    }
  }

  /// Forgets models that were written, or removed, by an answer without their tags.
  func wroteUntagged(_ ids: [String]) {
    state.withLock { $0.writes += 1 }
    forget(ids)
  }

  /// Forgets models.
  func forget(_ ids: [String]) {
    state.withLock { state in
      for id in ids { state[id] = nil }
    }
  }
}

extension EntityTags.State {
  fileprivate subscript(id: String) -> EntityTags.Entry? {
    get { recent[id] ?? older[id] }
    set {
      recent[id] = newValue
      older[id] = nil
    }
  }

  fileprivate mutating func learn(_ answer: HTTPAnswer, of id: String, at url: URL, room: Int) {
    guard let tag = answer.strongTag else { return self[id] = nil }
    keep(EntityTags.Entry(tag: tag, url: url), for: id, room: room)
  }

  fileprivate mutating func keep(_ entry: EntityTags.Entry, for id: String, room: Int) {
    self[id] = entry
    guard recent.count > room else { return }
    older = recent
    recent = [:]
  }
}

extension HTTPAnswer {
  /// The tag that identifies exactly one version of a model; nil for a weak one.
  fileprivate var strongTag: String? {
    guard let tag = headers["etag"], tag.hasPrefix("\""),
      headers["cache-control"]?.contains("no-store") != true
    else { return nil }
    return tag
  }
}
