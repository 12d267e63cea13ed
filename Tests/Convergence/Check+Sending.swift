import Evocation

// What may be sent, and what the service may be made to do.
extension Check {
  /// A process sends a write.
  func sends(_ exchange: Network.Exchange) {
    let (request, process) = (exchange.request, exchange.process)
    guard let record = request.record else { return }
    process.asked[record.name] = nil
    world.tally.attempts += 1
    if let earlier = contents[exchange.key], earlier != request, !request.isRemoval {
      fail("\(request) was sent with the key of \(earlier).")
    }
    contents[exchange.key] = request
    if discarded[exchange.key] === process {
      fail("\(request) was sent after it had been discarded.")
    }
    for other in world.network.open
    where other.process === process && other.request.record?.name == record.name {
      fail("\(request) was sent while \(other.request) was under way.")
    }
    guard let waiting = exchange.waiting else { return }
    let isUnaware = unaware[exchange.key]?.contains { $0 === process } ?? false
    if waiting.entry.isRefused, !isUnaware {
      fail("\(request) was sent while it waited for the user.")
    }
    for earlier in process.device.waiting where mustWait(waiting, for: earlier) {
      fail("\(request) was sent before \(earlier).")
    }
  }

  /// Whether the app wrote something first that has to be sent first: on the same instance, on the note that a
  /// remark is on, or for the removal of a note on a remark that is on it.
  private func mustWait(_ waiting: Waiting, for other: Waiting) -> Bool {
    guard isFollowed(other.name), isFollowed(waiting.name) else { return false }
    if other.name == waiting.name { return other.entry.position < waiting.entry.position }
    guard other.first < waiting.last else { return false }
    guard waiting.entry.kind == .remove else {
      return waiting.entry.model.reference == other.name && waiting.referringSince != nil
    }
    return other.entry.base?.reference == waiting.name && !isLearnt(other, after: waiting)
      || other.entry.model.reference == waiting.name
        && other.referringSince.map { $0 < waiting.last } ?? false
  }

  /// Whether what the service has became the base of an entry when another one was under way already.
  private func isLearnt(_ waiting: Waiting, after other: Waiting) -> Bool {
    guard let learnt = waiting.basedBy, let begun = other.begunBy else { return false }
    return learnt > begun
  }

  /// The service has carried a write out.
  func carriesOut(_ effect: Service.Effect) {
    guard let waiting = effect.exchange.waiting, world.options.honoursKeys else { return }
    let device = effect.exchange.process.device.number
    let name = root(effect.sent.name)
    if effect.kind != .remove {
      // What refers to the same by another id follows what may have arrived.
      let reference = effect.sent.note.map { " on \($0)" } ?? ""
      let text = "\(device) \(name) \(effect.sent.title) \(effect.sent.body)\(reference)"
      let isNew = effects.insert(text).inserted
      // One that the app has had sent as another may be under way still.
      let isResolved = waiting.resolvedBy != nil || resolved[effect.exchange.key] != nil
      if !isNew, !isResolved, !decided.contains(name) {
        fail("\(effect) was done twice.")
      }
    }
    guard isFollowed(effect.sent.name) else { return }
    checkOrder(effect, waiting, device)
    checkReference(effect)
    guard let former = effect.former, effect.kind != .store, knowsBase(waiting, effect.kind) else {
      return
    }
    if effect.kind == .remove, former.record == nil { return }
    guard areSame(former.record, waiting.entry.base) else {
      if mayBeUnseen(former, effect.exchange) { return }
      return fail("\(effect) overwrote \(former), and was made on \(text(waiting.entry.base)).")
    }
    guard effect.kind != .remove, let before = former.record, let after = effect.made.record else {
      return
    }
    let others = differences(before, after).subtracting(waiting.own)
    if !others.isEmpty { fail("\(effect) changed \(others) of \(before), which nobody wrote.") }
  }

  private func checkOrder(_ effect: Service.Effect, _ waiting: Waiting, _ device: Int) {
    let instance = "\(device) \(root(effect.sent.name))"
    let last = lastWrites[instance] ?? 0
    // One that was discarded may be under way still.
    if last > waiting.last, !decided.contains(root(effect.sent.name)) {
      fail("\(effect) was done after write \(last).")
    }
    lastWrites[instance] = max(last, waiting.last)
  }

  /// A remark is on its note by the id that the service has given it.
  private func checkReference(_ effect: Service.Effect) {
    guard effect.kind != .remove, let note = effect.sent.reference, note.id < 0,
      isFollowed(note), !decided.contains(note)
    else { return }
    let given = (world.service.givenIDs[note] ?? []).map { Name(kind: .note, id: $0) }
    let isThere = given.contains { name in
      world.service.history[name]?.allSatisfy { $0.record != nil } ?? false
    }
    if isThere { fail("\(effect) refers to \(note), which the service calls \(given).") }
  }

  /// Whether an entry says what it was made on; an addition, or a removal of what local had not, does not.
  private func knowsBase(_ waiting: Waiting, _ kind: Outbox.EntryKind) -> Bool {
    waiting.entry.base != nil || kind == .update
  }

  /// Whether a service that compares nothing may have changed after the outbox had asked it.
  private func mayBeUnseen(_ former: Service.State, _ exchange: Network.Exchange) -> Bool {
    exchange.condition == nil && exchange.asked.map { former.number > $0 } ?? false
  }
}

extension Service.Effect: CustomStringConvertible {
  var description: String { "\(kind) \(sent) of device \(exchange.process.device.number)" }
}
