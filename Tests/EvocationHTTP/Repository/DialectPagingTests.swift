import Evocation
import EvocationHTTP
import Fixtures
import Foundation
import TestTraits
import Testing

@testable import TransportSuite

#if os(macOS) || os(Linux)
  /// Lists of a registered model, page by page, over each kind of service.
  @Suite(.patient) struct DialectPagingTests {
    private func count<Model: Codable & Identifiable & Equatable & Sendable>(
      _ dialect: Service.Dialect, _ type: Model.Type, _ configuration: Setup,
      _ paging: ProxyPaging
    ) async throws -> Int {
      let service = try await Service.start(dialect: dialect)
      let evocation = Evocation()
      evocation.register(for: type)
        .repository(
          remote: HTTPRepository<Model>(at: service.url, "cars", configuration)
        )
        .repository(local: InMemoryRepository<Model>())
      let cars = evocation.pagingCache(type, pageSize: 50, options: .init(paging: paging))
      cars.requirements = Criteria().sorted(by: "year")
      #expect(try await cars.refresh() == .successful)
      while await cars.goToNextPage() == .successful {}
      let all = try await cars.value()
      #expect(Set(all.map(\.id)).count == all.count)
      return all.count
    }

    @Test(arguments: [ProxyPaging.offset, .link])
    func `bare arrays and their links`(paging: ProxyPaging) async throws {
      #expect(try await count(.links, Car.self, Dialects.links(), paging) == 406)
    }

    @Test(arguments: [ProxyPaging.offset, .link])
    func `envelopes and their addresses`(paging: ProxyPaging) async throws {
      let configuration = Dialects.envelopes()
      #expect(try await count(.envelope, PricedCar.self, configuration, paging) == 406)
    }

    @Test func `records and their tokens`() async throws {
      #expect(
        try await count(.records, RecordCar.self, Dialects.records(), .link) == 406)
    }

    @Test(arguments: [ProxyPaging.offset, .link])
    func `resources and their links`(paging: ProxyPaging) async throws {
      #expect(
        try await count(.jsonapi, RecordCar.self, Dialects.jsonAPI(), paging) == 406)
    }

    @Test func `items and their offsets`() async throws {
      #expect(try await count(.directus, Car.self, Dialects.directus(), .offset) == 406)
    }

    @Test func `rows and their offsets`() async throws {
      var configuration = Dialects.rows()
      configuration.authorization = nil
      #expect(try await count(.postgrest, Car.self, configuration, .offset) == 406)
    }
  }
#endif
