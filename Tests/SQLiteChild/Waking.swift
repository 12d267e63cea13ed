import Dispatch
import Evocation
import EvocationSQLite
import Foundation

/// Holds more reads than there are cores, each in the middle, and says when they are all there.
///
/// What says so is a task, so that nothing is said where the reads keep the threads of tasks.
struct Waking {
  let path: String

  func run() async throws {
    let count = ProcessInfo.processInfo.activeProcessorCount + 2
    var configuration = SQLiteDatabase.Configuration()
    configuration.maximumReaderCount = count
    let database = try SQLiteDatabase(path: path, configuration: configuration)
    let notes = try SQLiteRepository<Held>(database)
    try await notes.store([Held(id: 1)])
    try await hold("read", count) { try await database.read { _ in Held.place.hold() } }
    Held.isRead.withLock { $0 = true }
    try await hold("find", count) { _ = try await notes.find(Criteria()) }
  }

  private func hold(
    _ name: String, _ count: Int, _ query: @escaping @Sendable () async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<count { group.addTask { try await query() } }
      await Held.place.arrivals(count)
      SQLiteChild.say(name)
      Held.place.letGo(count)
      try await group.waitForAll()
    }
  }
}

/// A model that holds whoever reads it.
private struct Held: Codable, Identifiable, Sendable {
  static let place = Place()
  static let isRead = Lock(false)
  var id: Int

  init(id: Int) {
    self.id = id
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(Int.self, forKey: .id)
    if Self.isRead.withLock({ $0 }) { Self.place.hold() }
  }
}

/// Where threads are held.
private struct Place: Sendable {
  private let arrived = AsyncStream<Void>.makeStream()
  private let released = DispatchSemaphore(value: 0)

  func hold() {
    arrived.continuation.yield()
    released.wait()
  }

  func arrivals(_ count: Int) async {
    for await _ in arrived.stream.prefix(count) {}
  }

  func letGo(_ count: Int) {
    for _ in 0..<count { released.signal() }
  }
}
