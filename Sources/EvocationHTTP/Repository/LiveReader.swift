import Evocation
import Foundation

/// Decodes the events of one reader of a stream.
final class LiveReader<Model: Codable & Identifiable & Sendable>: Sendable {
  private let repository: HTTPRepository<Model>
  private let follower: LiveFollower
  /// The elements that were read and not returned yet, the next one last.
  private let waiting = Lock<[RemoteChanges<Model>]>([])

  init(_ repository: HTTPRepository<Model>, _ follower: LiveFollower) {
    (self.repository, self.follower) = (repository, follower)
  }

  /// Waits for the next changes, and decodes them away from the caller's actor.
  @concurrent func next() async throws -> RemoteChanges<Model> {
    while true {
      if let next = waiting.withLock({ $0.popLast() }) { return next }
      let elements = try await read()
      waiting.withLock { $0 = elements.reversed() }
    }
  }

  private func read() async throws -> [RemoteChanges<Model>] {
    var elements = LiveElements<Model>()
    for item in try await follower.next() {
      switch item {
      case .connected(let mark): return [RemoteChanges(mark: mark)]
      case .message(_, let changes, _) where changes.contains(.missed): return [RemoteChanges()]
      case .message(let event, let changes, let mark):
        var isWhole = true
        for change in changes where try !add(change, of: event, to: &elements) { isWhole = false }
        if isWhole { elements.mark(mark) }
      }
    }
    return elements.all
  }

  /// Adds a change, and returns whether it was read; of models that do not decode, it adds the ids.
  private func add(
    _ change: HTTPFormat.Live.Change, of event: ServerSentEvent,
    to elements: inout LiveElements<Model>
  ) throws -> Bool {
    switch change {
    case .removed(let id): elements.remove(id)
    case .missed, .subscribed, .ended: break
    case .stored(let place, let id):
      do {
        let content = try repository.coding.live(
          Model.self, from: event.data, at: place, id: id)
        let versions = repository.given(content.versions)
        try elements.store(content, versions: versions) { try repository.idText(of: $0) }
      } catch {
        let ids = repository.coding.liveIDs(in: event.data, at: place, id: id)
        follower.recordUndecodable(error, isNamed: ids != nil)
        elements.miss(ids ?? [])
        return false
      }
    }
    return true
  }
}

/// The changes of several events as elements, each of which is saved in one transaction.
///
/// What an element removes is removed after what it stores, so a model that is stored after its removal
/// begins another one.
struct LiveElements<Model: Identifiable & Sendable> {
  private(set) var all: [RemoteChanges<Model>] = []
  /// The places in the last element, by id.
  private var places: [ModelID: Int] = [:]
  /// The ids that the last element removes, in lowercase.
  private var removed: Set<String> = []

  /// Adds models; one that comes twice is as it came last, unless that is an older state.
  mutating func store(
    _ content: Content<[Model]>, versions: [String?], idText: (Model) throws -> String
  ) throws {
    if content.value.isEmpty { return }
    let ids = try ModelID.each(of: content.value)
    let texts = removed.isEmpty ? [] : try content.value.map { try idText($0).lowercased() }
    if !removed.isDisjoint(with: texts) { begin() } else { beginAfterGap() }
    for (index, model) in content.value.enumerated() {
      let version = versions.isEmpty ? nil : versions[index]
      let absent = content.absent.isEmpty ? [] : content.absent[index]
      guard let place = places[ids[index]] else {
        places[ids[index]] = last.stored.count
        last.stored.append(model)
        last.absentKeys.append(absent)
        if !versions.isEmpty { last.versions.append(version) }
        continue
      }
      let (held, known) = (last.stored[place], last.absentKeys[place])
      let isOlder = version.flatMap { new in
        last.versions[place].map { VersionOrder.isOlder(new, than: $0) }
      }
      if isOlder == true {
        last.stored[place] = Rebasing.completed(held, under: known, from: model)
      } else {
        last.stored[place] = Rebasing.completed(model, under: absent, from: held)
        if let version { last.versions[place] = version }
      }
      last.absentKeys[place].formIntersection(absent)
    }
  }

  mutating func remove(_ id: String) {
    beginAfterGap()
    last.removed.append(id)
    removed.insert(id.lowercased())
  }

  /// Adds that something was missed: the models with these ids, which do not decode, or anything.
  ///
  /// The element has no mark, because a mark would say that nothing was missed.
  mutating func miss(_ ids: [String]) {
    begin()
    last.unreadable = ids
  }

  /// Records the mark of all changes up to now.
  mutating func mark(_ mark: String?) {
    guard let mark else { return }
    beginAfterGap()
    last.mark = mark
  }

  private var last: RemoteChanges<Model> {
    get { all[all.count - 1] }
    _modify { yield &all[all.count - 1] }
  }

  private mutating func begin() {
    all.append(RemoteChanges())
    (places, removed) = ([:], [])
  }

  /// Begins an element unless there is one that can have more.
  private mutating func beginAfterGap() {
    if all.last.map({ $0.stored.isEmpty && $0.removed.isEmpty && $0.mark == nil }) ?? true {
      begin()
    }
  }
}
