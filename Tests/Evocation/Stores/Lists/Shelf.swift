import Evocation
import EvocationTesting
import TestSupport

@testable import EvocationStores

/// An app's own local repository that is a list store, and notes what is done to its lists.
///
/// Its lists can be damaged.
final class Shelf: ForwardingRepository, ListStore {
  typealias Model = Listed

  private struct Collection {
    weak var pages: (any CollectedPages<Listed>)?
  }

  private struct State {
    var collections: [Collection] = []
    var notes: [String] = []
    var damage: String?
  }

  let base = InMemoryRepository<Listed>()
  private let lists: InMemoryListStore<Listed>
  private let state = Lock(State())

  init() throws {
    lists = try InMemoryListStore(base)
  }

  /// What was done to lists since this was asked for.
  func takeNotes() -> [String] {
    state.withLock { state in
      defer { state.notes = [] }
      return state.notes
    }
  }

  /// How many refreshes have pages now.
  var collectionCount: Int {
    state.withLock { state in state.collections.count { $0.pages != nil } }
  }

  /// Has all lists say that they are damaged, until one is deleted.
  func damage(_ reason: String) {
    state.withLock { $0.damage = reason }
  }

  private func check() throws {
    guard let reason = state.withLock({ $0.damage }) else { return }
    throw ListDamage(model: "Listed", reason: reason)
  }

  func commit(_ write: StoreWrite<Listed>) async throws -> StoreCommit<Listed> {
    let commit = try await lists.commit(write)
    if let list = write.list { note(list) }
    return commit
  }

  private func note(_ write: ListWrite<Listed>) {
    state.withLock { state in
      switch write {
      case .page(let page): state.notes.append("page \(page.place)")
      case .collect: state.notes.append("collect")
      case .replace: state.notes.append("replace")
      case .cut: state.notes.append("cut")
      case .delete:
        state.notes.append("delete")
        state.damage = nil
      }
    }
  }

  func part(of list: String, in range: Range<Int>?) async throws -> ListPart<Listed>? {
    try check()
    return try await lists.part(of: list, in: range)
  }

  func pageCount(of list: String) async throws -> Int? {
    try check()
    return try await lists.pageCount(of: list)
  }

  func makePages() async throws -> any CollectedPages<Listed> {
    let pages = try await lists.makePages()
    state.withLock { $0.collections.append(Collection(pages: pages)) }
    return pages
  }
}
