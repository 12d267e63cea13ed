import Foundation

/// The writes that the remotes do not have yet, to be seen and steered.
///
/// ```swift
/// let result = await Evocation.updateOne(car)
/// print(result.isPending)  // true: local has it, and the remote gets it when it can be reached
/// for await status in Evocation.outbox.observe() { print(status.pending, "to be sent") }
/// ```
///
/// A write by a rule with ``Strategy/Synchronization/outbox`` is committed to the local repository
/// together with an entry, and answered then. The entries are sent to the remote by themselves.
///
/// - Entries on one instance are sent one after another, on several instances side by side.
/// - An entry is deleted when the remote has carried it out, or the app discards it, and never
///   else. Each is sent with its id as its ``IdempotencyKey``, so that a service can tell an attempt
///   from another write.
/// - What is unsent lies over every answer, from local and from the remote.
/// - Of several processes that share a file one sends, for as long as its lease lasts.
///
/// Everything here is safe to use from any thread, and reads and writes the local repositories of the
/// registered model types.
public final class Outbox: Sendable {
  struct State {
    var machine: OutboxMachine
    var channels: [Registered] = []
    var dependencies: [Dependency] = []
    var timer: (moment: Duration, task: Task<Void, Never>)?
    /// Those who wait until nothing can be sent.
    var waiters: [(id: UInt64, promise: Promise<Void>)] = []
    var lastWaiter: UInt64 = 0
    var sends: [OutboxMachine.Item: Task<Void, Never>] = [:]
    var connection: Task<Void, Never>?
  }

  /// The channel of a model type, and its number in the machine; nil until it is used.
  struct Registered {
    let type: ObjectIdentifier
    let channel: any OutboxChannel
    var number: OutboxMachine.Channel?
    var observation: Evocation.Observation?
  }

  /// That a model type's entries wait for another's.
  struct Dependency {
    let type: ObjectIdentifier
    let other: ObjectIdentifier
    let model: String
    let dependency: any Sendable
    let refuse: @Sendable (EvocationError) -> Void
  }

  let environment: Environment
  let registry: Registry
  let configuration: Configuration
  /// Names this outbox among all processes.
  let holder = EntryID.make()
  let state: Lock<State>
  let changes = Notifier()
  let listeners = Lock<[(id: UInt64, events: AsyncStream<Event>.Continuation)]>([])

  init(_ environment: Environment, _ registry: Registry, _ configuration: Configuration) {
    self.environment = environment
    self.registry = registry
    self.configuration = configuration
    let isOnline = configuration.connectivity?.isOnline ?? true
    state = Lock(State(machine: OutboxMachine(configuration, isOnline: isOnline)))
  }

  deinit {
    let state = state.withLock { $0 }
    state.timer?.task.cancel()
    state.connection?.cancel()
    for (_, promise) in state.waiters { promise.fulfil() }
    for (_, events) in listeners.withLock({ $0 }) { events.finish() }
  }
}

// What goes on inside.
extension Outbox {
  /// Tells the machine what happened, and does what follows.
  func handle(_ event: OutboxMachine.Event) {
    let (now, chance) = (environment.time.now(), environment.chance())
    let (effects, settled) = state.withLock { state in
      let effects = state.machine.handle(event, at: now, chance: chance)
      guard state.machine.isSettled(at: now) else {
        return (effects, [] as [(id: UInt64, promise: Promise<Void>)])
      }
      defer { state.waiters = [] }
      return (effects, state.waiters)
    }
    for effect in effects { perform(effect) }
    for (_, promise) in settled { promise.fulfil() }
    changes.tell()
  }

  /// Takes note that entries of a store may have changed; quick where that is known already, because
  /// it is called in every write ("storeOne, by the outbox").
  private func noteTouch(of store: ObjectIdentifier) {
    if !state.withLock({ $0.machine.knowsTouch(store) }) { handle(.touched(store)) }
  }

  private func perform(_ effect: OutboxMachine.Effect) {
    switch effect {
    case .claim(let number, let position, let only, let limit):
      guard let channel = channel(number) else { return handle(.claimed(number, .failed)) }
      // Nobody waits for it, so it runs outside the scope of the write that may have caused it.
      WriteScope.apart {
        _ = Task {
          let claim = await channel.claim(number, after: position, only: only, limit: limit)
          self.handle(.claimed(number, claim))
        }
      }
    case .send(let item): send(item)
    case .release(let number, let store):
      guard let channel = channel(number) else { return handle(.released(store)) }
      WriteScope.apart {
        _ = Task {
          await channel.releaseLease()
          self.handle(.released(store))
        }
      }
    case .wake(let moment): wake(at: moment)
    case .notify(let event): tell(event)
    case .validate: validateObserved()
    }
  }

  private func send(_ item: OutboxMachine.Item) {
    guard let channel = channel(item.channel) else {
      return handle(.ended(item, .unknown, .stays, isSent: false))
    }
    let began = Promise<Void>()
    WriteScope.apart {
      let task = Task {
        await began.value
        let event = await channel.send(item)
        _ = self.state.withLock { $0.sends.removeValue(forKey: item) }
        self.handle(event)
      }
      state.withLock { $0.sends[item] = task }
    }
    began.fulfil()
  }

  private func wake(at moment: Duration) {
    let (now, sleep) = (environment.time.now(), environment.time.sleepUntil)
    let replaced = state.withLock { state -> Task<Void, Never>? in
      if let timer = state.timer, timer.moment <= moment, timer.moment > now { return nil }
      let old = state.timer?.task
      state.timer = (
        moment,
        Task { [weak self] in
          guard (try? await sleep(moment)) != nil else { return }
          self?.state.withLock { state in
            if state.timer?.moment == moment { state.timer = nil }
          }
          self?.handle(.timer)
        }
      )
      return old
    }
    replaced?.cancel()
  }

  private func channel(_ number: OutboxMachine.Channel) -> (any OutboxChannel)? {
    state.withLock { state in
      state.channels.first { $0.number == number }?.channel
    }
  }

  /// Tells those who listen.
  func tell(_ event: Event) {
    for (_, events) in listeners.withLock({ $0 }) { events.yield(event) }
  }

  /// Whether services can be reached, as far as is known.
  var isOnline: Bool { state.withLock { $0.machine.isOnline } }

  /// Whether a service took what it was sent last.
  func isWell(_ service: String) -> Bool {
    state.withLock { $0.machine.paces[service]?.isWell ?? true }
  }

  /// Which store each queue lies in.
  var stores: [ByteText: ObjectIdentifier] {
    let channels = state.withLock { $0.channels.map(\.channel) }
    return Dictionary(channels.map { (ByteText($0.queue), $0.store) }) { first, _ in first }
  }

  /// The channels of all registered model types.
  var channels: [any OutboxChannel] { state.withLock { $0.channels.map(\.channel) } }

  func dependencies<Other: Sendable>(on other: Other.Type) -> [OutboxDependency<Other>] {
    let found = state.withLock { state in
      state.dependencies.filter { $0.other == ObjectIdentifier(other) }.map(\.dependency)
    }
    return found.compactMap { $0 as? OutboxDependency<Other> }
  }

  /// Whether an instance of any store has entries.
  func hasEntries(of reference: Reference) async throws -> Bool {
    guard let channel = channels.first(where: { $0.queue.hasSameBytes(as: reference.queue) }) else {
      return false
    }
    return try await channel.hasEntries(of: reference.key)
  }

  /// Whether entries on an instance lead back to it by what they wait for.
  func isInCircle(_ start: Reference) async throws -> Bool {
    var (seen, open) = (Set<Reference>(), [start])
    while let next = open.popLast(), seen.count < Self.longestCircle {
      guard let channel = channels.first(where: { $0.queue.hasSameBytes(as: next.queue) }) else {
        continue
      }
      for reference in try await channel.references(of: next.key) where reference != next {
        if reference == start { return true }
        if seen.insert(reference).inserted { open.append(reference) }
      }
    }
    return false
  }

  /// How many instances are looked at to find a circle.
  private static var longestCircle: Int { 1_000 }
}

extension Outbox: OutboxSender {
  func noteWiring<Model: Sendable>(of proxy: Proxy<Model>) {
    let wiring = proxy.wiring
    let type = ObjectIdentifier(Model.self)
    let (store, service) = (wiring.place.outbox?.storeIdentity, ModelChannel.service(of: proxy))
    let (known, closed) = state.withLock { state -> (Bool, OutboxMachine.Channel?) in
      guard let index = state.channels.firstIndex(where: { $0.type == type }) else {
        return (false, nil)
      }
      let channel = state.channels[index].channel as? ModelChannel<Model>
      if let channel, channel.proxy === proxy, channel.store == store,
        channel.hasRemote == wiring.hasRemote, channel.service == service
      {
        return (true, nil)
      }
      return (false, state.channels.remove(at: index).number)
    }
    if let closed { handle(.closed(closed)) }
    if !known, let repository = wiring.place.outbox {
      let channel = ModelChannel(proxy, repository, self)
      state.withLock { $0.channels.append(Registered(type: type, channel: channel)) }
    }
    if wiring.mayHaveUnsent, wiring.hasRemote { open(type) }
    if !known { changes.tell() }
  }

  /// Begins to send what a model type has queued.
  private func open(_ type: ObjectIdentifier) {
    let opened = state.withLock { state -> (any OutboxChannel, Int)? in
      guard let index = state.channels.firstIndex(where: { $0.type == type }),
        state.channels[index].number == nil
      else { return nil }
      let number = state.machine.channels.count
      state.channels[index].number = number
      // Reserved under the lock, so that no other channel gets the number.
      let channel = state.channels[index].channel
      state.machine.reserve(channel.service, channel.store, channel.queue)
      return (channel, number)
    }
    guard let (channel, number) = opened else { return }
    let store = channel.store
    let observation = channel.observeQueue { [weak self] in self?.noteTouch(of: store) }
    state.withLock { state in
      if let index = state.channels.firstIndex(where: { $0.number == number }) {
        state.channels[index].observation = observation
      }
    }
    followConnectivity()
    handle(.rescan(number))
  }

  /// Begins to send what all model types have queued, by whichever rules.
  func openAll() {
    let types = state.withLock { state in
      state.channels.filter { $0.number == nil && $0.channel.hasRemote }.map(\.type)
    }
    for type in types { open(type) }
  }

  /// Leaves a model type's entries alone, which is not registered any more.
  func forget(_ type: ObjectIdentifier) {
    let removed = state.withLock { state -> Registered? in
      guard let index = state.channels.firstIndex(where: { $0.type == type }) else { return nil }
      return state.channels.remove(at: index)
    }
    if let number = removed?.number { handle(.closed(number)) }
  }

  func noteQueued<Model: Sendable>(_ models: [Model], _ kind: String, in proxy: Proxy<Model>) {
    guard !listeners.withLock({ $0.isEmpty }) else { return }
    let ids = ModelID.all(of: models) ?? []
    for id in ids {
      tell(.queued(Subject(model: proxy.model, modelID: id.description, reason: kind)))
    }
  }

  /// Follows whether services can be reached, once there is something to send or to keep up to date.
  func followConnectivity() {
    guard let connectivity = configuration.connectivity else { return }
    state.withLock { state in
      guard state.connection == nil else { return }
      state.connection = Task { [weak self] in
        let changes = connectivity.changes()
        self?.handle(.connection(isOnline: connectivity.isOnline))
        for await isOnline in changes {
          guard let self else { return }
          self.handle(.connection(isOnline: isOnline))
        }
      }
    }
  }

  /// Has observed caches validated, after what is unsent went before.
  func validateObserved() {
    let sends = state.withLock { $0.channels.contains { $0.number != nil } }
    WriteScope.apart {
      _ = Task {
        if sends { _ = await self.flush(deadline: .seconds(10)) }
        await self.registry.validate()
      }
    }
  }
}
