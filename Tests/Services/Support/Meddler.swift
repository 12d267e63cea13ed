import Evocation
import EvocationHTTP
import EvocationTesting
import Foundation

/// The way to a real service, on which happens what a test says.
final class Meddler: HTTPTransport {
  /// What happens to a request.
  enum Fault: String, CaseIterable, Sendable {
    /// The connection is lost before the service has the request.
    case lostBefore
    /// The connection is lost after the service has acted.
    case lostAfter
    /// Nothing comes, because the request never arrived.
    case silentBefore
    /// Nothing comes, though the service has acted.
    case silentAfter
    /// The service wants another credential.
    case unauthorized
    /// A gateway says that nothing is there.
    case gateway
    /// A portal answers its page, as if all were well.
    case portal
    /// The service is busy, and says for how long.
    case busy
    /// The service sends the request to where it is.
    case redirect
    /// How long a page was to be is lost on the way, so that the service has its own way.
    case ignoredSize
  }

  /// What goes wrong with a request, and whether the app's process ends with it.
  struct Mishap: Sendable {
    var fault: Fault
    var endsProcess = false
  }

  /// What happens to the requests that fit, so many times.
  struct Rule: Sendable {
    var fault: Fault
    var times = 1
    /// How many that fit are let through first.
    var passing = 0
    var fits: @Sendable (HTTPTransportRequest) -> Bool = { _ in true }
  }

  private struct State {
    var rules: [Rule] = []
    var isOnline = true
    var isDead = false
    var isSilenceOver = false
    var lines: [String] = []
    var choose: (@Sendable (HTTPTransportRequest) -> Mishap?)?
    var onAnswer: (@Sendable (HTTPTransportRequest) async throws -> Void)?
    var onEnd: (@Sendable () async -> Void)?
  }

  private let transport = URLSessionTransport()
  private let service: RealService
  private let state = Lock(State())
  private let silent = Gate.Counter()

  init(_ service: RealService) { self.service = service }

  /// Adds rules; the first that fits counts.
  func add(_ rules: Rule...) { state.withLock { $0.rules += rules } }

  /// Chooses what happens to each request, beside the rules.
  func choose(_ choose: (@Sendable (HTTPTransportRequest) -> Mishap?)?) {
    state.withLock { $0.choose = choose }
  }

  /// Does something after each answer, before who asked has it.
  func onAnswer(_ body: @escaping @Sendable (HTTPTransportRequest) async throws -> Void) {
    state.withLock { $0.onAnswer = body }
  }

  func setOnline(_ isOnline: Bool) { state.withLock { $0.isOnline = isOnline } }

  /// Ends what the process has open, when it ends within a request.
  func onEnd(_ body: @escaping @Sendable () async -> Void) { state.withLock { $0.onEnd = body } }

  /// Lets nothing through any more, in either direction, as when the app's process has ended.
  func die() { state.withLock { $0.isDead = true } }

  /// What was asked and what became of it, a line each.
  var lines: [String] { state.withLock { $0.lines } }

  /// Lets the time go by until a request that gets no answer is given up.
  func passSilence(_ clock: ManualClock) async {
    await silent.reach(1)
    while !state.withLock({ $0.isSilenceOver }) {
      clock.advance(by: .seconds(61))
      await Task.yield()
    }
  }

  func send(_ request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
    let (mishap, isOnline, onAnswer) = state.withLock { state in
      let isOnline = state.isOnline && !state.isDead
      return (isOnline ? Self.mishap(of: request, &state) : nil, isOnline, state.onAnswer)
    }
    guard isOnline else { throw HTTPError(.unreachable) }
    let fault = mishap?.fault
    do {
      let answer = try await answer(to: request, fault)
      note(request, fault, "\(answer.status)")
      try await onAnswer?(request)
      if state.withLock({ $0.isDead }) { throw HTTPError(.connectionLost) }
      return answer
    } catch {
      note(request, fault, "\(error)")
      if mishap?.endsProcess == true {
        die()
        await state.withLock { $0.onEnd }?()
      }
      throw error
    }
  }

  private static func mishap(of request: HTTPTransportRequest, _ state: inout State) -> Mishap? {
    for index in state.rules.indices where state.rules[index].fits(request) {
      if state.rules[index].passing > 0 {
        state.rules[index].passing -= 1
        continue
      }
      guard state.rules[index].times > 0 else { continue }
      state.rules[index].times -= 1
      return Mishap(fault: state.rules[index].fault)
    }
    return state.choose?(request)
  }

  private func note(_ request: HTTPTransportRequest, _ fault: Fault?, _ end: String) {
    let query = request.url.query(percentEncoded: false).map { "?\($0)" } ?? ""
    let body = request.body.map { " \(String(decoding: $0.prefix(200), as: UTF8.self))" } ?? ""
    let line =
      "\(request.method) \(request.url.path())\(query)\(body) \(fault.map { "[\($0)] " } ?? "")-> \(end)"
    state.withLock { $0.lines.append(line) }
  }

  private func answer(
    to request: HTTPTransportRequest, _ fault: Fault?
  ) async throws -> HTTPTransportResponse {
    switch fault {
    case nil: return try await transport.send(request)
    case .lostBefore: throw HTTPError(.connectionLost)
    case .lostAfter:
      _ = try await whole(request)
      throw HTTPError(.connectionLost)
    case .silentBefore: return try await silence()
    case .silentAfter:
      _ = try await whole(request)
      return try await silence()
    case .unauthorized: return unauthorized(request)
    case .gateway:
      return Self.answer(404, "text/html", "<html><body>404 Not Found</body></html>")
    case .portal: return Self.answer(200, "text/html", "<html><body>Sign in</body></html>")
    case .busy: return Self.answer(503, "text/plain", "busy", ["Retry-After": "2"])
    case .redirect:
      return Self.answer(307, "text/plain", "", ["Location": request.url.absoluteString])
    case .ignoredSize: return try await transport.send(withoutSize(request))
    }
  }

  /// Has the service act, and takes its answer.
  private func whole(_ request: HTTPTransportRequest) async throws -> Int {
    let answer = try await transport.send(request)
    var count = 0
    for try await piece in answer.body { count += piece.count }
    return count
  }

  private func silence() async throws -> HTTPTransportResponse {
    silent.increase()
    let never = Promise<Void>()
    await withTaskCancellationHandler {
      await never.value
    } onCancel: {
      // At once: whatever is sent after it would be given up too if the time went on.
      state.withLock { $0.isSilenceOver = true }
      never.fulfil()
    }
    throw CancellationError()
  }

  /// To a batch of Kinto's, which needs no permission of its own, each request in it is refused.
  private func unauthorized(_ request: HTTPTransportRequest) -> HTTPTransportResponse {
    struct Batch: Decodable {
      struct Request: Decodable { let path: String }
      let requests: [Request]
    }
    let refusal =
      #"{"code":401,"errno":104,"error":"Unauthorized","message":"Please authenticate"}"#
    guard request.url.path().hasSuffix("/batch"), let body = request.body,
      let batch = try? JSONDecoder().decode(Batch.self, from: body)
    else { return Self.answer(401, "application/json", refusal) }
    let responses = batch.requests.map { request in
      #"{"status":401,"path":"\#(request.path)","headers":{},"body":\#(refusal)}"#
    }
    return Self.answer(
      200, "application/json", #"{"responses":[\#(responses.joined(separator: ","))]}"#)
  }

  private func withoutSize(_ request: HTTPTransportRequest) -> HTTPTransportRequest {
    var request = request
    var parts = URLComponents(url: request.url, resolvingAgainstBaseURL: false)
    parts?.queryItems?.removeAll { $0.name == service.sizeItem }
    if let url = parts?.url { request.url = url }
    return request
  }

  private static func answer(
    _ status: Int, _ type: String, _ body: String, _ headers: [String: String] = [:]
  ) -> HTTPTransportResponse {
    let pieces = AsyncThrowingStream<Data, any Error> { pieces in
      pieces.yield(Data(body.utf8))
      pieces.finish()
    }
    return HTTPTransportResponse(
      status: status, headers: headers.merging(["Content-Type": type]) { $1 }.map { $0 },
      body: pieces)
  }
}

extension HTTPTransportRequest {
  /// What it does, by the method that REST has for that; a GraphQL service has one method for all.
  var action: String {
    guard url.path().hasSuffix("/graphql"), let body else { return method }
    let text = String(decoding: body, as: UTF8.self)
    let actions = ["createCar(": "POST", "updateCar(": "PATCH", "removeCar(": "DELETE"]
    return actions.first { text.contains($0.key) }?.value ?? "GET"
  }
}

extension Strategy.Rule {
  /// Asks the service, and has local be as it is.
  static let mirrored = Strategy.Rule(target: .remote, synchronize: .mirror)
}
