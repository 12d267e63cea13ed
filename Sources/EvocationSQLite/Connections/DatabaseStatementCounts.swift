internal import Evocation

/// The counts of all connections that a database has had.
final class DatabaseStatementCounts: Sendable {
  private struct State {
    var open: [ObjectIdentifier: StatementCounts] = [:]
    /// The counts of closed connections.
    var (hits, misses) = (0, 0)
  }

  private let state = Lock(State())

  /// Includes a connection's counts, until the connection is closed.
  func follow(_ connection: Connection) {
    let counts = connection.counts
    state.withLock { $0.open[ObjectIdentifier(counts)] = counts }
    connection.onClose = { [weak self] in self?.keep(counts) }
  }

  /// How often all connections reused a statement, and how often they prepared one.
  var total: (hits: Int, misses: Int) {
    state.withLock { state in
      state.open.values.reduce((state.hits, state.misses)) {
        ($0.0 + $1.hits, $0.1 + $1.misses)
      }
    }
  }

  /// The number of connections with separate counts.
  var openCount: Int { state.withLock { $0.open.count } }

  private func keep(_ counts: StatementCounts) {
    state.withLock { state in
      state.open[ObjectIdentifier(counts)] = nil
      state.hits += counts.hits
      state.misses += counts.misses
    }
  }
}
