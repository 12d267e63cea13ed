import Evocation
import EvocationHTTP
import Foundation
import TestTraits
import Testing
import TransportSuite

/// An update sends what the app has changed.
@Suite(.patient) struct HTTPChangedKeysTests {
  struct Note: Codable, Identifiable, Hashable, Sendable {
    var id: Int
    var title: String
    var body: String?
  }

  private static func notes(
    _ service: Scripted, _ change: (inout HTTPFormat) -> Void = { _ in }
  ) throws -> HTTPRepository<Note> {
    var configuration = HTTPService.Configuration()
    configuration.transport = service
    var format = HTTPFormat.rest
    change(&format)
    let url = try #require(URL(string: "https://example.com"))
    return HTTPRepository(HTTPService(url, configuration: configuration), "notes", format: format)
  }

  private static func bodies(_ service: Scripted) -> [String] {
    service.asked.elements.filter { $0.method != "GET" }
      .map { String(decoding: $0.body ?? Data(), as: UTF8.self) }
  }

  /// A service whose lists have no bodies.
  private static func summaries() -> Scripted {
    Scripted { request in
      request.method == "GET" && request.url.path() == "/notes"
        ? (200, [:], #"[{"id": 1, "title": "a"}]"#)
        : (200, [:], #"{"id": 1, "title": "b", "body": "long"}"#)
    }
  }

  @Test func `By default, and never the id`() async throws {
    let service = Self.summaries()
    let notes = try Self.notes(service)
    var note = try #require(try await notes.find(Criteria()).value.first)
    note.title = "b"
    _ = try await notes.updateOne(note)
    _ = try await notes.updateOne(Note(id: 2, title: "x", body: nil))
    #expect(Self.bodies(service).last?.contains("id") == false)
    #expect(Self.bodies(service).first == #"{"title":"b"}"#)
  }

  @Test func `A PUT of a model of which nobody has read all is refused by the keys it lacks`()
    async throws
  {
    let service = Self.summaries()
    let notes = try Self.notes(service) {
      $0.routes.updateOne = .init("PUT", "{path}/{id}")
    }
    var note = try #require(try await notes.find(Criteria()).value.first)
    note.title = "b"
    let error = await failure { try await notes.updateOne(note) } as? HTTPError
    #expect(error?.code == .incompleteModel)
    #expect(
      error?.description
        == "PUT /notes/1 was not sent, because it would clear \"body\" of Note, which no answer of "
        + "the server had; read the model by its id first, or set the route to a PATCH.")
    #expect(error?.failureKind == .permanent && error?.failureScope == .write)
    note = try #require(try await notes.findOne(["id": 1]).value)
    note.title = "c"
    #expect(try await notes.updateOne(note).value != nil)
  }

  @Test func `A key that does not come back through the coders is named before anything is sent`()
    async throws
  {
    struct User: Codable, Identifiable, Hashable, Sendable {
      struct Avatar: Codable, Hashable, Sendable { var imageURL: String? }
      var id: Int
      var userName: String?
      var avatar: Avatar?
    }
    let service = Scripted { _ in (200, [:], "[]") }
    var configuration = HTTPService.Configuration()
    configuration.transport = service
    var format = HTTPFormat.rest
    format.encoder = {
      let encoder = HTTPFormat.defaultEncoder()
      encoder.keyEncodingStrategy = .convertToSnakeCase
      return encoder
    }
    format.decoder = {
      let decoder = HTTPFormat.defaultDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      return decoder
    }
    let url = try #require(URL(string: "https://example.com"))
    let users = HTTPRepository<User>(
      HTTPService(url, configuration: configuration), "users", format: format)
    #expect(
      users.configurationError?.description.contains(
        "the encoder writes the coding key \"imageURL\" as \"image_url\", which the decoder reads as "
          + "\"imageUrl\"") == true)
    await #expect(throws: HTTPError.self) { try await users.find(Criteria()) }
    #expect(service.lines.isEmpty)
    let things = try service.things {
      $0.format.encoder = format.encoder; $0.format.decoder = format.decoder
    }
    #expect(things.configurationError == nil)
  }

  @Test(arguments: ["", "[{\"id\": 1", "<html>Sign in</html>"])
  func `A read whose answer is no JSON may succeed the next time`(body: String) async throws {
    let things = try Scripted { _ in (200, [:], body) }.things()
    let error = await failure { try await things.find(Criteria()) } as? HTTPError
    #expect(error?.code == .undecodable && error?.failureKind == .transient)
    let other = try Scripted { _ in (200, [:], #"{"things": []}"#) }.things()
    let permanent = await failure { try await other.find(Criteria()) } as? HTTPError
    #expect(permanent?.failureKind == .permanent)
  }

  @Test(arguments: [
    ("120", 120.0), ("Sun, 06 Nov 1994 08:50:37 GMT", 60), ("Sunday, 06-Nov-94 08:50:37 GMT", 60),
    ("Sun Nov  6 08:50:37 1994", 60), ("0x20", nil), ("infinity", nil), ("1e3", nil),
  ])
  func `A wait is read in all forms of RFC 9110, and no other`(
    text: String, seconds: Double?
  )
    async throws
  {
    let things = try Scripted { _ in
      (503, ["Retry-After": text, "Date": "Sun, 06 Nov 1994 08:49:37 GMT"], "")
    }.things()
    let error = await failure { try await things.find(Criteria()) } as? HTTPError
    #expect(error?.retryAfter == seconds.map { .seconds($0) })
  }

  @Test func `An answer that must not be stored is not, however that is written`() async throws {
    let service = Scripted { _ in (200, ["ETag": "\"1\"", "Cache-Control": "No-Store"], "[]") }
    let things = try service.things()
    for _ in 1...2 { _ = try await things.find(Criteria()) }
    #expect(service.asked.elements.allSatisfy { $0.headers["If-None-Match"] == nil })
  }
}
