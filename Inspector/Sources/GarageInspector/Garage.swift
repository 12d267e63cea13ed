import Evocation
import EvocationHTTP
import EvocationInspector
import EvocationSQLite
import Fixtures
import Foundation

/// A garage with something to see in each part of the inspector.
///
/// It runs a real service on loopback and a real SQLite file. One change was refused for good, one
/// waits because the service is busy, and new calls are made as long as it is open.
struct Garage {
  let address: URL
  private let evocation: Evocation
  private let inspector: Inspector
  private let service: Service
  private let folder: URL

  static func open() async throws -> Garage {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("garage-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let service = try await Service.start()
    let evocation = Evocation()
    let database = try SQLiteDatabase(path: folder.appendingPathComponent("cars.sqlite").path)
    var settings = HTTPService.Configuration()
    settings.limits.breaker = .init(failures: 5, pause: .seconds(10))
    try evocation.register(
      Car.self, remote: HTTPRepository(HTTPService(service.url, configuration: settings), "cars"),
      local: SQLiteRepository(database, indexes: ["year"]), strategy: .offlineFirst)
    try evocation.register(Remark.self, local: SQLiteRepository(database), strategy: .localOnly)
    let inspector = Inspector(evocation)
    let address = try await inspector.start()
    return Garage(
      address: address, evocation: evocation, inspector: inspector, service: service,
      folder: folder)
  }

  /// Works until the program is ended, and then removes its folder.
  func work() async {
    let ends = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      return DispatchSource.makeSignalSource(signal: number)
    }
    let (closing, continuation) = AsyncStream<Void>.makeStream()
    for end in ends {
      end.setEventHandler { continuation.yield() }
      end.resume()
    }
    let working = Task { await drive() }
    for await _ in closing { break }
    working.cancel()
    await inspector.stop()
    service.stop()
    try? FileManager.default.removeItem(at: folder)
  }

  private func drive() async {
    let japan = evocation.cache(Car.self, where: \.origin == "Japan", maxAge: .seconds(60))
    let recent = evocation.pagingCache(Car.self, where: \.year >= 1980, pageSize: 20)
    let watching = [
      Task { for await _ in japan.observe() {} }, Task { for await _ in recent.observe() {} },
    ]
    defer { for task in watching { task.cancel() } }
    _ = await evocation.find(model: Car.self)
    _ = await evocation.storeOne(Remark(id: 1, text: "The keys hang beside the door."))
    _ = try? await recent.refresh()
    _ = await recent.goToNextPage()
    await refused()
    await waiting()
    var year = 1970
    while !Task.isCancelled {
      _ = await evocation.find(model: Car.self, criteria: ["year": year])
      if year.isMultiple(of: 4) {
        _ = await evocation.find(
          model: Car.self, criteria: ["name": "volvo 244dl"], rule: .localOnly)
      }
      year = year == 1982 ? 1970 : year + 1
      try? await Task.sleep(for: .seconds(5))
    }
  }

  /// Makes a change that the service refuses for good.
  private func refused() async {
    let refusal = Service.Switch.status(422, times: 1, body: #"{"error": "9000 hp?"}"#)
    try? await service.control(refusal.only(method: "PATCH", path: "/cars/1"))
    guard var car = await evocation.findOne(model: Car.self, criteria: ["id": 1]).data else {
      return
    }
    car.horsepower = 9_000
    _ = await evocation.updateOne(car)
    await evocation.outbox.flush(deadline: .seconds(10))
  }

  /// Makes a change that has to wait, because the service has too much to do.
  private func waiting() async {
    let busy = Service.Switch.status(503, times: 3)
    try? await service.control(busy.only(method: "PATCH", path: "/cars/2"))
    guard var car = await evocation.findOne(model: Car.self, criteria: ["id": 2]).data else {
      return
    }
    car.name += " (restored)"
    _ = await evocation.updateOne(car)
  }
}
