import Foundation

/// What an ``Outbox`` consists of.
package final class OutboxParts: Sendable {
  package struct State {
    package var machine: OutboxMachine
    var channels: [Registered] = []
    var dependencies: [Dependency] = []
    /// The stores whose unreadable entries were set to pending again, once in this process.
    var revived: Set<ObjectIdentifier> = []
    var sends: [OutboxMachine.Item: Task<Void, Never>] = [:]
    var connection: Task<Void, Never>?
  }

  /// The channel of a model type, and the observations of its entries, once they are to be sent.
  struct Registered {
    let type: ObjectIdentifier
    let channel: any OutboxChannel
    var observations: [Evocation.Observation] = []
    var isOpen = false
  }

  /// Says that a model type's entries wait for another type's.
  struct Dependency {
    let type: ObjectIdentifier
    let other: ObjectIdentifier
    let model: String
    let dependency: any Sendable
    /// Whether the proxy that declared it is still the one of its type.
    let isPresent: @Sendable () -> Bool
    let refuse: @Sendable (EvocationError) -> Void
    /// Moves the entries of both types into one store, or refuses the writes of the waiting type.
    let join: @Sendable () -> Void
  }

  let environment: Environment
  let registry: Registry
  let configuration: Outbox.Configuration
  /// Names this outbox among all processes.
  let holder = EntryID.make()
  let state: Lock<State>
  let changes = Broadcast<Void>()
  let deliveries: Lock<DeliveryRecords>
  let recordWithdrawn: @Sendable (String) -> Void
  let listeners = Broadcast<Outbox.Event>()
  let alarm: Alarm

  init(
    _ environment: Environment, _ registry: Registry, configuration: Outbox.Configuration
  ) {
    self.environment = environment
    self.registry = registry
    self.configuration = configuration
    alarm = Alarm(environment.time)
    let deliveries = Lock(DeliveryRecords())
    self.deliveries = deliveries
    recordWithdrawn = { id in deliveries.withLock { $0.recordDiscarded([id]) } }
    let isOnline = configuration.connectivity?.isOnline ?? true
    state = Lock(State(machine: OutboxMachine(configuration, isOnline: isOnline)))
  }

  deinit {
    let state = state.withLock { $0 }
    state.connection?.cancel()
    // So that the next process that opens the file need not wait for the end of the lease.
    for case (let store, .mine) in state.machine.stores.map({ ($0, $1.lease) }) {
      let channel = state.channels.first { $0.channel.store == store }?.channel
      guard let channel else { continue }
      _ = Task { [holder] in try? await Outbox.releaseLease(of: holder, channel) }
    }
  }
}

extension Outbox {
  /// Creates the outbox of an ``Evocation``.
  package convenience init(
    _ environment: Environment, _ registry: Registry, configuration: Configuration
  ) {
    self.init(contents: OutboxParts(environment, registry, configuration: configuration))
  }

  // An outbox is made of these parts alone, so the cast cannot fail.
  private var parts: OutboxParts { unsafeDowncast(contents, to: OutboxParts.self) }

  package var environment: Environment { parts.environment }
  var registry: Registry { parts.registry }
  var configuration: Configuration { parts.configuration }
  var holder: String { parts.holder }
  package var state: Lock<OutboxParts.State> { parts.state }
  var changes: Broadcast<Void> { parts.changes }
  var deliveries: Lock<DeliveryRecords> { parts.deliveries }
  package var recordWithdrawn: @Sendable (String) -> Void { parts.recordWithdrawn }
  var listeners: Broadcast<Event> { parts.listeners }
  private var alarm: Alarm { parts.alarm }
}

// Events, effects, and looking through stores.
extension Outbox {
  /// Passes an event to the machine, and performs the effects that it returns.
  func handle(_ event: OutboxMachine.Event) {
    let (now, chance) = (environment.time.now(), environment.chance())
    let effects = state.withLock { $0.machine.handle(event, at: now, chance: chance) }
    for effect in effects { perform(effect) }
    changes.tell()
  }

  /// Records that entries of a store may have changed.
  ///
  /// It is quick if the machine knows that already, because every write calls it ("storeOne, by the
  /// outbox").
  func recordTouch(of store: ObjectIdentifier) {
    if !state.withLock({ $0.machine.knowsTouch(store) }) { handle(.touched(store)) }
  }

  private func perform(_ effect: OutboxMachine.Effect) {
    switch effect {
    case .look(let store, let look):
      // No code waits for it, so it runs outside the scope of the write that may have caused it.
      WriteScope.apart { _ = Task { self.handle(.looked(store, await self.look(store, look))) } }
    case .release(let store):
      WriteScope.apart {
        _ = Task {
          if let channel = self.channel(of: store) {
            try? await Self.releaseLease(of: self.holder, channel)
          }
          self.handle(.released(store))
        }
      }
    case .wake(let moment): alarm.ring(by: moment) { [weak self] in self?.handle(.timer) }
    case .notify(let event): tell(event)
    case .validate: validateObserved()
    }
  }

  /// Looks through a store, and sends what was taken.
  private func look(
    _ store: ObjectIdentifier, _ look: OutboxMachine.Look
  ) async -> OutboxMachine.Found {
    guard let channel = channel(of: store) else { return .unregistered }
    let entryLook = entryLook(store)
    let revives = look.forEntries && state.withLock { !$0.revived.contains(store) }
    let taken = Lock<[OutboxMachine.Item]>([])
    do {
      let channels = channels.filter { $0.store == store }
      let found = try await channel.transact { transaction in
        let entries = transaction.entries
        taken.withLock { $0 = [] }
        if revives {
          try entries.reviveUnreadable()
          for service in Set(channels.map(\.service)) { try self.recall(service, entries) }
        }
        if look.release, try entries.isHeld {
          try entries.setHeld(false)
          for channel in channels { try channel.restoreRows(in: transaction) }
        }
        var items: [OutboxMachine.Item] = []
        defer { taken.withLock { $0 = items } }
        return try entryLook.run(look, in: entries, taking: &items)
      }
      if revives { _ = state.withLock { $0.revived.insert(store) } }
      for item in taken.withLock({ $0 }) { send(item) }
      // Some stores correct their count in it, which takes long if there are many entries.
      if revives { _ = try? await channel.transact { try $0.entries.count() } }
      return found
    } catch {
      giveBack(taken.withLock { $0 }, leaving: nil)
      return .failed
    }
  }

  /// Returns a search through a store, for a transaction that begins now.
  func entryLook(_ store: ObjectIdentifier, leaving left: OutboxMachine.Item? = nil) -> EntryLook {
    let environment = environment
    return EntryLook(
      holder: holder, lease: configuration.lease, now: environment.time.now(),
      date: environment.date(), present: environment.date,
      longestWait: max(configuration.retry.maximumDelay, ServicePace.longestRetryAfter),
      few: min(configuration.concurrency, 100) + 1,
      beginTurn: {
        let now = environment.time.now()
        return self.state.withLock { $0.machine.beginTurn(in: store, at: now) }
      },
      reserve: { row, offer in
        let (now, chance) = (environment.time.now(), environment.chance())
        return self.state.withLock { state in
          state.machine.reserve(
            row, of: store, leaving: left, as: offer, at: now, chance: chance)
        }
      })
  }

  /// Pauses a server that has asked an earlier process for no requests.
  private func recall(_ service: String, _ entries: any OutboxEntries) throws {
    let (now, date) = (environment.time.now(), environment.date())
    // If it asked after this date, the clock was set back since.
    guard let patience = try entries.patience(with: service), patience.contains(date),
      let rest = Duration(from: date, to: patience.upperBound)
    else { return }
    let wait = min(rest, ServicePace.longestRetryAfter)
    state.withLock { $0.machine.services[service]?.pace.leaveAlone(until: now.adding(wait)) }
  }

  /// Records that an attempt failed in a way that may pass, before its result is saved.
  ///
  /// - Returns: Whether the entry may be the cause, and waits on its own.
  func recordFailed(_ item: OutboxMachine.Item, retryAfter: Duration?) -> Bool {
    let (now, chance) = (environment.time.now(), environment.chance())
    return state.withLock { state in
      state.machine.recordFailed(item, retryAfter: retryAfter, at: now, chance: chance)
    }
  }

  /// Records that an attempt was answered, while its result is being saved.
  func recordAnswered(_ item: OutboxMachine.Item) {
    let now = environment.time.now()
    state.withLock { $0.machine.recordAnswered(item, at: now) }
  }

  /// Takes back that items were taken, after a transaction that was not committed.
  func giveBack(_ items: [OutboxMachine.Item], leaving left: OutboxMachine.Item?) {
    state.withLock { $0.machine.giveBack(items, leaving: left) }
  }

  fileprivate static func releaseLease(
    of holder: String, _ channel: any OutboxChannel
  ) async throws {
    try await channel.transact { transaction in
      let entries = transaction.entries
      if try entries.lease?.holder == holder { try entries.setLease(nil) }
    }
  }

  /// Begins to send an entry that was taken.
  func send(_ item: OutboxMachine.Item) {
    let queue = item.instance.reference.queue
    let channel = state.withLock { state in
      state.channels.first {
        $0.channel.store == item.instance.store && $0.channel.queue.hasSameBytes(as: queue)
      }?.channel
    }
    guard let channel else { return handle(.ended(item, .unknown)) }
    let began = Promise<Void>()
    WriteScope.apart {
      let task = Task {
        await began.value
        let ending = await channel.send(item)
        _ = self.state.withLock { $0.sends.removeValue(forKey: item) }
        self.handle(.ended(item, ending))
      }
      state.withLock { $0.sends[item] = task }
    }
    began.fulfil()
  }

  /// Returns a channel to a store.
  private func channel(of store: ObjectIdentifier) -> (any OutboxChannel)? {
    state.withLock { state in state.channels.first { $0.channel.store == store }?.channel }
  }

  /// Reports an event to its observers.
  func tell(_ event: Event) {
    listeners.tell(event)
  }

  /// Whether servers can be reached, as far as is known.
  package var isOnline: Bool { state.withLock { $0.machine.isOnline } }

  /// The channels of all registered model types.
  package var channels: [any OutboxChannel] { state.withLock { $0.channels.map(\.channel) } }

  /// One channel to each store.
  var stores: [any OutboxChannel] {
    var seen: Set<ObjectIdentifier> = []
    return channels.filter { seen.insert($0.store).inserted }
  }

  func dependencies<Other: Sendable>(on other: Other.Type) -> [OutboxDependency<Other>] {
    let found = state.withLock { state in
      state.dependencies.filter { $0.other == ObjectIdentifier(other) }.map(\.dependency)
    }
    return found.compactMap { $0 as? OutboxDependency<Other> }
  }
}
