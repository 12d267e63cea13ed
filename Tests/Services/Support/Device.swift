import Evocation
import EvocationHTTP
import EvocationSQLite
import EvocationTesting
import Foundation
import TestSupport

/// A device: its store and its clock, which outlive the processes of the app on it.
///
/// It is used by one task.
final class Device<Model: ServiceCar> {
  let number: Int
  let clock = ManualClock()
  /// What may go wrong, and whether the process ends by it.
  private let choose: @Sendable (Int, HTTPTransportRequest, Int) -> Meddler.Mishap?
  private let service: RealService
  private let concurrency: Int
  /// Where the store lies; nil in memory, where it is this one for all processes.
  private let file: String?
  private let memory = InMemoryRepository<Model>()
  private var database: SQLiteDatabase?
  private(set) var meddler: Meddler
  private(set) var evocation: Evocation
  /// How many requests of each kind there were, in all processes.
  private let asked = Lock<[String: Int]>([:])
  private let hasEnded = Lock(false)
  private var former: [String] = []

  /// Makes a device whose app runs.
  init(
    _ number: Int, _ service: RealService, folder: URL?, concurrency: Int,
    choose: @escaping @Sendable (Int, HTTPTransportRequest, Int) -> Meddler.Mishap?
  ) throws {
    (self.number, self.service, self.concurrency) = (number, service, concurrency)
    self.choose = choose
    file = folder?.appending(path: "device-\(number).sqlite").path
    meddler = Meddler(service)
    evocation = .flushedByHand()
    try start()
  }

  /// Whether the app runs.
  var isAlive: Bool { !hasEnded.withLock { $0 } }

  /// Starts the app.
  func start() throws {
    former += meddler.lines
    meddler = Meddler(service)
    evocation = Evocation(
      configuration: .init(
        clock: clock, chance: { 0.5 },
        outbox: .init(concurrency: concurrency, sendsAutomatically: false)))
    let proxy = evocation.register(for: Model.self)
      // What others have removed would be added again by each of those that had changed it, where the
      // service gives it another id each time.
      .conflicts { [service] in
        service.givesIdentifiers && $0.theirs == nil
          ? .theirs : try .mergedByFields($0, preferring: .mine)
      }
      .repository(remote: repository(of: service, Model.self, Wishes(transport: meddler)))
    if let file {
      let database = try SQLiteDatabase(path: file)
      self.database = database
      _ = proxy.repository(local: try SQLiteRepository<Model>(database))
    } else {
      _ = proxy.repository(local: memory)
    }
    _ = proxy.strategy(.offlineFirst)
    hasEnded.withLock { $0 = false }
    listen()
  }

  /// Has things go wrong, by the number of the request among those of its kind.
  private func listen() {
    // Without a file nothing would outlive the process.
    let canEnd = database != nil
    meddler.onEnd { [database, hasEnded] in
      hasEnded.withLock { $0 = true }
      await database?.close()
    }
    meddler.choose { [asked, choose, number] request in
      let kind = "\(request.action) \(request.url.path())"
      let count = asked.withLock { asked in
        asked[kind, default: 0] += 1
        return asked[kind, default: 0]
      }
      var mishap = choose(number, request, count)
      if !canEnd { mishap?.endsProcess = false }
      return mishap
    }
  }

  /// Ends the process between two requests.
  func kill() async {
    hasEnded.withLock { $0 = true }
    meddler.die()
    await database?.close()
  }

  /// Starts the app again, once the lease of the process that has ended is over.
  func restart() throws {
    clock.advance(by: .seconds(20))
    try start()
  }

  /// What was asked of the service, in all processes.
  var trace: [String] { (former + meddler.lines).map { "device \(number): \($0)" } }

  /// What the app shows.
  func rows() async -> [Model] {
    await evocation.find(model: Model.self, rule: .localOnly).data ?? []
  }
}
