import Evocation
import EvocationHTTP
import EvocationSQLite
import EvocationTesting
import Foundation
import TestTraits
import Testing

/// What an app's metrics library has; this page names no library.
private struct Timer {
  let label: String
  func record(_ duration: Duration) { Measured.timers.withLock { $0.append(label) } }
}

private struct Counter {
  let label: String
  func increment() { Measured.counters.withLock { $0.append(label) } }
}

private enum Measured {
  static let timers = Lock<[String]>([])
  static let counters = Lock<[String]>([])
}

/// The samples of the page on logging and tracing, and of the documentation beside it.
@Suite(.patient) struct LoggingPageTests {
  private let service = InMemoryRepository([
    Car(id: 1, name: "Beetle", origin: "Germany", year: 1970)
  ])

  /// The sample of the start of an app, which this process is past.
  private func start() throws {
    let log = Evocation.Log.console
    try Evocation.bootstrap(.init(log: log))
  }

  @Test func `a process that uses the shared instance can no longer configure it`() {
    _ = Evocation.shared
    #expect(throws: EvocationError.alreadyStarted) { try start() }
    #expect(throws: EvocationError.alreadyStarted) {
      try Evocation.bootstrap(.init(callbackQueue: .main))
    }
  }

  @Test func `requests and statements have the same log`() {
    let log = Evocation.Log.console(levels: [.calls, .http, .sql])
    var service = HTTPService.Configuration()
    service.log = log
    var file = SQLiteDatabase.Configuration()
    file.log = log
    #expect(log.levels == Set(Evocation.Log.Level.allCases))
  }

  @Test func `metrics take a closure`() async {
    let metrics = Evocation.Log { entry in
      guard case .call(let call) = entry else { return }
      Timer(label: "evocation.\(call.name)").record(call.duration)
      if call.error != nil { Counter(label: "evocation.failures").increment() }
    }
    let evocation = Evocation(configuration: .init(log: .all([.console, metrics])))
    _ = await evocation.find(model: Car.self)
    metrics.flush()
    #expect(Measured.timers.withLock { $0 } == ["evocation.find"])
    #expect(Measured.counters.withLock { $0 } == ["evocation.failures"])
  }

  @Test func `a run is recorded and played back`() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try await record(to: file)
    let evocation = Evocation()
    let recording = try Recording(contentsOf: file)
    evocation.register(for: Car.self)
      .repository(remote: recording.replayed(Car.self))
      .repository(local: InMemoryRepository<Car>())
    // … the calls of the report …
    _ = await evocation.find(model: Car.self)
    #expect(recording.differences.isEmpty)
  }

  private func record(to file: URL) async throws {
    let evocation = Evocation()
    let recording = Recording()
    evocation.register(for: Car.self)
      .repository(remote: recording.recorded(service))
      .repository(local: InMemoryRepository<Car>())
    let result = await evocation.find(model: Car.self)
    print(result.trace)  // find Car: remote returned 79 models in 84 ms.
    try recording.write(to: file)
  }

  @Test func `a rule explains itself`() {
    var printed = ""
    /// What the sample prints comes back to the test.
    func print(_ explanation: Strategy.Explanation) { printed = "\(explanation)" }
    print(Strategy.Rule.remoteFirst.explain(for: .find))
    #expect(printed.hasPrefix("| find | result |\n"))
    #expect(printed.contains("| remote fails, local answers | data from local |"))
  }
}
