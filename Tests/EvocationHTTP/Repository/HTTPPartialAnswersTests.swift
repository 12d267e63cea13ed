import Evocation
import EvocationHTTP
import Fixtures
import Foundation
import TestTraits
import Testing

@testable import TransportSuite

/// Answers to writes that have an id, a version or a tag, and no model.
@Suite(.patient) struct HTTPPartialAnswersTests {
  /// A model that is not whole without its name.
  private struct Note: Codable, Identifiable, Hashable, Sendable {
    enum CodingKeys: String, CodingKey {
      case id = "_id"
      case name, made
    }
    var id: String
    var name: String
    var made: Int?
  }

  private static func notes(
    _ service: Scripted, _ change: (inout Setup) -> Void = { _ in }
  ) throws -> HTTPRepository<Note> {
    var setup = Setup(.rest)
    setup.transport = service
    setup.identifierKey = "_id"
    setup.version = .property("_etag")
    setup.identifiers = .placeholder { $0.isEmpty }
    change(&setup)
    return HTTPRepository(at: try #require(URL(string: "https://example.com")), "notes", setup)
  }

  @Test(arguments: [true, false], [true, false])
  func `A new model has the id of an answer without a model, and its version`(
    answersModels: Bool, isInAttributes: Bool
  ) async throws {
    let answer =
      isInAttributes
      ? #"{"_id": "7", "attributes": {"_etag": "a"}}"# : #"{"_id": "7", "_etag": "a", "made": 3}"#
    let service = Scripted { _ in (201, [:], answer) }
    let notes = try Self.notes(service) {
      $0.routes.storeOne.answersModels = answersModels
      if isInAttributes { $0.format.attributes = "attributes" }
    }
    let stored = try await notes.storeOne(Note(id: "", name: "mine"))
    let made = answersModels && !isInAttributes ? 3 : nil
    #expect(stored.value == Note(id: "7", name: "mine", made: made))
    #expect(stored.versions == ["a"])
    _ = try await notes.updateOne(Note(id: "7", name: "more"))
    #expect(service.lines == ["POST /notes", "PATCH /notes/7"])
    #expect(service.asked.elements.last?.headers["If-Match"] == "\"a\"")
  }

  @Test func `A change has the version of an answer without a model`() async throws {
    let count = Lock(0)
    let service = Scripted { _ in
      let tag = count.withLock { count in
        count += 1
        return count
      }
      return (200, [:], #"[{"_id": "7", "_etag": "\#(tag)", "_status": "OK"}]"#)
    }
    let notes = try Self.notes(service)
    for name in ["one", "two"] {
      let note = Note(id: "7", name: name)
      #expect(try await notes.updateOne(note).value == note)
    }
    #expect(service.asked.elements.map { $0.headers["If-Match"] } == [nil, "\"1\""])
  }

  @Test func `What an answer says of its own work is no property, where it has no models`()
    async throws
  {
    struct Job: Codable, Identifiable, Hashable, Sendable {
      var id: Int
      var status: String
    }
    for answer in [#"{"id": 7, "status": "ok"}"#, #"{"id": 9, "status": "ok"}"#, "[]", "7", "ok"] {
      var setup = Setup(.rest)
      setup.transport = Scripted { _ in (200, [:], answer) }
      setup.routes.updateOne.answersModels = false
      let url = try #require(URL(string: "https://example.com"))
      let jobs = HTTPRepository<Job>(at: url, "jobs", setup)
      let job = Job(id: 7, status: "waiting")
      #expect(try await jobs.updateOne(job).value == job)
    }
  }

  @Test func `An answer without an id, or with another's, is no answer with a model`() async throws
  {
    for (answer, answersModels, id) in [
      (#"{"_etag": "a"}"#, true, ""), (#"{"_etag": "a"}"#, false, ""), ("{}", true, "7"),
      (#"{"_id": "9", "_etag": "a"}"#, true, "7"), (#"{"_id": 9, "name": 7}"#, true, "7"),
    ] {
      let notes = try Self.notes(Scripted { _ in (200, [:], answer) }) {
        $0.routes.storeOne.answersModels = answersModels
      }
      let error = await failure { try await notes.storeOne(Note(id: id, name: "mine")) }
      #expect((error as? HTTPError)?.code == .undecodable, "\(answer)")
      #expect((error as? HTTPError)?.failureScope == .carriedOut)
    }
  }

  @Test func `An answer has the id of a new model under a key of its own`() async throws {
    // As the documentation of Firebase's REST API has it.
    let service = Scripted { _ in (200, [:], #"{"name": "-INOQPH-aV_psbk3ZXEX"}"#) }
    func notes(at place: String) throws -> HTTPRepository<Note> {
      try Self.notes(service) {
        $0.routes.storeOne = .init("POST", "{path}.json")
        $0.routes.storeOne.answeredID = place
        $0.identifiers = .service
      }
    }
    let stored = try await notes(at: "name").storeOne(Note(id: "", name: "mine"))
    #expect(stored.value == Note(id: "-INOQPH-aV_psbk3ZXEX", name: "mine"))
    let error = await failure { try await notes(at: "key").storeOne(Note(id: "", name: "mine")) }
    #expect((error as? HTTPError)?.failureScope == .carriedOut)
  }

  @Test func `One object of Firebase has the id of its place`() async throws {
    struct Person: Codable, Identifiable, Hashable, Sendable {
      var id: String
      var first, last: String
    }
    var setup = Setup(.rest)
    setup.transport = Scripted { _ in (200, [:], #"{"first": "Jack", "last": "Sparrow"}"#) }
    setup.format.routes = .firebase
    setup.format.listsByID = true
    let url = try #require(URL(string: "https://example.com"))
    let users = HTTPRepository<Person>(at: url, "users", setup)
    let jack = Person(id: "jack", first: "Jack", last: "Sparrow")
    #expect(try await users.findOne(["id": "jack"]).value == jack)
  }

  @Test func `The tag of a creation is sent with the first change`() async throws {
    let service = Scripted { request in
      (request.method == "POST" ? 201 : 200, ["ETag": "\"a\""], #"{"_id": "7"}"#)
    }
    let notes = try Self.notes(service) { $0.version = .entityTag }
    let stored = try await notes.storeOne(Note(id: "", name: "mine"))
    #expect(stored.value?.id == "7" && stored.versions == ["\"a\""])
    _ = try await notes.updateOne(Note(id: "7", name: "more"))
    #expect(service.asked.elements.last?.headers["If-Match"] == "\"a\"")
  }

  /// A service without versions, which makes what a change does not find.
  private static func present(_ note: Lock<Note>) -> Scripted {
    Scripted { request in
      let present = note.withLock { $0 }
      let text = #"{"_id": "7", "name": "\#(present.name)"}"#
      return (200, [:], request.url.path() == "/notes" ? "[\(text)]" : text)
    }
  }

  @Test(arguments: [true, false])
  func `A check compares with what the change was made on, and not with what it reads`(
    hasBase: Bool
  ) async throws {
    let present = Lock(Note(id: "7", name: "a"))
    let service = Self.present(present)
    let notes = try Self.notes(service) { $0.routes.updateOne.onlyIfPresent = true }
    let base = try #require(try await notes.find(Criteria()).value.first)
    var mine = base
    mine.name = "mine"
    present.withLock { $0.name = "theirs" }
    let other =
      hasBase ? try Self.notes(service) { $0.routes.updateOne.onlyIfPresent = true } : notes
    let edited = mine
    let error = await failure {
      try await WriteBase.$current.withValue(hasBase ? WriteBase(model: base) : nil) {
        try await other.updateOne(edited)
      }
    }
    let conflict = try #require(error as? HTTPError)
    #expect(conflict.code == .preconditionFailed && conflict.failureKind == .conflict)
    #expect(conflict.current as? Note == present.withLock { $0 })
    #expect(
      "\(conflict)"
        == "PATCH /notes/7 was not sent, because the model has changed on the server; fetch the "
        + "model and try again.")
    #expect(service.lines == ["GET /notes", "GET /notes/7"])
    // Read again, it is what the next change is made on; and one for any version is compared with none.
    _ = try await other.updateOne(edited)
    present.withLock { $0.name = "more" }
    let any = WriteBase(model: base, condition: .version(nil))
    _ = try await WriteBase.$current.withValue(any) { try await other.updateOne(edited) }
    #expect(service.lines.suffix(4).filter { $0.hasPrefix("PATCH") }.count == 2)
  }
}
