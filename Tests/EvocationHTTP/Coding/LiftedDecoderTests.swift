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

  /// As in the example at the beginning of JSON:API 1.1.
  private struct Article: Codable, Identifiable, Equatable, Sendable {
    var id: String
    var title: String
    var author: Int?
    var comments: [String] = []
    var editor: String?
  }

  @Test func `The ids of related resources are properties, read and written`() async throws {
    let article = #"""
      {"type": "articles", "id": "1", "attributes": {"title": "JSON:API paints my bikeshed!"},
       "relationships": {
         "author": {"links": {"related": "/articles/1/author"}, "data": {"type": "people", "id": "9"}},
         "comments": {"data": [{"type": "comments", "id": "5"}, {"type": "comments", "id": "12"}]},
         "editor": {"data": null}},
       "links": {"self": "http://example.com/articles/1"}}
      """#
    let service = Scripted { request in
      let isOne = request.method != "GET" || request.url.lastPathComponent == "1"
      return (200, [:], isOne ? #"{"data": \#(article)}"# : #"{"data": [\#(article)]}"#)
    }
    var format = HTTPFormat.jsonAPI
    format.type = "articles"
    format.relationships = ["author": "people", "comments": "comments", "editor": "people"]
    let articles: HTTPRepository<Article> = try repository(service, "rev", format)
    var read = Article(id: "1", title: "JSON:API paints my bikeshed!", author: 9)
    read.comments = ["5", "12"]
    #expect(try await articles.find(Criteria()).value == [read])
    #expect(try await articles.findOne(["id": "1"]).value == read)
    var changed = read
    (changed.author, changed.comments) = (nil, ["7"])
    _ = try await articles.updateOne(changed)
    _ = try await articles.storeOne(Article(id: "2", title: "x", author: 3, editor: "4"))
    let bodies = service.asked.elements.suffix(2).map { request in
      String(decoding: request.body ?? Data(), as: UTF8.self)
    }
    #expect(
      bodies[0] == #"{"data":{"attributes":{},"id":"1","relationships":{"author":{"data":null},"#
        + #""comments":{"data":[{"id":"7","type":"comments"}]}},"type":"articles"}}"#)
    #expect(
      bodies[1] == #"{"data":{"attributes":{"title":"x"},"id":"2","relationships":{"#
        + #""author":{"data":{"id":"3","type":"people"}},"comments":{"data":[]},"#
        + #""editor":{"data":{"id":"4","type":"people"}}},"type":"articles"}}"#)
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
