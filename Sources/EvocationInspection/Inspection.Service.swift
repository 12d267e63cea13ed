internal import Evocation
public import Foundation

extension Inspection {
  /// The server of one or more remote repositories.
  public struct Service: Sendable, Hashable, Codable {
    /// The state of a circuit breaker.
    public enum Circuit: String, Sendable, Hashable, Codable, CaseIterable {
      /// Requests are sent.
      case closed
      /// After failures, no request is sent for a time.
      case open
      /// One request finds out whether the server works again.
      case trying
    }

    /// The server's name, such as `https://example.com:443`.
    public var name: String

    /// The names of the model types at this server.
    public var models: [String]

    /// The limits of its requests; nil for a repository that has none.
    public var gate: Gate?

    /// Whether the server accepted the last entry that the outbox sent to it.
    public var isWell: Bool

    /// When the outbox sends to it again; nil if it does not wait.
    public var restsUntil: Date?

    /// Whether the server refused the credential, so that the outbox sends it nothing.
    public var isRefusingCredential: Bool
  }

  /// The limits of the requests to a server.
  public struct Gate: Sendable, Hashable, Codable {
    /// The number of requests under way.
    public var running: Int

    /// The number of requests that wait for their turn.
    public var waiting: Int

    /// The state of the circuit breaker.
    public var circuit: Service.Circuit

    /// The number of failures in a row, as long as the circuit is closed.
    public var failures: Int

    /// How many seconds pass until a request may be sent again; zero if one may be sent now.
    public var secondsToWait: Double

    /// Creates the state of a gate.
    init(_ state: GateState) {
      running = state.running
      waiting = state.waiting
      circuit =
        switch state.circuit {
        case .closed: .closed
        case .open: .open
        case .trying: .trying
        }
      failures = state.failures
      secondsToWait = state.secondsToWait
    }
  }

  /// A database that local repositories share.
  public struct File: Sendable, Hashable, Codable {
    /// The path of the file; `memory` for a database in memory.
    public var path: String

    /// The size of the file in bytes, without the log.
    public var size: Int

    /// The size of the write-ahead log in bytes.
    public var logSize: Int

    /// The part of the file in bytes that SQLite can use again.
    public var freeSize: Int

    /// The names of the tables, without those of SQLite and of Evocation.
    public var tables: [String]

    /// The names of the model types in this file.
    public var models: [String]

    /// Creates the state of a file.
    init(_ state: DatabaseState) {
      path = state.path
      size = state.size
      logSize = state.logSize
      freeSize = state.freeSize
      tables = state.tables
      models = []
    }
  }
}
