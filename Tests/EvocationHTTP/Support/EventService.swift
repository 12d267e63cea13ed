import Evocation
import EvocationHTTP
import Foundation
import TestSupport
import TransportSuite

/// A service whose streams of events a test holds in its hands.
final class EventService: HTTPTransport {
  typealias Answer = (status: Int, headers: [String: String], body: String)

  /// One answer that is read as it arrives.
  final class Connection: Sendable {
    let request: HTTPTransportRequest
    private let continuation: AsyncThrowingStream<Data, any Error>.Continuation
    private let over = Lock(false)

    fileprivate init(
      _ request: HTTPTransportRequest,
      _ continuation: AsyncThrowingStream<Data, any Error>.Continuation
    ) {
      (self.request, self.continuation) = (request, continuation)
      continuation.onTermination = { [over] _ in over.withLock { $0 = true } }
    }

    /// Whether the client has let it go.
    var isOver: Bool { over.withLock(\.self) }

    /// What the request went on from.
    var start: String? { request.headers["Last-Event-ID"] }

    func send(_ text: String) { continuation.yield(Data(text.utf8)) }

    func send(_ data: Data) { continuation.yield(data) }

    /// Sends an event of the form that `.events(path:)` reads.
    func send(_ name: String, _ data: String, id: String? = nil) {
      send((id.map { "id: \($0)\n" } ?? "") + "event: \(name)\ndata: \(data)\n\n")
    }

    func end(_ error: (any Error)? = nil) { continuation.finish(throwing: error) }
  }

  /// The requests that are not streamed.
  let asked = Record<HTTPTransportRequest>()
  let connections = Record<Connection>()
  private let answer: @Sendable (HTTPTransportRequest) async throws -> Answer?

  /// Makes one that answers by the closure, and opens a stream where it returns nil.
  init(_ answer: @escaping @Sendable (HTTPTransportRequest) async throws -> Answer? = { _ in nil })
  {
    self.answer = answer
  }

  func send(_ request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
    if !request.isStreamed { asked.append(request) }
    if let answer = try await answer(request) {
      let body = AsyncThrowingStream<Data, any Error> { continuation in
        continuation.yield(Data(answer.body.utf8))
        continuation.finish()
      }
      return HTTPTransportResponse(status: answer.status, headers: answer.headers, body: body)
    }
    let (pieces, continuation) = AsyncThrowingStream<Data, any Error>.makeStream()
    connections.append(Connection(request, continuation))
    return HTTPTransportResponse(
      status: 200, headers: ["Content-Type": "text/event-stream; charset=utf-8"],
      body: pieces)
  }

  /// The next connection, by its number from 0 on.
  func connection(_ number: Int = 0) async throws -> Connection {
    try await eventually("connection \(number)") { connections.elements.count > number }
    return connections.elements[number]
  }

  /// A service over it.
  func service(_ change: (inout HTTPService.Configuration) -> Void = { _ in }) throws -> HTTPService
  {
    var configuration = HTTPService.Configuration()
    configuration.transport = self
    change(&configuration)
    guard let url = URL(string: "https://example.com/api") else { throw URLError(.badURL) }
    return HTTPService(url, configuration: configuration)
  }
}

extension HTTPFormat {
  /// Plain REST with a stream of events.
  static func live(_ live: Live) -> HTTPFormat {
    var format = HTTPFormat.rest
    format.live = live
    return format
  }
}

/// The elements of a stream, which a test takes one by one.
final class Changes<Model: Codable & Identifiable & Hashable & Sendable>: Sendable {
  private let task: Task<Void, Never>
  let elements = Record<RemoteChanges<Model>>()
  private let failure = Promise<any Error>()

  /// Begins to read what a repository sends.
  init(_ repository: HTTPRepository<Model>, since mark: String? = nil) {
    let stream = repository.liveChanges(since: mark)
    task = Task { [elements, failure] in
      do {
        for try await changes in stream { elements.append(changes) }
        failure.fulfil(CancellationError())
      } catch {
        failure.fulfil(error)
      }
    }
  }

  deinit { task.cancel() }

  func cancel() { task.cancel() }

  /// An element, by its number from 0 on.
  subscript(number: Int) -> RemoteChanges<Model> {
    get async throws {
      try await eventually("element \(number) of \(elements.elements)") {
        if let error = failure.present, elements.elements.count <= number { throw error }
        return elements.elements.count > number
      }
      return elements.elements[number]
    }
  }

  /// What ended it.
  var error: HTTPError? { get async { await failure.value as? HTTPError } }

  var end: any Error { get async { await failure.value } }
}

extension RemoteChanges where Model: Identifiable {
  /// What it says in a word: `+1 +2 -3 @mark`.
  var text: String {
    let stored = stored.map { "+\($0.id)" }
    let removed = removed.map { "-\($0)" }
    return (stored + removed + [mark.map { "@\($0)" } ?? ""]).joined(separator: " ")
  }
}
