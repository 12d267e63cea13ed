import Evocation
import EvocationHTTP
import EvocationSQLite
import Fixtures
import Foundation
import TestTraits
import Testing
import TransportSuite

#if os(macOS) || os(Linux)
  /// A service that lists what changed since a mark.
  @Suite(.patient) struct HTTPChangesTests {
    private let service: Service
    private let remote: HTTPRepository<Airport>

    init() async throws {
      service = try await Service.start(data: [Airport.file], dialect: .records)
      var configuration = Setup()
      configuration.envelope = .key("data")
      configuration.requestEnvelope = .key("data")
      configuration.filters = .prefixes
      configuration.next = .header("Next-Page")
      configuration.routes = .restOneByOne
      configuration.changes = .init(since: "_since", mark: .header("ETag"))
      remote = HTTPRepository(at: service.url, "airports", configuration)
    }

    private var california: Criteria { ["state": "CA"] }

    @Test func `Without a mark all are listed, with the mark only what changed since`() async throws
    {
      let first = try #require(try await remote.changes(california, since: nil).value)
      #expect(first.isWhole && first.models.count > 100 && first.removed.isEmpty)
      let mark = try #require(first.mark)
      #expect(Int64(mark) != nil)
      var changed = first.models[0]
      changed.name = "changed"
      _ = try await remote.storeOrUpdate([changed])
      var moved = first.models[2]
      moved.state = "NV"
      _ = try await remote.storeOrUpdate([moved])
      _ = try await remote.removeOne(first.models[1])
      let next = try #require(try await remote.changes(california, since: mark).value)
      #expect(next.models == [changed])
      #expect(
        Set(next.removed) == [.text(first.models[1].id), .text(first.models[2].id)])
      #expect(!next.isWhole && next.mark != nil && next.mark != mark)
      let last = try #require(try await remote.changes(california, since: next.mark).value)
      #expect(last.models.isEmpty && last.removed.isEmpty)
    }

    @Test func `What changed comes with its versions, without those that do not match`()
      async throws
    {
      var configuration = Setup()
      configuration.envelope = .key("data")
      configuration.requestEnvelope = .key("data")
      configuration.filters = .prefixes
      configuration.routes = .restOneByOne
      configuration.changes = .init(since: "_since", mark: .header("ETag"))
      configuration.version = .property("last_modified")
      let remote = HTTPRepository<Airport>(at: service.url, "airports", configuration)
      let first = try await remote.changes(california, since: nil)
      let listed = try #require(first.value)
      #expect(first.versions.count == listed.models.count && !first.versions.contains(nil))
      var (changed, moved) = (listed.models[0], listed.models[2])
      changed.name = "changed"
      moved.state = "NV"
      _ = try await remote.storeOrUpdate([moved])
      let version = try await remote.storeOrUpdate([changed]).versions
      let next = try await remote.changes(california, since: listed.mark)
      #expect(next.value?.models == [changed])
      #expect(next.versions == version && version != [nil])
    }

    @Test func `A refresh asks for the changes alone, and local has them with the mark`()
      async throws
    {
      let local = try SQLiteRepository<Airport>(SQLiteDatabase.inMemory())
      let evocation = Evocation()
      evocation.register(for: Airport.self)
        .repository(remote: remote)
        .repository(local: local)
        .strategy(Strategy(.init(target: .remote, synchronize: .upsert)))
      let cache = evocation.cache(Airport.self)
      cache.requirements = california
      _ = try await cache.refresh(force: true)
      let before = try await local.find(california).value
      #expect(before.count > 100)
      _ = try await remote.removeOne(before[0])
      _ = try await cache.refresh(force: true)
      #expect(try await local.find(california).value == Array(before.dropFirst()))
      let queries = try await service.requests().filter { $0.method == "GET" }.map(\.query)
      #expect(queries.count == 2)
      #expect(queries.last?.contains("_since=") == true)
      #expect(queries.first?.contains("_since=") == false)
    }

    @Test func `A mark that is too old is answered with everything`() async throws {
      let gone = Service.Switch.status(410, times: 1, headers: [:], body: "{}")
      try await service.control(gone)
      let all = try #require(try await remote.changes(california, since: "17").value)
      #expect(all.isWhole && all.models.count > 100)
    }

    @Test func `Without a word about changes none are listed`() async throws {
      let plain = HTTPRepository<Airport>(HTTPService(service.url), "airports")
      #expect(!plain.listsChanges)
      #expect(try await plain.changes(california, since: nil).value == nil)
    }
  }
#endif
