import Evocation

/// One stream of a service, which all models that follow it share, with a connection while any does.
final class LiveStream: Sendable {
  private struct State {
    var machine: LiveMachine
    var queues: [Int: LiveQueue] = [:]
    /// How each reader reads events.
    var formats: [Int: HTTPFormat.Live] = [:]
    var last = 0
    var connection: LiveConnection?
  }

  /// What follows from an event, to be done without the lock.
  private struct Rest {
    var waking: [Promise<Void>] = []
    var opened: LiveConnection?
    var closed: LiveConnection?
    var topics: (LiveConnection, [String])?
    /// Released without the lock, because they have the app's closures.
    var formats: [HTTPFormat.Live] = []
  }

  private let state: Lock<State>

  init(_ form: LiveMachine.Form) {
    state = Lock(State(machine: LiveMachine(form)))
  }

  /// Adds a reader; the first one opens a connection with its client.
  ///
  /// - Returns: The reader's number, to leave by.
  func join(
    _ queue: LiveQueue, topic: String, since mark: String?, through client: HTTPClient,
    live: HTTPFormat.Live
  ) -> Int {
    let (number, rest) = state.withLock { state in
      state.last &+= 1
      state.queues[state.last] = queue
      state.formats[state.last] = live
      let event = LiveMachine.Event.join(state.last, topic: topic, since: mark)
      let make = { LiveConnection(self, client, live: live) }
      return (state.last, Self.handle(event, &state, opening: make))
    }
    finish(rest)
    return number
  }

  /// Removes a reader; the connection ends with the last one.
  func leave(_ number: Int) {
    let (rest, reader) = state.withLock { state in
      let rest = Self.handle(.leave(number), &state)
      return (
        rest, (state.queues.removeValue(forKey: number), state.formats.removeValue(forKey: number))
      )
    }
    for promise in reader.0?.end(CancellationError()) ?? [] { promise.fulfil() }
    finish(rest)
  }

  /// Records that a reader could not decode an event.
  func recordMissed(_ number: Int) {
    state.withLock { $0.machine.recordMissed(number) }
  }

  /// Returns the mark to go on from, just before a connection's request is sent.
  func start(of connection: LiveConnection) -> String? {
    state.withLock { $0.connection === connection ? $0.machine.asked() : nil }
  }

  /// Whether a connection's subscription has not ended yet.
  func isSubscribing(_ connection: LiveConnection) -> Bool {
    state.withLock { $0.connection === connection && $0.machine.isSubscribing }
  }

  /// Whether a connection is for a topic; nil stands for all topics.
  func has(_ topic: String?, of connection: LiveConnection) -> Bool {
    guard let topic else { return true }
    return state.withLock { $0.connection === connection && $0.machine.topics.contains(topic) }
  }

  /// Takes an event of a connection, unless the connection has been replaced.
  func handle(_ event: LiveMachine.Event, from connection: LiveConnection) {
    let rest = state.withLock { state in
      state.connection === connection ? Self.handle(event, &state) : Rest()
    }
    finish(rest)
  }

  /// Opens another connection in place of one whose credential is no longer sent.
  func renew(_ connection: LiveConnection, by other: @escaping () -> LiveConnection) {
    let rest = state.withLock { state in
      state.connection === connection
        ? Self.handle(.renewed, &state, opening: other) : Rest()
    }
    finish(rest)
  }

  /// Returns the different ways in which readers read events.
  func formats(of connection: LiveConnection) -> [HTTPFormat.Live] {
    let all = state.withLock { state -> [HTTPFormat.Live] in
      guard state.connection === connection else { return [] }
      return state.formats.sorted { $0.key < $1.key }.map(\.value)
    }
    var known: Set<HTTPFormat.Live.Reading> = []
    return all.filter { known.insert($0.reading).inserted }
  }

  /// Passes an event on to the readers that it concerns, and that read events in a way; nil for all.
  ///
  /// - Returns: Their queues, which may be full now.
  func deliver(
    _ event: ServerSentEvent, _ message: HTTPFormat.Live.Message,
    to reading: HTTPFormat.Live.Reading?, from connection: LiveConnection
  ) -> [LiveQueue] {
    let (queues, waking) = state.withLock { state -> ([LiveQueue], [Promise<Void>]) in
      guard state.connection === connection else { return ([], []) }
      var (queues, waking): ([LiveQueue], [Promise<Void>]) = ([], [])
      for effect in state.machine.handle(.message(topic: message.topic, id: event.id)) {
        guard case .deliver(let numbers, let mark) = effect else { continue }
        for number in numbers {
          guard let queue = state.queues[number],
            reading == nil || state.formats[number]?.reading == reading
          else { continue }
          if message.changes.contains(.missed) { state.machine.recordMissed(number) }
          queue.add(.message(event, message.changes, mark: mark)).map { waking.append($0) }
          queues.append(queue)
        }
      }
      return (queues, waking)
    }
    for promise in waking { promise.fulfil() }
    return queues
  }

  /// Ends a connection for all its readers, after what waits for them.
  func end(_ connection: LiveConnection, _ error: any Error) {
    let rest = state.withLock { state in
      state.connection === connection ? Self.handle(.ended, &state, error: error) : Rest()
    }
    finish(rest)
  }

  private static func handle(
    _ event: LiveMachine.Event, _ state: inout State, error: (any Error)? = nil,
    opening make: (() -> LiveConnection)? = nil
  ) -> Rest {
    var rest = Rest()
    let effects = state.machine.handle(event)
    if case .ended = event {
      rest.closed = state.connection
      state.connection = nil
    }
    for effect in effects {
      switch effect {
      case .open:
        state.connection = make?()
        rest.opened = state.connection
      case .subscribe(let topics):
        rest.topics = state.connection.map { ($0, topics) }
      case .connected(let number, let mark):
        let promise = state.queues[number]?.add(.connected(mark: mark))
        if let promise { rest.waking.append(promise) }
      case .end(let numbers):
        for number in numbers {
          let queue = state.queues.removeValue(forKey: number)
          if let format = state.formats.removeValue(forKey: number) { rest.formats.append(format) }
          rest.waking += queue?.end(error ?? CancellationError()) ?? []
        }
      case .close:
        rest.closed = state.connection
        state.connection = nil
      case .deliver: break
      }
    }
    return rest
  }

  private func finish(_ rest: Rest) {
    for promise in rest.waking { promise.fulfil() }
    rest.closed?.close()
    rest.opened?.open()
    if let (connection, topics) = rest.topics { connection.subscribe(topics) }
  }
}
