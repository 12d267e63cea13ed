import Evocation

/// What has to be true of every step, and the naive model that predicts the end.
final class Check: @unchecked Sendable {
  private unowned let world: World
  private(set) var violations: [String] = []
  /// What was sent with each key.
  private var contents: [String: Service.Request] = [:]
  /// Entries that the app has discarded, gave up, or had sent as another, by what they were.
  private var released: Set<String> = []
  /// The entries that a process may begin no attempt of any more, since it has discarded them.
  ///
  /// Another process may have looked at them before, and knows nothing of that.
  private var discarded: [String: AppProcess] = [:]
  /// The last write of each instance that was acknowledged, under each of its ids, and by how many
  /// devices it was written.
  private var last: [Int: [Int: (write: Int, isRemoval: Bool)]] = [:]
  private var writers: [Int: Set<Int>] = [:]
  /// The id under which each write was made.
  private var ids: [Int: Int] = [:]
  /// Instances that were written under one id while writes under another were unsent.
  ///
  /// That is when a read brings a model under the id that the service gave it, and the answer that
  /// says so is still missing: to the user these are two models. A write that is merged keeps the
  /// place of the one before it in the queue, so that only those under one id are in their order.
  private var twofold: Set<Int> = []
  /// Instances whose end is not predicted: writes on them were refused, discarded or given up.
  private var open: Set<Int> = []
  private(set) var predicted = 0

  init(_ world: World) { self.world = world }

  func fail(_ sentence: String) {
    guard violations.count < 5 else { return }
    violations.append("step \(world.step): \(sentence)")
    world.say("VIOLATION: \(sentence)")
  }

  private func name(_ kind: Outbox.EntryKind, _ note: Note) -> String { "\(kind) \(note)" }
  /// What an entry does, however it is asked for: a conflict may turn an update into another kind.
  private func content(_ kind: Outbox.EntryKind, _ note: Note) -> String {
    "\(kind == .remove ? "remove" : "write") \(note)"
  }
  private func name(_ entry: Outbox.Entry<Note>) -> String { name(entry.kind, entry.model) }
  private func root(_ id: Int) -> Int { world.service.firstID(id) }
}

// What each process does.
extension Check {
  /// A process sends a write.
  func sends(_ request: Service.Request, _ key: String, _ process: AppProcess) {
    guard let note = request.note else { return }
    world.tally.attempts += 1
    if let earlier = contents[key], earlier != request {
      fail("\(request) was sent with the key of \(earlier).")
    }
    contents[key] = request
    if discarded[key] === process { fail("\(request) was sent after it had been discarded.") }
    for exchange in world.network.open
    where exchange.process === process && exchange.request.note?.id == note.id {
      fail("\(request) was sent while \(exchange.request) was under way.")
    }
    let onInstance = process.device.entries.filter { $0.model.id == note.id }
    if let index = onInstance.firstIndex(where: { $0.id == key }), index > 0 {
      fail("\(request) was sent before \(onInstance[0].kind) \(onInstance[0].model).")
    }
  }

  /// A device's store has committed.
  func sees(_ rows: [Note], _ entries: [Outbox.Entry<Note>], on device: Device) {
    let left = Set(entries.map(\.id))
    device.rows = Dictionary(rows.map { ($0.id, $0) }) { $1 }
    for entry in device.entries where !left.contains(entry.id) { gone(entry, device) }
    let acknowledged = device.entries.filter { !left.contains($0.id) }.map(\.model.id)
    device.entries = entries
    var last: [Int: Outbox.Entry<Note>] = [:]
    for entry in entries { last[entry.model.id] = entry }
    for (id, entry) in last {
      device.unsentAt[id] = world.step
      device.leastVersions[id] = nil
      let shown = entry.kind == .remove ? nil : entry.model
      // Whose user has signed out removes nothing for the next one.
      if device.rows[id] != shown, !(device.isHeld && entry.kind == .remove) {
        let row = text(device.rows[id])
        fail("device \(device.number) shows \(row) where \(name(entry)) is unsent.")
      }
    }
    for id in acknowledged {
      device.unsentAt[id] = world.step
      // It may be known by another id from now on.
      for (given, first) in world.service.firstIDs where first == id {
        device.unsentAt[given] = world.step
      }
      if last[id] == nil { device.leastVersions[id] = device.rows[id]?.version }
    }
    guard device.processes.count == 1 else { return device.leastVersions.removeAll() }
    for (id, version) in device.leastVersions {
      if let row = device.rows[id], row.version < version {
        fail("device \(device.number) went back to \(row), and had version \(version).")
        device.leastVersions[id] = nil
      }
    }
  }

  /// An entry is no longer in the store.
  private func gone(_ entry: Outbox.Entry<Note>, _ device: Device) {
    if world.service.hasDone(entry.id, entry) || released.contains(content(entry.kind, entry.model))
    {
      return
    }
    if device.isDiscarding > 0 { return releases([entry]) }
    // A store that never left, and was taken back by a removal.
    if entry.kind == .store, contents[entry.id] == nil, device.rows[entry.model.id] == nil {
      return
    }
    fail("\(name(entry)) left device \(device.number), and the service has not got it.")
  }

  private func text(_ note: Note?) -> String { note.map { "\($0)" } ?? "nothing" }
}

// What the app decided.
extension Check {
  func givesUp(_ note: Note, _ kind: Outbox.EntryKind, isSame: Bool) {
    released.insert(content(kind, note))
    if !isSame { open.insert(root(note.id)) }
  }

  func replaces(_ note: Note, _ kind: Outbox.EntryKind) { released.insert(content(kind, note)) }

  func sendsAgain(_ note: Note, _ kind: Outbox.EntryKind) {
    released.insert(content(kind, note))
    open.insert(root(note.id))
  }

  /// The app begins to discard or to change what waits on an instance.
  func releases(_ entries: [Outbox.Entry<Note>]) {
    for entry in entries {
      released.insert(content(entry.kind, entry.model))
      open.insert(root(entry.model.id))
    }
  }

  /// The call that discarded them has returned.
  func hasDiscarded(_ id: String, _ process: AppProcess) {
    if !process.device.entries.contains(where: { $0.id == id }) { discarded[id] = process }
  }

  func leavesOpen(_ id: Int) { open.insert(root(id)) }

  /// A call has answered that it keeps a write.
  func acknowledges(_ write: Int, on id: Int, isRemoval: Bool) {
    let root = root(id)
    if last[root]?[id].map({ $0.write < write }) ?? true {
      last[root, default: [:]][id] = (write, isRemoval)
    }
  }

  /// A device begins to write.
  func begins(_ write: Int, on id: Int, by device: Device) {
    let root = root(id)
    writers[root, default: []].insert(device.number)
    ids[write] = id
    if device.entries.contains(where: { $0.model.id != id && self.root($0.model.id) == root }) {
      twofold.insert(root)
    }
  }

  /// Another app writes.
  func writesPast(_ id: Int) { writers[root(id), default: []].insert(-1) }
}

// What a read has to show.
extension Check {
  func reads(
    _ shown: [Note], only: Int?, since began: Int, _ before: [Int: Outbox.Entry<Note>],
    on device: Device, wasQuiet: Bool
  ) {
    let shown = Dictionary(shown.map { ($0.id, $0) }) { $1 }
    var after: [Int: Outbox.Entry<Note>] = [:]
    for entry in device.entries { after[entry.model.id] = entry }
    let isHeld = device.isHeld || device.heldAt >= began
    for (id, entry) in after where wasQuiet && !(isHeld && entry.kind == .remove) {
      guard let earlier = before[id], earlier.id == entry.id, earlier.model == entry.model,
        earlier.kind == entry.kind
      else { continue }
      if only ?? id == id, shown[id] != (entry.kind == .remove ? nil : entry.model) {
        let shown = text(shown[id])
        fail("a read on device \(device.number) showed \(shown) over the unsent \(name(entry)).")
      }
    }
    for (id, note) in shown where after[id] == nil && device.unsentAt[id] ?? -1 < began {
      let states = world.service.history[id] ?? []
      let first = states.lastIndex { $0.step <= began } ?? 0
      if !states[min(first, states.count)...].contains(where: { $0.note == note }) {
        fail("a read on device \(device.number) showed \(note), which the service did not have.")
      }
    }
  }
}

// The end.
extension Check {
  func ends() {
    let notes = world.service.notes
    for device in world.devices {
      if !device.entries.isEmpty {
        let left = device.entries.map { "\(name($0)) \($0.state)" }
        fail("device \(device.number) still has \(left).")
      } else if device.rows != notes {
        let ids = Set(notes.keys).union(device.rows.keys).sorted()
        let different = ids.filter { device.rows[$0] != notes[$0] }
        let texts = different.prefix(3).map { "\(text(device.rows[$0])) for \(text(notes[$0]))" }
        fail("device \(device.number) does not agree: it has \(texts).")
      }
    }
    guard world.options.honoursKeys else { return }
    checkEffects()
    for (root, ends) in last where !open.contains(root) && writers[root]?.count == 1 {
      let note = notes.values.first { self.root($0.id) == root }
      predicted += 1
      var ends = ends.values.sorted { $0.write < $1.write }
      if !twofold.contains(root) { ends.removeFirst(ends.count - 1) }
      if !ends.contains(where: { note?.write == ($0.isRemoval ? nil : $0.write) }) {
        fail("instance \(root) ends as \(text(note)), and its last kept write was \(ends).")
      }
    }
  }

  /// Nothing was done twice, and on no instance a device's writes were done in another order.
  private func checkEffects() {
    var seen: Set<String> = []
    var order: [String: Int] = [:]
    for effect in world.service.effects {
      guard let note = effect.request.note, !effect.request.isRemoval else { continue }
      let isNew = seen.insert("\(effect.device) \(note.id) \(note.text)").inserted
      let root = root(note.id)
      if !isNew, !open.contains(root) { fail("\(effect.request) was done twice.") }
      let id = twofold.contains(root) ? ids[note.write] ?? note.id : root
      let instance = "\(effect.device) \(root) \(id)"
      if let earlier = order[instance], earlier > note.write, !open.contains(root) {
        fail("\(effect.request) was done after write \(earlier).")
      }
      order[instance] = max(order[instance] ?? 0, note.write)
    }
  }
}
