import Evocation
import EvocationSQLite
import TestSupport
import TestTraits
import Testing

/// Ids that look alike and differ in bytes, whose writes the outbox holds in a file.
@Suite(.patient) struct LikeIDsFileTests {
  private func local() throws -> SQLiteRepository<LikeNamed> {
    try SQLiteRepository(SQLiteDatabase.inMemory())
  }

  @Test func `both of two models whose ids look alike are kept and sent`() async throws {
    let both = ["5: 1", "6: 2"]
    #expect(try await LikeNamedApp.writesBoth(local()) == [both, both, both])
  }

  @Test func `a change goes to the model that has the id's bytes`() async throws {
    let both = ["5: 3", "6: 2"]
    #expect(try await LikeNamedApp.changesOne(local()) == [both, both])
  }

  @Test func `a removal takes the model that has the id's bytes`() async throws {
    #expect(try await LikeNamedApp.removesOne(local()) == [["6: 3"], ["6: 3"], ["6: 3"]])
  }
}
