import Evocation
import EvocationHTTP
import Foundation
import TestTraits
import Testing
import TransportSuite

/// Services that put a model's properties into an object beside its id, and all that is read there.
@Suite(.patient) struct LiftedDecoderTests {
  private struct Car: Codable, Identifiable, Equatable, Sendable {
    var id: String
    var name: String
  }

  private struct RevisedCar: Codable, Identifiable, Sendable {
    var id: String
    var rev: Int?
  }

  private func repository<Model>(
    _ service: Scripted, _ version: String, _ format: HTTPFormat = .jsonAPI
  ) throws -> HTTPRepository<Model> {
    var setup = Setup(format)
    setup.transport = service
    setup.version = .property(version)
    let url = try #require(URL(string: "https://example.com"))
    return HTTPRepository(at: url, "cars", setup)
  }

  @Test(
    arguments: [
      (#"{"id": "1", "attributes": {"name": "a", "rev": 7}}"#, "rev"),
      (#"{"id": "1", "attributes": {"name": "a", "rev": 7}}"#, "attributes.rev"),
      (#"{"id": "1", "rev": 7, "attributes": {"name": "a"}}"#, "rev"),
      (#"{"id": "1", "meta": {"rev": 7}, "attributes": {"name": "a"}}"#, "meta.rev"),
      (#"{"id": "1", "attributes": {"name": "a", "meta": {"rev": 7}}}"#, "meta.rev"),
    ])
  func `A version is read where the properties are, or beside them`(
    car: String, place: String
  ) async throws {
    let service = Scripted { request in
      let isOne = request.method != "GET" || request.url.lastPathComponent == "1"
      return (200, [:], isOne ? #"{"data": \#(car)}"# : #"{"data": [\#(car)]}"#)
    }
    let cars: HTTPRepository<Car> = try repository(service, place)
    #expect(try await cars.find(Criteria()).versions == ["7"])
    #expect(try await cars.findOne(["id": "1"]).versions == ["7"])
    #expect(try await cars.updateOne(Car(id: "1", name: "b")).versions == ["7"])
    #expect(service.asked.elements.last?.headers["If-Match"] == #""7""#)
    // A version that the model itself has counts as the base of its change.
    let revised: HTTPRepository<RevisedCar> = try repository(service, place)
    _ = try await revised.updateOne(RevisedCar(id: "1", rev: 6))
    let isOwn = !place.hasPrefix("meta")
    #expect(service.asked.elements.last?.headers["If-Match"] == (isOwn ? #""6""# : nil))
  }

  @Test func `The version of the service's model in a conflict is read there too`() async throws {
    let service = Scripted { _ in
      (412, [:], #"{"data": {"id": "1", "attributes": {"name": "theirs", "rev": 8}}}"#)
    }
    let cars: HTTPRepository<Car> = try repository(service, "rev")
    let error = await failure { try await cars.updateOne(Car(id: "1", name: "b")) } as? HTTPError
    #expect(error?.current as? Car == Car(id: "1", name: "theirs"))
    #expect(error?.currentVersion == "8")
  }

  @Test(arguments: [
    #"{"id": "2", "attributes": {"deleted": true}}"#, #"{"id": "2", "deleted": true}"#,
    #"{"attributes": {"id": "2", "deleted": true}}"#,
    #"{"id": "2", "deleted": true, "attributes": {"name": "x"}}"#,
  ])
  func `A removed model is recognized where the properties are, or beside them`(
    car: String
  )
    async throws
  {
    let service = Scripted { _ in
      (
        200, [:],
        #"{"data": [{"id": "1", "attributes": {"name": "a", "deleted": false}}, \#(car)], "mark": "m"}"#
      )
    }
    var format = HTTPFormat.jsonAPI
    format.next = .never
    format.changes = .init(since: "since", mark: .key("mark"))
    let cars: HTTPRepository<Car> = try repository(service, "rev", format)
    let changes = try #require(try await cars.changes(Criteria(), since: "0").value)
    #expect(changes.models == [Car(id: "1", name: "a")])
    #expect(changes.removed == [.text("2")])
  }

  @Test func `A removed model of a list by id has the id under which it is`() async throws {
    let service = Scripted { _ in (200, [:], #"{"1": {"name": "a"}, "2": {"deleted": true}}"#) }
    var format = HTTPFormat.rest
    format.listsByID = true
    format.next = .never
    format.changes = .init(since: "since", mark: .header("ETag"))
    let cars: HTTPRepository<Car> = try repository(service, "rev", format)
    let changes = try #require(try await cars.changes(Criteria(), since: "0").value)
    #expect(changes.models == [Car(id: "1", name: "a")])
    #expect(changes.removed == [.text("2")])
  }
}
