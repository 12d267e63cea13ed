import Evocation
import Foundation

/// One connection to a stream: opens it, reads its events, and sends its subscriptions.
///
/// The stream knows the readers. It ends the connection by ``close()``, and the connection reports its
/// own end to the stream. Both leave no task and no deadline.
final class LiveConnection: Sendable {
  private struct State {
    var reading: Task<Void, Never>?
    var subscribing: Task<Void, Never>?
    var comparing: Task<Void, Never>?
    /// Tells of other credentials.
    var credentials: Evocation.Observation?
    /// The credential of the connection; nil as long as it is unknown, or if another host has answered.
    var credential: String??
    var isClosed = false
    /// When the head arrived.
    var opening: Duration?
    var greeting: ServerSentEvent?
    var retry: Duration?
  }

  private let stream: LiveStream
  private let client: HTTPClient
  private let live: HTTPFormat.Live
  private let request: Result<HTTPRequest, any Error>
  private let state = Lock(State())
  private let watch: LiveWatch

  init(_ stream: LiveStream, _ client: HTTPClient, live: HTTPFormat.Live) {
    (self.stream, self.client, self.live) = (stream, client, live)
    request = Result { try client.request(live.route) }
    watch = LiveWatch(client.service.deadlines)
  }

  /// Begins, in a task of its own.
  func open() {
    run({ $0.reading = $1 }) { try await self.follow() }
  }

  /// Sends a subscription to topics, in a task of its own.
  func subscribe(_ topics: [String]) {
    run({ $0.subscribing = $1 }) { try await self.ask(topics) }
  }

  /// Ends everything; nothing is reported any more.
  func close() {
    let (tasks, credentials, opening) = state.withLock { state in
      defer {
        (state.reading, state.subscribing, state.comparing) = (nil, nil, nil)
        (state.credentials, state.isClosed) = (nil, true)
      }
      return (
        [state.reading, state.subscribing, state.comparing], state.credentials,
        state.isClosed ? nil : state.opening
      )
    }
    for task in tasks { task?.cancel() }
    credentials?.cancel()
    watch.stop()
    if let opening {
      logMessage("ended after \(client.service.time.now().subtracting(opening).brief)")
    }
  }

  private func run(
    _ keep: (inout State, Task<Void, Never>) -> Void,
    _ work: @escaping @Sendable () async throws -> Void
  ) {
    state.withLock { state in
      guard !state.isClosed else { return }
      // Detached, because the stream belongs to no call.
      let task = Task.detached {
        do { try await work() } catch { self.fail(error) }
      }
      keep(&state, task)
    }
  }

  private func fail(_ error: any Error) {
    let (retry, isOpen) = state.withLock { state in
      defer { state.opening = nil }
      return (state.retry, state.opening != nil && !state.isClosed)
    }
    let error = HTTPError(error, live.route.method, url: url).waiting(retry)
    if isOpen { logMessage("ended with \(error.logDescription ?? error.code.rawValue)") }
    stream.end(self, error)
  }

  private var url: URL { (try? request.get().url) ?? client.service.baseURL }

  private func logMessage(_ text: String) {
    let line = "\(live.route.method) \(client.service.name) \(live.route.path) \(text)"
    client.service.log?.add { _ in .notice(line) }
  }

  /// Opens the stream, and reads it to its end, which is an error.
  private func follow() async throws {
    var request = try request.get()
    request.streamedSilence = live.longestSilence
    request.headers["Accept"] = "text/event-stream"
    request.headers["Cache-Control"] = "no-store"
    request.session = nil
    followCredentials()
    try await waitForCredential(of: request)
    request.headers["Last-Event-ID"] = stream.start(of: self)
    let answer = try await client.send(request)
    let type = ContentType(answer.headers["content-type"])?.description
    guard let body = answer.stream, type == "text/event-stream" else {
      throw HTTPError(
        instead: type, status: answer.status, method: request.method, url: request.url)
    }
    state.withLock { state in
      state.opening = client.service.time.now()
      if !answer.isForeign { state.credential = .some(answer.authorization) }
    }
    stream.handle(.opened, from: self)
    if let last = client.service.credentials.last { compare(last) }
    try await read(body)
  }

  /// Learns of the credentials that are sent, and of a sign-out.
  private func followCredentials() {
    let observation = client.service.credentials.changes.observe { [weak self] change in
      switch change {
      case .replaced: break
      case .sent(let credential): self?.compare(credential)
      case .signedOut: self?.fail(HTTPError(.connectionLost))
      }
    }
    let isClosed = state.withLock { state in
      if !state.isClosed { state.credentials = observation }
      return state.isClosed
    }
    if isClosed { observation.cancel() }
  }

  /// Waits, after a sign-out, until the user who signed out is not meant any more.
  ///
  /// The app deletes the credential after the sign-out. Until it has another one, or sends a request
  /// of its own with the same one, no stream is opened. A closure that throws has none yet.
  private func waitForCredential(of request: HTTPRequest) async throws {
    let (credentials, time) = (client.service.credentials, client.service.time)
    var looks = 0
    while credentials.hasFormer {
      let news = credentials.changes.events(keeping: 1)
      do {
        guard credentials.isFormer(try await client.credential(of: request)) else { return }
      } catch {
        try Task.checkCancellation()
      }
      looks += 1
      let pause = Backoff(first: .seconds(1), longest: .minutes(1)).pause(after: looks)
      await withTaskGroup { group in
        group.addTask { _ = await news.next() }
        group.addTask { try? await time.sleep(pause) }
        await group.next()
        group.cancelAll()
      }
      try Task.checkCancellation()
    }
  }

  /// Opens the stream again if a request was sent with another credential.
  ///
  /// It asks the app first which one the stream would have now: where each request has its own, as
  /// signatures are, another one says nothing.
  private func compare(_ sent: String?) {
    let isOther = state.withLock { state in
      guard let own = state.credential else { return false }
      return !state.isClosed && own != sent
    }
    guard isOther, let request = try? request.get() else { return }
    run({ $0.comparing = $1 }) {
      do {
        guard try await self.client.credential(of: request) == sent else { return }
      } catch {
        return
      }
      self.stream.renew(self) { LiveConnection(self.stream, self.client, live: self.live) }
    }
  }

  private func read(_ body: any AsyncSequence<Data, any Error> & Sendable) async throws {
    let limit = min(live.maximumEventSize, client.service.configuration.maximumResponseSize)
    var parser = EventStreamParser(limit: limit)
    expect()
    for try await piece in body {
      let events: [ServerSentEvent]
      do { events = try parser.read(piece) } catch {
        throw HTTPError(event: limit, method: live.route.method, url: url)
      }
      if let retry = parser.retry { state.withLock { $0.retry = retry } }
      for event in events { try await take(event) }
      expect()
    }
    throw HTTPError(.connectionLost)
  }

  /// Expects the greeting, or any byte, within its time.
  private func expect() {
    if let greeting = live.greeting, state.withLock({ $0.greeting == nil }) {
      watch.expectFirst(within: live.greetingTimeout) { [weak self] time in
        guard let self else { return }
        fail(HTTPError(missing: greeting, after: time, method: live.route.method, url: url))
      }
    } else {
      watch.expect(within: live.longestSilence) { [weak self] time in
        guard let self else { return }
        fail(HTTPError(silence: time, method: live.route.method, url: url))
      }
    }
  }

  private func take(_ event: ServerSentEvent) async throws {
    let isGreeting = state.withLock { state in
      guard event.name == live.greeting, state.greeting == nil else { return false }
      state.greeting = event
      return true
    }
    if isGreeting { return stream.handle(.greeted, from: self) }
    guard let message = message(of: event) else { return }
    for case .ended(let status) in message.changes {
      throw HTTPError(
        HTTPError.code(of: status), method: live.route.method, url: url, status: status)
    }
    let queues = stream.deliver(event, message, from: self)
    if message.isUnreadable, !queues.isEmpty { logMessage("sent an event that does not decode") }
    for queue in queues {
      guard let room = queue.room() else { continue }
      watch.pause()
      await room.value(ifCancelled: ())
    }
    try Task.checkCancellation()
  }

  private func message(of event: ServerSentEvent) -> HTTPFormat.Live.Message? {
    do { return try live.read(event) } catch { return .unreadable() }
  }

  /// Sends a subscription to topics.
  private func ask(_ topics: [String]) async throws {
    guard let subscription = live.subscription else { return }
    let greeting = state.withLock { $0.greeting }
    let body: Data
    do { body = try subscription.body(greeting, topics) } catch {
      throw HTTPError(
        .undecodable, method: live.route.method, url: url, status: 200,
        reason: "a greeting that does not decode", underlying: error)
    }
    var request = try client.request(subscription.route, body: body)
    request.headers["Content-Type"] = "application/json"
    request.session = nil
    _ = try await client.send(request)
    stream.handle(.subscribed, from: self)
  }
}
