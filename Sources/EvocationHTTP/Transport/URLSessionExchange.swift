import Evocation
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One running request: holds what has arrived of the answer until it is read.
///
/// The results pass under the lock, and not through the continuation, because ThreadSanitizer does not
/// see the continuation's ordering on Linux.
final class URLSessionExchange: Sendable {
  private struct State {
    var head: HTTPURLResponse?
    /// The part of the body that has arrived and was not read yet.
    var body = Data()
    /// How many bytes may still arrive.
    var room: Int
    var end: Result<Void, any Error>?
    /// The task that waits for the head, or for more of the body; never both.
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let task: URLSessionDataTask
  /// The session that only this request uses, if it has one.
  private let ownSession: URLSession?
  private let limit: Int
  private let state: Lock<State>
  private let isCancelled = Lock(false)

  /// Creates an exchange, which holds the unread part of the body up to a limit in bytes.
  init(_ task: URLSessionDataTask, ownSession: URLSession? = nil, limit: Int = .max) {
    self.task = task
    self.ownSession = ownSession
    self.limit = limit
    state = Lock(State(room: limit))
  }

  /// Sends the request and waits for the head.
  func response() async throws -> HTTPTransportResponse {
    try begin()
    await wait { $0.head != nil || $0.end != nil }
    let head = try head()
    return HTTPTransportResponse(
      status: head.statusCode, headers: Self.fields(of: head), body: URLSessionBody(exchange: self)
    )
  }

  /// A complete answer: its head, and the body or the error that cut it off.
  struct Whole {
    var status: Int
    var headers: [String: String]
    var body: Result<Data, any Error>
  }

  /// Sends the request and waits for the whole answer, so that the waiting task wakes only once.
  ///
  /// - Throws: The error that ended the exchange before the head.
  func wholeResponse() async throws -> Whole {
    try begin()
    await wait { $0.end != nil }
    let (body, end) = state.withLock { ($0.body, $0.end) }
    let head = try head()
    return Whole(
      status: head.statusCode, headers: HTTPTransportResponse.joined(Self.fields(of: head)),
      body: end?.map { body } ?? .success(body)
    )
  }

  private func begin() throws {
    // The session, which retains itself and its delegate, is released when the task has ended.
    defer { ownSession?.finishTasksAndInvalidate() }
    guard !Task.isCancelled else {
      // The session would retain a task that never begins and never ends.
      cancel()
      throw CancellationError()
    }
    task.resume()
  }

  private func head() throws -> HTTPURLResponse {
    let (head, end) = state.withLock { ($0.head, $0.end) }
    if case .failure(let error) = end, head == nil { throw error }
    // Linux does not deliver the head of a 3xx without an address, but the task has it.
    guard let head = head ?? task.response as? HTTPURLResponse else {
      throw HTTPError(.connectionLost)
    }
    return head
  }

  private static func fields(
    of head: HTTPURLResponse
  ) -> some Sequence<(key: String, value: String)> {
    head.allHeaderFields.lazy.map { name, value in
      (key: name as? String ?? "\(name)", value: value as? String ?? "\(value)")
    }
  }

  /// Returns the next piece of the body: all that has arrived since the last one; nil at the end.
  func piece() async throws -> Data? {
    await wait { !$0.body.isEmpty || $0.end != nil }
    let (body, end) = state.withLock { state in
      defer { state.body = Data() }
      return (state.body, state.end)
    }
    // An error comes first: the data before it is not the whole body.
    if case .failure(let error) = end { throw error }
    return body.isEmpty ? nil : body
  }

  /// Ends the exchange, unless it has ended.
  func cancel() {
    end(CancellationError())
  }

  /// Ends the exchange with an error, unless it has ended.
  func end(_ error: any Error) {
    if finish(.failure(error)) { cancelTask() }
  }

  /// Ends the exchange from inside a call on the session's own queue, for which `cancel()` waits.
  func abandon(_ error: any Error) {
    if finish(.failure(error)) { Task { cancelTask() } }
  }

  private func cancelTask() {
    isCancelled.withLock { $0 = true }
    task.cancel()
  }

  /// Receives the head of the answer, and ignores interim ones, which Linux delivers too.
  func receive(_ response: URLResponse) {
    guard let head = response as? HTTPURLResponse else {
      return abandon(HTTPError(.malformed, reason: "it is not HTTP"))
    }
    guard head.statusCode >= 200 else { return }
    defer {
      // A body that is announced as larger than allowed is not awaited.
      let length = head.value(forHTTPHeaderField: "Content-Length").flatMap { Int64($0) } ?? 0
      if length > limit { abandon(tooLarge) }
    }
    resume { state in
      guard state.end == nil else { return false }
      state.head = head
      state.body = Data()
      return true
    }
  }

  /// Receives a piece of the body.
  func receive(_ data: Data) {
    let isWithinLimit = state.withLock { state in
      guard state.end == nil else { return true }
      state.room = data.count > state.room ? -1 : state.room - data.count
      return state.room >= 0
    }
    guard isWithinLimit else { return abandon(tooLarge) }
    resume { state in
      guard state.end == nil else { return false }
      state.body.append(data)
      return true
    }
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
    resume { state in
      guard state.end == nil else { return false }
      state.end = end
      if case .failure = end { state.body = Data() }
      return true
    }
  }

  /// Changes the state, unless the change is refused, and wakes the waiting task.
  @discardableResult
  private func resume(after change: (inout State) -> Bool) -> Bool {
    let (isChanged, waiter) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
      guard change(&state) else { return (false, nil) }
      defer { state.waiter = nil }
      return (true, state.waiter)
    }
    waiter?.resume()
    return isChanged
  }

  private func wait(until isThere: (borrowing State) -> Bool) async {
    await withCancellationHandler {
      while !state.withLock({ isThere($0) }) {
        await withCheckedContinuation { continuation in
          let isOver = state.withLock { state in
            let isOver = isThere(state)
            if !isOver { state.waiter = continuation }
            return isOver
          }
          if isOver { continuation.resume() }
        }
      }
    } onCancel: {
      cancel()
    }
  }
}

/// The body of an exchange, which is canceled when no reader is left.
final class URLSessionBody: AsyncSequence, Sendable {
  private let exchange: URLSessionExchange

  init(exchange: URLSessionExchange) {
    self.exchange = exchange
  }

  deinit {
    exchange.cancel()
  }

  func makeAsyncIterator() -> Iterator {
    Iterator(body: self)
  }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate let body: URLSessionBody

    func next() async throws -> Data? {
      try await body.exchange.piece()
    }
  }
}
