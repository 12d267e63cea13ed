/// Finishes sign-outs of several stores that were cut short, when stores are registered.
///
/// A store that has the mark of a sign-out empties itself when it is opened. If the process was killed
/// while it marked the stores, some lack the mark, and each mark has the models of those that were to
/// get it later. There are three cases for such a model:
///
/// - It is registered after the marked store: its repository is emptied before anything reads it.
/// - It is registered before: its repository is emptied then, and its observers are notified.
/// - It is not registered: it stays in the marks, until a later start registers it.
///
/// A repository is emptied once, because each mark then forgets its model.
package final class SignOutRecovery: Sendable {
  /// A registered repository in a store with others.
  private struct Part {
    weak var store: (any RepositoryStore)?
    let name: String
    let model: String
  }

  private let parts = Lock<[ObjectIdentifier: Part]>([:])

  /// Records the local repository that a model type is about to have, and finishes what concerns it.
  ///
  /// - Throws: The error of a store. The repository must then not be used.
  func add<Model: Sendable>(_ local: any Repository<Model>) throws {
    let part = local.role((any StoredRepository<Model>).self).map {
      Part(store: $0.repositoryStore, name: $0.nameInStore, model: stableName(of: Model.self))
    }
    let parts = parts.withLock { parts in
      parts[ObjectIdentifier(Model.self)] = part
      return Array(parts.values)
    }
    guard part != nil, parts.contains(where: { $0.store?.hasUnfinishedSignOuts == true }) else {
      return
    }
    let signOuts = try parts.flatMap { try $0.store?.signOuts() ?? [] }
    for var signOut in signOuts where signOut.later?.isEmpty == false {
      // Each store knows of some models that they need not be emptied.
      for other in signOuts where other.id == signOut.id {
        signOut.later?.formIntersection(other.later ?? [])
      }
      try finish(signOut, parts)
    }
  }

  /// Empties all that it can, and throws the first error.
  private func finish(_ signOut: StoreEmptying, _ parts: [Part]) throws {
    var (signOut, left) = (signOut, signOut.later ?? [])
    var failure: (any Error)?
    for part in parts where left.contains(part.model) {
      signOut.repositories = [part.name]
      do {
        if let store = part.store {
          try store.finish(signOut)
          left.remove(part.model)
        }
      } catch {
        failure = failure ?? error
      }
    }
    (signOut.repositories, signOut.later) = ([], left)
    // A mark that cannot be changed now is changed at the next start.
    for part in parts { try? part.store?.finish(signOut) }
    if let failure { throw failure }
  }
}
