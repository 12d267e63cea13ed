import Evocation
import EvocationInspection
import FlyingFox
import Foundation
import Testing

@testable import EvocationInspector

/// What the page is sent, and what its buttons do.
@Suite struct FeedTests {
  struct Car: Codable, Identifiable, Sendable { var id: Int; var name = "volvo" }

  private struct Refused: ClassifiedError { let failureKind = FailureKind.permanent }

  private struct Closed: Repository {
    func find(_ criteria: Criteria) async throws -> Response<[Car]> { throw Refused() }
    func store(_ models: [Car]) async throws -> Response<[Car]> { throw Refused() }
    func update(_ models: [Car]) async throws -> Response<[Car]> { throw Refused() }
    func storeOrUpdate(_ models: [Car]) async throws -> Response<[Car]> { throw Refused() }
    func remove(_ models: [Car]) async throws -> Response<[Car]> { throw Refused() }
  }

  private let evocation: Evocation
  private let page: AsyncStream<WSMessage>.Continuation
  private let messages: AsyncStream<WSMessage>

  init() async throws {
    evocation = Evocation(configuration: .init(outbox: .init(sendsAutomatically: false)))
    evocation.register(for: Car.self).repository(remote: Closed())
      .repository(local: InMemoryRepository<Car>()).strategy(.offlineFirst)
    let (client, page) = AsyncStream<WSMessage>.makeStream()
    self.page = page
    messages = try await Feed(evocation, .milliseconds(20)).makeMessages(for: client)
  }

  private func press(_ action: String, _ id: String = "") {
    page.yield(.text(#"{"action": "\#(action)", "id": "\#(id)"}"#))
  }

  /// The first message that something holds of.
  private func next(_ holds: ([String: Any]) -> Bool) async throws -> [String: Any] {
    for await case .text(let text) in messages {
      let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
      if let object, holds(object) { return object }
    }
    throw CancellationError()
  }

  private func notice() async throws -> String? {
    try await next { $0["notice"] != nil }["notice"] as? String
  }

  @Test func `An inspection comes at once, without values until they are asked for`() async throws {
    _ = await evocation.storeOne(Car(id: 1))
    let first = try await next { $0["inspection"] != nil }
    #expect(!"\(first)".contains("volvo"))
    press("reveal")
    let second = try await next { "\($0)".contains("isRevealing = 1") || "\($0)".contains("volvo") }
    #expect("\(second)".contains("volvo"))
    page.finish()
  }

  @Test func `Its buttons pause, resume, flush, retry and discard`() async throws {
    _ = await evocation.storeOne(Car(id: 1))
    press("pause")
    #expect(try await notice() == "Sending is paused.")
    #expect(await evocation.inspection().outbox.pause == "paused by the app")
    press("resume")
    #expect(try await notice() == "Sending goes on.")
    press("flush")
    #expect(try await notice() == "Sent 0, left 0, parked 1.")
    let entry = try #require(await evocation.inspection().outbox.entries.first)
    press("retry", entry.id)
    #expect(try await notice() == "The store of Car is sent again.")
    press("discard", entry.id)
    #expect(try await notice() == "The store of Car is discarded.")
    press("discard", entry.id)
    #expect(try await notice() == "It is gone already.")
    page.finish()
  }

  @Test func `What it does not know changes nothing, and is said`() async throws {
    for text in ["", "[]", #"{"action": "format"}"#] {
      page.yield(.text(text))
      #expect(try await notice() == "The page sent something unknown; reload it.")
    }
    page.finish()
  }

  @Test func `Everything ends when the page is closed`() async throws {
    page.finish()
    for await _ in messages {}
  }
}
