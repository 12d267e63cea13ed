import Evocation
import EvocationHTTP
import EvocationSQLite
import Foundation
import Harness

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A list of a hundred thousand models that goes from a service into SQLite.
struct PrefetchCases {
  private static let count = 100_000

  var all: [Case] {
    [
      Case("fetch and store 100,000, by hand", .nanoseconds) { try await Self.byHand() },
      Case(
        "prefetch 100,000", .nanoseconds, against: "fetch and store 100,000, by hand",
        bar: .times(1.2)
      ) { try await Self.prefetch() },
    ]
  }

  /// Reads the answer whole, decodes it, and stores it in one transaction.
  private static func byHand() async throws -> Double {
    let service = try LoopbackService(body: FindCases.body(count))
    guard let url = URL(string: "http://127.0.0.1:\(service.port)/items") else { return .nan }
    let scratch = try Scratch()
    let local = try SQLiteRepository<Item>(SQLiteDatabase(path: scratch.path()))
    let session = URLSession(configuration: .ephemeral)
    defer { session.invalidateAndCancel() }
    let time = try await ContinuousClock().measure {
      let (data, _) = try await session.data(from: url)
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .iso8601
      let models = try decoder.decode([Item].self, from: data)
      try expect(await local.storeOrUpdate(models).value.count == count)
    }
    withExtendedLifetime(service) {}
    return time / .nanoseconds(1) / Double(count)
  }

  private static func prefetch() async throws -> Double {
    let service = try LoopbackService(body: FindCases.body(count))
    guard let url = URL(string: "http://127.0.0.1:\(service.port)") else { return .nan }
    let scratch = try Scratch()
    let evocation = Evocation()
    evocation.register(for: Item.self)
      .repository(remote: HTTPRepository<Item>(HTTPService(url), "items"))
      .repository(local: try SQLiteRepository<Item>(SQLiteDatabase(path: scratch.path())))
    let time = try await ContinuousClock().measure {
      let result = await evocation.prefetch(Item.self)
      try expect(result.error == nil && result.data == count)
    }
    withExtendedLifetime(service) {}
    return time / .nanoseconds(1) / Double(count)
  }
}
