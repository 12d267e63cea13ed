internal import Evocation

/// The changes that have arrived and are not saved yet: of each model, the last one.
///
/// One that lacks keys does not replace the change before it, which may have them.
struct LiveChanges<Model: Sendable>: Sendable {
  /// What the service said last about a model.
  enum Change: Sendable {
    case stored(Model, version: String?, absent: Set<String>)
    case removed(ModelID)

    /// Whether it certainly is an older state of the same model.
    func isOlder(than other: Change) -> Bool {
      guard case .stored(_, let version?, _) = self, case .stored(_, let held?, _) = other else {
        return false
      }
      return VersionOrder.isOlder(version, than: held)
    }

    var isWhole: Bool {
      switch self {
      case .stored(_, _, let absent): absent.isEmpty
      case .removed: true
      }
    }
  }

  private(set) var changes: [Change] = []
  private var indices: [ModelID: Int] = [:]
  /// The last mark.
  private(set) var mark: String?

  var count: Int { changes.count }

  /// Whether there is something to save.
  var isEmpty: Bool { changes.isEmpty && mark == nil }

  /// Adds what a service has sent, and returns what it replaces.
  ///
  /// It gets the ids, because reading them is the app's code, as releasing a model is.
  mutating func add(
    _ new: RemoteChanges<Model>, stored ids: [ModelID]?, removed: [ModelID]
  ) -> [Change] {
    var old: [Change] = []
    for (index, model) in new.stored.enumerated() {
      let version = new.versions.indices.contains(index) ? new.versions[index] : nil
      var absent = new.absentKeys.indices.contains(index) ? new.absentKeys[index] : []
      // After its removal it is a new model, which has nothing of the former one.
      if isRemoved(ids?[index]) { absent = [] }
      add(
        .stored(model, version: version, absent: absent), ids?[index], replacing: &old,
        isWhole: absent.isEmpty)
    }
    for id in removed { add(.removed(id), id, replacing: &old) }
    mark = new.mark ?? mark
    return old
  }

  private func isRemoved(_ id: ModelID?) -> Bool {
    guard let index = id.flatMap({ indices[$0] }), case .removed = changes[index] else {
      return false
    }
    return true
  }

  private mutating func add(
    _ change: Change, _ id: ModelID?, replacing old: inout [Change], isWhole: Bool = true
  ) {
    if let id, let index = indices[id], change.isOlder(than: changes[index]) {
      // Nothing but what the newer one lacks can be of use.
      if changes[index].isWhole { old.append(change) } else { changes.append(change) }
      return
    }
    guard isWhole, let id, let index = indices[id] else {
      if let id { indices[id] = changes.count }
      return changes.append(change)
    }
    old.append(changes[index])
    changes[index] = change
  }

  /// Returns the stored models, the versions of those that have one, and the keys that some lack.
  ///
  /// Of several states of a model, the newest completes what it lacks from the others.
  func stored(local keys: Set<String>) -> FetchedModels<Model> {
    typealias Stored = (model: Model, version: String?, absent: Set<String>)
    var found: [Stored] = []
    var positions: [ModelID: Int] = [:]
    for change in changes {
      guard case .stored(let model, let version, let absent) = change else { continue }
      let new: Stored = (model, version, absent)
      let id = ModelID.all(of: [model])?.first
      guard let id, let place = positions[id] else {
        if let id { positions[id] = found.count }
        found.append(new)
        continue
      }
      let held = found[place]
      let isOlder = version.flatMap { new in
        held.version.map { VersionOrder.isOlder(new, than: $0) }
      }
      let (last, first) = isOlder == true ? (held, new) : (new, held)
      let known = UnsaidKeys([last.absent], of: [last.model])
      found[place].model = known.completed([last.model]) { _ in first.model }[0]
      found[place].version = last.version ?? first.version
      found[place].absent.formIntersection(new.absent)
    }
    let models = found.map(\.model)
    return FetchedModels(
      models: models, listed: models,
      versions: found.compactMap { stored in
        stored.version.map { VersionedModel(stored.model, version: $0) }
      },
      unsaid: UnsaidKeys(found.map(\.absent), of: models, local: keys))
  }

  var removed: [ModelID] {
    changes.compactMap { if case .removed(let id) = $0 { id } else { nil } }
  }
}

/// What a task reads of a stream, until another one saves it; a full batch holds the reader back.
final class LiveBatch<Model: Sendable>: Sendable {
  private struct State {
    var changes = LiveChanges<Model>()
    var hasEnded = false
    /// Ends when something has arrived; nil if nobody waits for that.
    var arrival: Promise<Void>?
    /// Ends when there is room again.
    var room: Promise<Void>?
  }

  private let limit: Int
  private let ids = LiveIDDecoder<Model>()
  private let state = Lock(State())

  /// Creates a batch that takes no more elements while it has this many changes.
  init(limit: Int) {
    self.limit = limit
  }

  var removedIDs: LiveIDDecoder<Model> { ids }

  /// Adds an element, and returns when there is room for the next one, or the task is canceled.
  func add(_ new: RemoteChanges<Model>) async {
    typealias Told = (
      old: [LiveChanges<Model>.Change], arrival: Promise<Void>?, room: Promise<Void>?
    )
    let (stored, removed) = (ModelID.all(of: new.stored), new.removed.compactMap(ids.id))
    let room = state.change { [limit] state -> Told in
      let old = state.changes.add(new, stored: stored, removed: removed)
      if state.changes.count >= limit, state.room == nil { state.room = Promise() }
      defer { state.arrival = nil }
      return (old, state.arrival, state.room)
    } afterwards: { told in
      told.arrival?.fulfil()
      return told.room
    }
    await Self.wait(for: room)
  }

  /// Ends the batch: what it has is still taken.
  func finish() {
    state.change { state in
      state.hasEnded = true
      defer { state.arrival = nil }
      return state.arrival
    } afterwards: {
      $0?.fulfil()
    }
  }

  /// Waits until something has arrived; false at the end, and if the task is canceled.
  func arrives() async -> Bool {
    while !Task.isCancelled {
      let (isThere, arrival) = state.withLock { state -> (Bool?, Promise<Void>?) in
        if !state.changes.isEmpty { return (true, nil) }
        if state.hasEnded { return (false, nil) }
        state.arrival = Promise()
        return (nil, state.arrival)
      }
      if let isThere { return isThere }
      await Self.wait(for: arrival)
    }
    return false
  }

  /// Takes all that has arrived.
  func take() -> LiveChanges<Model> {
    state.change { state -> (LiveChanges<Model>, Promise<Void>?) in
      defer { (state.changes, state.room) = (LiveChanges(), nil) }
      return (state.changes, state.room)
    } afterwards: { taken, room in
      room?.fulfil()
      return taken
    }
  }

  private static func wait(for promise: Promise<Void>?) async {
    guard let promise, !promise.isFulfilled else { return }
    await promise.value(ifCancelled: ())
  }
}
