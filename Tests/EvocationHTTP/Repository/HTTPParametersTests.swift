import Evocation
import EvocationHTTP
import EvocationSQLite
import Foundation
import TestTraits
import Testing
import TransportSuite

/// Criteria that only the service knows, such as the words of a search, beside a local store.
@Suite(.patient) struct HTTPParametersTests {
  enum Store: CaseIterable, Sendable { case memory, sqlite }

  /// Things 1 to 9, of which a search for "odd" finds the odd ones, the last first, unless it is offline.
  private static func service(_ isOffline: Record<Bool>) -> Scripted {
    Scripted { request in
      if isOffline.elements.last == true { throw URLError(.cannotConnectToHost) }
      let found = (1...9).reversed().filter { request.item("q") != "odd" || $0 % 2 == 1 }
      let part = found.dropFirst(request.number("offset") ?? 0).prefix(
        request.number("limit") ?? 100)
      return (200, [:], Thing.json(part.map { Thing(id: $0, name: "thing \($0)") }))
    }
  }

  private static func evocation(
    _ store: Store, _ strategy: Strategy, _ isOffline: Record<Bool> = Record()
  ) throws -> Evocation {
    let things = try service(isOffline).things { $0.parameters = ["q"] }
    let evocation = Evocation()
    let local: any Repository<Thing> =
      switch store {
      case .memory: InMemoryRepository<Thing>()
      case .sqlite: try SQLiteRepository<Thing>(try SQLiteDatabase.inMemory())
      }
    try evocation.register(Thing.self, remote: things, local: local, strategy: strategy)
    return evocation
  }

  private static let odd: Criteria = ["q": "odd"]

  @Test(
    arguments: Store.allCases,
    [Strategy.remoteFirst, .offlineFirst, .staleWhileRevalidate(maxAge: .seconds(9))])
  func `A find asks the service, stores what it finds, and removes nothing`(
    store: Store, strategy: Strategy
  ) async throws {
    let isOffline = Record<Bool>()
    let evocation = try Self.evocation(store, strategy, isOffline)
    _ = await evocation.find(model: Thing.self, rule: .init(target: .remote, synchronize: .mirror))
    for criteria in [Self.odd, .parameter("q", "odd")] {
      let result = await evocation.find(model: Thing.self, criteria: criteria)
      #expect(result.data?.map(\.id) == [9, 7, 5, 3, 1])
      #expect(result.error == nil && result.synchronizationError == nil)
    }
    #expect(await evocation.count(model: Thing.self, rule: .localOnly).data == 9)
    isOffline.append(true)
    let failed = await evocation.find(model: Thing.self, criteria: Self.odd)
    #expect(failed.data == nil)
    #expect((failed.error as? HTTPError)?.code == .refused)
  }

  @Test(arguments: Store.allCases)
  func `A cache shows what the service listed, in its order, also without a connection`(
    store: Store
  )
    async throws
  {
    let isOffline = Record<Bool>()
    let evocation = try Self.evocation(store, .offlineFirst, isOffline)
    let cache = evocation.cache(Thing.self, where: Self.odd)
    _ = try await cache.refresh(force: true)
    _ = await evocation.find(model: Thing.self, rule: .init(target: .remote, synchronize: true))
    isOffline.append(true)
    #expect(try await cache.value(from: .cache).map(\.id) == [9, 7, 5, 3, 1])
  }

  /// A track as iTunes lists it, whose type has another key for the id.
  private struct Track: Codable, Identifiable, Hashable, Sendable {
    var id: Int
    var trackName: String

    private enum CodingKeys: String, CodingKey {
      case id = "trackId"
      case trackName
    }
  }

  @Test(arguments: Store.allCases)
  func `A search as that of iTunes fills caches and lists`(store: Store) async throws {
    let service = Scripted { request in
      let found = request.item("term") == "radio" ? [3, 1, 2] : []
      let count = min(found.count, request.number("limit") ?? 50)
      let tracks = found.prefix(count).map {
        #"{"trackId": \#($0), "trackName": "t", "kind": "song"}"#
      }
      return (
        200, ["Content-Type": "text/javascript; charset=utf-8"],
        "\n{\"resultCount\": \(count), \"results\": [\(tracks.joined(separator: ", "))]}"
      )
    }
    var configuration = HTTPService.Configuration()
    configuration.transport = service
    var format = HTTPFormat()
    format.routes.find = .init("GET", "search?entity=song")
    format.routes.findOne = nil
    format.parameters = ["term"]
    format.envelope = .keys(list: "results", model: nil)
    format.filters.paging = .limit("limit")
    format.next = .never
    let url = try #require(URL(string: "https://example.com"))
    let remote = HTTPRepository<Track>(
      HTTPService(url, configuration: configuration), "search", format: format)
    let evocation = Evocation()
    let local: any Repository<Track> =
      switch store {
      case .memory: InMemoryRepository<Track>()
      case .sqlite: try SQLiteRepository<Track>(try SQLiteDatabase.inMemory())
      }
    try evocation.register(Track.self, remote: remote, local: local, strategy: .remoteFirst)
    let cache = evocation.cache(Track.self, where: ["term": "radio"])
    #expect(try await cache.refresh(force: true) == .successful)
    #expect(try await cache.value(from: .cache).map(\.id) == [3, 1, 2])
    let list = evocation.pagingCache(Track.self, where: ["term": "radio"], pageSize: 5)
    #expect(try await list.refresh(force: true) == .successful)
    #expect(try await list.value(from: .cache).map(\.id) == [3, 1, 2])
    #expect(
      await evocation.findOne(model: Track.self, criteria: ["trackId": 2], rule: .localOnly).data?
        .id == 2)
  }

  @Test(arguments: Store.allCases)
  func `A list has the pages that the service found`(store: Store) async throws {
    let evocation = try Self.evocation(store, .offlineFirst)
    let list = evocation.pagingCache(Thing.self, where: Self.odd, pageSize: 2)
    _ = try await list.refresh(force: true)
    for _ in 1...3 { _ = await list.goToNextPage() }
    #expect(try await list.value(from: .cache).map(\.id) == [9, 7, 5, 3, 1])
  }

  @Test(arguments: Store.allCases)
  func `An unsent edit shows in what the service found, and is not added to it`(
    store: Store
  )
    async throws
  {
    let evocation = try Self.evocation(store, .offlineFirst)
    evocation.outbox.pause()
    _ = await evocation.find(model: Thing.self, criteria: Self.odd)
    for id in [3, 4] { _ = await evocation.storeOrUpdate([Thing(id: id, name: "mine")]) }
    let found = await evocation.find(model: Thing.self, criteria: Self.odd)
    #expect(found.data?.map(\.id).sorted() == [1, 3, 5, 7, 9])
    #expect(found.data?.first { $0.id == 3 }?.name == "mine")
  }

  @Test func `A strategy that asks the local store alone is named when the app starts`() throws {
    let alone = try Strategy(
      reads: .localOnly, writes: .init(target: .remote, synchronize: .upsert))
    let evocation = try Self.evocation(.memory, alone)
    let warnings = try evocation.proxy(for: Thing.self).validate()
    #expect(
      warnings.contains { $0.contains("`find` asks the local store alone") && $0.contains("\"q\"") }
    )
    let both = try Self.evocation(.memory, .offlineFirst).proxy(for: Thing.self).validate()
    #expect(!both.contains { $0.contains("asks the local store alone") })
  }

  @Test(arguments: Store.allCases)
  func `The local store says that only the service knows`(store: Store) async throws {
    let evocation = try Self.evocation(store, .offlineFirst)
    let result = await evocation.find(model: Thing.self, criteria: Self.odd, rule: .localOnly)
    let text = "\(try #require(result.error))"
    #expect(
      text.contains(
        "only the service knows which models its parameter \"q\" finds"))
    for await observed in evocation.observe(model: Thing.self, criteria: Self.odd) {
      let text = "\(try #require(observed.error))"
      #expect(text.contains("only the service knows"))
      break
    }
  }
}
