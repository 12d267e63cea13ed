import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

/// Where a list continues, and where it ends: as the service's answers say.
@Suite(.patient) struct ListContinuationTests {
  /// A service that gives at most so many models at once, whatever the limit.
  private struct Capped: Repository {
    let count: Int
    let most: Int
    var saysTotal = false
    var saysNext = false
    let asked = Lock<[Criteria]>([])

    func find(_ criteria: Criteria) async throws -> Response<[Listed]> {
      asked.withLock { $0.append(criteria) }
      let page = (criteria["page"] as? Int).map { ($0 - 1) * min(most, criteria.limit ?? most) }
      let after = criteria.cursor?.id.first.flatMap { id in
        if case .integer(let id) = id { Int(id) } else { nil }
      }
      let first = after ?? page ?? criteria.offset
      let length = max(0, min(criteria.limit ?? most, most, count - first))
      var response = Response((first..<first + length).map { Listed($0 + 1) })
      if saysTotal { response.metadata["totalCount"] = count }
      if saysNext, first + length >= count { response.metadata["next"] = "" }
      return response
    }
    func store(_ models: [Listed]) async throws -> Response<[Listed]> { Response(models) }
    func update(_ models: [Listed]) async throws -> Response<[Listed]> { Response(models) }
    func storeOrUpdate(_ models: [Listed]) async throws -> Response<[Listed]> { Response(models) }
    func remove(_ models: [Listed]) async throws -> Response<[Listed]> { Response(models) }
  }

  private func pages(
    _ service: Capped, _ paging: ProxyPaging = .offset, size: Int
  ) async throws -> (ids: [Int], count: Int) {
    let evocation = Evocation()
    evocation.register(for: Listed.self).repository(remote: service)
      .repository(local: InMemoryRepository<Listed>())
    let list = evocation.pagingCache(
      Listed.self, pageSize: size, options: .init(paging: paging, automaticallyRefresh: false))
    #expect(try await list.refresh() == .successful)
    while await list.goToNextPage() == .successful {}
    return (try await list.ids(), service.asked.withLock(\.count))
  }

  private static let kinds: [(String, ProxyPaging)] = [
    ("automatic", .automatic), ("offset", .offset), ("after", .after),
    ("number", .number { criteria, page in criteria && ["page": page] }),
  ]

  @Test(arguments: [0, 1, 2, 3])
  func `a page that is shorter than the limit is not the last where the total says more`(
    kind: Int
  ) async throws {
    let (name, paging) = Self.kinds[kind]
    let service = Capped(count: 120, most: 50, saysTotal: true)
    let (ids, _) = try await pages(service, paging, size: 100)
    #expect(ids == Array(1...120), "\(name)")
  }

  @Test(arguments: [0, 1, 3])
  func `a full page is the last where the answer says so`(kind: Int) async throws {
    let (name, paging) = Self.kinds[kind]
    for service in [
      Capped(count: 100, most: 50, saysTotal: true), Capped(count: 100, most: 50, saysNext: true),
    ] {
      let (ids, count) = try await pages(service, paging, size: 50)
      #expect(ids == Array(1...100) && count == 2, "\(name)")
    }
  }

  @Test func `a first page of ten or more that is short does not end a list in silence`()
    async throws
  {
    for all in [120, 150, 170] {
      #expect(try await pages(Capped(count: all, most: 50), size: 100).ids == Array(1...all))
    }
    // Where the first page was full, a short one is the last.
    let (ids, count) = try await pages(Capped(count: 137, most: 200), size: 100)
    #expect(ids == Array(1...137) && count == 2)
    #expect(try await pages(Capped(count: 9, most: 50), size: 100).count == 1)
  }
}
