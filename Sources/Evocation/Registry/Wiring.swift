/// What a proxy is made of at one moment: the two repositories and the strategy.
///
/// It never changes, so calls share it; a proxy that changes gets another.
final class Wiring<Model: Sendable>: Sendable {
  let remote: (any Repository<Model>)?
  let local: (any Repository<Model>)?
  let strategy: Strategy
  let hasRemote: Bool
  let hasLocal: Bool
  /// What belongs to the local repository, and goes with it.
  let lists: ListDesk<Model>

  init(
    remote: (any Repository<Model>)? = nil,
    local: (any Repository<Model>)? = nil,
    strategy: Strategy = .default(),
    lists: ListDesk<Model> = ListDesk()
  ) {
    self.remote = remote
    self.local = local
    self.strategy = strategy
    hasRemote = remote != nil
    hasLocal = local != nil
    self.lists = lists
  }

  subscript(type: Evocation.RepositoryType) -> (any Repository<Model>)? {
    type == .remote ? remote : local
  }

  func with(remote: some Repository<Model>) -> Wiring {
    Wiring(remote: remote, local: local, strategy: strategy, lists: lists)
  }

  func with(local: some Repository<Model>) -> Wiring {
    Wiring(remote: remote, local: local, strategy: strategy)
  }

  func with(_ strategy: Strategy) -> Wiring {
    Wiring(remote: remote, local: local, strategy: strategy, lists: lists)
  }
}
