import Evocation
import EvocationHTTP
import Fixtures
import Foundation
import TestTraits
import Testing
import TransportSuite

/// What is written once is written once, on what it was made on, and what became of it is said.
@Suite(.patient) struct HTTPHonestWritesTests {
  private static func one(_ thing: Thing) -> String {
    String(Thing.json([thing]).dropFirst().dropLast())
  }

  @Test func `A write whose answer is lost is not sent again, and says that it may have arrived`()
    async throws
  {
    let service = Scripted { request in
      guard request.method == "GET" else { throw HTTPError(.connectionLost) }
      return (200, [:], "[]")
    }
    let things = try service.things()
    let error = await failure { try await things.storeOne(Thing(id: 1)) } as? HTTPError
    #expect(error?.failureKind == .transient)
    #expect(
      error?.description.hasSuffix(
        "was complete, so the server may have applied it; look at what the server has before you "
          + "send it again.") == true)
    let late = try Scripted { _ in throw HTTPError(.timedOut) }.things()
    let timeout = await failure { try await late.storeOne(Thing(id: 1)) }
    #expect("\(timeout as Any)".contains("got no answer within its timeout, so the server may"))
    _ = await failure { try await things.removeOne(Thing(id: 1)) }
    #expect(service.lines == ["POST /things", "DELETE /things/1"])
    let known = try service.things { $0.idempotency = .key("Key") }
    _ = await failure { try await known.storeOne(Thing(id: 1)) }
    let keys = service.asked.elements.suffix(2).map { $0.headers["Key"] }
    #expect(service.lines.suffix(2) == ["POST /things", "POST /things"] && Set(keys).count == 1)
  }

  @Test func `What is edited after others changed it is refused by the version in the model`()
    async throws
  {
    let rev = Lock(1)
    let service = Scripted { request in
      let now = rev.withLock { $0 }
      if request.method == "PATCH", request.headers["If-Match"] != "\"\(now)\"" {
        return (412, [:], "{}")
      }
      return (
        200, [:],
        request.url.path().hasSuffix("/1")
          ? Self.one(Thing(id: 1, rev: now)) : Thing.json([Thing(id: 1, rev: now)])
      )
    }
    let things = try service.things { $0.version = .property("rev") }
    var mine = try #require(try await things.findOne(["id": 1]).value)
    mine.name = "mine"
    rev.withLock { $0 = 2 }
    #expect(try await things.find(Criteria()).value.first?.rev == 2)
    let edited = mine
    let error = await failure { try await things.updateOne(edited) } as? HTTPError
    #expect(error?.code == .preconditionFailed)
    // What is sent of it is not what differs from what others have made of it meanwhile.
    let differing = try service.things {
      $0.version = .property("rev")
      $0.routes.updateOne.sendsChanges = true
    }
    _ = try await differing.find(Criteria())
    _ = await failure { try await differing.updateOne(edited) }
    let sent = service.asked.elements.last { $0.method == "PATCH" }
    let body = sent?.body.map { String(decoding: $0, as: UTF8.self) }
    #expect(body == #"{"name":"mine","rev":1}"#)
  }

  @Test func `What a prefetch brings is what the next change is compared with`() async throws {
    let name = Lock("a")
    let service = Scripted { request in
      let thing = Thing(id: 1, name: name.withLock { $0 })
      return (200, [:], request.url.path().hasSuffix("/1") ? Self.one(thing) : Thing.json([thing]))
    }
    let things = try service.things { $0.routes.updateOne.sendsChanges = true }
    _ = try await things.findOne(["id": 1])
    name.withLock { $0 = "b" }
    _ = try await things.find(Criteria(), inBatchesOf: 10) { _ in }
    _ = try await things.updateOne(Thing(id: 1, name: "a"))
    let sent = service.asked.elements.last
    #expect(sent?.method == "PATCH")
    #expect(sent?.body.map { String(decoding: $0, as: UTF8.self) } == #"{"name":"a"}"#)
  }

  @Test func `A change that is taken back after its answer was lost is sent`() async throws {
    let isLost = Lock(true)
    let service = Scripted { request in
      if request.method == "PATCH", isLost.withLock({ $0 }) { throw HTTPError(.timedOut) }
      return (200, [:], Self.one(Thing(id: 1, name: "a")))
    }
    let things = try service.things { $0.routes.updateOne.sendsChanges = true }
    let known = try #require(try await things.findOne(["id": 1]).value)
    _ = await failure { try await things.updateOne(Thing(id: 1, name: "b")) }
    isLost.withLock { $0 = false }
    let base = WriteBase(model: known, condition: .remembered)
    try await WriteBase.$current.withValue(base) { _ = try await things.updateOne(known) }
    let body = service.asked.elements.last?.body.map { String(decoding: $0, as: UTF8.self) }
    #expect(body?.contains(#""name":"a""#) == true && service.asked.elements.count == 3)
  }

  @Test func `A write that is redirected keeps what it depends on, and loses what is secret`()
    async throws
  {
    let service = Scripted { request in
      guard request.url.host() == "example.com" else {
        return (200, [:], Self.one(Thing(id: 1)))
      }
      guard request.method != "GET" else {
        return (200, ["ETag": "\"v1\""], Self.one(Thing(id: 1)))
      }
      return (307, ["Location": "https://eu.example.com/things/1"], "")
    }
    let things = try service.things {
      $0.redirectHosts = ["eu.example.com"]
      $0.idempotency = .key("X-Once")
      $0.service.headers = ["X-Key": "secret"]
      $0.format.headers = ["apikey": "secret"]
      $0.authorization = { _ in "Bearer secret" }
      $0.routes.updateOne.headers = ["Prefer": "return=representation"]
      $0.prepare = { $0.headers["X-Signature"] = "secret" }
    }
    _ = try await things.findOne(["id": 1])
    _ = try await things.updateOne(Thing(id: 1, name: "x"))
    let sent = try #require(service.asked.elements.last)
    #expect(sent.url.host() == "eu.example.com" && sent.headers["If-Match"] == "\"v1\"")
    #expect(sent.headers["Prefer"] == "return=representation" && sent.body != nil)
    #expect(sent.headers["X-Once"] != nil)
    #expect(!sent.headers.values.contains { $0.contains("secret") })
    // The other host's refusal renews no credential, since it was given none.
    let asked = Record<HTTPService.Occasion>()
    let elsewhere = Scripted { request in
      request.url.host() == "example.com"
        ? (302, ["Location": "https://cdn.example.com/x"], "") : (401, [:], "")
    }
    let images = try elsewhere.things {
      $0.authorization = { occasion in
        asked.append(occasion)
        return "Bearer secret"
      }
    }
    _ = await failure { try await images.find(Criteria()) }
    #expect(asked.elements == [.request])
  }

  @Test func `A part of a list keeps its range when it is redirected`() async throws {
    let service = Scripted { request in
      request.url.host() == "example.com"
        ? (307, ["Location": "https://eu.example.com/things"], "") : (206, [:], "[]")
    }
    let things = try service.things { $0.filters.paging = .range(unit: "items") }
    _ = try await things.find(Criteria().limit(10))
    #expect(service.asked.elements.last?.headers["Range"] == "items=0-9")
  }

  @Test func `A new model that the answer only names is read where it is`() async throws {
    let isGone = Lock(false)
    let service = Scripted { request in
      guard request.method == "POST" else {
        return isGone.withLock { $0 } ? (500, [:], "") : (200, [:], Self.one(Thing(id: 7)))
      }
      return (201, ["Location": "/things/7"], "")
    }
    let things = try service.things { $0.identifiers = .service }
    #expect(try await things.storeOne(Thing(id: 0)).value?.id == 7)
    #expect(service.lines == ["POST /things", "GET /things/7"])
    isGone.withLock { $0 = true }
    let error = await failure { try await things.storeOne(Thing(id: 0)) } as? HTTPError
    #expect(error?.failureScope == .carriedOut)
    let silent = try Scripted { _ in (201, [:], "") }.things { $0.identifiers = .service }
    let nothing = await failure { try await silent.storeOne(Thing(id: 0)) } as? HTTPError
    #expect(nothing?.failureScope == .carriedOut)
    #expect("\(nothing as Any)".contains("no model, so its id is unknown"))
  }

  @Test func `One model is never written by a route for several, nor several unless it is named`()
    async throws
  {
    let service = Scripted { _ in (200, [:], "") }
    let (plain, bulk) = (try service.things(), try service.things { $0.format = .bulk })
    for things in [plain, bulk] {
      _ = try await things.remove([Thing(id: 1)])
      _ = try await things.update([Thing(id: 1)])
    }
    #expect(
      service.lines
        == Array(repeating: ["DELETE /things/1", "PATCH /things/1"], count: 2).flatMap(\.self))
    _ = try await plain.remove(Thing.list(2))
    #expect(service.lines.suffix(2) == ["DELETE /things/1", "DELETE /things/2"])
    _ = try await bulk.remove(Thing.list(2))
    #expect(service.lines.last?.removingPercentEncoding == "DELETE /things?id[in]=1,2")
  }

  @Test func `A bulk write is as long as the route allows, and may have the ids in its body`()
    async throws
  {
    let service = Scripted { _ in (200, [:], "") }
    let things = try service.things {
      $0.routes.store?.most = 10
      $0.routes.store?.answersModels = false
      $0.routes.remove = .init("DELETE")
      $0.routes.remove?.sendsIDs = true
    }
    _ = try await things.store(Thing.list(25))
    #expect(service.lines.count == 3)
    _ = try await things.remove(Thing.list(3))
    let body = service.asked.elements.last?.body.map { String(decoding: $0, as: UTF8.self) }
    #expect(body == "[1,2,3]" && service.lines.last == "DELETE /things")
  }

  @Test func `Several models are given in the order in which they were sent`() async throws {
    func stored(
      _ models: [Thing], answer: String, _ change: (inout Setup) -> Void = { _ in }
    ) async throws -> Response<[Thing]> {
      let service = Scripted { _ in (201, [:], answer) }
      return try await service.things("things", change).store(models)
    }
    let backwards = Array(Thing.list(4).reversed())
    let sorted = try await stored(backwards, answer: Thing.json(Thing.list(4)))
    #expect(sorted.value == backwards)
    // Two are equal, one has a name of the service's, and one less in it than another.
    let new = ["b", "a", nil, "b", "x"].map { Thing(id: 0, name: $0) }
    let made = [
      Thing(id: 1, name: "a", rev: 9), Thing(id: 2, name: "b", rev: 8),
      Thing(id: 3, name: "b", rev: 7), Thing(id: 4, name: "c", rev: 6),
      Thing(id: 5, name: "c", rev: 5),
    ]
    let answer = try await stored(new, answer: Thing.json(made)) {
      $0.identifiers = .service
      $0.version = .property("rev")
    }
    #expect(answer.value.map(\.id) == [2, 1, 4, 3, 5])
    #expect(answer.versions == ["8", "9", "6", "7", "5"])
    let many = (0..<5000).map { Thing(id: 0, name: "\($0 / 2)") }
    let reversed = many.enumerated().map { Thing(id: $0 + 1, name: $1.name) }.reversed()
    let all = try await stored(many, answer: Thing.json(Array(reversed))) {
      $0.identifiers = .service
    }
    #expect(all.value.map(\.name) == many.map(\.name) && Set(all.value.map(\.id)).count == 5000)
    let fewer = try await stored(backwards, answer: Thing.json(Thing.list(2)))
    #expect(fewer.value == Thing.list(2))
  }

  @Test func `Answers for each model say which were written, and which not`() async throws {
    let answer =
      #"[{"status": 201, "body": {"id": 1}}, {"status": 422, "body": {"message": "no"}}]"#
    for (status, body, change) in [
      (207, answer, { _ in }), (207, #"{"results": \#(answer)}"#, { _ in }),
      (
        200, answer.replacing("body", with: "data"),
        { $0.items = HTTPFormat.Items(status: "status", body: "data") }
      ),
    ] as [(Int, String, (inout Setup) -> Void)] {
      let things = try Scripted { _ in (status, [:], body) }.things("things", change)
      let error = await failure { try await things.store(Thing.list(2)) } as? HTTPPartialError
      #expect(error?.done == ["1"] && error?.failed == ["2"])
      #expect((error?.underlying as? HTTPError)?.message == "no")
    }
    let all = #"[{"status": 201, "id": 1}, {"status": 200, "id": 2}]"#
    let things = try Scripted { _ in (207, [:], all) }.things()
    #expect(try await things.store(Thing.list(2)).value == Thing.list(2))
    for body in ["", "[]", "{}"] {
      let silent = try Scripted { _ in (207, [:], body) }.things()
      let error = await failure { try await silent.store(Thing.list(2)) } as? HTTPError
      #expect(error?.failureScope == .carriedOut)
    }
  }

  @Test func `A credential that a batch refuses within is renewed, and what was done stays done`()
    async throws
  {
    let service = Scripted { request in
      let isNew = request.headers["Authorization"] == "new"
      let body = request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
      let parts = [1, 2].filter { body.contains("/things/\($0)") }.map { id in
        id == 1 || isNew
          ? #"{"status": 201, "body": {"id": \#(id)}}"# : #"{"status": 401, "body": null}"#
      }
      return (200, [:], #"{"responses": [\#(parts.joined(separator: ","))]}"#)
    }
    let things = try service.things {
      $0.routes = .restOneByOne
      $0.routes.storeOne = .init("PUT", "{path}/{id}")
      $0.batch = .init("batch", size: 10)
      $0.authorization = { $0 == .refusal ? "new" : "old" }
    }
    #expect(try await things.store(Thing.list(2)).value == Thing.list(2))
    #expect(service.lines == ["POST /batch", "POST /batch"])
    let again = service.asked.elements.last?.body.map { String(decoding: $0, as: UTF8.self) }
    #expect(again?.contains("/things/1") == false)
  }

  @Test func `A removal in a batch that is answered by null is done`() async throws {
    let service = Scripted { _ in
      (200, [:], #"{"responses": [{"status": 204, "body": null}, {"status": 204, "body": null}]}"#)
    }
    let things = try service.things {
      $0.routes = .restOneByOne
      $0.batch = .init("batch", size: 10)
    }
    #expect(try await things.remove(Thing.list(2)).value == Thing.list(2))
  }
}

/// Values and bodies as services have them.
@Suite(.patient) struct HTTPValuesTests {
  private struct Note: Codable, Identifiable, Hashable, Sendable {
    var id: UUID
    var text: String?
  }

  @Test(arguments: [true, false])
  func `A UUID is written as it was read`(isSmall: Bool) async throws {
    let id = try #require(UUID(uuidString: "0D5C7A3E-1111-4222-8333-ABCDEFABCDEF"))
    let text = isSmall ? id.uuidString.lowercased() : id.uuidString
    let service = Scripted { request in
      (200, [:], request.url.path() == "/notes" ? #"[{"id": "\#(text)"}]"# : #"{"id": "\#(text)"}"#)
    }
    var setup = Setup(.rest)
    setup.transport = service
    let url = try #require(URL(string: "https://example.com"))
    let notes = HTTPRepository<Note>(at: url, "notes", setup)
    let note = try #require(try await notes.find(Criteria()).value.first)
    _ = try await notes.storeOne(note)
    _ = try await notes.updateOne(note)
    _ = try await notes.find(Criteria.Key("id").in([id]))
    #expect(
      service.lines == [
        "GET /notes", "POST /notes", "PATCH /notes/\(text)", "GET /notes?id%5Bin%5D=\(text)",
      ])
    let body = service.asked.elements[1].body.map { String(decoding: $0, as: UTF8.self) }
    #expect(body?.contains(text) == true)
    // Until one was read, the format says it.
    setup.lowercasesUUIDs = isSmall
    let fresh = HTTPRepository<Note>(at: url, "notes", setup)
    _ = try await fresh.findOne(["id": id])
    #expect(service.lines.last == "GET /notes/\(text)")
  }

  @Test func `No models are null, or nothing at all, where the route says so`() async throws {
    for (status, body) in [(200, "null"), (204, ""), (200, #"{"data": null}"#)] {
      let service = Scripted { _ in (status, [:], body) }
      for isSaid in [true, false] {
        let things = try service.things {
          $0.envelope = body.hasPrefix("{") ? .key("data") : .none
          $0.routes.find.mayBeEmpty = isSaid
          $0.routes.findOne?.mayBeEmpty = isSaid
        }
        let list = try? await things.find(Criteria()).value
        #expect(list == (isSaid ? [] : nil))
        let one = await failure { try await things.findOne(["id": 1]) }
        #expect((one == nil) == isSaid)
      }
    }
  }

  @Test func `A mark of byte order, UTF-16 and escaped keys are read in lists and in batches`()
    async throws
  {
    for (name, data) in [
      ("UTF-8", Data([0xEF, 0xBB, 0xBF]) + Data(#"{"d\u0061ta": [{"id": 1}]}"#.utf8)),
      ("UTF-16", #"{"data": [{"id": 1}]}"#.data(using: .utf16) ?? Data()),
    ] {
      let things = try Fixed(data: data).things()
      #expect(try await things.find(Criteria()).value == Thing.list(1), "\(name)")
      let count = try await things.find(Criteria(), inBatchesOf: 10) { batch in
        #expect(batch.value == Thing.list(1))
      }
      #expect(count.value == 1)
    }
  }

  /// Gives the same bytes always.
  private struct Fixed: HTTPTransport {
    let data: Data

    func send(_ request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
      HTTPTransportResponse(status: 200, headers: [:], body: Once(data: data))
    }

    func things() throws -> HTTPRepository<Thing> {
      var setup = Setup(.rest)
      setup.transport = self
      setup.envelope = .key("data")
      guard let url = URL(string: "https://example.com") else { throw URLError(.badURL) }
      return HTTPRepository(at: url, "things", setup)
    }

    struct Once: AsyncSequence, Sendable {
      let data: Data

      func makeAsyncIterator() -> Iterator { Iterator(data: data) }

      struct Iterator: AsyncIteratorProtocol {
        fileprivate var data: Data?

        mutating func next() async throws -> Data? {
          defer { data = nil }
          return data
        }
      }
    }
  }

  @Test func `Parameters go to the service, and what it cannot say is done here beside them`()
    async throws
  {
    let service = Scripted { _ in (200, ["X-Total-Count": "20"], Thing.json(Thing.list(20))) }
    let things = try service.things {
      $0.filtersHere = true
      $0.parameters = ["search"]
    }
    let criteria =
      Criteria.Key("search") == "fiat"
      && (Criteria.Key("id") == 1 || Criteria.Key("id") == 2)
    let found = try await things.find(criteria)
    #expect(found.value == Thing.list(2) && found.metadata["totalCount"] == nil)
    #expect(service.lines == ["GET /things?search=fiat"])
    let turned = await failure { try await things.find(Criteria.Key("search") != "fiat") }
    #expect((turned as? HTTPError)?.code == .unsupportedCriteria)
  }

  @Test func `A body is a form, or what the app makes of it`() async throws {
    let service = Scripted { _ in (200, [:], #"{"id": 1}"#) }
    let form = try service.things {
      $0.body = .form
      $0.routes.storeOne.writesNulls = true
    }
    _ = try await form.storeOne(Thing(id: 1, name: "a b&c=ü"))
    let sent = try #require(service.asked.elements.last)
    #expect(sent.headers["Content-Type"] == "application/x-www-form-urlencoded")
    #expect(
      sent.body.map { String(decoding: $0, as: UTF8.self) }
        == "id=1&name=a%20b%26c%3D%C3%BC&rev=")
    let own = try service.things {
      $0.body = HTTPBody(contentType: "text/plain") { Data("<\($0.count)>".utf8) }
    }
    _ = try await own.storeOne(Thing(id: 1))
    #expect(service.asked.elements.last?.body == Data("<8>".utf8))
  }

  @Test func `An app signs each request, and its credential in the query is in no error`()
    async throws
  {
    struct NoKey: Error {}
    let service = Scripted { _ in (500, [:], "") }
    let things = try service.things {
      $0.prepare = { request in
        request.headers["X-Signature"] = "\(request.method) \(request.body?.count ?? 0)"
        request.url.append(queryItems: [.init(name: "auth", value: "secret")])
      }
    }
    let error = await failure { try await things.storeOne(Thing(id: 1)) } as? HTTPError
    #expect(service.asked.elements.last?.headers["X-Signature"] == "POST 8")
    #expect(service.asked.elements.last?.item("auth") == "secret")
    #expect(error?.url?.query() == nil)
    let plain = try service.things {
      $0.prepare = { request in
        request.url = URL(string: "http://example.com/things") ?? request.url
      }
    }
    let insecure = await failure { try await plain.find(Criteria()) } as? HTTPError
    #expect(insecure?.code == .insecure)
    let none = try service.things { $0.prepare = { _ in throw NoKey() } }
    let thrown = await failure { try await none.find(Criteria()) }
    #expect(thrown is NoKey && service.asked.elements.count == 1)
  }

  @Test func `An answer is remembered for one account and one format alone`() async throws {
    let service = Scripted { request in
      let isKnown = request.headers["If-None-Match"] != nil
      return (isKnown ? 304 : 200, ["ETag": "\"1\""], isKnown ? "" : Thing.json(Thing.list(2)))
    }
    var setup = Setup(.rest)
    setup.transport = service
    let url = try #require(URL(string: "https://example.com"))
    let shared = setup.service(at: url)
    var other = setup.format
    other.decoder = { JSONDecoder() }
    for format in [setup.format, other] {
      let things = HTTPRepository<Thing>(shared, "things", format: format)
      for _ in 1...2 { #expect(try await things.find(Criteria()).value == Thing.list(2)) }
    }
    let tags = service.asked.elements.map { $0.headers["If-None-Match"] != nil }
    #expect(tags == [false, true, false, true])
    // Whose it is may lie in what the app adds to the request.
    let prepared = try service.things { $0.prepare = { $0.headers["X-User"] = "1" } }
    for _ in 1...2 { _ = try await prepared.find(Criteria()) }
    #expect(service.asked.elements.suffix(2).allSatisfy { $0.headers["If-None-Match"] == nil })
  }

  @Test func `Models within attributes, and lists by id, are read and written`() async throws {
    let service = Scripted { request in
      guard request.method == "GET" else { return (200, [:], "") }
      return (
        200, [:],
        #"{"data": [{"type": "things", "id": 1, "attributes": {"name": "a"}}, {"id": 2}]}"#
      )
    }
    let things = try service.things { $0.format = .jsonAPI }
    #expect(
      try await things.find(Criteria()).value == [Thing(id: 1, name: "a"), Thing(id: 2)])
    _ = try await things.updateOne(Thing(id: 1, name: "b"))
    let sent = try #require(service.asked.elements.last)
    #expect(
      sent.body.map { String(decoding: $0, as: UTF8.self) }
        == #"{"data":{"attributes":{"name":"b"},"id":1,"type":"things"}}"#)
    #expect(sent.headers["Content-Type"] == "application/vnd.api+json")
    let byID = try Scripted { _ in (200, [:], #"{"2": {"name": "b"}, "1": {"id": 1}}"#) }.things {
      $0.listsByID = true
      $0.routes.find.mayBeEmpty = true
    }
    #expect(try await byID.find(Criteria()).value == [Thing(id: 1), Thing(id: 2, name: "b")])
    let odd = try Scripted { _ in (200, [:], #"{"x": {"name": "b"}}"#) }.things {
      $0.listsByID = true
    }
    let error = await failure { try await odd.find(Criteria()) } as? HTTPError
    let reason = "\(error?.underlying as Any)"
    #expect(reason.contains("The key of the model is not an id."))
  }
}
