import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

@Suite(.patient) struct OutboxContractTests {
  private var contract: OutboxRepositoryContract<Piece> {
    let pieces = [3, 1, 2, 10].map {
      Piece(id: $0, name: "p\($0)", size: Double($0) / 2, owner: nil)
    }
    return OutboxRepositoryContract(pieces) { piece in
      var piece = piece
      piece.name += "!"
      return piece
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `the repository on SQLite keeps the contract of those with an outbox`(
    home: DatabaseHome
  ) async throws {
    let folder = try TemporaryFolder()
    let violations = await contract.violations {
      try SQLiteRepository<Piece>(
        try home.database(folder.path(UUID().uuidString)))
    }
    #expect(violations == [])
  }

  @Test(arguments: DatabaseHome.allCases)
  func `an outbox in a database begins with what a test puts into it`(
    home: DatabaseHome
  ) async throws {
    let folder = try TemporaryFolder()
    let database = try home.database(folder.path())
    let evocation = Evocation(configuration: .init(outbox: .init(sendsAutomatically: false)))
    evocation.register(for: Piece.self).repository(remote: IdempotentService<Piece>())
      .repository(local: try SQLiteRepository<Piece>(database)).strategy(.offlineFirst)
    let (one, two) = (
      Piece(id: 1, name: "a", size: nil, owner: nil), Piece(id: 2, name: "b", size: 1, owner: nil)
    )
    try await evocation.outbox.testing.initState(of: Piece.self) {
      $0.pending(one)
      $0.parked(two, reason: "no")
    }
    let status = try await evocation.outbox.status()
    #expect(status.pending == 1)
    #expect(status.parked == 1)
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 1, left: 0, parked: 1))
    await database.close()
  }
}
