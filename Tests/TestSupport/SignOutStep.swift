package import Evocation

/// A moment in a sign-out of several stores.
package enum SignOutStep: String, CaseIterable, Sendable {
  case beforePrepare, afterPrepare, beforeEmpty, afterEmpty, beforeEnd, afterEnd
}

/// A store of a test that says what is done to it, before and after it is.
package final class SteppedStore: RepositoryStore {
  private let base: any RepositoryStore
  private let onStep: @Sendable (SignOutStep) async throws -> Void

  package init(
    _ base: any RepositoryStore, _ onStep: @escaping @Sendable (SignOutStep) async throws -> Void
  ) {
    self.base = base
    self.onStep = onStep
  }

  package var durableLocation: String? { base.durableLocation }

  package func prepare(_ emptying: StoreEmptying) async throws {
    try await onStep(.beforePrepare)
    try await base.prepare(emptying)
    try await onStep(.afterPrepare)
  }

  package func empty(_ emptying: StoreEmptying) async throws {
    try await onStep(.beforeEmpty)
    try await base.empty(emptying)
    try await onStep(.afterEmpty)
  }

  package func end(_ emptying: StoreEmptying) async throws {
    try await onStep(.beforeEnd)
    try await base.end(emptying)
    try await onStep(.afterEnd)
  }
}

/// A repository of a test that lies in such a store.
package final class SteppedRepository<Base: StoredRepository>: ForwardingRepository,
  StoredRepository
{
  package typealias Model = Base.Model

  package let base: Base
  private let store: SteppedStore

  package init(_ base: Base, _ store: SteppedStore) {
    self.base = base
    self.store = store
  }

  package var repositoryStore: any RepositoryStore { store }
  package var nameInStore: String { base.nameInStore }
}

/// A process of tests that signs out of two files, and ends itself at a step.
package struct SigningOutTask: Codable, Sendable {
  /// The files.
  package var paths: [String]
  /// Which of the files' steps it ends at, and which step that is; none to come to the end.
  package var file: Int
  package var step: String

  package init(paths: [String], file: Int, step: SignOutStep?) {
    self.paths = paths
    self.file = file
    self.step = step?.rawValue ?? ""
  }
}
