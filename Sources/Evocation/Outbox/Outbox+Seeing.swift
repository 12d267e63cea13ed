import Foundation

extension Outbox {
  /// Returns the present status of the outbox.
  ///
  /// - Throws: What the local repositories throw.
  public func status() async throws -> Status {
    let (total, failures) = await count()
    if let failure = failures.first { throw failure }
    let (isSending, pause) = state.withLock { ($0.machine.isSending, $0.machine.pause) }
    return Status(
      pending: total.pending, parked: total.parked, isSending: isSending, pause: pause,
      oldest: total.oldest)
  }

  /// Counts the entries of the stores that can be read, and returns the errors of the others.
  func count() async -> (total: OutboxCount, failures: [any Error]) {
    var (total, failures) = (OutboxCount(), [any Error]())
    for channel in stores {
      do {
        let count = try await channel.look { try $0.count() }
        total.pending += count.pending
        total.parked += count.parked
        total.oldest = [total.oldest, count.oldest].compactMap { $0 }.min()
      } catch {
        failures.append(error)
      }
    }
    return (total, failures)
  }

  /// Returns a sequence of the status, now and each time it changes.
  ///
  /// No status equals the one before. The sequence leaves out a status that cannot be read.
  public func observe() -> some ObservedSequence<Status> {
    OutboxObservation(outbox: self) { try? await $0.status() }
  }

  /// Returns a sequence of what happens to the outbox from now on.
  ///
  /// It ends with the outbox. Any number of tasks can iterate it, and each gets all events. The
  /// first gets them from this call on, and another one from the beginning of its iteration on.
  /// While no task iterates it, events wait for the next one. A reader that falls behind by more
  /// than 10,000 events loses the oldest of them.
  public func events() -> some ObservedSequence<Event> {
    listeners.sequence(keeping: 10_000).observed()
  }

  /// Returns the entries of a model type, the oldest first.
  ///
  /// - Throws: ``EvocationError`` for a model type without an outbox, and what the local repository
  ///   throws.
  public func entries<Model: Sendable>(of type: Model.Type) async throws -> [Entry<Model>] {
    let channel = try channel(of: type)
    let records = try await channel.repository.look(isShort: false) { transaction in
      try transaction.allRecords()
    }
    return try await shown(records.compactMap(\.entry), channel)
  }

  /// Returns the entries on one model, the oldest first.
  ///
  /// - Throws: As ``entries(of:)`` does.
  public func entries<Model: Identifiable & Sendable>(
    of type: Model.Type, id: Model.ID
  ) async throws -> [Entry<Model>] {
    let channel = try channel(of: type)
    let key = ModelID(id, of: type).key.text
    let records = try await channel.repository.look(isShort: true) { transaction in
      try transaction.records(of: key)
    }
    return try await shown(records.compactMap(\.entry), channel)
  }

  /// Adds to entries what only this process knows: which are being sent, and what the server has.
  private func shown<Model: Sendable>(
    _ entries: [Entry<Model>], _ channel: ModelChannel<Model>
  ) async throws -> [Entry<Model>] {
    let sending = sendingPositions(in: channel.store)
    let ids = ModelID.all(of: entries.map(\.model)) ?? []
    var earlier: [ModelID: Entry<Model>] = [:]
    return zip(entries, ids).map { entry, id in
      var entry = entry
      if let before = earlier[id] {
        entry.base = before.modelAfter
        entry.seen = before.seen
      }
      earlier[id] = entry
      if sending.contains(entry.position), entry.state == .pending { entry.state = .sending }
      return entry
    }
  }

  /// Returns the positions of the entries of a store that are being sent.
  package func sendingPositions(in store: ObjectIdentifier) -> Set<Int64> {
    state.withLock { state in
      Set(
        state.machine.running.values.map(\.item).filter { $0.instance.store == store }.map(
          \.position))
    }
  }

  /// Returns the entries whose models the present version of the app cannot decode.
  ///
  /// - Throws: What the local repositories throw.
  public func unreadableEntries() async throws -> [UnreadableEntry] {
    var entries: [UnreadableEntry] = []
    for channel in channels { entries += try await channel.unreadable() }
    return entries
  }

  /// Returns a sequence of the models of a type that differ from the server, by their ids.
  ///
  /// It has the present state first, and then the state after each change.
  public func syncStates<Model: Identifiable & Sendable>(
    of type: Model.Type
  ) -> some ObservedSequence<[Model.ID: SyncState]> where Model.ID: Sendable {
    OutboxObservation(outbox: self) { outbox in
      guard let channel = try? outbox.channel(of: type) else { return nil }
      return try? await channel.repository.look(isShort: false) { try $0.syncStates() }
    }
  }
}

/// A sequence of what a closure reads from the outbox, now and each time the outbox changes.
struct OutboxObservation<Element: Equatable & Sendable>: ObservedSequence {
  typealias Failure = Never

  let outbox: Outbox
  /// Reads an element; nil if it cannot be read.
  let read: @Sendable (Outbox) async -> Element?

  func makeAsyncIterator() -> Iterator {
    Iterator(outbox: outbox, read: read)
  }

  struct Iterator: ObservedIterator {
    private let outbox: Outbox
    private let read: @Sendable (Outbox) async -> Element?
    private let buffer = Broadcast<Void>.Buffer(capacity: 1)
    private let changes: Evocation.Observation
    /// The observations of the queues, by their channels.
    @SharedByCopies private var queues: [ObjectIdentifier: Evocation.Observation] = [:]
    @SharedByCopies private var last: Element? = nil

    init(outbox: Outbox, read: @escaping @Sendable (Outbox) async -> Element?) {
      self.outbox = outbox
      self.read = read
      changes = outbox.changes.observe { [buffer] in buffer.put(()) }
      buffer.put(())
    }

    mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
      while !Task.isCancelled {
        await buffer.arrival()
        _ = buffer.takeAll()
        observeQueues()
        guard let element = await read(outbox), element != last else { continue }
        last = element
        return element
      }
      return nil
    }

    /// Observes the queues of the model types that are registered by now.
    private mutating func observeQueues() {
      let channels = outbox.channels
      let present = Set(channels.map { ObjectIdentifier($0) })
      queues = queues.filter { present.contains($0.key) }
      for channel in channels where queues[ObjectIdentifier(channel)] == nil {
        queues[ObjectIdentifier(channel)] = channel.observeQueue { [buffer] in buffer.put(()) }
      }
    }
  }
}

extension OutboxTransaction where Model: Identifiable, Model.ID: Sendable {
  /// Returns the state of each model that has entries.
  ///
  /// It decodes an entry only if its key does not show the id.
  fileprivate func syncStates() throws -> [Model.ID: Outbox.SyncState] {
    var (states, position) = ([Model.ID: Outbox.SyncState](), Int64.min)
    while true {
      let rows = try entries.rows(of: queueName, after: position, limit: 1_000)
      guard let last = rows.last else { return states }
      for row in rows {
        let id = ModelID.id(Model.ID.self, of: row.instance.key)
        guard let id = try id ?? record(at: row.position)?.entry?.model.id else { continue }
        if let reason = row.parked {
          states[id] = .parked(reason: reason)
        } else if states[id] == nil {
          states[id] = .pending
        }
      }
      position = last.position
    }
  }
}

extension OutboxTransaction {
  /// Returns all entries, the oldest first.
  func allRecords() throws -> [OutboxRecord<Model>] {
    var (all, position) = ([OutboxRecord<Model>](), Int64.min)
    while true {
      let records = try records(after: position, limit: 1_000)
      guard let last = records.last else { return all }
      all += records
      position = last.position
    }
  }
}

extension Outbox {
  /// Returns the local repository of a model type, and the note for entries that are made now.
  ///
  /// - Throws: ``EvocationError`` for a model type without an outbox.
  package func place<Model: Sendable>(
    of type: Model.Type
  ) throws -> (repository: any OutboxStore<Model>, note: OutboxNote<Model>) {
    let channel = try channel(of: type)
    return (channel.repository, channel.proxy.outboxLink.entryNote(at: environment.date()))
  }
}
