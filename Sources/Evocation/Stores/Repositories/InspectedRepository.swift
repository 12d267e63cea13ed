/// The limits of the requests to a server at one time.
package struct GateState: Sendable {
  /// The state of a circuit breaker.
  package enum Circuit: Sendable { case closed, open, trying }

  package var running: Int
  package var waiting: Int
  package var circuit: Circuit
  package var failures: Int
  package var secondsToWait: Double

  package init(
    running: Int, waiting: Int, circuit: Circuit, failures: Int, secondsToWait: Double
  ) {
    (self.running, self.waiting, self.circuit) = (running, waiting, circuit)
    (self.failures, self.secondsToWait) = (failures, secondsToWait)
  }
}

/// A database at one time; sizes are in bytes.
package struct DatabaseState: Sendable {
  package var path: String
  package var size: Int
  package var logSize: Int
  package var freeSize: Int
  package var tables: [String]

  package init(path: String, size: Int, logSize: Int, freeSize: Int, tables: [String]) {
    (self.path, self.size, self.logSize) = (path, size, logSize)
    (self.freeSize, self.tables) = (freeSize, tables)
  }
}

/// A remote repository whose requests have limits.
package protocol InspectedRemote: Sendable {
  /// The limits of the requests to its server.
  var gateState: GateState { get }
}

/// A local repository that counts and plans without reading models.
package protocol InspectedLocal: Sendable {
  /// The database of the repository; nil if it has none.
  var databaseState: DatabaseState? { get async throws }

  /// Returns the steps by which the store would find the models that match.
  func plan(for criteria: Criteria) async throws -> [String]
}
