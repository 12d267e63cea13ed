import Evocation
import EvocationTesting

// The calls of an app.
extension World {
  func write(_ process: AppProcess, _ evocation: Evocation) {
    let device = process.device
    device.writes.begun += 1
    device.writes.running += 1
    tally.writes += 1
    Task {
      defer { device.writes.running -= 1 }
      // Numbered here, where the call is made, so that numbers are in the order of the calls.
      let write = nextWrite()
      let (kind, record) = request(write, device)
      let (began, name) = (step, record.name)
      let isThere = kind == .update && present(name, device) != nil
      check.begins(on: record, by: device)
      say("device \(device.number) asks for write \(write): \(kind) \(record)")
      let (isPending, error) =
        switch record.kind {
        case .note: await perform(kind, Note(record), write, evocation)
        case .remark: await perform(kind, Remark(record), write, evocation)
        }
      // A write that failed counts as written, for the reads that are under way.
      device.unsentAt[record.name] = step
      let failure = error.map { " \(type(of: $0))" } ?? ""
      say("write \(write) is \(isPending ? "kept" : "not kept")\(failure)")
      if isPending { tally.acknowledged += 1 }
      if isThere, !isPending, error == nil, began == step, present(name, device) != nil {
        check.fail("device \(device.number) lost \(kind) \(record) without a word.")
      }
      if let error, !(error is EvocationError), !(error is StoreError) {
        check.fail("a write failed: \(error)")
      }
    }
  }

  /// What a device shows of an instance, by the name that it was asked for or the one that it has now.
  private func present(_ name: Name, _ device: Device) -> Record? {
    device.rows[name] ?? device.renamed[name].flatMap { device.rows[$0] }
  }

  private func perform<Model: AppModel>(
    _ kind: Outbox.EntryKind, _ model: Model, _ write: Int, _ evocation: Evocation
  ) async -> (isPending: Bool, error: (any Error)?) {
    await Self.$write.withValue(write) {
      switch kind {
      case .store: Self.outcome(await evocation.storeOne(model))
      case .update: Self.outcome(await evocation.updateOne(model))
      case .remove: Self.outcome(await evocation.removeOne(model))
      case .storeOrUpdate: Self.outcome(await evocation.storeOrUpdate([model]))
      }
    }
  }

  private static func outcome<Value>(
    _ result: Evocation.Result<Value>
  ) -> (isPending: Bool, error: (any Error)?) { (result.isPending, result.error) }

  /// What a user does: something new, or something to what the device shows or has shown.
  private func request(_ write: Int, _ device: Device) -> (Outbox.EntryKind, Record) {
    let rows = device.rows.values.sorted { $0.name < $1.name }
    let choice = random.count(0...9)
    guard choice > 2, var record = former(device) ?? rows.randomElement(using: &random) else {
      return new(write, device)
    }
    if choice > 7 { return (.remove, record) }
    let what = random.count(0...(record.kind == .remark ? 3 : 2))
    if what != 1 { record.title = "\(write)" }
    if what == 1 || what == 2 { record.body = "\(write)" }
    if what == 3, let note = note(device) { record.note = note }
    return (random.chance(85) ? .update : .storeOrUpdate, record)
  }

  private func new(_ write: Int, _ device: Device) -> (Outbox.EntryKind, Record) {
    let note = random.chance(35) ? note(device) : nil
    let kind: Record.Kind = note == nil ? .note : .remark
    var record = Record(
      kind: kind, id: newID(device), title: "\(write)", body: "\(write)", note: note)
    record.version = device.rows[record.name]?.version ?? 0
    if record.id < 0 { device.ownNames.append(record.name) }
    return (random.chance(75) || record.id < 0 ? .store : .storeOrUpdate, record)
  }

  /// A model by the id that the app had given it, as a screen shows it that was not told of another.
  private func former(_ device: Device) -> Record? {
    guard random.chance(12), let name = device.ownNames.randomElement(using: &random) else {
      return nil
    }
    let given = (service.givenIDs[name] ?? []).compactMap { id in
      device.rows[Name(kind: name.kind, id: id)]
    }
    guard device.rows[name] == nil, var record = given.last else { return device.rows[name] }
    tally.formerIDs += 1
    record.id = name.id
    return record
  }

  /// The id of a note that a remark is on, as it is now or as the app had given it.
  private func note(_ device: Device) -> Int? {
    let present = device.rows.keys.filter { $0.kind == .note }
    return (present + device.ownNames.filter { $0.kind == .note }).sorted()
      .randomElement(using: &random)?.id
  }

  /// An id that is the device's own, one that the service is to give, or one that several use.
  private func newID(_ device: Device) -> Int {
    switch random.count(0...9) {
    case 0..<4: nextID() + 100 * (device.number + 1) * 100
    case 4..<7: -nextID()
    default: random.count(1...6)
    }
  }

  func read(_ process: AppProcess, _ evocation: Evocation) {
    tally.reads += 1
    Task {
      if random.chance(60) {
        await read(Note.self, process, evocation)
      } else {
        await read(Remark.self, process, evocation)
      }
    }
  }

  private func read<Model: AppModel>(
    _ type: Model.Type, _ process: AppProcess, _ evocation: Evocation
  ) async {
    let device = process.device
    // What an earlier read brings is shown too, also that of another process on the same store.
    let began = device.processes.flatMap(\.reads).min() ?? step
    process.reads.append(step)
    let own = step
    let before = Dictionary(device.waiting.map { ($0.name, $0) }) { $1 }
    let writes = device.writes
    let ids = device.rows.keys.filter { $0.kind == Model.kind }.map(\.id).sorted()
    let only = random.chance(30) ? ids.randomElement(using: &random) : nil
    let result = await evocation.find(model: type, criteria: only.map { ["id": $0] })
    if let index = process.reads.firstIndex(of: own) { process.reads.remove(at: index) }
    guard process.isAlive, result.origin == .remote, let records = result.data?.map(\.record) else {
      return
    }
    say("device \(device.number) reads \(records)")
    check.reads(
      Model.kind, records, only: only, since: began, before, on: device,
      wasQuiet: writes.running == 0 && device.writes == writes)
  }
}

extension Strategy {
  /// Writes by the outbox, and reads by a rule.
  static func reading(_ rule: Rule) -> Strategy {
    let write = Rule(target: .local, synchronize: .outbox)
    let rules = Action.allCases.map { ($0, $0 == .find || $0 == .findOne ? rule : write) }
    return (try? Strategy(rules: Dictionary(uniqueKeysWithValues: rules))) ?? .offlineFirst
  }

  static let mirroring = reading(Rule(target: .remote, synchronize: .mirror))
}
