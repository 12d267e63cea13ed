import Evocation
import EvocationHTTP
import EvocationSQLite
import Fixtures
import Foundation

/// The app in a separate process, which the tour starts, and kills while it works.
enum Clerk {
  /// The car that it sells, with a new id.
  static let volvo = Car(
    id: 1_002, name: "volvo 240 gl", milesPerGallon: 27, cylinders: 4, displacement: 130,
    horsepower: 107, weight: 2_945, acceleration: 12.1, year: 1982, origin: "Europe")

  /// The task of the process: to sell or tune a car without the service, or to send waiting writes.
  enum Duty: String {
    case sell, tune, send
  }

  /// Starts a process.
  static func start(_ duty: Duty, file: String, service: URL) throws -> ChildProcess {
    guard let program = Bundle.main.executableURL else { throw CocoaError(.fileNoSuchFile) }
    return try ChildProcess(program, ["--clerk", duty.rawValue, file, service.absoluteString])
  }

  /// Does the task that the arguments name; returns false if they name none.
  static func work(_ arguments: [String]) async throws -> Bool {
    guard arguments.count == 5, arguments[1] == "--clerk", let duty = Duty(rawValue: arguments[2]),
      let service = URL(string: arguments[4])
    else { return false }
    endWithInput()
    let line = Line(isOnline: duty == .send)
    let evocation = Evocation(configuration: .init(outbox: .garage(connectivity: line)))
    let events = evocation.outbox.events()
    // Paused, so that the app can count the waiting writes before the first one is sent.
    if line.isOnline { evocation.outbox.pause() }
    try register(evocation, service: service, file: arguments[3])
    switch duty {
    case .sell: try await sell(evocation)
    case .tune: try await tune(evocation)
    case .send: try await send(evocation, events)
    }
    return true
  }

  /// Registers `Car` so that the outbox sends its writes.
  @discardableResult
  static func register(
    _ evocation: Evocation, service: URL, file: String
  ) throws -> Proxy<Car> {
    try evocation.register(
      Car.self, remote: HTTPRepository(HTTPService(service), "cars"),
      local: SQLiteRepository(SQLiteDatabase(path: file)), strategy: .offlineFirst)
  }

  private static func sell(_ evocation: Evocation) async throws {
    let stored = await evocation.storeOne(volvo)
    report("storeOne(volvo)", stored)
    var tuned = volvo
    tuned.horsepower = 140
    let updated = await evocation.updateOne(tuned)
    report("updateOne(tuned)", updated)
    for entry in try await evocation.outbox.entries(of: Car.self) {
      let car = entry.model
      say("in the outbox: \(entry.kind) of car \(car.id) with \(car.horsepower ?? 0) hp")
    }
    try await wait(evocation)
  }

  private static func tune(_ evocation: Evocation) async throws {
    let rule = Strategy.Rule.localOnly
    guard
      var car = await evocation.findOne(model: Car.self, criteria: ["id": 1], rule: rule).data
    else { return }
    car.horsepower = 175
    report("updateOne(car)", await evocation.updateOne(car))
    try await wait(evocation)
  }

  private static func wait(_ evocation: Evocation) async throws {
    let status = try await evocation.outbox.status()
    let why = status.pause == .offline ? ", and no connection" : ""
    say("\(status.pending) to be sent\(why)")
    try await Task.sleep(for: .seconds(600))
  }

  private static func report(_ call: String, _ result: Evocation.Result<Car>) {
    let origin = result.origin?.rawValue ?? "none"
    say("\(call): origin \(origin)\(result.isPending ? ", pending" : "")")
  }

  private static func send(
    _ evocation: Evocation, _ events: some ObservedSequence<Outbox.Event>
  ) async throws {
    let pending = try await evocation.outbox.status().pending
    say("started again: \(pending) to be sent")
    guard pending > 0 else { return }
    evocation.outbox.resume()
    for await event in events {
      guard case .sent(let subject) = event else { continue }
      say("sent: \(subject.model) \(subject.modelID)")
      return
    }
  }

  /// Writes a line immediately, because a killed process writes nothing later.
  private static func say(_ text: String) {
    FileHandle.standardOutput.write(Data("\(text)\n".utf8))
  }

  /// Ends the process when its input closes, so that it never outlives the tour.
  private static func endWithInput() {
    Thread.detachNewThread {
      while readLine() != nil {}
      exit(0)
    }
  }
}

/// A connection that is available, or not, as long as a process lives.
struct Line: Connectivity {
  let isOnline: Bool

  func changes() -> AsyncStream<Bool> { AsyncStream { $0.finish() } }
}

extension Outbox.Configuration {
  /// Returns a configuration with short delays, so that the tour is short.
  static func garage(
    sendsAutomatically: Bool = true, connectivity: (any Connectivity)? = nil
  ) -> Self {
    Self(
      retry: .init(attempts: .max, delay: .milliseconds(500), maximumDelay: .seconds(2)),
      sendsAutomatically: sendsAutomatically, connectivity: connectivity, lease: .seconds(1))
  }
}
