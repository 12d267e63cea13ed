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
    package init(
      running: Int, waiting: Int, circuit: Service.Circuit, failures: Int, secondsToWait: Double
    ) {
      self.running = running
      self.waiting = waiting
      self.circuit = circuit
      self.failures = failures
      self.secondsToWait = secondsToWait
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
    package init(path: String, size: Int, logSize: Int, freeSize: Int, tables: [String]) {
      self.path = path
      self.size = size
      self.logSize = logSize
      self.freeSize = freeSize
      self.tables = tables
      models = []
    }
  }
}

/// A remote repository whose requests have limits.
package protocol InspectedRemote: Sendable {
  /// The limits of the requests to its server.
  var inspectedGate: Inspection.Gate { get }
}

/// A local repository that counts and plans without reading models.
package protocol InspectedLocal: Sendable {
  /// The database of the repository; nil if it has none.
  var inspectedFile: Inspection.File? { get async throws }

  /// Returns the steps by which the store would find the models that match.
  func plan(for criteria: Criteria) async throws -> [String]
}
