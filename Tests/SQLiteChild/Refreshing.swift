import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation
import TestSupport

/// Refreshes all pages of a list, whose notes then have the number of the task, and makes the list
/// where there is none.
struct Refreshing {
  let path: String
  let task: SendingTask

  func run() async throws {
    // Ends this process after a time that is never reached, unless who should kill it does not.
    alarm(60)
    Stopping.prepare(task.stop)
    let notes = (task.ids).map { NumberedNote(id: $0, number: task.firstNumber ?? 0) }
    let evocation = Evocation()
    evocation.register(for: NumberedNote.self)
      .repository(
        remote: RepositoryMock { call in
          guard case .find(let criteria) = call else { return [] }
          SQLiteChild.say("asks from \(criteria.offset)")
          Stopping.pass(.beforeSending)
          return Array(notes.dropFirst(criteria.offset).prefix(criteria.limit ?? .max))
        }
      )
      .repository(
        local: StoppingLists(base: try SQLiteRepository(try SQLiteDatabase(path: path))))
    let list = evocation.pagingCache(
      NumberedNote.self, pageSize: 2,
      options: .init(refreshes: .allPages, automaticallyRefresh: false))
    list.requirements = Criteria()
    SQLiteChild.say("\(try await list.refresh(force: true))")
    while await list.goToNextPage() == .successful {}
    SQLiteChild.say("ends")
  }
}

/// A local repository that is stopped around the replacement of a list, and in it.
private struct StoppingLists: ForwardingRepository, TransactionalRepository, ListStore {
  let base: SQLiteRepository<NumberedNote>

  var fetchLedger: (any FetchLedger)? { base.fetchLedger }
  var storeName: String? { base.storeName }

  func commit(_ write: StoreWrite<NumberedNote>) async throws -> StoreCommit<NumberedNote> {
    guard case .replace = write.list else { return try await base.commit(write) }
    Stopping.pass(.beforeCommit)
    Stopping.isWriting(.inCommit)
    let commit = try await base.commit(write)
    Stopping.pass(.afterCommit)
    return commit
  }

  func part(of list: String, in range: Range<Int>?) async throws -> ListPart<NumberedNote>? {
    try await base.part(of: list, in: range)
  }

  func pageCount(of list: String) async throws -> Int? { try await base.pageCount(of: list) }

  func makePages() async throws -> any CollectedPages<NumberedNote> { try await base.makePages() }
}
