import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCalls
@testable import EvocationStores
@testable import EvocationValues

/// What is written of each call as it ends.
@Suite(.patient) struct LogTests {
  private let lines = Lock<[String]>([])
  private let clock = ManualClock()
  private let local = InMemoryRepository<Car>()

  private func log(showsValues: Bool = false) -> Evocation.Log {
    Evocation.Log(showsValues: showsValues) { [lines] entry in
      lines.withLock { $0.append("\(entry)") }
    }
  }

  private func evocation(
    _ log: Evocation.Log, _ answer: @escaping @Sendable () async throws -> [Car]
  ) -> Evocation {
    let evocation = Evocation(configuration: .init(clock: clock, log: log))
    evocation.register(for: Car.self)
      .repository(remote: RepositoryMock<Car> { _ in try await answer() })
      .repository(local: local).strategy(.remoteFirst)
    return evocation
  }

  private func written(_ log: Evocation.Log) -> [String] {
    log.flush()
    return lines.withLock { $0 }
  }

  @Test func `a call is one line, with who answered, how many, and what local kept`() async {
    let log = log()
    let evocation = evocation(log) { [Car(id: 1), Car(id: 2)] }
    _ = await evocation.find(model: Car.self)
    _ = await evocation.find(model: Car.self, criteria: ["year": 1970], rule: .remoteOnly)
    #expect(
      written(log) == [
        "evocation: find Car remote ✓ 2 → local ✓ synced 2",
        "evocation: find Car {year} remote ✓ 2",
      ])
  }

  @Test func `what failed, and how old the fallback's answer is, are in it`() async {
    let log = log()
    let fails = Lock(false)
    let evocation = evocation(log) {
      if fails.withLock({ $0 }) {
        throw EvocationError.timedOut(.remote, model: "Car", after: .zero)
      }
      return [Car(id: 1)]
    }
    _ = await evocation.find(model: Car.self)
    fails.withLock { $0 = true }
    clock.advance(by: .seconds(250))
    _ = await evocation.find(model: Car.self)
    #expect(
      written(log).last
        == "evocation: find Car remote ✗ timed out → local ✓ 1 (4 min old)")
  }

  @Test func `no values are in it, unless they are asked for`() async {
    struct Secret: Error, CustomStringConvertible { let description = "the user's secret" }
    let secretCriteria: Criteria = ["model": "secret"]
    for showsValues in [false, true] {
      let log = log(showsValues: showsValues)
      let evocation = evocation(log) { throw Secret() }
      _ = await evocation.find(model: Car.self, criteria: secretCriteria, rule: .remoteOnly)
      let line = written(log).last ?? ""
      #expect(line.contains("secret") == showsValues, "\(line)")
      #expect(line.contains("the user's secret") == showsValues, "\(line)")
    }
    #expect(written(log()).first == "evocation: find Car {model} remote ✗ Secret (transient)")
  }

  @Test func `an app's error has its own words in a log, and nothing else of it`() async {
    struct Stranded: ClassifiedError, CustomStringConvertible {
      let failureKind = FailureKind.permanent
      let description = "Ada Lovelace ran out of petrol"
      let logDescription: String? = "out of petrol"
    }
    let log = log()
    let evocation = evocation(log) { throw Stranded() }
    _ = await evocation.find(model: Car.self, rule: .remoteOnly)
    #expect(written(log) == ["evocation: find Car remote ✗ out of petrol"])
  }

  @Test(arguments: sayings) func `an error is in a log without ids and values`(_ saying: Saying) {
    #expect(LogText.of(saying.error, showsValues: false) == saying.words)
  }

  /// An error of Evocation, and what a log has of it.
  struct Saying: Sendable, CustomTestStringConvertible {
    let error: any Error
    let words: String

    var testDescription: String { words }

    init(_ error: EvocationError, _ words: String) {
      self.error = error
      self.words = words
    }

    init(_ error: StrategyError, _ words: String) {
      self.error = error
      self.words = words
    }
  }

  private static let sayings = [
    Saying(.proxyNotFound(model: "Car"), "no proxy is registered"),
    Saying(.missingRepository(.local, model: "Car"), "no local repository is registered"),
    Saying(.noData, "no data"),
    Saying(.alreadyExists(["7"]), "is there already"),
    Saying(.alreadyExists(["7", "8"]), "are there already"),
    Saying(.unknownKey("yaer", model: "Car", nearest: ["year"]), "unknown key yaer"),
    Saying(
      .incomparableValue(key: "year", reason: "\"Ada\" is no number"),
      "the value for year cannot be compared"),
    Saying(.nestedTooDeeply(most: 200), "criteria nested too deeply"),
    Saying(.unmappable(model: "Car", property: "year", reason: "why"), "cannot be mapped: year"),
    Saying(.unsearchable(model: "Car", reason: "why"), "no full-text index"),
    Saying(.timedOut(.remote, model: "Car", after: .seconds(1)), "timed out"),
    Saying(.offline(model: "Car"), "offline"),
    Saying(.unanswered(.remote, model: "Car", method: "find"), "released its completion"),
    Saying(.nestedWrite(model: "Car"), "a write inside its own"),
    Saying(.outboxUnavailable(model: "Car", action: .store), "no outbox"),
    Saying(.unsentWrites(3), "3 unsent"),
    Saying(.circularDependency(models: ["Car", "Owner"]), "models that wait for each other"),
    Saying(.entryNotFound(id: "7"), "the entry is gone"),
    Saying(.unitEnded(model: "Car"), "a write after its unit had ended"),
    Saying(.differentModel(model: "Car"), "another id"),
    Saying(.signedOut(model: "Car"), "signed out in the meantime"),
    Saying(.nestedSignOut(model: "Car"), "a sign-out inside a write"),
    Saying(.notObservable(model: "Car"), "not observable"),
    Saying(.notIdentifiable(model: "Car"), "not identifiable"),
    Saying(.alreadyStarted, "started already"),
    Saying(.incompleteConfiguration(missing: [.find]), "a strategy without all rules"),
    Saying(.invalidRule(.find, .remoteOnly, reason: "why"), "the rule does not work"),
    Saying(.unreadable(path: "Ada", reason: "why"), "a strategy that cannot be read"),
  ]

  @Test func `a call that asked nobody says why`() async {
    let log = log()
    let evocation = Evocation(configuration: .init(log: log))
    _ = await evocation.find(model: Car.self)
    evocation.register(for: Car.self).repository(local: local)
    _ = await evocation.storeOne(Car(id: 1), rule: .init(synchronize: .outbox))
    _ = await evocation.find(model: Car.self)
    #expect(
      written(log) == [
        "evocation: find Car ✗ no proxy is registered",
        "evocation: storeOne Car ✗ the rule does not work",
        "evocation: find Car ✗ no remote repository is registered",
      ])
  }

  @Test func `a write that waits to be sent says so`() async {
    let log = log()
    let evocation = evocation(log) { [] }
    evocation.outbox.pause()
    _ = await evocation.storeOne(Car(id: 1), rule: .init(target: .local, synchronize: .outbox))
    #expect(
      written(log).first?.hasPrefix("evocation: storeOne Car local ✓ 1 → remote – the outbox")
        == true)
  }

  @Test func `a closure that blocks keeps no call waiting, and what is left out is counted`() async
  {
    let gate = DispatchSemaphore(value: 0)
    let entered = Gate()
    let counts = Lock((written: 0, lost: 0))
    let log = Evocation.Log { entry in
      let isFirst = counts.withLock { $0.written == 0 }
      counts.withLock { counts in
        if case .lost(let count) = entry { counts.lost += count } else { counts.written += 1 }
      }
      if isFirst {
        entered.letOneThrough()
        gate.wait()
      }
    }
    let evocation = evocation(log) { [] }
    _ = await evocation.find(model: Car.self, rule: .localOnly)
    try? await entered.pass()
    for _ in 0..<10_100 { _ = await evocation.find(model: Car.self, rule: .localOnly) }
    gate.signal()
    log.flush()
    #expect(counts.withLock { $0.written } == 10_001)
    #expect(counts.withLock { $0.lost } == 100)
  }

  @Test func `a closure may call Evocation, whose calls are not logged`() async {
    let box = Lock<Evocation?>(nil)
    let tasks = Lock<[Task<Void, Never>]>([])
    let lines = lines
    let log = Evocation.Log { entry in
      lines.withLock { $0.append("\(entry)") }
      guard let evocation = box.withLock({ $0 }) else { return }
      let task = evocation.find(model: Car.self, rule: .localOnly) { _ in }
      tasks.withLock { $0.append(task) }
    }
    let evocation = evocation(log) { [] }
    box.withLock { $0 = evocation }
    _ = await evocation.find(model: Car.self, rule: .localOnly)
    log.flush()
    for task in tasks.withLock({ $0 }) { await task.value }
    log.flush()
    #expect(lines.withLock { $0.count } == 1)
    #expect(tasks.withLock { $0.count } == 1)
    box.withLock { $0 = nil }
  }

  @Test func `several logs each have what their levels say`() async {
    let (calls, others) = (Lock(0), Lock(0))
    let log = Evocation.Log.all([
      .init { _ in calls.withLock { $0 += 1 } },
      .init(levels: [.http, .sql]) { _ in others.withLock { $0 += 1 } },
      .off,
    ])
    let evocation = evocation(log) { [] }
    _ = await evocation.find(model: Car.self)
    log.flush()
    #expect(calls.withLock { $0 } == 1)
    #expect(others.withLock { $0 } == 0)
  }

  @Test func `values for an app's own metrics are in the entry`() async throws {
    let entries = Lock<[Evocation.Log.Call]>([])
    let log = Evocation.Log { entry in
      if case .call(let call) = entry { entries.withLock { $0.append(call) } }
    }
    let evocation = evocation(log) { [clock] in
      clock.advance(by: .milliseconds(30))
      return [Car(id: 1)]
    }
    _ = await evocation.find(model: Car.self)
    log.flush()
    let call = try #require(entries.withLock { $0.first })
    #expect(call.name == "find" && call.model == "Car" && call.origin == .remote)
    #expect(call.duration == .milliseconds(30))
    #expect(call.steps.map(\.duration) == [.milliseconds(30), .zero])
    #expect(call.fetchedAt == clock.date - 0.03)
    #expect(call.error == nil && !call.isPending)
  }

  @Test func `each entry prints as one line`() {
    let call = Evocation.Log.Call(
      Evocation.Trace(
        model: "Car", call: "find",
        steps: [.init(repository: .remote, role: .target, outcome: .failed("no"))]),
      showsValues: true)
    #expect("\(Evocation.Log.Line.call(call))" == "evocation: find Car remote ✗ no")
    let request = Evocation.Log.Request(
      method: "GET", address: "https://example.com cars/{id}", status: 404, error: nil,
      duration: .milliseconds(12))
    #expect(
      "\(Evocation.Log.Line.request(request))"
        == "evocation: http GET https://example.com cars/{id} 404 in 12 ms")
    let statement = Evocation.Log.Statement(
      sql: "SELECT 1\n FROM car", database: "cars.db", duration: .microseconds(3))
    #expect(
      "\(Evocation.Log.Line.statement(statement))"
        == "evocation: sql cars.db SELECT 1  FROM car in 3 µs")
  }

  /// What can end a line or control a terminal, with its escape.
  private static let controls =
    (Array(0...0x1F) + Array(0x7F...0x9F) + [0x2028, 0x2029]).compactMap { Unicode.Scalar($0) }

  @Test(arguments: controls)
  func `a text of a server, a model or a file forges no line and controls no terminal`(
    _ control: Unicode.Scalar
  ) {
    let text = "no\(Character(control))evocation: all is well →"
    let trace = Evocation.Trace(
      model: "Car", call: "find",
      steps: [.init(repository: .remote, role: .target, outcome: .failed(text))])
    let entries: [Evocation.Log.Line] = [
      .call(Evocation.Log.Call(trace, showsValues: true)),
      .request(
        .init(method: "GET", address: text, status: nil, error: text, duration: .zero)),
      .statement(.init(sql: text, database: text, duration: .zero)),
      .notice(text),
    ]
    let escape =
      ["\n": "\\n", "\r": "\\r", "\t": "\\t"][control]
      ?? "\\u{\(String(control.value, radix: 16, uppercase: true))}"
    for entry in entries {
      #expect(!"\(entry)".unicodeScalars.contains { Self.controls.contains($0) })
      #expect("\(entry)".contains("no\(escape)evocation: all is well →"))
    }
  }
}
