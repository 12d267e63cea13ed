package import Evocation

/// A moment in a sign-out of several stores.
package enum SignOutStep: String, CaseIterable, Sendable {
  case beforeMark, afterMark, beforeEmpty, afterEmpty, beforeUnmark, afterUnmark
  case beforeFinish, afterFinish
}

/// A store of a test that says what is done to it, before and after it is.
package final class SteppedStore: RepositoryStore {
  private let base: any RepositoryStore
  private let onFinish: @Sendable (SignOutStep) -> Void
  private let onStep: @Sendable (SignOutStep) async throws -> Void

  package init(
    _ base: any RepositoryStore, onFinish: @escaping @Sendable (SignOutStep) -> Void = { _ in },
    _ onStep: @escaping @Sendable (SignOutStep) async throws -> Void
  ) {
    self.base = base
    self.onFinish = onFinish
    self.onStep = onStep
  }

  package var durableLocation: String? { base.durableLocation }

  package func mark(_ emptying: StoreEmptying) async throws {
    try await onStep(.beforeMark)
    try await base.mark(emptying)
    try await onStep(.afterMark)
  }

  package func empty(_ emptying: StoreEmptying) async throws {
    try await onStep(.beforeEmpty)
    try await base.empty(emptying)
    try await onStep(.afterEmpty)
  }

  package func unmark(_ emptying: StoreEmptying) async throws {
    try await onStep(.beforeUnmark)
    try await base.unmark(emptying)
    try await onStep(.afterUnmark)
  }

  package var hasUnfinishedSignOuts: Bool { base.hasUnfinishedSignOuts }

  package func signOuts() throws -> [StoreEmptying] { try base.signOuts() }

  package func finish(_ emptying: StoreEmptying) throws {
    onFinish(.beforeFinish)
    try base.finish(emptying)
    onFinish(.afterFinish)
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

/// A process of tests that registers three files, and ends itself at a step.
package struct SigningOutTask: Codable, Sendable {
  /// A model of one of the files.
  package protocol Model: Codable, Identifiable, Sendable, Equatable where ID == Int {
    init(id: Int)
  }

  package struct Card: Model {
    package var id: Int
    package init(id: Int) { self.id = id }
  }

  package struct Note: Model {
    package var id: Int
    package init(id: Int) { self.id = id }
  }

  package struct Tag: Model {
    package var id: Int
    package init(id: Int) { self.id = id }
  }

  /// The files' models, in the order in which a sign-out comes to them.
  package static let models: [any Model.Type] = [Card.self, Note.self, Tag.self]

  /// The files.
  package var paths: [String]
  /// The order in which it registers them.
  package var order = [0, 1, 2]
  /// Whether it fills them and signs out.
  package var signsOut = true
  /// The number of the step at which it ends.
  package var end: Int

  package init(paths: [String], order: [Int]? = nil, end: Int) {
    self.paths = paths
    self.order = order ?? [0, 1, 2]
    signsOut = order == nil
    self.end = end
  }
}
