internal import Dispatch
internal import Evocation

/// Connections that hold a snapshot while nobody uses them keep the log from being emptied. So
/// they let go when a write of this process begins that is large or finds a long log, for as long as
/// it lasts, and in any case soon.
extension ConnectionPool {
  /// How long an idle connection may hold a snapshot.
  private static var patience: DispatchTimeInterval { .milliseconds(50) }

  /// Whether whoever reads now may go on holding a snapshot.
  var allowsHolding: Bool { state.withLock(\.allowsHolding) }

  /// Has idle connections let go, and none hold until ``allowHolding()`` is called as often.
  func forbidHolding() {
    letGo(state.withLock { $0.forbidHolding() })
  }

  func allowHolding() {
    state.withLock { $0.allowHolding() }
  }

  /// Takes back a connection that may hold a snapshot.
  func giveBackHolding(_ connection: Connection) {
    guard connection.held != nil else { return giveBack(connection) }
    let answer = state.withLock { $0.keepHolding(connection) }
    switch answer {
    case .no:
      connection.letGo()
      giveBack(connection)
    case .yes: break
    case .yesAndWatch:
      DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.patience) {
        [weak self] in
        guard let self else { return }
        letGo(state.withLock { $0.takeHolding() })
      }
    }
  }

  private func letGo(_ connections: [Connection]) {
    for connection in connections {
      connection.letGo()
      giveBack(connection)
    }
  }
}
