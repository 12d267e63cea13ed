import Evocation
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One running request: collects the answer until it is complete, or passes its body on.
///
/// The results pass under the lock, and not through the continuation, because ThreadSanitizer does not
/// see the continuation's ordering on Linux.
final class URLSessionExchange: Sendable {
  private struct State {
    var head: HTTPURLResponse?
    var body = Data()
  }

  /// Runs what waits on Linux for the queue of all sessions: making, resuming and canceling a task.
  ///
  /// That queue may be calling an exchange, or may be resuming the caller's task, and then waits in its
  /// turn for the handler of that task's cancellation. While an answer arrives faster than it is read,
  /// it does nothing else, so that the threads of Swift's tasks must not wait for it.
  static let queue = DispatchQueue(label: "URLSessionExchange")

  /// Makes the session's task, and has the session's delegate call the exchange; nil once it has.
  private let make: Lock<(@Sendable (URLSessionExchange) -> URLSessionDataTask)?>
  /// The session that only this request uses, if it has one.
  private let ownSession: URLSession?
  private let limit: Int
  private let task = Lock<URLSessionDataTask?>(nil)
  private let state = Lock(State())
  private let ended = Promise<Result<Void, any Error>>()
  private let isCancelled = Lock(false)
  /// The body of a streamed answer; nil if the answer is collected.
  private let stream: BodyBuffer?
  /// Is fulfilled when a streamed answer has a head, or has ended.
  private let begun = Promise<Void>()

  /// Creates an exchange, of whose body this many bytes may wait here.
  ///
  /// The closure is called once, on ``queue``, when the answer is awaited.
  init(
    ownSession: URLSession? = nil, limit: Int = .max, isStreamed: Bool = false,
    _ make: @escaping @Sendable (URLSessionExchange) -> URLSessionDataTask
  ) {
    self.make = Lock(make)
    self.ownSession = ownSession
    self.limit = limit
    stream = isStreamed ? BodyBuffer(limit: limit, hold: Self.holding(task)) : nil
  }

  /// A complete answer: its head, and the body or the error that cut it off.
  struct Whole {
    var status: Int
    var headers: [String: String]
    var body: Result<Data, any Error>
  }

  /// Sends the request and waits for the whole answer.
  ///
  /// - Throws: The error that ended the exchange before the head.
  func response() async throws -> Whole {
    defer { endOwnSession() }
    try Task.checkCancellation()
    begin()
    let end = await withCancellationHandler {
      await ended.value
    } onCancel: {
      cancel()
    }
    let (head, body) = state.withLock { ($0.head, $0.body) }
    if case .failure(let error) = end, head == nil { throw error }
    // Linux does not deliver the head of a 3xx without an address, but the task has it.
    guard let head = head ?? task.withLock(\.self)?.response as? HTTPURLResponse else {
      throw HTTPError(.connectionLost)
    }
    return Whole(
      status: head.statusCode, headers: HTTPTransportResponse.joined(Self.fields(of: head)),
      body: end.map { body })
  }

  /// Sends the request and waits for the head of the answer, whose body arrives later.
  ///
  /// The exchange ends with the last reader of the body.
  func head() async throws -> HTTPTransportResponse {
    let body = URLSessionBody(exchange: self)
    try Task.checkCancellation()
    begin()
    await withCancellationHandler {
      await begun.value
    } onCancel: {
      cancel()
    }
    let head = state.withLock { $0.head }
    if head == nil, case .failure(let error) = ended.present { throw error }
    guard let head = head ?? task.withLock(\.self)?.response as? HTTPURLResponse else {
      throw HTTPError(.connectionLost)
    }
    return HTTPTransportResponse(
      status: head.statusCode, headers: Self.fields(of: head), body: body)
  }

  /// Waits for the next piece of a streamed body; nil at its end.
  func piece() async throws -> Data? {
    try await withCancellationHandler {
      try await stream?.next()
    } onCancel: {
      cancel()
    }
  }

  /// Ends an exchange whose answer nobody reads any more.
  func letGo() {
    cancel()
    endOwnSession()
  }

  /// Makes the session's task and sends the request, unless the exchange has ended before.
  private func begin() {
    Self.queue.async { [self] in
      guard let make = make.withLock({ $0.take() }), !ended.isFulfilled else { return }
      let made = make(self)
      task.withLock { $0 = made }
      made.resume()
    }
  }

  /// Lets the session, which retains itself and its delegate, be released when its task has ended.
  private func endOwnSession() {
    guard let ownSession else { return }
    Self.queue.async { ownSession.finishTasksAndInvalidate() }
  }

  /// Returns what holds the sender back while pieces wait.
  ///
  /// Not on Linux: suspending a task closes its connection there, and resuming it sends the request
  /// again.
  private static func holding(_ task: Lock<URLSessionDataTask?>) -> (@Sendable (Bool) -> Void)? {
    #if canImport(FoundationNetworking)
      nil
    #else
      { isHeld in
        let task = task.withLock(\.self)
        isHeld ? task?.suspend() : task?.resume()
      }
    #endif
  }

  private static func fields(
    of head: HTTPURLResponse
  ) -> some Sequence<(key: String, value: String)> {
    head.allHeaderFields.lazy.map { name, value in
      (key: name as? String ?? "\(name)", value: value as? String ?? "\(value)")
    }
  }

  /// Ends the exchange, unless it has ended.
  func cancel() {
    end(CancellationError())
  }

  /// Ends the exchange with an error, unless it has ended.
  func end(_ error: any Error) {
    guard finish(.failure(error)) else { return }
    Self.queue.async { [self] in
      isCancelled.withLock { $0 = true }
      task.withLock(\.self)?.cancel()
    }
  }

  /// Receives the head of the answer, and ignores interim ones, which Linux delivers too.
  func receive(_ response: URLResponse) {
    guard let head = response as? HTTPURLResponse else {
      return end(HTTPError(.malformed, reason: "it is not HTTP"))
    }
    guard head.statusCode >= 200 else { return }
    state.withLock { $0 = State(head: head) }
    guard stream == nil else {
      begun.fulfil()
      return
    }
    // A body that is announced as larger than allowed is not awaited.
    let length = head.value(forHTTPHeaderField: "Content-Length").flatMap { Int64($0) } ?? 0
    if length > limit { end(tooLarge) }
  }

  /// Receives a piece of the body.
  func receive(_ data: Data) {
    guard !ended.isFulfilled else { return }
    if let stream {
      if !stream.add(data) { end(HTTPError(overrunning: limit)) }
      return
    }
    let isWithinLimit = state.withLock { state in
      guard data.count <= limit - state.body.count else { return false }
      state.body.append(data)
      return true
    }
    if !isWithinLimit { end(tooLarge) }
  }

  private var tooLarge: HTTPError {
    let head = state.withLock { $0.head }
    return HTTPError(
      .tooLarge,
      status: head?.statusCode,
      headers: head.map { HTTPTransportResponse.joined(Self.fields(of: $0)) } ?? [:],
      reason: "\(limit) bytes"
    )
  }

  /// Ends with the redirect as the answer.
  ///
  /// On Linux the process traps if a redirect is answered after its task was canceled. So a task that
  /// is about to be canceled gets no answer, and otherwise the answer is given before the task can be
  /// canceled.
  func receiveRedirect(_ answer: (URLRequest?) -> Void) {
    isCancelled.withLock { isCancelled in
      #if canImport(FoundationNetworking)
        guard !isCancelled else { return }
      #endif
      answer(nil)
    }
  }

  /// Receives the end of the exchange: the data so far is the answer, or else there is an error.
  ///
  /// - Returns: Whether the exchange had not ended yet.
  @discardableResult
  func finish(_ end: Result<Void, any Error>) -> Bool {
    let isFirst = ended.fulfil(end)
    stream?.finish(end)
    begun.fulfil()
    return isFirst
  }
}
