import Evocation
import EvocationHTTP
import Foundation
import TestTraits
import Testing
import TransportSuite

/// A list with an element that the app's type cannot read, such as one with a new case of an enum.
@Suite(.patient) struct HTTPElementsTests {
  struct Payment: Codable, Identifiable, Hashable, Sendable {
    enum Kind: String, Codable { case card, cash }
    var id: Int
    var kind: Kind
  }

  private static let three =
    #"[{"id":1,"kind":"card"},{"id":2,"kind":"crypto"},{"id":3,"kind":"cash"}]"#

  private static func payments(
    _ body: String, _ change: (inout HTTPFormat) -> Void = { _ in }
  ) throws -> HTTPRepository<Payment> {
    let service = Scripted { request in
      (200, ["ETag": "\"m2\""], request.number("offset") ?? 0 > 0 ? "[]" : body)
    }
    var configuration = HTTPService.Configuration()
    configuration.transport = service
    var format = HTTPFormat.rest
    format.elements = .leaveOut
    change(&format)
    let url = try #require(URL(string: "https://example.com"))
    return HTTPRepository(
      HTTPService(url, configuration: configuration), "payments", format: format)
  }

  @Test func `It is left out, and the result, the trace and the log say so`() async throws {
    let evocation = Evocation()
    evocation.register(for: Payment.self).repository(remote: try Self.payments(Self.three))
      .strategy(.remoteOnly)
    let result = await evocation.find(model: Payment.self)
    #expect(result.error == nil)
    #expect(result.data?.map(\.id) == [1, 3])
    #expect(result.leftOut == 1)
    #expect(
      "\(result.trace)".contains(
        "and left out 1 that cannot be read (a value that does not decode at \"[1].kind\"),"))
  }

  @Test func `A mirror keeps its model, and removes what is gone`() async throws {
    let local = InMemoryRepository((1...4).map { Payment(id: $0, kind: .card) })
    let evocation = Evocation()
    evocation.register(for: Payment.self).repository(remote: try Self.payments(Self.three))
      .repository(local: local).strategy(.remoteFirst)
    _ = await evocation.find(model: Payment.self)
    #expect(try await local.find(Criteria()).value.map(\.id) == [1, 2, 3])
    let cache = evocation.cache(Payment.self)
    _ = try await cache.refresh(force: true)
    #expect(try await local.find(Criteria()).value.map(\.id) == [1, 2, 3])
    let list = evocation.pagingCache(Payment.self, pageSize: 10)
    _ = try await list.refresh(force: true)
    _ = try await list.refresh(force: true)
    #expect(try await local.find(Criteria()).value.map(\.id) == [1, 2, 3])
  }

  @Test(arguments: [#"{"kind":"crypto"}"#, "7", "null", #"{"id":"x","kind":"cash"}"#])
  func `Where not even its id can be read, a mirror removes nothing`(element: String) async throws {
    let local = InMemoryRepository((1...4).map { Payment(id: $0, kind: .card) })
    let evocation = Evocation()
    let remote = try Self.payments(#"[{"id":1,"kind":"cash"},\#(element)]"#)
    evocation.register(for: Payment.self).repository(remote: remote).repository(local: local)
      .strategy(.remoteFirst)
    let result = await evocation.find(model: Payment.self)
    #expect(result.data?.map(\.id) == [1])
    #expect(result.leftOut == 1)
    #expect(try await local.find(Criteria()).value.map(\.id) == [1, 2, 3, 4])
    #expect(try await local.findOne(["id": 1]).value?.kind == .cash)
  }

  @Test func `Without the setting the answer fails, and the fallback answers with the reason`()
    async throws
  {
    let evocation = Evocation()
    let local = InMemoryRepository([Payment(id: 3, kind: .card)])
    evocation.register(for: Payment.self)
      .repository(remote: try Self.payments(Self.three) { $0.elements = .fail })
      .repository(local: local).strategy(.remoteFirst)
    let result = await evocation.find(model: Payment.self)
    #expect(result.data?.map(\.id) == [3])
    let text = "\(try #require(result.metadata[.remote]?.error))"
    #expect(text.contains("[1].kind"))
    #expect("\(result.trace)".contains("[1].kind"))
  }

  @Test func `A list of changes is asked for again from the same token until all of it decodes`()
    async throws
  {
    let payments = try Self.payments(Self.three) {
      $0.changes = .init(since: "since", mark: .header("ETag"))
    }
    let changes = try await payments.changes(Criteria(), since: "m1")
    #expect(changes.value?.models.map(\.id) == [1, 3])
    #expect(changes.value?.mark == "m1")
  }

  @Test func `It has its place in a part of the list`() async throws {
    let all = (1...6).map { #"{"id":\#($0),"kind":"\#($0 == 2 ? "crypto" : "cash")"}"# }
    let service = Scripted { request in
      let number = request.number("page") ?? 1
      return (200, [:], "[\(all.dropFirst((number - 1) * 3).prefix(3).joined(separator: ","))]")
    }
    var configuration = HTTPService.Configuration()
    configuration.transport = service
    var format = HTTPFormat.rest
    format.elements = .leaveOut
    format.filters.paging = .page(number: "page", size: nil)
    format.filters.largestPage = 3
    format.next = .offset
    let url = try #require(URL(string: "https://example.com"))
    let payments = HTTPRepository<Payment>(
      HTTPService(url, configuration: configuration), "payments", format: format)
    #expect(try await payments.find(Criteria().offset(2).limit(3)).value.map(\.id) == [3, 4, 5])
    #expect(try await payments.find(Criteria().limit(2)).value.map(\.id) == [1])
    #expect(try await payments.find(Criteria()).value.map(\.id) == [1, 3, 4, 5, 6])
  }
}
