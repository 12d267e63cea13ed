import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

@Suite(.patient) struct ContractTests {
  private struct Part: Codable, Identifiable, Equatable, Sendable {
    var id: Int
    var name: String
    var weight: Double?
    var isSpare: Bool
  }

  @Test(arguments: DatabaseHome.allCases)
  func `the repository on SQLite keeps the contract of all repositories`(
    home: DatabaseHome
  ) async throws {
    let folder = try TemporaryFolder()
    let parts = (1...5).map { id in
      Part(
        id: id, name: "part \(id % 2)", weight: id == 3 ? nil : Double(id) / 2, isSpare: id > 3
      )
    }
    let contract = RepositoryContract(parts) { part in
      var part = part
      part.name += "!"
      return part
    }
    let report = await contract.report {
      let path = folder.path(UUID().uuidString)
      return try SQLiteRepository<Part>(try home.database(path))
    }
    #expect(report.violations == [])
    #expect(report.refused == [])
  }
}
