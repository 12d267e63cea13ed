import Evocation
import EvocationSQLite
import Foundation
import Testing

/// What the page on models says of their ids.
@Suite struct ModelsPageTests {
  struct Draft: Codable, Identifiable, Equatable, Sendable {
    var id: Int?
    var text: String
  }

  @Test func `an optional id is refused by a table, and in memory nil is one id`() async throws {
    let message =
      "Evocation cannot map the property \"id\" of Draft, because a value that may be absent "
      + "cannot be the table's key."
    let error = #expect(throws: (any Error).self) {
      try SQLiteRepository<Draft>(SQLiteDatabase.inMemory())
    }
    #expect(error.map { "\($0)" } == message)
    let drafts = InMemoryRepository<Draft>()
    let first = Draft(id: nil, text: "a")
    #expect(try await drafts.store([first]).value == [first])
    await #expect(throws: EvocationError.self) {
      try await drafts.store([Draft(id: nil, text: "b")])
    }
    #expect(try await drafts.update([Draft(id: nil, text: "c")]).value.count == 1)
    _ = try await drafts.store([Draft(id: 1, text: "d")])
    #expect(try await drafts.find(Criteria()).value.map(\.text) == ["c", "d"])
  }
}
