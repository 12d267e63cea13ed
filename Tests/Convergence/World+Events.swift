import Evocation
import EvocationTesting
import Foundation

// What the seed lets happen.
extension World {
  /// One thing that happens.
  func happen() {
    let device = random.pick(devices)
    guard let process = device.process, let evocation = process.evocation else {
      device.start()
      return say("device \(device.number) starts")
    }
    switch random.count(0...99) {
    case 0..<26: return write(process, evocation)
    case 26..<34: return read(process, evocation)
    case 34..<68: return deliver()
    case 68..<82: return advance(device)
    case 82..<84: return foreign()
    case 84..<88: return decide(device, evocation)
    case 88: return signOut(device, evocation)
    case 89..<91: return pause(device, evocation)
    case 91..<94: return toggle(device)
    case 94..<96 where options.kills:
      tally.restarts += 1
      process.kill()
      return say("device \(device.number) is killed")
    case 96 where options.sharesStores && device.processes.count == 1:
      tally.shared += 1
      device.start()
      return say("device \(device.number) starts a second process")
    case 97 where options.setsDates:
      tally.dates += 1
      let seconds = Double(random.count(-90_000...90_000))
      device.clock.setDate(device.clock.date.addingTimeInterval(seconds))
      return say("device \(device.number) sets its date")
    default: return deliver()
    }
  }

  private func toggle(_ device: Device) {
    if device.isOnline { tally.outages += 1 }
    if device.isOnline, random.chance(50) { return }
    device.setOnline(!device.isOnline)
    say("device \(device.number) is \(device.isOnline ? "on" : "off")line")
  }

  func advance(_ device: Device) {
    let times: [Duration] = [
      .milliseconds(10), .milliseconds(400), .seconds(2), .seconds(7), .seconds(16), .seconds(70),
      .seconds(400),
    ]
    let time = random.pick(times)
    say("device \(device.number) waits \(time)")
    device.clock.advance(by: time)
  }

  /// Another app of the service writes.
  private func foreign() {
    guard let id = service.notes.keys.sorted().randomElement(using: &random) else { return }
    tally.foreign += 1
    check.writesPast(id)
    check.leavesOpen(id)
    if random.chance(25) {
      service.remove(id, at: step)
    } else {
      service.edit(Note(id: id, text: "\(nextWrite())f", version: 0), at: step)
    }
    say("another app writes \(id): \(service.notes[id]?.description ?? "gone")")
  }

  private func pause(_ device: Device, _ evocation: Evocation) {
    tally.pauses += 1
    say("device \(device.number) pauses or resumes")
    if random.chance(30) { evocation.outbox.pause() } else { evocation.outbox.resume() }
  }

  private func signOut(_ device: Device, _ evocation: Evocation) {
    guard random.chance(40) else { return }
    tally.signOuts += 1
    let unsent = random.pick([Outbox.UnsentWrites.block, .discard, .keep])
    say("device \(device.number) signs out: \(unsent)")
    Task {
      if unsent == .discard { device.isDiscarding += 1 }
      if unsent == .discard { self.check.releases(device.entries) }
      try? await evocation.outbox.signOut(unsent)
      if unsent == .discard { device.isDiscarding -= 1 }
    }
  }

  /// The user does something about an entry.
  func decide(_ device: Device, _ evocation: Evocation) {
    let parked = device.entries.filter { if case .parked = $0.state { true } else { false } }
    let entries = parked.isEmpty ? device.entries : parked
    guard let entry = entries.randomElement(using: &random) else { return }
    let kind = random.count(0...(isHealing ? 1 : 2))
    Task {
      do {
        switch kind {
        case 0: try await discard(entry, device, evocation)
        case 1: try await resend(entry, device, evocation)
        default: try await evocation.outbox.retry(entry)
        }
      } catch {
        say("that fails: \(type(of: error))")
      }
    }
  }

  private func discard(
    _ entry: Outbox.Entry<Note>, _ device: Device, _ evocation: Evocation
  ) async throws {
    tally.discards += 1
    say("device \(device.number) discards \(entry.kind) \(entry.model)")
    device.isDiscarding += 1
    defer { device.isDiscarding -= 1 }
    check.releases(device.entries.filter { $0.model.id == entry.model.id })
    check.releases([entry])
    try await evocation.outbox.discard(entry)
    let process = device.processes.first { $0.evocation === evocation }
    if let process { check.hasDiscarded(entry.id, process) }
  }

  private func resend(
    _ entry: Outbox.Entry<Note>, _ device: Device, _ evocation: Evocation
  ) async throws {
    tally.resends += 1
    var note = entry.model
    if entry.kind != .remove { note.text = "\(nextWrite())" }
    say("device \(device.number) sends \(note) in place of \(entry.kind) \(entry.model)")
    check.releases([entry])
    try await evocation.outbox.resend(entry, as: note)
  }
}

// Calls.
extension World {
  private func write(_ process: AppProcess, _ evocation: Evocation) {
    let device = process.device
    device.writes.begun += 1
    device.writes.running += 1
    tally.writes += 1
    Task {
      defer { device.writes.running -= 1 }
      // Numbered here, where the call is made, so that numbers are in the order of the calls.
      let write = nextWrite()
      let request = request(write, device)
      guard let id = request.note?.id else { return }
      check.begins(write, on: id, by: device)
      say("device \(device.number) asks for \(request)")
      let (isPending, error) = await perform(request, evocation)
      // A write that failed counts as written, for the reads that are under way.
      device.unsentAt[id] = step
      let failure = error.map { " \(type(of: $0))" } ?? ""
      say("write \(write) is \(isPending ? "kept" : "not kept")\(failure)")
      if device.processes.count > 1 || !process.isAlive { check.leavesOpen(id) }
      // A removal may leave nothing to be sent, and is kept all the same.
      if isPending || request.isRemoval && error == nil {
        tally.acknowledged += 1
        check.acknowledges(write, on: id, isRemoval: request.isRemoval)
      }
      if let error, !(error is EvocationError) {
        check.leavesOpen(id)
        if !(error is StoreError) { check.fail("a write failed: \(error)") }
      }
    }
  }

  /// What a user does: something new, or something to what the device shows.
  private func request(_ write: Int, _ device: Device) -> Service.Request {
    let rows = device.rows.values.sorted { $0.id < $1.id }
    let kind = random.count(0...9)
    guard kind > 2, var note = rows.randomElement(using: &random) else {
      let id = newID(device)
      let note = Note(id: id, text: "\(write)", version: device.rows[id]?.version ?? 0)
      return random.chance(75) || id < 0 ? .store(note) : .storeOrUpdate(note)
    }
    if kind > 7 { return .remove(note) }
    note.text = "\(write)"
    return .update(note)
  }

  private func perform(
    _ request: Service.Request, _ evocation: Evocation
  ) async -> (isPending: Bool, error: (any Error)?) {
    let result: Evocation.Result<Note>
    switch request {
    case .find: return (false, nil)
    case .store(let note): result = await evocation.storeOne(note)
    case .update(let note): result = await evocation.updateOne(note)
    case .remove(let note): result = await evocation.removeOne(note)
    case .storeOrUpdate(let note):
      let result = await evocation.storeOrUpdate([note])
      return (result.isPending, result.error)
    }
    return (result.isPending, result.error)
  }

  /// An id that is the device's own, one that the service is to give, or one that several use.
  private func newID(_ device: Device) -> Int {
    switch random.count(0...9) {
    case 0..<4: nextID() + 100 * (device.number + 1) * 100
    case 4..<7: -nextID()
    default: random.count(1...6)
    }
  }

  private func read(_ process: AppProcess, _ evocation: Evocation) {
    let device = process.device
    tally.reads += 1
    Task {
      let began = process.reads.min() ?? step
      process.reads.append(step)
      let own = step
      let before = Dictionary(device.entries.map { ($0.model.id, $0) }) { $1 }
      let writes = device.writes
      let only = random.chance(30) ? device.rows.keys.sorted().randomElement(using: &random) : nil
      let result = await find(evocation, only)
      if let index = process.reads.firstIndex(of: own) { process.reads.remove(at: index) }
      guard process.isAlive, result.origin == .remote, let data = result.data else { return }
      say("device \(device.number) reads \(data)")
      check.reads(
        data, only: only, since: began, before, on: device,
        wasQuiet: writes.running == 0 && device.writes == writes)
    }
  }

  private func find(_ evocation: Evocation, _ only: Int?) async -> Evocation.Result<[Note]> {
    await evocation.find(model: Note.self, criteria: only.map { ["id": $0] })
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
