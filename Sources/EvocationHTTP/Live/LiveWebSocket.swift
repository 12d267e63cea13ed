import Evocation
import Foundation

/// A WebSocket as the source of a stream: its messages are events, and what a format says is sent.
final class LiveWebSocket: Sendable {
  typealias Take = @Sendable (LiveSign) async throws -> Void

  private let socket: any HTTPWebSocket
  private let form: HTTPFormat.Live.WebSocket
  private let opening: HTTPFormat.Live.Opening
  private let time: TimeSource
  private let joined = Lock<Set<String>>([])

  init(
    _ socket: any HTTPWebSocket, _ form: HTTPFormat.Live.WebSocket,
    for opening: HTTPFormat.Live.Opening, time: TimeSource
  ) {
    (self.socket, self.form, self.opening, self.time) = (socket, form, opening, time)
  }

  deinit { socket.close() }

  /// Sends the first messages, and returns the connection.
  func begin() async throws -> HTTPFormat.Live.Connection {
    for text in try form.begin(opening) { try await socket.send(text) }
    let subscribe = form.join.map { join -> HTTPFormat.Live.Connection.Subscribe in
      { try await self.join($0, by: join) }
    }
    return .init(subscribe: subscribe) { try await self.read($0) }
  }

  private func join(
    _ topics: [String], by join: @Sendable (String, HTTPFormat.Live.Opening) throws -> String
  ) async throws {
    let former = joined.withLock { joined in
      defer { joined = Set(topics) }
      return joined
    }
    if let leave = form.leave {
      for topic in former.subtracting(topics).sorted() { try await socket.send(leave(topic)) }
    }
    let added = topics.filter { !former.contains($0) }
    for topic in added { try await socket.send(join(topic, opening)) }
    if !added.isEmpty, let heartbeat = form.heartbeat { try await socket.send(heartbeat) }
  }

  /// Passes on what arrives, until the service ends it, or the task is canceled.
  ///
  /// The heartbeats have a task of their own, for which nothing waits.
  private func read(_ take: @escaping Take) async throws {
    let heartbeats = Task { await self.beat(take) }
    defer {
      heartbeats.cancel()
      socket.close()
    }
    try await withTaskCancellationHandler {
      while let message = try await socket.receive() { try await pass(message, to: take) }
    } onCancel: {
      heartbeats.cancel()
      socket.close()
    }
  }

  private func pass(_ message: Data, to take: Take) async throws {
    let event: ServerSentEvent?
    do { event = try form.event(message) } catch { return try await take(.unreadable) }
    guard let event else { return try await take(.heartbeat) }
    if let answer = form.answers[event.name] { try await socket.send(answer) }
    try await take(.event(event))
  }

  /// Sends heartbeats until the task is canceled; a WebSocket that takes none any more is closed.
  private func beat(_ take: Take) async {
    do {
      while true {
        try await time.sleep(form.heartbeatInterval)
        if let heartbeat = form.heartbeat {
          try await socket.send(heartbeat)
        } else {
          try await socket.ping()
          try await take(.heartbeat)
        }
      }
    } catch {
      socket.close()
    }
  }
}
