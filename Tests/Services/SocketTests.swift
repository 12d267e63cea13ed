import Evocation
import EvocationHTTP
import EvocationLive
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import TransportSuite

/// Changes over WebSockets, by a service that is killed while it sends, and started again on its port.
@Suite(.serialized, .patient) struct SocketTests {
  /// How the changes are sent.
  enum Form: String, CaseIterable {
    case own, supabase, graphQL
  }

  private func repository(_ url: URL, _ form: Form) -> HTTPRepository<Item> {
    var configuration = HTTPService.Configuration()
    configuration.transport = BridgedTransport()
    configuration.authorization = { _ in "Bearer jwt" }
    return switch form {
    case .own: HTTPRepository(HTTPService(url, configuration: configuration), "cars", format: own)
    case .supabase:
      HTTPRepository(
        HTTPService(url.appending(path: "rest/v1"), configuration: configuration), "cars",
        format: Dialects.supabaseRealtime(key: "anon"))
    case .graphQL:
      HTTPRepository(
        HTTPService(url, configuration: configuration), "cars",
        format: Dialects.graphQLSubscriptions())
    }
  }

  /// A service that sends, for a mark, first what came after it.
  private var own: HTTPFormat {
    var format = HTTPFormat.rest
    var socket = HTTPFormat.Live.WebSocket()
    socket.join = { topic, opening in
      #"{"type": "join", "topic": "\#(topic)", "since": \#(opening.mark ?? "0")}"#
    }
    socket.leave = { #"{"type": "leave", "topic": "\#($0)"}"# }
    socket.event = { try .init(json: $0, name: "type", id: "seq") }
    var changes = HTTPFormat.Live.Table(id: "model.id")
    changes.topic = .key("topic")
    changes.subscribed = ["joined"]
    format.live = .webSocket("changes", reading: changes, over: socket)
    format.live?.replays = true
    return format
  }

  @Test(arguments: RealSockets.running)
  func `Each change comes once, also of a service that is killed while it sends`(
    service: RealSockets
  ) async throws {
    let items = repository(try await service.empty(), .own)
    let count = 1500
    var (ids, mark) = ([Int](), String?("0"))
    var (isKilled, isBack) = (false, false)
    try await service.flood(count)
    while ids.count < 2 * count {
      var changes = items.liveChanges(since: mark).makeAsyncIterator()
      do {
        while ids.count < 2 * count, let next = try await changes.next() {
          ids += next.stored.map(\.id)
          mark = next.mark ?? mark
          // In the midst of what it sends; as many changes are made while it is gone.
          if !isKilled, ids.count > 200 {
            try await service.kill()
            isKilled = true
          }
        }
      } catch let error as HTTPError {
        #expect(error.failureKind == .transient)
        if isKilled, !isBack {
          try await service.flood(count)
          try await service.start()
          isBack = true
        }
      }
    }
    // The second flood begins again with the first id.
    #expect(ids == Array(1...count) + Array(1...count))
    #expect(isBack)
  }

  @Test(arguments: RealSockets.running, Form.allCases)
  func `What a service did while it could not send is fetched, and nothing is live until then`(
    service: RealSockets, form: Form
  ) async throws {
    let items = repository(try await service.empty(), form)
    try await service.store(1)
    let evocation = Evocation()
    evocation.live.start()
    try evocation.register(
      Item.self, remote: items, local: InMemoryRepository<Item>(), strategy: .remoteFirst)
    let cache = evocation.cache(Item.self)
    cache.requirements = Criteria()
    var states = cache.observe().makeAsyncIterator()
    func state(_ ids: [Int], isLive: Bool) async -> Bool {
      while let state = await states.next(isolation: #isolation) {
        if state.isLive == isLive, (state.cache ?? []).map(\.id).sorted() == ids { return true }
      }
      return false
    }
    #expect(await state([1], isLive: true))
    try await service.store(2)
    #expect(await state([1, 2], isLive: true))
    try await service.remove(1)
    #expect(await state([2], isLive: true))
    try await service.kill()
    #expect(await state([2], isLive: false))
    try await service.store(3)
    try await service.remove(2)
    try await service.start()
    #expect(await state([3], isLive: true))
    try await service.store(4)
    #expect(await state([3, 4], isLive: true))
  }
}
