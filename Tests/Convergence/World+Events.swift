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
    case 34..<66: return deliver()
    case 66..<80: return advance(device)
    case 80..<83: return foreign()
    case 83..<87: return decide(device, evocation)
    case 87: return signOut(device, evocation)
    case 88..<90: return pause(process, evocation)
    case 90..<93: return toggle(device)
    case 93..<95 where options.kills:
      tally.restarts += 1
      process.kill()
      return say("device \(device.number) is killed")
    case 95 where options.sharesStores && device.processes.count == 1:
      tally.shared += 1
      device.start()
      return say("device \(device.number) starts a second process")
    case 96 where options.setsDates:
      tally.dates += 1
      let seconds = Double(random.count(-90_000...90_000))
      device.clock.setDate(device.clock.date.addingTimeInterval(seconds))
      return say("device \(device.number) sets its date")
    case 97..<99 where options.expires: return expireOrRenew(device)
    default: return deliver()
    }
  }

  private func toggle(_ device: Device) {
    if device.isOnline { tally.outages += 1 }
    if device.isOnline, random.chance(50) { return }
    device.setOnline(!device.isOnline)
    say("device \(device.number) is \(device.isOnline ? "on" : "off")line")
  }

  private func expireOrRenew(_ device: Device) {
    if device.leastCredential > device.credential {
      say("device \(device.number) gets another credential")
      return device.renewCredential()
    }
    // A service that refuses each new credential is left alone until the user resumes.
    guard device.hasUsedCredential else { return }
    tally.expired += 1
    device.leastCredential += 1
    say("the credential of device \(device.number) expires")
  }

  private func advance(_ device: Device) {
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
    let records = service.records
    guard let name = records.keys.sorted().randomElement(using: &random),
      var record = records[name]
    else { return }
    tally.foreign += 1
    check.writesPast(name)
    if random.chance(25) {
      service.set(name, nil, at: step)
    } else {
      let text = "\(nextWrite())f"
      if random.chance(50) { record.title = text } else { record.body = text }
      service.set(name, record, at: step)
    }
    say("another app writes \(name): \(service.records[name]?.description ?? "gone")")
  }

  private func pause(_ process: AppProcess, _ evocation: Evocation) {
    tally.pauses += 1
    process.isPaused = random.chance(30)
    say("device \(process.device.number) \(process.isPaused ? "pauses" : "resumes")")
    if process.isPaused { evocation.outbox.pause() } else { evocation.outbox.resume() }
  }

  private func signOut(_ device: Device, _ evocation: Evocation) {
    guard random.chance(40) else { return }
    tally.signOuts += 1
    let unsent = random.pick([Outbox.UnsentWrites.block, .discard, .keep])
    say("device \(device.number) signs out: \(unsent)")
    Task {
      if unsent == .discard {
        device.isDiscarding += 1
        self.check.decides(device.waiting.map(\.name))
      }
      try? await evocation.outbox.settle(unsent)
      if unsent == .discard { device.isDiscarding -= 1 }
    }
  }

  /// The user does something about an entry.
  func decide(_ device: Device, _ evocation: Evocation) {
    let parked = device.waiting.filter(\.entry.isRefused)
    let waiting = parked.isEmpty ? device.waiting : parked
    guard let entry = waiting.randomElement(using: &random)?.entry else { return }
    let kind = random.count(0...(isHealing ? 1 : 2))
    let process = device.processes.first { $0.evocation === evocation }
    Task {
      do {
        switch entry.model.kind {
        case .note: try await decide(kind, entry.map(Note.init), process, evocation)
        case .remark: try await decide(kind, entry.map(Remark.init), process, evocation)
        }
      } catch {
        say("that fails: \(type(of: error))")
      }
    }
  }

  private func decide<Model: AppModel>(
    _ kind: Int, _ entry: Outbox.Entry<Model>, _ process: AppProcess?, _ evocation: Evocation
  ) async throws {
    guard let device = process?.device else { return }
    let name = entry.model.record.name
    switch kind {
    case 0:
      tally.discards += 1
      say("device \(device.number) discards \(entry.kind) \(entry.model.record)")
      device.isDiscarding += 1
      defer { device.isDiscarding -= 1 }
      check.decides([name])
      try await evocation.outbox.discard(entry)
      if let process { check.hasDiscarded(entry.id, process) }
    case 1:
      tally.resends += 1
      var record = entry.model.record
      if entry.kind != .remove { record.title += "r\(nextWrite())" }
      say("device \(device.number) sends \(record) in place of \(entry.kind) \(entry.model.record)")
      check.decides([name])
      device.resending.append(entry.id)
      defer { device.resending.removeAll { $0 == entry.id } }
      try await evocation.outbox.resend(entry, as: Model(record))
    default: try await evocation.outbox.retry(entry)
    }
  }
}
