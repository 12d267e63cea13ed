import Evocation
import EvocationHTTP
import Foundation
import TestTraits
import Testing
import TransportSuite

/// A service may answer a write with a success that is none.
@Suite(.patient) struct HTTPDoubtfulWritesTests {
  enum Kind: String, CaseIterable, Sendable { case store, update, storeOrUpdate, remove }

  /// A service with one thing, which carries writes out or not, and answers each with a body.
  private static func service(
    _ body: String, type: String? = nil, carriesOut: Bool, findsIn status: Int = 200
  ) -> Scripted {
    let isWritten = Record<String>()
    return Scripted { request in
      guard request.method == "GET" else {
        if carriesOut { isWritten.append(request.method) }
        return (200, type.map { ["Content-Type": $0] } ?? [:], body)
      }
      guard status == 200 else { return (status, [:], "") }
      switch isWritten.elements.last {
      case "DELETE": return (404, [:], "")
      case "POST", "PATCH", "PUT": return (200, [:], #"{"id": 1, "name": "new"}"#)
      default: return request.asksForNew ? (404, [:], "") : (200, [:], #"{"id": 1, "name": "old"}"#)
      }
    }
  }

  private static func write(_ kind: Kind, _ things: HTTPRepository<Thing>) async throws {
    let thing = Thing(id: kind == .store ? 2 : 1, name: "new")
    switch kind {
    case .store: _ = try await things.storeOne(Thing(id: 1, name: "new"))
    case .update: _ = try await things.updateOne(thing)
    case .storeOrUpdate: _ = try await things.storeOrUpdate([thing])
    case .remove: _ = try await things.removeOne(thing)
    }
  }

  static let refusals = [
    #"{"success": false, "error": "quota exceeded"}"#, #"{"error": {"message": "quota exceeded"}}"#,
    #"{"errors": [{"message": "quota exceeded"}]}"#,
    #"{"status": "error", "message": "quota exceeded"}"#,
    #"{"status": "fail", "message": "quota exceeded"}"#,
  ]

  @Test(arguments: refusals, Kind.allCases)
  func `A success that says that it is none is a refusal, in the service's words`(
    body: String, kind: Kind
  ) async throws {
    let things = try Self.service(body, carriesOut: false).things()
    let error = await failure { try await Self.write(kind, things) } as? HTTPError
    #expect(error?.code == .client && error?.status == 200)
    #expect(error?.failureKind == .permanent && error?.failureScope == .write)
    #expect(error?.message == "quota exceeded")
  }

  @Test(arguments: refusals, Kind.allCases)
  func `Where the service has carried it out nevertheless, it is done`(
    body: String, kind: Kind
  ) async throws {
    let things = try Self.service(body, carriesOut: true).things()
    try await Self.write(kind, things)
  }

  @Test(arguments: refusals + ["OK", "<html>Sign in</html>"], Kind.allCases)
  func `Where the service cannot be asked, the write is sent again later`(
    body: String, kind: Kind
  ) async throws {
    if body == "OK", kind == .remove { return }
    for status in [503, 401] {
      let things = try Self.service(body, carriesOut: false, findsIn: status).things()
      let error = await failure { try await Self.write(kind, things) } as? HTTPError
      #expect(error?.failureKind == .transient && error?.failureScope == .service, "\(status)")
    }
  }

  @Test(arguments: ["OK", "<html>done</html>"], [true, false])
  func `A success that is no JSON is compared with what the service has`(
    body: String, carriesOut: Bool
  ) async throws {
    let things = try Self.service(body, type: "text/html", carriesOut: carriesOut).things()
    let error = await failure { try await Self.write(.update, things) } as? HTTPError
    #expect((error == nil) == carriesOut)
  }

  @Test func `What the models themselves have under these names is no refusal`() async throws {
    struct Job: Codable, Identifiable, Hashable, Sendable {
      var id: Int
      var status: String
      var errors: [String]
    }
    let service = Scripted { _ in (200, [:], #"{"id": 1, "status": "error", "errors": ["late"]}"#) }
    var configuration = HTTPService.Configuration()
    configuration.transport = service
    let url = try #require(URL(string: "https://example.com"))
    let jobs = HTTPRepository<Job>(HTTPService(url, configuration: configuration), "jobs")
    let job = Job(id: 1, status: "error", errors: ["late"])
    #expect(try await jobs.updateOne(job).value == job)
    #expect(service.lines == ["PATCH /jobs/1"])
  }

  @Test func `A write whose result is gone is done`() async throws {
    for kind in Kind.allCases {
      let things = try Scripted { request in
        request.method == "GET"
          ? (404, [:], "") : (303, ["Location": "https://example.com/results/7"], "")
      }.things()
      try await Self.write(kind, things)
    }
  }

  @Test func `A closure says what no rule can`() async throws {
    let things = try Self.service(#"{"id": 1, "code": 7}"#, carriesOut: false).things {
      $0.refusals.meaning = { status, json in
        let answer = json as? [String: Any]
        return status == 200 && answer?["code"] as? Int == 7 ? .client : nil
      }
    }
    let error = await failure { try await Self.write(.update, things) } as? HTTPError
    #expect(error?.code == .client)
  }
}

extension HTTPTransportRequest {
  /// Whether it asks for a thing that the service never had.
  fileprivate var asksForNew: Bool { url.path().hasSuffix("/2") }
}
