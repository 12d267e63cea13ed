public import Foundation

extension HTTPFormat.Live {
  /// What is said over a WebSocket: how it begins, how topics are joined, and its heartbeat.
  ///
  /// ```swift
  /// var socket = HTTPFormat.Live.WebSocket()
  /// socket.join = { topic, _ in #"{"type": "subscribe", "id": "\#(topic)"}"# }
  /// socket.leave = { topic in #"{"type": "unsubscribe", "id": "\#(topic)"}"# }
  /// socket.event = { try .init(json: $0, name: "type", id: "seq") }
  /// format.live = .webSocket("changes", reading: .init(), over: socket)
  /// ```
  ///
  /// Everything that is sent is text. Your app escapes what a topic may contain.
  ///
  /// The service's ``HTTPTransport`` opens it. ``URLSessionTransport`` does so on Apple platforms; on
  /// Linux, where `URLSession` has no WebSockets, use a transport that opens them, or another
  /// ``HTTPFormat/Live/Source``.
  public struct WebSocket: Sendable {
    /// The subprotocols to offer, such as `graphql-transport-ws`; none by default.
    public var subprotocols: [String] = []

    /// A closure that returns the messages to send first, such as one with the credential.
    public var begin: @Sendable (Opening) throws -> [String] = { _ in [] }

    /// A closure that returns the message that asks for the changes of a topic.
    ///
    /// If it is nil, the default, the service sends the changes of all models.
    public var join: (@Sendable (_ topic: String, Opening) throws -> String)?

    /// A closure that returns the message that ends the changes of a topic; nil, the default, for none.
    public var leave: (@Sendable (_ topic: String) throws -> String)?

    /// The message to send in each ``heartbeatInterval``; nil, the default, sends a ping.
    ///
    /// Evocation also sends it after joining topics. Where the service confirms no topic and answers in
    /// order, name the event of its answer in ``Table/subscribed``.
    public var heartbeat: String?

    /// The time between two heartbeats; 25 seconds by default.
    ///
    /// Keep it below half of ``HTTPFormat/Live/longestSilence``.
    public var heartbeatInterval = Duration.seconds(25)

    /// The messages that answer events, by the events' names, such as a `pong` for each `ping`.
    public var answers: [String: String] = [:]

    /// A closure that returns the event of a message, or nil for none; by default all are its data.
    ///
    /// If it throws, Evocation takes changes of all models of the connection to be missed.
    public var event: @Sendable (_ message: Data) throws -> ServerSentEvent? = { .init(data: $0) }

    /// Creates a WebSocket over which nothing is said but heartbeats.
    public init() {}
  }

  /// Returns the stream of a service whose events come over a WebSocket.
  ///
  /// - Parameters:
  ///   - path: The address of the WebSocket below the base URL.
  ///   - table: Where the events say what changed.
  ///   - socket: What is said over the WebSocket, and how a message becomes an event.
  /// - Returns: The stream.
  public static func webSocket(
    _ path: String, reading table: Table, over socket: WebSocket
  ) -> HTTPFormat.Live {
    var live = HTTPFormat.Live(.init("GET", path), reading: table)
    live.source = .webSocket(socket)
    return live
  }
}
