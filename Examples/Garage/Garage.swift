import Evocation
import EvocationHTTP
import EvocationSQLite
import Fixtures
import Foundation

/// A garage whose cars are at a service and, for days without the service, in a file.
///
/// It runs a real service on loopback and a real SQLite file. It exits with 1 if a step did not do what
/// its text says. With `GARAGE_PLAIN=1` it prints the same text each time.
@main
struct Garage {
  static func main() async {
    let isPlain = ProcessInfo.processInfo.environment["GARAGE_PLAIN"] == "1"
    do {
      if try await Clerk.work(CommandLine.arguments) { exit(0) }
      let failures = try await tour(Narrator(isPlain: isPlain))
      exit(failures == 0 ? 0 : 1)
    } catch {
      FileHandle.standardError.write(Data("The garage stays closed: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func tour(_ narrator: Narrator) async throws -> Int {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("garage-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let service = try await Service.start()
    defer { service.stop() }
    let database = try SQLiteDatabase(path: folder.appendingPathComponent("cars.sqlite").path)
    try Bootstrap.configure()
    try Bootstrap.register(service: service.url, database: database)
    let pending = folder.appendingPathComponent("pending.sqlite").path
    var tour = Tour(narrator: narrator, service: service, pending: pending)
    try await tour.run()
    return tour.narrator.failures
  }
}
