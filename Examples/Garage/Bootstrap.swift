import Evocation
import EvocationHTTP
import EvocationSQLite
import Foundation

/// What an app does once, at its start.
enum Bootstrap {
  /// Registers `Car` with the service and a database, under the strategy of a file.
  static func register(service: URL, database: SQLiteDatabase) throws {
    try Evocation.shared
      .register(for: Car.self)
      .repository(remote: HTTPRepository<Car>(baseURL: service, path: "cars"))
      .repository(local: SQLiteRepository<Car>(database))
      .strategy(strategy())
      .validate()
  }

  /// Reads the strategy that lies beside the program.
  static func strategy() throws -> Strategy {
    guard let file = Bundle.module.url(forResource: "strategy", withExtension: "json") else {
      throw CocoaError(.fileNoSuchFile)
    }
    return try Strategy(json: Data(contentsOf: file))
  }
}
