import Evocation
import EvocationLive
import EvocationSQLite
import TestSupport

/// Follows a service that sends one change after the other, and says so as soon as it has begun.
struct Living {
  let path: String
  func run() async throws {
    let database = try SQLiteDatabase(path: path)
    let evocation = Evocation()
    evocation.live.start()
    evocation.register(for: LiveNote.self).repository(remote: NumberedService())
      .repository(local: try SQLiteRepository<LiveNote>(database)).strategy(.remoteFirst)
    for await _ in evocation.observe(model: LiveNote.self) { SQLiteChild.say("follows") }
  }
}
