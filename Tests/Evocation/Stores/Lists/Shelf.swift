import Evocation
import EvocationTesting
import Foundation
import TestSupport

@testable import EvocationStores

/// An app's own local repository that is a list store, and notes what is done to its lists.
///
/// It keeps the values of a draft apart, as a table does, and its lists can be damaged.
final class Shelf: ForwardingRepository, ListStore {
  typealias Model = Listed

  private struct Draft {
    var begunAt: Date
    var isOfInvalidated: Bool
    var pages: PageRecord
  }

  private struct State {
    var drafts: [String: Draft] = [:]
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
      case .draftPage(let page, let draft):
        state.notes.append("draft page \(page.place)")
        state.drafts[page.list] = Draft(
          begunAt: draft.begunAt, isOfInvalidated: draft.isOfInvalidated, pages: draft.pages)
      case .takeDraft(let list, _, _):
        state.notes.append("take draft")
        state.drafts[list] = nil
      case .deleteDraft(let list):
        state.notes.append("delete draft")
        state.drafts[list] = nil
      case .cut: state.notes.append("cut")
      case .delete(let list, _, _):
        state.notes.append("delete")
        state.drafts[list] = nil
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

  func draft(of list: String) async throws -> ListDraft? {
    state.withLock { $0.drafts[list] }.map { draft in
      ListDraft(
        begunAt: draft.begunAt, isOfInvalidated: draft.isOfInvalidated, pages: draft.pages)
    }
  }
}
