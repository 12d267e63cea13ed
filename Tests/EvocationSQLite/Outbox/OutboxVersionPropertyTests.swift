import Evocation
import EvocationHTTP
import EvocationSQLite
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

/// Edits that are sent to a service whose models say their versions themselves.
@Suite(.patient) struct OutboxVersionPropertyTests {
  private struct Page: Codable, Identifiable, Sendable, Hashable {
    var id = 1
    var title = "old"
    var color = "blue"
    var version = 1
  }

  /// What happens to the app between an edit and its sending.
  enum Meanwhile: CaseIterable, Sendable {
    case nothing, restart, listRead, listReadAndRestart, read
  }

  /// A service of one page, which refuses a change of another version than `If-Match` names.
  private final class PageService: HTTPTransport {
    let page = Lock(Page())
    /// What `If-Match` said in each change.
    let conditions = Lock<[String?]>([])

    /// Changes the page, as another client does.
    func change(_ body: (inout Page) -> Void) {
      page.withLock { page in
        body(&page)
        page.version += 1
      }
    }

    func send(_ request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
      guard request.method != "GET" else {
        let present = page.withLock { $0 }
        return request.url.lastPathComponent == "1"
          ? try answer(200, present) : try answer(200, [present])
      }
      let condition = request.headers.first { $0.key.lowercased() == "if-match" }?.value
      conditions.withLock { $0.append(condition) }
      let sent = try JSONDecoder().decode(Page.self, from: request.body ?? Data())
      let (page, isRefused) = page.withLock { page in
        let isRefused = condition.map { $0 != "\"\(page.version)\"" } ?? false
        if !isRefused {
          page = Page(title: sent.title, color: sent.color, version: page.version + 1)
        }
        return (page, isRefused)
      }
      return try answer(isRefused ? 412 : 200, page)
    }

    private func answer(
      _ status: Int, _ body: some Encodable
    ) throws -> HTTPTransportResponse {
      let data = try JSONEncoder().encode(body)
      let pieces = AsyncThrowingStream<Data, any Error> { pieces in
        pieces.yield(data)
        pieces.finish()
      }
      return HTTPTransportResponse(
        status: status, headers: ["Content-Type": "application/json"], body: pieces)
    }
  }

  private let service = PageService()
  private let folder: TemporaryFolder
  private let asked = Lock(0)

  init() throws { folder = try TemporaryFolder() }

  /// The app, as it is started; its resolver keeps the app's title and the others' color.
  private func start() throws -> (Evocation, SQLiteDatabase) {
    var format = HTTPFormat.rest
    format.version = .property("version")
    format.routes.updateOne.sendsChanges = false
    var configuration = HTTPService.Configuration()
    configuration.transport = service
    let url = try #require(URL(string: "https://example.com"))
    let database = try SQLiteDatabase(path: folder.path())
    let evocation = Evocation.flushedByHand()
    evocation.register(for: Page.self)
      .repository(
        remote: HTTPRepository<Page>(
          HTTPService(url, configuration: configuration), "pages", format: format)
      )
      .repository(local: try SQLiteRepository<Page>(database)).strategy(.offlineFirst)
      .conflicts { [asked] conflict in
        asked.withLock { $0 += 1 }
        var page = conflict.theirs ?? conflict.mine
        page.title = conflict.mine.title
        return .merged(page)
      }
    return (evocation, database)
  }

  @Test(arguments: Meanwhile.allCases)
  func `an edit is sent on the version that it was made on, whatever came between`(
    _ meanwhile: Meanwhile
  ) async throws {
    var (evocation, database) = try start()
    let read = await evocation.findOne(
      model: Page.self, criteria: ["id": 1], rule: .remoteFirst)
    #expect(read.data == Page())
    _ = await evocation.updateOne(Page(title: "mine"))
    service.change { $0.color = "red" }
    switch meanwhile {
    case .listRead, .listReadAndRestart:
      _ = await evocation.find(
        model: Page.self, criteria: Criteria().limit(3), rule: .remoteFirst)
    case .read:
      _ = await evocation.findOne(model: Page.self, criteria: ["id": 1], rule: .remoteFirst)
    case .nothing, .restart: break
    }
    if meanwhile == .restart || meanwhile == .listReadAndRestart {
      await database.close()
      (evocation, database) = try start()
    }
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 1, left: 0, parked: 0))
    #expect(asked.withLock { $0 } == 1)
    #expect(service.page.withLock { $0 } == Page(title: "mine", color: "red", version: 3))
    #expect(service.conditions.withLock { $0.last } == "\"2\"")
    await database.close()
  }
}
