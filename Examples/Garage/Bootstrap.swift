import Evocation
import EvocationHTTP
import EvocationSQLite
import Foundation
import Synchronization

/// The things that an app does once, when it starts.
enum Bootstrap {
  /// The lines of the log, as the closure of the configuration received them.
  static let lines = Mutex<[String]>([])

  /// A log with a line for each call, collected here and shown later; an app would take `.console`.
  static let log = Evocation.Log { entry in
    lines.withLock { $0.append("\(entry)") }
  }

  /// Configures the shared instance before any code uses it.
  static func configure() throws {
    try Evocation.bootstrap(.init(log: log))
  }

  /// Registers `Car` with the service and a database, under the strategy of a file.
  static func register(service: URL, database: SQLiteDatabase) throws {
    try Evocation.register(
      Car.self, remote: HTTPRepository(HTTPService(service), "cars"),
      local: SQLiteRepository(database), strategy: strategy())
  }

  /// Reads the strategy from the file in the program's bundle.
  static func strategy() throws -> Strategy {
    guard let file = Bundle.module.url(forResource: "strategy", withExtension: "json") else {
      throw CocoaError(.fileNoSuchFile)
    }
    return try Strategy(json: Data(contentsOf: file))
  }
}
