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
    /// The coding keys of which no answer has said anything.
    var unsaid: Set<String> = []
    /// The coding keys to which writes without an answer may have given values; nil if there are none.
    var doubted: Set<String>?
  }

  /// How many models are remembered.
  static let room = 2048

  /// How many lists wait at most to be recorded.
  private static let mostLists = 16

  /// A list that was read.
  final class List: Sendable {
    private let question: (url: URL, body: Data?)?
    fileprivate let count: Int
    fileprivate let entries: @Sendable () -> [(id: String, entry: Entry)]

    /// Creates a list whose entries are found once one is needed (`prefetch 100,000`).
    ///
    /// - Parameters:
    ///   - request: The request that was answered; nil for what a write answered.
    ///   - count: How many models it has.
    ///   - entries: Returns an entry for each of its models. It runs on any thread, without a lock, and on
    ///     several if they ask at the same time.
    init(
      _ request: HTTPRequest?, count: Int,
      entries: @escaping @Sendable () -> [(id: String, entry: Entry)]
    ) {
      question = request.map { ($0.url, $0.body) }
      (self.count, self.entries) = (count, entries)
    }

    /// Whether both are answers to one question.
    fileprivate func isSame(as other: List) -> Bool {
      guard let question, let second = other.question else { return false }
      return question == second
    }
  }

  private struct State {
    var entries = RecentValues<Entry>(room: RememberedModels.room)
    /// The lists that were read after all that the entries know.
    var lists: [List] = []
    var writes = 0
    var hasSummaries = false

    mutating func learn(_ entry: Entry, of id: String) {
      let isEmpty = entry.version == nil && entry.model == nil
      entries[id] = isEmpty ? nil : entry
    }
  }

  private let state = Lock(State())

  var isEmpty: Bool { state.withLock { $0.entries.isEmpty && $0.lists.isEmpty } }

  /// How many writes there have been; a read that began before the last one is not remembered.
  var writes: Int { state.withLock(\.writes) }

  /// Whether an answer has left out a key of a model, so that nil in a model may be what nobody read.
  var hasSummaries: Bool { state.withLock(\.hasSummaries) }

  /// Records that an answer has left out a key of a model.
  func foundSummaries() { state.withLock { $0.hasSummaries = true } }

  /// The remembered state of a model, which then counts as used.
  subscript(id: String) -> Entry? {
    recordLists()
    return known(id)
  }

  /// The same, while lists are recorded.
  func known(_ id: String) -> Entry? { locked { $0.entries.used(id) } }

  /// Records a list whose read began after this many writes.
  func read(_ list: List, writes: Int) {
    locked { state in
      if state.writes == writes, list.count > 0 { state.lists.append(list) }
    }
    while let first = firstOfMany() { record(first) }
  }

  /// Makes room for the last lists; returns the first one if it has to be recorded for that.
  private func firstOfMany() -> List? {
    locked { state in
      while let first = state.lists.first {
        let rest = state.lists.dropFirst()
        let count = rest.reduce(0) { $0 + $1.count }
        guard count >= Self.room else { return rest.count < Self.mostLists ? nil : first }
        // A list that was read again has mostly the same models.
        let others = rest.indices.filter { place in
          !rest[(place + 1)...].contains(where: rest[place].isSame)
        }
        guard others.reduce(0, { $0 + rest[$1].count }) >= Self.room else { return first }
        state.lists.removeFirst()
        state.entries.removeAll()
      }
      return nil
    }
  }

  /// Records the lists in their order.
  private func recordLists() {
    while let first = state.withLock(\.lists.first) { record(first) }
  }

  private func record(_ list: List) {
    let entries = list.entries()
    locked { state in
      // Another thread may have recorded it.
      guard state.lists.first === list else { return }
      for (id, entry) in entries { state.learn(entry, of: id) }
      state.lists.removeFirst()
    }
  }

  /// Changes the state, and releases what it no longer has after the lock: a model's `deinit` is the app's.
  private func locked<Value>(_ body: (inout State) -> Value) -> Value {
    state.change { state in
      let lists = state.lists
      let value = body(&state)
      return (value, state.entries.takeLeft(), lists)
    } afterwards: { value, _, _ in
      value
    }
  }

  /// Changes entries, after all lists that were read before have been recorded.
  private func change(_ body: (inout State) -> Void) {
    while true {
      recordLists()
      let isDone = locked { state in
        guard state.lists.isEmpty else { return false }
        body(&state)
        return true
      }
      if isDone { return }
    }
  }

  /// Returns the version of the model at this address, if it is known.
  func version(of id: String, at url: URL) -> String? {
    guard let entry = self[id], (entry.url ?? url).isSame(as: url) else { return nil }
    return entry.version
  }

  /// Records the result of a read that began after this many writes.
  func read(_ id: String, _ entry: Entry, writes: Int) {
    change { state in
      guard state.writes == writes else { return }
      state.learn(entry, of: id)
    }
  }

  /// Records the result of a write of one model.
  func wrote(_ id: String, _ entry: Entry) {
    change { state in
      state.writes &+= 1
      state.learn(entry, of: id)
    }
  }

  /// Records that a write of a model was not answered.
  ///
  /// The version stays, so that the service can compare it. The keys are those to which the write gave
  /// values.
  func doubt(_ id: String, _ keys: Set<String>) {
    change { state in
      state.writes &+= 1
      var entry = state.entries[id] ?? Entry()
      entry.doubted = (entry.doubted ?? []).union(keys)
      state.entries[id] = entry
    }
  }

  /// Forgets models whose write or removal was answered without their versions.
  func forget(written ids: [String]) {
    change { state in
      state.writes &+= 1
      for id in ids { state.entries[id] = nil }
    }
  }

  /// Forgets all models, and ignores the results of reads that have begun.
  func forgetAll() {
    locked { state in
      state.writes &+= 1
      state.lists = []
      state.entries.removeAll()
    }
  }

  func forget(_ ids: [String]) {
    change { state in
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
