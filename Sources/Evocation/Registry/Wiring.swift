/// What a proxy is made of at one moment: the two repositories and the strategy.
struct Wiring<Model: Sendable>: Sendable {
  var remote: (any Repository<Model>)?
  var local: (any Repository<Model>)?
  var strategy = Strategy.default()

  subscript(type: Evocation.RepositoryType) -> (any Repository<Model>)? {
    type == .remote ? remote : local
  }
}
