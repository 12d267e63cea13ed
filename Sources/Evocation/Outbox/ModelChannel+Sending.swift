import Foundation

// One attempt to send an entry, until its end is known.
extension ModelChannel {
  typealias Entry = Outbox.Entry<Model>
  package typealias Item = OutboxMachine.Item
  package typealias Ending = OutboxMachine.Ending
  typealias Versioned = VersionedModel<Model>

  /// An entry that is being sent, and the repository that it is sent to.
  struct Sending: Sendable {
    let item: Item
    /// The entry as it was when the attempt began.
    let entry: Entry
    let remote: any Repository<Model>
  }

  package func send(_ item: Item) async -> Ending {
    let asked = AskedMarks()
    defer { asked.end() }
    return await Session.$atSending.withValue(environment.sessions.current) {
      await AskedMarks.$current.withValue(asked) { await sendNow(item) }
    }
  }

  private func sendNow(_ item: Item) async -> Ending {
    guard let remote = proxy.wiring.remote else { return .unknown }
    let sending: Sending
    do {
      // It may have been discarded or edited since it was taken.
      guard let entry = try await present(item) else { return .unknown }
      sending = Sending(item: item, entry: entry, remote: remote)
    } catch {
      outbox?.handle(.troubled(store))
      return .unknown
    }
    if let answer = unsavedAnswers.withLock({ $0[sending.entry.id] }) {
      return await acknowledge(sending, answer: answer)
    }
    do {
      // Whatever the task that it began in did.
      let background = sending.entry.priority == .utility ? BackgroundWork() : nil
      return try await BackgroundWork.$current.withValue(background) {
        try await attempt(sending)
      }
    } catch {
      return await end(sending, failedWith: error)
    }
  }

  /// Returns the entry as it is now; nil if it is gone or parked.
  ///
  /// An entry that cannot be decoded is parked, and the result is nil.
  func present(_ item: Item) async throws -> Entry? {
    let record = try await repository.look(isShort: true) { try $0.record(at: item.position) }
    switch record {
    case .entry(let entry)?: return entry.id == item.id && !entry.isParked ? entry : nil
    case .unreadable(let entry)?:
      try await repository.transact(isShort: true) { try $0.park(entry) }
      return nil
    case nil: return nil
    }
  }

  /// Sends an entry once, with its unit if the server executes that in one request.
  private func attempt(_ sending: Sending) async throws -> Ending {
    if let ending = try await sendUnit(sending) { return ending }
    let (entry, known): (Entry, Versioned)
    do {
      (entry, known) = try await compare(sending)
    } catch let error as Outdated {
      return await decide(sending, on: error.known, because: error.difference)
    }
    recordAsked(of: entry)
    let answer = try await race.value { [self] in
      try await withWriteContext(of: entry, known.version) {
        try await write(entry, to: sending.remote)
      }
    }
    if answer.model == nil, sending.entry.kind == .update {
      return await decide(sending, on: Versioned(nil), because: EntryIsMissing())
    }
    return await acknowledge(sending, answer: answer)
  }

  /// Runs `body` with the idempotency key of a write, and with its base.
  func withWriteContext<Value: Sendable>(
    of entry: Entry, _ version: String?, _ body: () async throws -> Value
  ) async rethrows -> Value {
    let base = WriteBase(
      model: entry.base, condition: .version(detection == .nothing ? nil : version))
    return try await IdempotencyKey.$current.withValue(entry.id) {
      try await WriteBase.$current.withValue(base) { try await body() }
    }
  }

  /// The timeout of a request to the server.
  var race: Race {
    let limit = outbox?.configuration.timeout ?? .seconds(60)
    let late = EvocationError.timedOut(.remote, model: model, after: limit)
    return Race(time: environment.time, limit: limit, late: late, executor: nil)
  }

  /// Asks the server to execute an entry; no model if it returned none.
  private func write(
    _ entry: Entry, to remote: any Repository<Model>
  ) async throws -> Versioned {
    let model = entry.model
    let response: Response<Model?> =
      switch entry.kind {
      case .store: try await remote.storeOne(model)
      case .update: try await remote.updateOne(model)
      case .storeOrUpdate: try await remote.storeOrUpdate([model]).first
      case .remove: try await remote.removeOne(model)
      }
    return completed(response, from: model)
  }

  /// Returns an answer with the values of another state of the model where it says nothing.
  func completed(_ response: Response<Model?>, from known: Model) -> Versioned {
    var answer = Versioned(response)
    if let model = answer.model {
      answer.model = proxy.unsaid([model], response.values).completed([model]) { _ in known }[0]
    }
    return answer
  }
}
