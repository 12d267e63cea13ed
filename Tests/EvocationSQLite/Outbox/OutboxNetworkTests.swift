import Evocation
import EvocationHTTP
import EvocationSQLite
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

/// What a network or a service that is not as it should be means for what waits to be sent.
@Suite(.patient) struct OutboxNetworkTests {
  /// What a request meets.
  enum Way: CaseIterable, Sendable {
    /// The service, which does as it is told.
    case well
    /// A proxy whose certificate nobody trusts.
    case untrusted
    /// A connection that cannot be made secure, such as where the device's date is wrong.
    case insecure
    /// A portal that sends everybody to its own page.
    case portal
    /// A portal that answers with its own page.
    case page
    /// The service, which does as it is told and says nothing of the model.
    case wordless
    /// The service, which forbids the seventh model.
    case forbidding
  }

  /// A network of a test.
  private final class Network: HTTPTransport {
    let way = Lock(Way.well)
    /// The writes that the service has carried out.
    let carriedOut = Lock<[Memo]>([])

    func send(_ request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
      let way = way.withLock { $0 }
      switch way {
      case .untrusted: throw HTTPError(.untrusted)
      case .insecure: throw URLError(.secureConnectionFailed)
      case .portal: return answer(302, "", ["Location": "https://portal.example/login"])
      case .page: return answer(200, "<html>Sign in</html>", ["Content-Type": "text/html"])
      case .well, .wordless, .forbidding: break
      }
      let json = ["Content-Type": "application/json"]
      guard let body = request.body, let memo = try? JSONDecoder().decode(Memo.self, from: body)
      else { return answer(404, "{}", json) }
      if way == .forbidding, memo.id == 7 { return answer(403, "{}", json) }
      carriedOut.withLock { $0.append(memo) }
      let text = way == .wordless ? #"{"ok":true}"# : String(decoding: body, as: UTF8.self)
      return answer(200, text, json)
    }

    private func answer(
      _ status: Int, _ body: String, _ headers: [String: String]
    ) -> HTTPTransportResponse {
      let pieces = AsyncThrowingStream<Data, any Error> { pieces in
        pieces.yield(Data(body.utf8))
        pieces.finish()
      }
      return HTTPTransportResponse(status: status, headers: headers, body: pieces)
    }
  }

  private let network = Network()
  private let folder: TemporaryFolder
  private let database: SQLiteDatabase
  private let clock = ManualClock()
  private let evocation: Evocation

  init() throws {
    folder = try TemporaryFolder()
    database = try SQLiteDatabase(path: folder.path())
    var configuration = HTTPService.Configuration()
    configuration.transport = network
    let url = try #require(URL(string: "https://example.com"))
    evocation = .flushedByHand(clock: clock)
    evocation.register(for: Memo.self)
      .repository(
        remote: HTTPRepository<Memo>(HTTPService(url, configuration: configuration), "memos")
      )
      .repository(local: try SQLiteRepository<Memo>(database)).strategy(.offlineFirst)
  }

  private func set(_ way: Way) { network.way.withLock { $0 = way } }

  @Test(arguments: [Way.untrusted, .insecure, .portal, .page])
  func `what a bad network kept from the service is sent when there is a good one`(
    way: Way
  ) async throws {
    set(way)
    for id in 1...20 { _ = await evocation.storeOne(Memo(id: id)) }
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 0, left: 20, parked: 0))
    set(.well)
    for _ in 1...100 where await evocation.outbox.flush().left > 0 {
      clock.advance(by: .seconds(10))
    }
    #expect(Set(network.carriedOut.withLock { $0.map(\.id) }) == Set(1...20))
    let status = try await evocation.outbox.status()
    #expect((status.pending, status.parked) == (0, 0))
    await database.close()
  }

  @Test func `what the service has carried out is done, whatever its answer says of the model`()
    async throws
  {
    set(.wordless)
    _ = await evocation.storeOne(Memo(id: 1))
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 1, left: 0, parked: 0))
    #expect(network.carriedOut.withLock { $0 } == [Memo(id: 1)])
    let kept = await evocation.find(model: Memo.self, rule: .localOnly)
    #expect(kept.data == [Memo(id: 1)])
    await database.close()
  }

  @Test func `a write that the service forbids is parked, and all others are sent`() async throws {
    set(.forbidding)
    for id in 1...51 { _ = await evocation.storeOne(Memo(id: id)) }
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 50, left: 0, parked: 1))
    let entries = try await evocation.outbox.entries(of: Memo.self)
    #expect(entries.map(\.model.id) == [7])
    guard case .parked(.authorization, _)? = entries.first?.state else {
      Issue.record("It does not say that it was forbidden: \(entries.map(\.state))")
      return
    }
    #expect(try await evocation.outbox.status().pause == nil)
    await database.close()
  }
}
