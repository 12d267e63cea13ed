import Evocation
import Foundation

/// One connection to a stream: opens it, reads its events, and sends its subscriptions.
///
/// The stream knows the readers. It ends the connection by ``close()``, and the connection reports its
/// own end to the stream. Both leave no task and no deadline.
final class LiveConnection: Sendable {
  struct State {
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
    /// Whether something has arrived since the head.
    var hasSigns = false
    /// Sends a subscription over the connection of a source.
    var subscribe: HTTPFormat.Live.Connection.Subscribe?
    /// Whether a full queue holds it back.
    var isHeld = false
  }

  let stream: LiveStream
  let client: HTTPClient
  let live: HTTPFormat.Live
  let state = Lock(State())
  /// Notices silence, or a greeting that does not come.
  let watch: LiveWatch
  /// Notices a subscription that does not end.
  let subscribing: LiveWatch
  private let request: Result<HTTPRequest, any Error>

  init(_ stream: LiveStream, _ client: HTTPClient, live: HTTPFormat.Live) {
    (self.stream, self.client, self.live) = (stream, client, live)
    request = Result { try client.request(live.route) }
    watch = LiveWatch(client.service.deadlines)
    subscribing = LiveWatch(client.service.deadlines)
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
    let (tasks, rest, opening) = state.withLock { state in
      defer {
        (state.reading, state.subscribing, state.comparing) = (nil, nil, nil)
        (state.credentials, state.subscribe, state.isClosed) = (nil, nil, true)
      }
      return (
        [state.reading, state.subscribing, state.comparing],
        (state.credentials, state.subscribe), state.isClosed ? nil : state.opening
      )
    }
    for task in tasks { task?.cancel() }
    rest.0?.cancel()
    watch.stop()
    subscribing.stop()
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

  func fail(_ error: any Error) {
    let (retry, isOpen) = state.withLock { state in
      defer { state.opening = nil }
      return (state.retry, state.opening != nil && !state.isClosed)
    }
    let error = named(error, waiting: retry)
    if isOpen { logMessage("ended with \(error.logDescription ?? "\(error.failureKind)")") }
    stream.end(self, error)
  }

  /// Returns the error of the stream; what says itself whether trying again helps stays as it is.
  private func named(_ error: any Error, waiting retry: Duration?) -> any ClassifiedError {
    if let error = error as? any ClassifiedError, !(error is HTTPError) { return error }
    return HTTPError(error, live.route.method, url: url).waiting(retry)
  }

  var url: URL { (try? request.get().url) ?? client.service.baseURL }

  func logMessage(_ text: String) {
    let line = "\(live.route.method) \(client.service.name) \(live.route.path) \(text)"
    client.service.log?.add { _ in .notice(line) }
  }

  /// Opens the stream, and reads it to its end, which is an error.
  private func follow() async throws {
    var request = try request.get()
    request.session = nil
    followCredentials()
    try await waitForCredential(of: request)
    let opened = try await opened(request)
    try Task.checkCancellation()
    state.withLock { state in
      state.opening = client.service.time.now()
      state.credential = opened.credential
      state.subscribe = opened.connection.subscribe
    }
    stream.handle(.opened, from: self)
    if let last = client.service.credentials.last { compare(last) }
    expect()
    do {
      try await opened.connection.read { try await self.take($0) }
    } catch let error as HTTPError where error.refusesCredential {
      fail(error)
      try await opened.renew()
    }
    var end = HTTPError(.connectionLost)
    end.isOrderlyEnd = state.withLock { $0.hasSigns }
    throw end
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
}
