import Evocation
import EvocationHTTP
import EvocationTesting
import Foundation

/// Several devices over one service, and what their apps were told; used by one task.
final class Fleet<Model: ServiceCar> {
  private var random: SeededGenerator
  private let service: RealService
  private let folder: URL
  private let isCalm = Lock(false)
  private var devices: [Device<Model>] = []
  private var written: [String: Written] = [:]
  private var lastNumber = 0
  private var told: [String] = []

  /// What was acknowledged of one car, which is known by its origin.
  private struct Written {
    /// What each device has last set.
    var names: [Int: String] = [:]
    var weights: [Int: Int] = [:]
    var writers: Set<Int> = []
    var wasRemoved = false
    var endsRemoved = false
  }

  init(_ service: RealService, seed: UInt64, hasFiles: Bool) throws {
    random = SeededGenerator(seed: seed)
    self.service = service
    folder = FileManager.default.temporaryDirectory.appending(path: "services-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // One at a time where ids are in the order of the requests: what was stored beside a request with which the
    // process ends is not answered either.
    let concurrency = service.givesIdentifiers ? 1 : random.pick([1, 4])
    say("seed \(seed), \(concurrency) at once, in \(hasFiles ? "files" : "memory")")
    for number in 0..<3 {
      devices.append(
        try Device(number, service, folder: hasFiles ? folder : nil, concurrency: concurrency) {
          [isCalm] device, request, count in
          guard !isCalm.withLock({ $0 }) else { return nil }
          return Self.mishap(seed, service, device, request, count)
        })
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// What happened, a line each.
  var story: String { (told + devices.flatMap { $0.trace }).joined(separator: "\n") }

  private func say(_ sentence: String) { told.append(sentence) }

  /// What goes wrong follows from the request alone, in whatever order requests come.
  private static func mishap(
    _ seed: UInt64, _ service: RealService, _ device: Int, _ request: HTTPTransportRequest,
    _ count: Int
  ) -> Meddler.Mishap? {
    var number = seed
    for byte in "\(device) \(request.action) \(request.url.path()) \(count)".utf8 {
      number = SeededGenerator.mixed(number &+ UInt64(byte))
    }
    // Where the service gives ids and knows no keys, what was stored and not answered is there twice.
    let mayAct = !(service.givesIdentifiers && request.action == "POST")
    switch number % 100 {
    case 0..<6: return .init(fault: .lostBefore)
    case 6..<12 where mayAct: return .init(fault: .lostAfter)
    case 12..<15: return .init(fault: .busy)
    case 15..<17: return .init(fault: .portal)
    case 17..<19: return .init(fault: .redirect)
    case 19..<21: return .init(fault: .lostBefore, endsProcess: true)
    case 21..<23 where mayAct: return .init(fault: .lostAfter, endsProcess: true)
    default: return nil
    }
  }

  /// Plays, and gives what is wrong in the end.
  func play(steps: Int) async throws -> [String] {
    for _ in 0..<steps {
      let device = random.pick(devices)
      if !device.isAlive { try device.restart() }
      switch random.count(0...19) {
      case 0..<9: await write(on: device)
      case 9..<12: await read(on: device)
      case 12..<15: await flush(device)
      case 15, 16:
        let isOnline = random.chance(60)
        say("device \(device.number) is \(isOnline ? "online" : "offline")")
        device.meddler.setOnline(isOnline)
      case 17:
        say("device \(device.number) ends")
        await device.kill()
      default:
        device.clock.advance(by: .seconds(random.count(1...600)))
      }
    }
    return try await settled()
  }

  private func flush(_ device: Device<Model>) async {
    let result = await device.evocation.outbox.flush()
    say(
      "device \(device.number) sends: \(result.sent) sent, \(result.left) left, \(result.parked) parked"
    )
  }

  private func read(on device: Device<Model>) async {
    let result = await device.evocation.find(model: Model.self, rule: .mirrored)
    say(
      "device \(device.number) reads \(result.data?.count ?? -1) \(result.error.map { "\($0)" } ?? "")"
    )
  }

  /// A write by the app, which counts when it is acknowledged.
  private func write(on device: Device<Model>) async {
    lastNumber += 1
    let rows = await device.rows().sorted { $0.origin < $1.origin }
    guard random.chance(70), var model = rows.randomElement(using: &random) else {
      let isPlaceholder = service.givesIdentifiers
      let mark = "d\(device.number)-\(lastNumber)"
      var model = Model(
        car(isPlaceholder ? -lastNumber : lastNumber, "n\(lastNumber)", origin: mark))
      model.weight = lastNumber
      let result = await device.evocation.storeOne(model)
      return note("stores", model, device, result.error == nil)
    }
    switch random.count(0...9) {
    case 0..<2:
      let result = await device.evocation.removeOne(model)
      note("removes", model, device, result.error == nil)
    case let what:
      if what != 2 { model.name = "n\(lastNumber)" }
      if what < 5 { model.weight = lastNumber }
      let isUpsert = what == 9 && !service.givesIdentifiers
      let isKept =
        if isUpsert {
          await device.evocation.storeOrUpdate([model]).error == nil
        } else { await device.evocation.updateOne(model).error == nil }
      note(isUpsert ? "puts" : "updates", model, device, isKept)
    }
  }

  private func note(_ what: String, _ model: Model, _ device: Device<Model>, _ isKept: Bool) {
    say("device \(device.number) \(what) \(text(model))\(isKept ? "" : ", which is not kept")")
    guard isKept else { return }
    var of = written[model.origin] ?? Written()
    of.writers.insert(device.number)
    if what == "removes" {
      of.wasRemoved = true
    } else {
      if model.name == "n\(lastNumber)" { of.names[device.number] = model.name }
      if model.weight == lastNumber { of.weights[device.number] = model.weight }
    }
    of.endsRemoved = what == "removes"
    written[model.origin] = of
  }

  private func text(_ model: Model) -> String {
    "\(model.id) \(model.origin) \(model.name) \(model.weight)"
  }
}

// The end, when the network is well again.
extension Fleet {
  private func settled() async throws -> [String] {
    say("all is well again")
    isCalm.withLock { $0 = true }
    for device in devices {
      if !device.isAlive { try device.restart() }
      device.meddler.setOnline(true)
    }
    var left: [Int] = []
    for _ in 0..<20 {
      left = []
      for device in devices {
        device.clock.advance(by: .seconds(3600))
        await flush(device)
        let status = await device.evocation.outbox.flush()
        left.append(status.left + status.parked)
      }
      if left.allSatisfy({ $0 == 0 }) { break }
    }
    var problems: [String] = []
    for (device, count) in zip(devices, left) where count > 0 {
      let entries = try await device.evocation.outbox.entries(of: Model.self)
      problems += entries.map {
        "device \(device.number) keeps \($0.kind) \(text($0.model)): \($0.state)"
      }
    }
    let rows: [Model] = try await service.rows()
    for device in devices {
      await read(on: device)
      let shown = Set(await device.rows())
      if shown != Set(rows) {
        let (more, less) = (shown.subtracting(rows), Set(rows).subtracting(shown))
        problems.append(
          "device \(device.number) has \(more.map(text)) and lacks \(less.map(text))")
      }
    }
    return problems + differences(rows)
  }

  /// How what the service has differs from what was acknowledged.
  private func differences(_ rows: [Model]) -> [String] {
    var problems: [String] = []
    let found = Dictionary(grouping: rows, by: \.origin)
    for mark in found.keys.sorted() where written[mark] == nil {
      problems.append("\(mark) was never acknowledged, and is there")
    }
    for (mark, write) in written.sorted(by: { $0.key < $1.key }) {
      let models = found[mark] ?? []
      if models.count > 1 { problems.append("\(mark) is there \(models.count) times") }
      if models.isEmpty, !write.wasRemoved { problems.append("\(mark) is lost") }
      if write.endsRemoved, write.writers.count == 1, !models.isEmpty {
        problems.append("\(mark) was removed, and is there")
      }
      guard let model = models.first, !write.wasRemoved else { continue }
      if !write.names.values.contains(model.name) {
        problems.append("\(mark) is called \(model.name), and not one of \(write.names)")
      }
      if !write.weights.values.contains(model.weight) {
        problems.append("\(mark) weighs \(model.weight), and not one of \(write.weights)")
      }
    }
    return problems
  }
}
