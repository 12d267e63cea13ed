import Evocation

/// What has to be true of every step, and the naive model that predicts the end.
///
/// It knows what each write of the app was made on, and which properties it set, and follows both from
/// commit to commit. So it can tell what an entry may become, and what the service may be asked for.
final class Check: @unchecked Sendable {
  unowned let world: World
  private(set) var violations: [String] = []
  private(set) var predicted = 0
  /// How many commits it has seen.
  var commits = 0
  /// What was sent with each key.
  var contents: [String: Service.Request] = [:]
  /// The keys that the service has refused for what was written, or that the app was asked about: only
  /// these may be parked.
  var refused: Set<String> = []
  /// What the app has said to conflicts, by the keys that met them.
  var resolved: [String: Resolved] = [:]
  /// The entries that a process may begin no attempt of any more, since it has discarded them.
  ///
  /// Another process may have looked at them before, and knows nothing of that.
  var discarded: [String: AppProcess] = [:]
  /// The processes beside the one that parked an entry, which may have looked at it before.
  var unaware: [String: [AppProcess]] = [:]
  /// Instances that the app has discarded writes of, gave up or sent as others, and those that others
  /// have written: their end is not predicted.
  var decided: Set<Name> = []
  var writers: [Name: Set<Int>] = [:]
  /// What the last write of the app made of each instance, under each id that it was written by.
  var ends: [Name: [Int: (write: Int, record: Record?)]] = [:]
  /// Instances that were written, or referred to, under one id while writes under another were unsent.
  ///
  /// That is when a read brings a model under the id that the service gave it, and the answer that
  /// says so is still missing: to the user these are two models, which become one. So are one that is removed
  /// and one that is read again and written after a sign-out that keeps the removal.
  var twofold: Set<Name> = []
  /// Instances that the app was asked about where processes share a store, which may have got an older model by a
  /// slow fetch of another one, or where it has written under two ids, so that its own write under one of them is to
  /// the other what somebody else wrote: what the app has said counts then, and not what it last wrote.
  var doubted: Set<Name> = []
  /// The last write of each device that the service has carried out on an instance.
  var lastWrites: [String: Int] = [:]
  /// What each device has had done.
  var effects: Set<String> = []

  struct Resolved {
    let theirs: Record?
    let isTheirs: Bool
  }

  init(_ world: World) { self.world = world }

  func fail(_ sentence: String) {
    guard violations.count < 5 else { return }
    violations.append("step \(world.step): \(sentence)")
    world.say("VIOLATION: \(sentence)")
  }

  func root(_ name: Name) -> Name { world.service.root(name) }

  /// Whether an instance has only one name at present, so that it can be followed by it.
  func isFollowed(_ name: Name) -> Bool { !twofold.contains(root(name)) }

  /// The value of a property; of a reference, whatever the id that it is said by.
  func value(_ record: Record, _ field: Record.Field) -> String {
    switch field {
    case .title: record.title
    case .body: record.body
    case .note: record.reference.map { "\(root($0))" } ?? ""
    }
  }

  func differences(_ one: Record, _ other: Record) -> Set<Record.Field> {
    Set(Record.Field.allCases.filter { value(one, $0) != value(other, $0) })
  }

  func areSame(_ one: Record?, _ other: Record?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return one.version == other.version && differences(one, other).isEmpty
  }

  func text(_ record: Record?) -> String { record.map { "\($0)" } ?? "nothing" }
}

/// What the check knows of an entry.
struct Waiting {
  var entry: Outbox.Entry<Record>
  /// The first and the last of the app's writes that it carries.
  var first: Int
  var last: Int
  /// The properties that they set; the others are to be as they were before.
  var own: Set<Record.Field>
  /// The write that has it refer to what it refers to; nil where that has come from another.
  var referringSince: Int?
  /// The commits by which its attempt began, it got its base, and the app had it sent on top of what others
  /// wrote.
  var begunBy: Int?
  var basedBy: Int?
  var resolvedBy: Int?

  var name: Name { entry.model.name }
}

extension Waiting: CustomStringConvertible {
  var description: String {
    "\(entry.kind) \(entry.model) on \(entry.base.map { "\($0)" } ?? "nothing")"
  }
}

// What the app decides.
extension Check {
  /// The app has answered a conflict.
  func resolves<Model>(
    _ kind: Outbox.EntryKind, _ base: Record?, _ mine: Record, _ theirs: Record?,
    as resolution: Outbox.Resolution<Model>, on device: Device
  ) {
    world.say("device \(device.number) resolves \(kind) \(mine) on \(text(base)): \(resolution)")
    // What was changed and changed back has another version.
    let states = base.flatMap { world.service.history[$0.name] } ?? []
    if world.options.honoursKeys, kind != .store, let base, areSame(base, theirs),
      isFollowed(mine.name), kind == .remove || mine.version == base.version,
      states.count(where: { $0.record == base }) < 2
    {
      fail("the app was asked about \(kind) \(mine), and nobody has changed \(text(base)).")
    }
    let all = device.waiting.filter { $0.name == mine.name }
    // What becomes the first while another one is under way is not what the app is asked about.
    let asked = all.first { $0.entry.kind == kind && $0.entry.model == mine } ?? all.first
    guard let key = asked?.entry.id else { return }
    refused.insert(key)
    // The service compares the version that the app has written into what was made on nothing.
    let isOfOldVersion = base == nil && mine.version != 0
    if world.options.sharesStores || !isFollowed(mine.name) || isOfOldVersion {
      doubted.insert(root(mine.name))
    }
    switch resolution {
    case .park: return
    case .theirs:
      decided.insert(root(mine.name))
      resolved[key] = Resolved(theirs: theirs, isTheirs: true)
    case .mine, .merged: resolved[key] = Resolved(theirs: theirs, isTheirs: false)
    }
  }

  /// The app begins to discard what waits, or to send it as another.
  func decides(_ names: [Name]) {
    for name in names { decided.insert(root(name)) }
  }

  /// The call that discarded an entry has returned.
  func hasDiscarded(_ key: String, _ process: AppProcess) {
    if !process.device.waiting.contains(where: { $0.entry.id == key }) { discarded[key] = process }
  }

  /// A device begins to write a model, which may refer to another.
  func begins(on record: Record, by device: Device) {
    writers[root(record.name), default: []].insert(device.number)
    for name in [record.name, record.reference].compactMap({ $0 }) {
      let others = device.waiting.filter { $0.name != name && root($0.name) == root(name) }
      if others.contains(where: { device.rows[$0.name] != nil || $0.entry.kind == .remove }),
        device.rows[name] != nil || device.waiting.contains(where: { $0.name == name })
      {
        twofold.insert(root(name))
      }
    }
  }

  /// Another app writes.
  func writesPast(_ name: Name) { writers[root(name), default: []].insert(-1) }
}

// What a read has to show.
extension Check {
  func reads(
    _ kind: Record.Kind, _ shown: [Record], only: Int?, since began: Int,
    _ before: [Name: Waiting], on device: Device, wasQuiet: Bool
  ) {
    let shown = Dictionary(shown.map { ($0.name, $0) }) { $1 }
    var after: [Name: Waiting] = [:]
    for waiting in device.waiting where waiting.name.kind == kind { after[waiting.name] = waiting }
    let isHeld = device.isHeld || device.heldAt >= began
    for (name, waiting) in after where wasQuiet && !(isHeld && waiting.entry.kind == .remove) {
      guard let earlier = before[name], earlier.entry.id == waiting.entry.id,
        earlier.entry.model == waiting.entry.model, earlier.entry.kind == waiting.entry.kind
      else { continue }
      if only ?? name.id == name.id, shown[name] != waiting.shown {
        let shown = text(shown[name])
        fail("a read on device \(device.number) showed \(shown) over the unsent \(waiting).")
      }
    }
    for (name, record) in shown where after[name] == nil && device.unsentAt[name] ?? -1 < began {
      let states = world.service.history[name] ?? []
      let first = states.lastIndex { $0.step <= began } ?? 0
      if !states[min(first, states.count)...].contains(where: { $0.record == record }) {
        fail("a read on device \(device.number) showed \(record), which the service did not have.")
      }
    }
  }
}

extension Waiting {
  /// What is shown of the instance while this is its last entry.
  var shown: Record? { entry.kind == .remove ? nil : entry.model }
}

// The end.
extension Check {
  func ends(of devices: [Device]) {
    let records = world.service.records
    for device in devices {
      if !device.waiting.isEmpty {
        let left = device.waiting.map { "\($0) \($0.entry.state)" }
        fail("device \(device.number) still has \(left).")
      } else {
        compare(device.rows, records, "device \(device.number)")
      }
    }
    guard world.options.honoursKeys else { return }
    let unsaid = decided.union(doubted)
    for (root, ends) in ends where !unsaid.contains(root) && writers[root]?.count == 1 {
      predicted += 1
      let record = records.values.first { self.root($0.name) == root }
      var ends = ends.values.sorted { $0.write < $1.write }
      if !twofold.contains(root) { ends.removeFirst(ends.count - 1) }
      let isExpected = ends.contains { end in
        guard let expected = end.record, let record else {
          return end.record == nil && record == nil
        }
        return differences(expected, record).isEmpty
      }
      if !isExpected {
        fail("\(root) ends as \(text(record)), and was last written as \(ends).")
      }
    }
  }

  func compare(_ one: [Name: Record], _ other: [Name: Record], _ what: String) {
    guard one != other else { return }
    let names = Set(one.keys).union(other.keys).sorted().filter { one[$0] != other[$0] }
    let texts = names.prefix(3).map { "\($0) is \(text(one[$0])), and not \(text(other[$0]))" }
    fail("\(what) does not agree: \(texts.joined(separator: "; ")).")
  }
}
