/// What a proxy is made of at one moment: the two repositories and the strategy.
///
/// It never changes, so calls share it; a proxy that changes gets another.
final class Wiring<Model: Sendable>: Sendable {
  let remote: (any Repository<Model>)?
  let local: (any Repository<Model>)?
  let strategy: Strategy
  let hasRemote: Bool
  let hasLocal: Bool

  init(
    remote: (any Repository<Model>)? = nil,
    local: (any Repository<Model>)? = nil,
    strategy: Strategy = .default()
  ) {
    self.remote = remote
    self.local = local
    self.strategy = strategy
    hasRemote = remote != nil
    hasLocal = local != nil
  }

  subscript(type: Evocation.RepositoryType) -> (any Repository<Model>)? {
    type == .remote ? remote : local
  }

  func with(remote: some Repository<Model>) -> Wiring {
    Wiring(remote: remote, local: local, strategy: strategy)
  }

  func with(local: some Repository<Model>) -> Wiring {
    Wiring(remote: remote, local: local, strategy: strategy)
  }

  func with(_ strategy: Strategy) -> Wiring {
    Wiring(remote: remote, local: local, strategy: strategy)
  }
}
