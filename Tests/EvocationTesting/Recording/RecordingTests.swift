import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

/// What a service answered is recorded, and played again as a test.
@Suite(.patient) struct RecordingTests {
  private struct Car: Codable, Identifiable, Hashable, Sendable {
    var id: Int
    var model = "Beetle"
  }

  private struct Outage: ClassifiedError {
    var failureKind: FailureKind { .permanent }
    var retryAfter: Duration? { .seconds(3) }
  }

  private func register(_ remote: some Repository<Car>) -> Evocation {
    let evocation = Evocation()
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

  private func recorded() async throws -> (Data, [Evocation.Result<[Car]>]) {
    let recording = Recording()
    let results = await run(register(recording.recorded(InMemoryRepository([Car(id: 1)]))))
    return (try recording.json(), results)
  }

  @Test func `a recorded run plays again with the same answers and no difference`() async throws {
    let (json, results) = try await recorded()
    let recording = try Recording(json: json)
    #expect(recording.unplayed.count == 7)
    let again = await run(register(recording.replayed(Car.self)))
    #expect(recording.differences == [])
    #expect(recording.unplayed == [])
    #expect(again.map(\.data) == results.map(\.data))
    #expect(again.map(\.origin) == results.map(\.origin))
  }

  @Test func `every method is recorded, and answers again`() async throws {
    let recording = Recording()
    func ask(_ cars: some Repository<Car>) async throws -> [String] {
      let (one, two) = (Car(id: 1), Car(id: 2))
      return [
        "\(try await cars.store([one]).value)", "\(try await cars.storeOrUpdate([two]).value)",
        "\(try await cars.updateOne(Car(id: 1, model: "Mini")).value as Car?)",
        "\(try await cars.removeOne(one).value as Car?)", "\(try await cars.remove([two]).value)",
        "\(try await cars.count(Criteria()))", "\(try await cars.exists(Criteria()))",
      ]
    }
    let first = try await ask(recording.recorded(InMemoryRepository<Car>()))
    #expect(try await ask(recording.replayed(Car.self)) == first)
    #expect(recording.differences == [] && recording.unplayed == [])
  }

  private struct Price: Codable, Identifiable, Hashable, Sendable {
    var id = Int64.max
    var amount = Decimal(string: "-12345678901234567890.123456789") ?? 0
    var rate = 0.1
    var units = UInt64.max
  }

  /// What is answered when prices are asked for that were recorded.
  private func replayed(_ prices: [Price]) async throws -> [Price] {
    let recording = Recording()
    let found = try await recording.recorded(InMemoryRepository(prices)).find(Criteria())
    #expect(found.value.count == prices.count)
    return try await Recording(json: recording.json()).replayed(Price.self).find(Criteria()).value
  }

  @Test func `numbers are played again as they were`() async throws {
    let prices = [0.1, .infinity, -.infinity, 1e300, .leastNonzeroMagnitude].enumerated().map {
      Price(id: Int64.max - 10 + Int64($0), rate: $1)
    }
    #expect(try await replayed(prices) == prices)
    let odd = try await replayed([Price(id: 1, rate: -0.0), Price(id: 2, rate: .nan)])
    #expect(odd.first?.rate.sign == .minus)
    #expect(odd.last?.rate.isNaN == true)
  }

  @Test func `a model that JSON cannot hold is reported where it would be played again`()
    async throws
  {
    let error = await #expect(throws: RecordedFailure.self) {
      try await replayed([Price(amount: .nan)])
    }
    #expect(
      error?.description.hasPrefix(
        "A Price was answered that JSON cannot hold, so that it was not recorded: ") == true)
  }

  @Test func `a failure is played again with its kind and its wait`() async throws {
    let recording = Recording()
    let remote = recording.recorded(RepositoryMock<Car> { _ in throw Outage() })
    _ = try? await remote.find(Criteria())
    let failing = try Recording(json: recording.json()).replayed(Car.self)
    let error = await #expect(throws: RecordedFailure.self) { try await failing.find(Criteria()) }
    #expect(error?.failureKind == .permanent)
    #expect(error?.retryAfter == .seconds(3))
    #expect(error?.description == "\(Outage())")
  }

  @Test func `a canceled call has no answer in the recording`() async throws {
    let recording = Recording()
    let remote = recording.recorded(RepositoryMock<Car> { _ in throw CancellationError() })
    await #expect(throws: CancellationError.self) { try await remote.find(Criteria()) }
    #expect(recording.unplayed == [])
  }

  @Test func `a run that differs from the recording is reported`() async throws {
    let (json, _) = try await recorded()
    let recording = try Recording(json: json)
    _ = await run(register(recording.replayed(Car.self)), id: 3)
    #expect(
      recording.differences
        == ["storeOne of the remote Car was asked with something else than what was recorded next."]
    )
    #expect(recording.unplayed == ["storeOne of the remote Car was not asked."])
    let other = Recording()
    let error = await #expect(throws: RecordingError.self) {
      try await other.replayed(Car.self).find(Criteria())
    }
    #expect(
      error?.description == "find of the remote Car was asked more often than it was recorded.")
    #expect(other.differences == [error?.description])
  }

  @Test func `a count that a file has in place of models is reported, and fails`() async throws {
    let recording = Recording()
    _ = try await recording.recorded(InMemoryRepository([Car(id: 1)])).count(Criteria())
    let text = String(decoding: try recording.json(), as: UTF8.self)
    let replay = try Recording(
      json: Data(text.replacing(#""method" : "count""#, with: #""method" : "find""#).utf8))
    let remote = replay.replayed(Car.self)
    let error = await #expect(throws: RecordingError.self) { try await remote.find(Criteria()) }
    #expect(error?.description == "A count of 1 was recorded where models are asked for.")
  }

  @Test func `a file of another version, or none, is refused with a sentence`() throws {
    func sentence(_ text: String) -> String {
      do {
        _ = try Recording(json: Data(text.utf8))
        return ""
      } catch {
        return "\(error)"
      }
    }
    #expect(
      sentence(#"{"version": 1, "calls": 7}"#)
        == "The recording has version 1, and this version of Evocation reads version 2; record it "
        + "again, or replay it with the version that wrote it.")
    for text in ["[]", #"{"version": 2, "cal"#] {
      #expect(
        sentence(text)
          == "The file is not a recording, or it is cut off, because it has no version; record it "
          + "again.")
    }
    let lines = [
      (#""calls": [{}]"#, "calls.Index 0.model is missing"),
      (#""call": []"#, "calls is missing"),
      (#""calls": 7"#, "calls has another form than recordings have"),
    ]
    for (line, reason) in lines {
      #expect(
        sentence(#"{"version": 2, \#(line)}"#)
          == "Evocation cannot read the recording, because \(reason); record it again.")
    }
  }

  @Test func `a recording is a file`() async throws {
    let recording = Recording()
    let remote = recording.recorded(InMemoryRepository([Car(id: 1)]))
    for _ in 0..<2 { _ = try await remote.find(Criteria()) }
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try recording.write(to: file)
    let replay = try Recording(contentsOf: file)
    #expect(replay.unplayed.count == 2)
  }
}
