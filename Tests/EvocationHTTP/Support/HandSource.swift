import Evocation
import EvocationHTTP
import EvocationTesting
import Foundation
import TestSupport

/// A source whose connections a test holds in its hands.
final class HandSource: Sendable {
  /// One connection.
  final class Line: Sendable {
    let opening: HTTPFormat.Live.Opening
    /// The topics of each subscription.
    let subscriptions = Record<[String]>()
    let events: AsyncThrowingStream<ServerSentEvent, any Error>
    private let continuation: AsyncThrowingStream<ServerSentEvent, any Error>.Continuation
    private let over = Lock(false)

    fileprivate init(_ opening: HTTPFormat.Live.Opening) {
      self.opening = opening
      (events, continuation) = AsyncThrowingStream.makeStream()
      continuation.onTermination = { [over] _ in over.withLock { $0 = true } }
    }

    /// Whether the reader has let it go.
    var isOver: Bool { over.withLock(\.self) }

    /// Sends an event of the form that `.events(path:)` reads.
    func send(_ name: String, _ data: String, id: String? = nil) {
      continuation.yield(ServerSentEvent(name: name, data: Data(data.utf8), id: id))
    }

    func store(_ id: Int, in path: String, mark: String? = nil) {
      send("stored", #"{"path": "\#(path)", "model": {"id": \#(id)}}"#, id: mark)
    }

    func end(_ error: (any Error)? = nil) { continuation.finish(throwing: error) }
  }

  let lines = Record<Line>()
  private let opening: @Sendable (_ number: Int) async throws -> Void
  private let subscribing: @Sendable (_ topics: [String]) async throws -> Void

  /// Makes one that calls the closures before it has opened a connection, and during a subscription.
  init(
    opening: @escaping @Sendable (_ number: Int) async throws -> Void = { _ in },
    subscribing: @escaping @Sendable (_ topics: [String]) async throws -> Void = { _ in }
  ) {
    (self.opening, self.subscribing) = (opening, subscribing)
  }

  /// A connection, by its number from 0 on.
  func line(_ number: Int = 0) async throws -> Line {
    try await eventually("connection \(number)") { lines.elements.count > number }
    return lines.elements[number]
  }

  var source: HTTPFormat.Live.Source {
    .init { [lines, opening, subscribing] asked in
      let line = Line(asked)
      lines.append(line)
      try await opening(lines.elements.count - 1)
      return .init(line.events) { topics in
        line.subscriptions.append(topics)
        try await subscribing(topics)
      }
    }
  }

  /// Plain REST whose events come from it.
  func format(
    _ path: String = "feed", replays: Bool = false,
    _ change: (inout HTTPFormat.Live) -> Void = { _ in }
  ) -> HTTPFormat {
    var live = HTTPFormat.Live.events(path: path, replays: replays)
    live.source = source
    change(&live)
    return .live(live)
  }
}
