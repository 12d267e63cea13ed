import Evocation
import EvocationHTTP
import Fixtures
import Foundation
import TestTraits
import Testing

@testable import TransportSuite

#if os(macOS) || os(Linux)
  /// What tells one version of a model from another.
  @Suite(.patient) struct HTTPVersionTests {
    private static let day = "Wed, 21 Oct 2026 07:28:00 GMT"

    @Test(arguments: [HTTPFormat.Version.entityTag, .lastModified])
    func `Of a tag and a date the one is sent back that the configuration names`(
      version: HTTPFormat.Version
    ) async throws {
      let service = try await Service.start()
      let cars = service.cars { $0.version = version }
      try await service.control(.lines("Last-Modified: \(Self.day)"))
      let tag = try await cars.findOne(["id": 1]).metadata["etag"] as? String
      _ = try await cars.updateOne(car(1))
      let headers = try await service.requests().last?.headers
      let isTag = version == .entityTag
      #expect(tag != nil)
      #expect(headers?["if-match"] == (isTag ? tag : nil))
      #expect(headers?["if-unmodified-since"] == (isTag ? nil : Self.day))
    }

    @Test func `A property is the version, also of a model that came in a list`() async throws {
      let service = try await Service.start(dialect: .records)
      let configuration = Dialects.records()
      func repository() -> HTTPRepository<RecordCar> {
        HTTPRepository(at: service.url, "cars", configuration)
      }
      let (mine, others) = (repository(), repository())
      var ours = try await mine.find(Criteria().limit(2)).value
      ours[0].name = "mine"
      var theirs = ours[0]
      theirs.name = "theirs"
      _ = try await others.updateOne(theirs)
      let error = await failure { try await mine.updateOne(ours[0]) } as? HTTPError
      #expect(error?.code == .preconditionFailed)
      #expect((error?.current as? RecordCar)?.name == "theirs")
      #expect(try await mine.updateOne(ours[0]).value?.name == "mine")
      #expect(try await mine.updateOne(ours[1]).value == ours[1])
      let tags = try await service.requests().map { $0.headers["if-match"] }
      #expect(
        tags.first == .some(nil) && tags.dropFirst(2).allSatisfy { $0?.hasPrefix("\"1") == true })
      #expect(Set(tags.suffix(3)).count == 3)
    }

    @Test func `A model that is there is not written over by a PUT that creates`() async throws {
      let service = try await Service.empty(.records)
      let cars = HTTPRepository<RecordCar>(at: service.url, "cars", Dialects.records())
      let one = RecordCar(car(1, "one"))
      #expect(try await cars.storeOne(one).value == one)
      await #expect(throws: EvocationError.alreadyExists(["car-1"])) {
        try await cars.storeOne(RecordCar(car(1, "other")))
      }
      #expect(try await cars.findOne(["id": "car-1"]).value == one)
      #expect(try await service.requests().first?.headers["if-none-match"] == "*")
    }

    @Test func `A batch says which of its models were written`() async throws {
      let service = try await Service.empty(.records)
      let cars = HTTPRepository<RecordCar>(at: service.url, "cars", Dialects.records())
      let many = (1...60).map { RecordCar(car($0)) }
      _ = try await cars.storeOne(many[29])
      let partial = await failure { try await cars.store(many) } as? HTTPPartialError
      #expect(partial?.done == (1...50).filter { $0 != 30 }.map { "car-\($0)" })
      #expect(partial?.failed == ["car-30"])
      #expect(partial?.unsent == (51...60).map { "car-\($0)" })
      #expect(partial?.underlying as? EvocationError == .alreadyExists(["car-30"]))
      #expect(try await cars.count(Criteria()) == 50)
      let lines = try await service.lines()
      #expect(lines.filter { $0 == "POST /batch" }.count == 2)
      #expect(try await cars.update(many).value.count == 50)
      #expect(try await cars.remove(many).value.count == 50)
      try await service.control(.status(200, body: #"{"responses": []}"#).only(path: "/batch"))
      let short = await failure { try await cars.store(Array(many.prefix(2))) } as? HTTPError
      #expect(short?.code == .undecodable)
    }
  }
#endif

/// A service that takes no change without a version, as RFC 6585 has it.
@Suite(.patient) struct RequiredVersionTests {
  private func service(_ versions: Lock<Int>) -> Scripted {
    Scripted { request in
      let version = versions.withLock { $0 }
      let tag = #""\#(version)""#
      guard request.method == "PATCH" else {
        return request.method == "GET"
          ? (200, ["etag": tag], #"{"id": 1, "rev": \#(version)}"#) : (201, [:], #"{"id": 2}"#)
      }
      guard let asked = request.headers["If-Match"] else { return (428, [:], "") }
      return asked == tag ? (200, [:], #"{"id": 1}"#) : (412, [:], "")
    }
  }

  @Test(arguments: [HTTPFormat.Version.entityTag, .property("rev")])
  func `storeOrUpdate sends the version that its own check has asked for`(
    version: HTTPFormat.Version
  ) async throws {
    let versions = Lock(1)
    let service = service(versions)
    let things = try service.things {
      $0.version = version
      $0.routes.storeOrUpdateOne = nil
      $0.routes.updateOne.onlyIfPresent = true
    }
    for number in 1...3 {
      // Others change it, and it is still replaced; what the model itself was based on is no reason.
      versions.withLock { $0 = number }
      let stored = try await things.storeOrUpdate([Thing(id: 1, rev: 7)])
      #expect(stored.value.map(\.id) == [1])
    }
    #expect(
      service.lines
        == Array(repeating: ["GET /things/1", "PATCH /things/1"], count: 3).flatMap(\.self))
    #expect(
      service.asked.elements.compactMap { $0.headers["If-Match"] } == [#""1""#, #""2""#, #""3""#])
    let base = WriteBase(model: nil as Thing?, condition: .version(nil))
    _ = try await WriteBase.$current.withValue(base) {
      try await things.updateOne(Thing(id: 1))
    }
    #expect(service.asked.elements.last?.headers["If-Match"] == #""3""#)
  }

  @Test func `Where a service compares no versions the check sends none`() async throws {
    let service = Scripted { _ in (200, ["etag": #""1""#], #"{"id": 1}"#) }
    let things = try service.things {
      $0.sendsIfMatch = false
      $0.routes.storeOrUpdateOne = nil
      $0.routes.updateOne.onlyIfPresent = true
    }
    _ = try await things.storeOrUpdate([Thing(id: 1)])
    #expect(service.lines == ["GET /things/1", "PATCH /things/1"])
    #expect(service.asked.elements.last?.headers["If-Match"] == nil)
  }
}
