import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

/// A run that is recorded, and played back as a test.
@Suite(.patient) struct TraceReplayTests {
  private struct Car: Codable, Identifiable, Hashable, Sendable {
    var id: Int
    var model = "Beetle"
  }

  private struct Outage: ClassifiedError {
    var failureKind: FailureKind { .permanent }
    var retryAfter: Duration? { .seconds(3) }
  }

  private func register(
    _ remote: some Repository<Car>, _ trace: @escaping @Sendable (Evocation.Trace) -> Void
  ) -> Evocation {
    let evocation = Evocation(configuration: .init(onTrace: trace))
    evocation.register(for: Car.self).repository(remote: remote)
      .repository(local: InMemoryRepository<Car>()).strategy(.remoteFirst)
    return evocation
  }

  /// The calls of a report.
  private func run(_ evocation: Evocation, id: Int = 2) async -> [Evocation.Result<[Car]>] {
    let first = await evocation.find(model: Car.self, criteria: ["model": "Beetle"])
    _ = await evocation.findOne(model: Car.self, criteria: ["id": 1])
    _ = await evocation.storeOne(Car(id: id, model: "Mini"))
    _ = await evocation.count(model: Car.self)
    _ = await evocation.exists(model: Car.self, criteria: ["id": 2])
    _ = await evocation.update([Car(id: 1, model: "Käfer")])
    let second = await evocation.find(model: Car.self)
    return [first, second]
  }

  private func service() -> InMemoryRepository<Car> { InMemoryRepository([Car(id: 1)]) }

  private func recorded(_ includesValues: Bool) async throws -> (Data, [Evocation.Result<[Car]>]) {
    let recorder = TraceRecorder(includingValues: includesValues)
    let evocation = register(recorder.recording(service(), as: .remote), recorder.trace)
    let results = await run(evocation)
    return (try recorder.json(), results)
  }

  @Test func `a recorded run plays back with the same answers and no difference`() async throws {
    let (json, results) = try await recorded(true)
    let replay = try TraceReplay(json: json)
    let again = await run(register(replay.repository(for: Car.self, as: .remote), replay.trace))
    #expect(replay.differences == [])
    #expect(replay.unplayed == [])
    #expect(again.map(\.data) == results.map(\.data))
    #expect(again.map(\.origin) == results.map(\.origin))
  }

  private struct Price: Codable, Identifiable, Hashable, Sendable {
    var id = Int64.max
    var amount = Decimal(string: "-12345678901234567890.123456789") ?? 0
    var rate = 0.1
    var units = UInt64.max
  }

  /// What is answered when prices are asked for that were recorded.
  private func replayed(_ prices: [Price]) async throws -> Evocation.Result<[Price]> {
    func find(_ remote: some Repository<Price>) async -> Evocation.Result<[Price]> {
      let evocation = Evocation()
      evocation.register(for: Price.self).repository(remote: remote)
      return await evocation.find(model: Price.self, rule: .remoteOnly)
    }
    let recorder = TraceRecorder(includingValues: true)
    let found = await find(recorder.recording(InMemoryRepository(prices), as: .remote))
    #expect(found.data?.count == prices.count)
    let replay = try TraceReplay(json: recorder.json())
    return await find(replay.repository(for: Price.self, as: .remote))
  }

  @Test func `numbers are played back as they were`() async throws {
    let prices = [0.1, .infinity, -.infinity, 1e300, .leastNonzeroMagnitude].enumerated().map {
      Price(id: Int64.max - 10 + Int64($0), rate: $1)
    }
    #expect(try await replayed(prices).data == prices)
    let odd = try await replayed([Price(id: 1, rate: -0.0), Price(id: 2, rate: .nan)]).data
    #expect(odd?.first?.rate.sign == .minus)
    #expect(odd?.last?.rate.isNaN == true)
  }

  @Test func `a model that JSON cannot hold is told where it would be played back`() async throws {
    let error = try #require(try await replayed([Price(amount: .nan)]).error)
    #expect(
      "\(error)".hasPrefix(
        "A Price that JSON cannot represent was returned, and not recorded: "))
  }

  @Test func `a failure is played back with its kind and its wait`() async throws {
    let recorder = TraceRecorder(includingValues: true)
    let remote = recorder.recording(RepositoryMock<Car> { _ in throw Outage() }, as: .remote)
    _ = try? await remote.find(Criteria())
    let replay = try TraceReplay(json: recorder.json())
    let failing = replay.repository(for: Car.self, as: .remote)
    let error = await #expect(throws: RecordedFailure.self) { try await failing.find(Criteria()) }
    #expect(error?.failureKind == .permanent)
    #expect(error?.retryAfter == .seconds(3))
    #expect(error?.description == "\(Outage())")
  }

  @Test func `a replay that differs says where`() async throws {
    let (json, _) = try await recorded(true)
    let replay = try TraceReplay(json: json)
    _ = await run(
      register(replay.repository(for: Car.self, as: .remote), replay.trace), id: 3)
    #expect(
      replay.differences.first
        == "storeOne of the remote Car was called with other arguments than recorded next.")
    #expect(replay.differences.count >= 2)
    #expect(
      replay.differences.contains(
        "Call 3, storeOne Car: step 1 was \"remote, target, failed\", and \"remote, target, answered 1\" "
          + "was recorded."))
    #expect(replay.unplayed == ["storeOne of the remote Car was not asked."])
    let other = try TraceReplay(json: json)
    _ = try? await other.repository(for: Car.self, as: .local).find(Criteria())
    #expect(
      other.differences == ["find of the local Car was called more often than recorded."])
  }

  @Test func `without values nothing of the user's is in the file`() async throws {
    let (json, results) = try await recorded(false)
    let text = String(decoding: json, as: UTF8.self)
    for secret in ["Beetle", "Mini", "Käfer"] { #expect(!text.contains(secret)) }
    #expect(text.contains("\"model\""))
    let replay = try TraceReplay(json: json)
    let remote = replay.repository(for: Car.self, as: .remote) { Car(id: $0, model: "Beetle") }
    let again = await run(register(remote, replay.trace))
    #expect(replay.unplayed == [])
    #expect(again.first?.data?.count == results.first?.data?.count)
    let bare = try TraceReplay(json: json)
    let error = await #expect(throws: RecordingError.self) {
      try await bare.repository(for: Car.self, as: .remote).find(["model": "Beetle"])
    }
    #expect(
      error?.description
        == "The recording has no models, because it was made without values; pass the repository a "
        + "standIn that makes some.")
  }

  @Test func `a run that does less than was recorded is told what is missing`() async throws {
    let recorder = TraceRecorder(includingValues: true)
    let evocation = register(recorder.recording(service(), as: .remote), recorder.trace)
    _ = await evocation.find(model: Car.self)
    let replay = try TraceReplay(json: recorder.json())
    let again = register(replay.repository(for: Car.self, as: .remote), replay.trace)
    _ = await again.find(model: Car.self, rule: .remoteOnly)
    #expect(
      replay.differences == [
        "Call 1, find Car: step 2 is missing, which was \"local, synchronization, answered 1\"."
      ])
  }

  @Test func `a count that a file has in place of models is told, and fails`() async throws {
    let recorder = TraceRecorder(includingValues: true)
    _ = try await recorder.recording(service(), as: .remote).count(Criteria())
    let text = String(decoding: try recorder.json(), as: UTF8.self)
    let replay = try TraceReplay(
      json: Data(text.replacing(#""method" : "count""#, with: #""method" : "find""#).utf8))
    let remote = replay.repository(for: Car.self, as: .remote)
    let error = await #expect(throws: RecordingError.self) { try await remote.find(Criteria()) }
    #expect(
      error?.description == "The recording has a count of 1 where your test asks for "
        + "models; record it again.")
  }

  @Test(arguments: [false, true])
  func `without values the text of an error is neither in a question nor in a trace`(
    includesValues: Bool
  ) async throws {
    struct Locked: Error, CustomStringConvertible {
      let description = "Oskar's car is locked"
    }
    let recorder = TraceRecorder(includingValues: includesValues)
    let remote = recorder.recording(RepositoryMock<Car> { _ in throw Locked() }, as: .remote)
    let result = await register(remote, recorder.trace).find(model: Car.self)
    #expect(result.trace.description.contains("Oskar"))
    let text = String(decoding: try recorder.json(), as: UTF8.self)
    // Once in what the repository answered, and once in the call's trace.
    #expect(text.components(separatedBy: "Oskar").count == (includesValues ? 3 : 1))
  }

  @Test func `a file of another version, or none, is refused with a sentence`() throws {
    func sentence(_ text: String) -> String {
      do {
        _ = try TraceReplay(json: Data(text.utf8))
        return ""
      } catch {
        return "\(error)"
      }
    }
    #expect(
      sentence(#"{"version": 2, "hasValues": true, "calls": 7}"#)
        == "The recording has version 2, and this version of Evocation reads version 1; record it "
        + "again, or replay it with the version that wrote it.")
    for text in ["[]", #"{"version": 1, "hasVal"#] {
      #expect(
        sentence(text)
          == "The file is not a recording, or it is cut off, because it has no version; "
          + "record it again.")
    }
    let lines = [
      (#""calls": [{}], "traces": []"#, "calls.Index 0.model is missing"),
      (#""calls": []"#, "traces is missing"),
      (#""calls": 7, "traces": []"#, "calls has another form than recordings have"),
      (
        #""calls": [], "traces": [{"model": "Car", "call": "find", "steps": [7]}]"#,
        "traces.Index 0.steps.Index 0 has another form than recordings have"
      ),
    ]
    for (line, reason) in lines {
      #expect(
        sentence(#"{"version": 1, "hasValues": true, \#(line)}"#)
          == "Evocation cannot read the recording, because \(reason); record it again.")
    }
  }

  @Test func `a recording is a file, and no longer than its limit`() async throws {
    let recorder = TraceRecorder(includingValues: true, limit: 2)
    let remote = recorder.recording(InMemoryRepository([Car(id: 1)]), as: .remote)
    for _ in 0..<3 { _ = try await remote.find(Criteria()) }
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try recorder.write(to: file)
    let replay = try TraceReplay(contentsOf: file)
    #expect(replay.unplayed.count == 2)
  }
}
