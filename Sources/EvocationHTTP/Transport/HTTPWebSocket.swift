import Evocation
public import Foundation

/// A WebSocket that a transport has opened: it sends and receives messages.
///
/// A transport passes its own client's on:
///
/// ```swift
/// struct ClientSocket: HTTPWebSocket {
///   let client: Client
///
///   func send(_ text: String) async throws { try await client.write(text) }
///
///   func receive() async throws -> Data? { try await client.nextMessage() }
///
///   func ping() async throws { try await client.ping() }
///
///   func close() { client.cancel() }
/// }
/// ```
///
/// ## Execution
///
/// One task receives, while others send and ping, from any thread. ``close()`` ends all of
/// them with an error. A WebSocket that is let go closes.
///
/// ## Errors
///
/// It throws as an ``HTTPTransport`` does. Where the service closes the connection for a reason, throw
/// an ``HTTPError`` with the status that a request would have got.
public protocol HTTPWebSocket: Sendable {
  /// Sends a text.
  func send(_ text: String) async throws

  /// Waits for the next message, of text in UTF-8 or of bytes; nil if the service has ended it in order.
  ///
  /// No message is taken from the connection before it is asked for, except for a few that a buffer
  /// holds, so that a service is held back that sends faster than the app saves.
  func receive() async throws -> Data?

  /// Sends a ping, and waits for its pong.
  func ping() async throws

  /// Closes the connection, if it is open; it does not wait.
  func close()
}

extension HTTPTransport {
  /// Refuses to open a WebSocket.
  public func webSocket(_ request: HTTPTransportRequest) async throws -> any HTTPWebSocket {
    throw HTTPError(noWebSocketsBy: "the service's transport")
  }
}

extension HTTPError {
  /// Creates the error of a transport that opens no WebSockets, which is about the stream alone.
  init(noWebSocketsBy transport: String) {
    self.init(
      .misconfigured,
      reason: "live.source is a WebSocket, and \(transport) opens none; use a transport that does, "
        + "or another source", failureScope: .write)
  }
}
