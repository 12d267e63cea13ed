import Evocation
import EvocationHTTP
import EvocationSQLite
import Foundation
import Harness

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A list of a hundred thousand models, copied from a service into SQLite in pages of a thousand.
struct PrefetchCases {
  private static let (count, length) = (100_000, 1_000)

  var all: [Case] {
    [
      Case("fetch and store 100,000, by hand", .nanoseconds) { try await Self.byHand() },
      Case(
        "prefetch 100,000", .nanoseconds, against: "fetch and store 100,000, by hand",
        bar: .times(1.1)
      ) { try await Self.prefetch() },
    ]
  }

  private static func service() throws -> LoopbackService {
    let models = Item.make(count)
    let encoder = HTTPFormat.defaultEncoder()
    let bodies = try stride(from: 0, to: count, by: length).map { start in
      Array(try encoder.encode(Array(models[start..<start + length])))
    }
    return try LoopbackService(pages: (length, bodies))
  }

  /// Reads page by page, decodes each page, and stores it in a transaction.
  private static func byHand() async throws -> Double {
    let service = try service()
    let scratch = try Scratch()
    let local = try SQLiteRepository<Item>(SQLiteDatabase(path: scratch.path()))
    let session = URLSession(configuration: .ephemeral)
    defer { session.invalidateAndCancel() }
    let time = try await ContinuousClock().measure {
      var (offset, page) = (0, [Item]())
      repeat {
        guard
          let url = URL(
            string: "http://127.0.0.1:\(service.port)/items?limit=\(length)&offset=\(offset)")
        else { return }
        let (data, _) = try await session.data(from: url)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        page = try decoder.decode([Item].self, from: data)
        _ = try await local.storeOrUpdate(page)
        offset += page.count
      } while page.count == length
      try expect(offset == count)
    }
    withExtendedLifetime(service) {}
    return time / .nanoseconds(1) / Double(count)
  }

  private static func prefetch() async throws -> Double {
    let service = try service()
    guard let url = URL(string: "http://127.0.0.1:\(service.port)") else { return .nan }
    var format = HTTPFormat.rest
    (format.next, format.filters.largestPage) = (.offset, length)
    let scratch = try Scratch()
    let evocation = Evocation()
    evocation.register(for: Item.self)
      .repository(remote: HTTPRepository<Item>(HTTPService(url), "items", format: format))
      .repository(local: try SQLiteRepository<Item>(SQLiteDatabase(path: scratch.path())))
    let time = try await ContinuousClock().measure {
      let result = await evocation.prefetch(Item.self)
      if let error = result.error { throw error }
      try expect(result.data == count)
    }
    withExtendedLifetime(service) {}
    return time / .nanoseconds(1) / Double(count)
  }
}
