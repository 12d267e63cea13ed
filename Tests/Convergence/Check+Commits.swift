import Evocation

// What each commit of a store has to leave.
extension Check {
  /// A device's store has committed one of the app's writes, or something else.
  func sees(_ state: Store.State, by write: Int?, through process: AppProcess) {
    let device = process.device
    let (rows, before) = (device.rows, device.waiting)
    commits += 1
    device.rows = state.rows
    device.waiting = []
    for entry in state.entries {
      let known =
        before.first { $0.entry.id == entry.id }
        ?? before.first { $0.entry.position == entry.position }
      let earlier = device.waiting.last { $0.name == entry.model.name }
      let waiting =
        known.map { follow($0, to: entry, by: write, wasHead: isHead($0, before), device) }
        ?? make(entry, on: earlier, rows, by: write)
      checkOwn(waiting, behind: earlier, device)
      checkParked(waiting, known, by: process)
      device.waiting.append(waiting)
    }
    tell(before, device)
    let left = before.filter { old in
      !device.waiting.contains {
        $0.entry.id == old.entry.id || $0.entry.position == old.entry.position
      }
    }
    for waiting in left { hasGone(waiting, with: left, by: write, device) }
    if let write { note(write, rows, before, device) }
    checkRows(left.map(\.name), device)
    for process in device.processes where process.isAlive {
      for (kind, shown) in process.shown {
        let rows = device.rows.filter { $0.key.kind == kind }
        compare(shown, rows, "what observers on device \(device.number) were told")
      }
    }
  }

  /// Tells what is to be sent of each instance of which that has changed.
  private func tell(_ before: [Waiting], _ device: Device) {
    guard world.tellsAll else { return }
    for name in Set((before + device.waiting).map(\.name)).sorted() {
      let (old, new) = (
        before.filter { $0.name == name }, device.waiting.filter { $0.name == name }
      )
      if "\(old)" != "\(new)" {
        world.say("device \(device.number) is to send of \(name): \(new)")
      }
    }
  }

  private func isHead(_ waiting: Waiting, _ all: [Waiting]) -> Bool {
    all.first { $0.name == waiting.name }?.entry.id == waiting.entry.id
  }

  /// A new entry was made on what local had, or on the entry before it.
  private func make(
    _ entry: Outbox.Entry<Record>, on earlier: Waiting?, _ rows: [Name: Record], by write: Int?
  ) -> Waiting {
    let before = earlier?.shown ?? (earlier == nil ? rows[entry.model.name] : nil)
    if earlier?.entry.kind == .remove, rows[entry.model.name] != nil {
      twofold.insert(root(entry.model.name))
    }
    if earlier == nil, write != nil, !areSame(entry.base, before) {
      fail("\(entry.kind) \(entry.model) was made on \(text(before)), not \(text(entry.base)).")
    }
    let write = write ?? world.nextWrite()
    return Waiting(
      entry: entry, first: write, last: write, own: own(entry, on: before), referringSince: write)
  }

  /// The properties that an entry sets on top of a model.
  private func own(_ entry: Outbox.Entry<Record>, on before: Record?) -> Set<Record.Field> {
    guard let before, entry.kind != .store else { return Set(Record.Field.allCases) }
    // The app may have it refer to the same instance by another id.
    return differences(entry.model, before).union(entry.model.note == before.note ? [] : [.note])
  }

  /// An entry that was there may have changed by a write that was merged into it, by what the app said to a
  /// conflict, or because what it was made on has become something else.
  private func follow(
    _ known: Waiting, to entry: Outbox.Entry<Record>, by write: Int?, wasHead: Bool,
    _ device: Device
  ) -> Waiting {
    var now = known
    now.entry = entry
    now.begunBy = entry.wasAttempted ? known.begunBy ?? commits : nil
    if !areSame(entry.base, known.entry.base) { now.basedBy = commits }
    let answer = resolved[known.entry.id]
    let isRenewed = entry.id != known.entry.id
    if isFollowed(now.name), wasHead, !areSame(entry.base, known.entry.base) {
      if answer == nil || !areSame(answer?.theirs, entry.base) {
        fail("\(now) was made on \(text(known.entry.base)), and now on \(text(entry.base)).")
      } else if !isRenewed {
        fail("\(now) is put on top of \(text(entry.base)), and keeps its key.")
      }
    }
    if isFollowed(now.name), !wasHead, device.waiting.allSatisfy({ $0.name != now.name }) {
      checkNewBase(now)
    }
    let changed = differences(entry.model, known.entry.model)
    if let write, entry.model != known.entry.model {
      now.own.formUnion(own(entry, on: known.entry.model))
      // What was changed and changed back is as it was in the entry before.
      let earlier = device.waiting.prefix { $0.entry.id != known.entry.id }
      if let before = earlier.last(where: { $0.name == known.name })?.shown {
        now.own.formIntersection(own(entry, on: before))
      }
      now.last = write
    } else if answer != nil, isRenewed {
      (now.own, now.resolvedBy) = (own(entry, on: entry.base), commits)
    } else if isResent(known, device) {
      now.own.formUnion(changed)
      // What the entry before it has become as well, that one sends.
      if let before = device.waiting.last(where: { $0.name == now.name })?.shown {
        now.own.formIntersection(own(entry, on: before))
      }
    } else if isFollowed(now.name), entry.kind != .remove, !now.own.isDisjoint(with: changed) {
      fail("\(known) has become \(now), which the app did not write.")
    }
    if changed.contains(.note) { now.referringSince = write }
    if entry.kind == .remove, let write, known.entry.kind != .remove { now.last = write }
    return now
  }

  /// Whether the app has an entry sent as another model, or one before it that may have arrived, and stays.
  private func isResent(_ waiting: Waiting, _ device: Device) -> Bool {
    device.waiting.contains {
      $0.name == waiting.name && $0.entry.wasAttempted && device.resending.contains($0.entry.id)
    } || device.resending.contains(waiting.entry.id)
  }

  /// An entry whose predecessor has left is made on what that has become.
  private func checkNewBase(_ waiting: Waiting) {
    guard let base = waiting.entry.base else { return }
    if !world.service.hasHad(base, base.name) {
      fail("\(waiting) is now made on \(base), which the service never had.")
    }
  }

  /// What an entry does not set is as it was before.
  private func checkOwn(_ waiting: Waiting, behind earlier: Waiting?, _ device: Device) {
    let entry = waiting.entry
    guard entry.kind == .update || entry.kind == .storeOrUpdate, isFollowed(waiting.name),
      let before = earlier == nil ? entry.base : earlier?.shown
    else { return }
    let others = differences(entry.model, before).subtracting(waiting.own)
    if !others.isEmpty {
      fail("\(waiting) changes \(others) of \(before), which the app did not write.")
    }
  }

  /// Only what the service refused, or what the app was asked about, waits for the user.
  private func checkParked(_ waiting: Waiting, _ known: Waiting?, by process: AppProcess) {
    guard waiting.entry.isRefused, known?.entry.isRefused != true else { return }
    unaware[waiting.entry.id] = process.device.processes.filter { $0 !== process }
    if !refused.contains(waiting.entry.id) {
      fail("\(waiting) was parked, and nobody refused it: \(waiting.entry.state).")
    }
  }

  /// An entry is no longer in the store.
  private func hasGone(
    _ waiting: Waiting, with others: [Waiting], by write: Int?, _ device: Device
  ) {
    let (key, entry) = (waiting.entry.id, waiting.entry)
    if entry.kind == .remove {
      device.renamed = device.renamed.filter { $1 != waiting.name }
    } else if let made = world.service.done[key]?.made.record?.name, made != waiting.name,
      device.isDiscarding == 0, world.options.honoursKeys
    {
      device.renamed[waiting.name] = made
    }
    if world.service.done[key] != nil || resolved[key]?.isTheirs == true { return }
    // It has arrived by another way, as a comparison has shown.
    if hasArrived(waiting) { return }
    if device.isDiscarding > 0 { return decides([waiting.name]) }
    if isTakenBack(waiting, with: others, device) { return }
    // A store that never left, and was taken back by a removal.
    if entry.kind == .store, contents[key] == nil, write != nil { return }
    fail("\(waiting) left device \(device.number), and the service has not got it.")
  }

  /// Whether it is a removal that never left, or a write before one, under one id of what the app has kept under
  /// another.
  private func isTakenBack(
    _ waiting: Waiting, with others: [Waiting], _ device: Device
  ) -> Bool {
    contents[waiting.entry.id] == nil && !isFollowed(waiting.name)
      && others.contains { $0.name == waiting.name && $0.entry.kind == .remove }
      && device.waiting.contains {
        root($0.name) == root(waiting.name) && $0.entry.kind != .remove
      }
  }

  /// Whether the service has had all that an entry sets.
  private func hasArrived(_ waiting: Waiting) -> Bool {
    guard let shown = waiting.shown else { return world.service.hasHad(nil, waiting.name) }
    let records = world.service.history[waiting.name]?.compactMap(\.record) ?? []
    return records.contains { differences($0, shown).isDisjoint(with: waiting.own) }
  }

  /// Takes note of what a write has made of its instance.
  private func note(_ write: Int, _ rows: [Name: Record], _ before: [Waiting], _ device: Device) {
    var names = Set(rows.keys.filter { rows[$0] != device.rows[$0] })
    names.formUnion(device.rows.keys.filter { rows[$0] == nil })
    let keys = Set(before.map(\.entry.id))
    names.formUnion(device.waiting.filter { !keys.contains($0.entry.id) }.map(\.name))
    for name in names { ends[root(name), default: [:]][name.id] = (write, device.rows[name]) }
  }

  /// Local shows what is unsent, and nothing older than what was acknowledged.
  private func checkRows(_ left: [Name], _ device: Device) {
    var last: [Name: Waiting] = [:]
    for waiting in device.waiting { last[waiting.name] = waiting }
    for (name, waiting) in last {
      device.unsentAt[name] = world.step
      device.leastNumbers[name] = nil
      // Whose user has signed out removes nothing for the next one.
      if device.rows[name] != waiting.shown, !(device.isHeld && waiting.entry.kind == .remove) {
        let row = text(device.rows[name])
        fail("device \(device.number) shows \(row) where \(waiting) is unsent.")
      }
    }
    // A discard gives back what a read has shown. Of reads under way together, a device does not know which
    // the service answered first.
    let isOfAnyRead =
      device.isDiscarding > 0 && device.processes.contains { !$0.reads.isEmpty }
    for name in left {
      device.unsentAt[name] = world.step
      // It may be known by another id from now on.
      for id in world.service.givenIDs[name] ?? [] {
        device.unsentAt[Name(kind: name.kind, id: id)] = world.step
      }
      if last[name] == nil, !isOfAnyRead {
        device.leastNumbers[name] = number(of: device.rows[name])
      }
    }
    guard device.processes.count == 1 else { return device.leastNumbers.removeAll() }
    for (name, least) in device.leastNumbers {
      if let row = device.rows[name], let number = number(of: row), number < least {
        fail("device \(device.number) went back to \(row), and had a later state.")
        device.leastNumbers[name] = nil
      }
    }
  }

  /// The number of the state that a model is; nil where the service never had it.
  private func number(of record: Record?) -> Int? {
    guard let record else { return nil }
    return world.service.history[record.name]?.last { $0.record == record }?.number
  }
}
