import Evocation
import EvocationHTTP
import Foundation
import Harness

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Calls of `find` over loopback, one after another and in parallel.
struct FindCases {
  private static let count = 1_000
  private static let atOnce = 16

  var all: [Case] {
    [
      Case("find 20, URLSession", .nanoseconds) { try await Self.byHand(models: 20, atOnce: 1) },
      Case("find 20", .nanoseconds, against: "find 20, URLSession", bar: .times(1.0)) {
        try await Self.find(models: 20, atOnce: 1)
      },
      Case("find 20, main actor", .nanoseconds, against: "find 20, URLSession", bar: .times(1.0)) {
        try await Self.findOnMain()
      },
      Case("find 20, 304", .nanoseconds, against: "find 20", bar: .times(0.6)) {
        try await Self.find(models: 20, atOnce: 1, remembers: true)
      },
      Case("find 1,000", .nanoseconds) { try await Self.find(models: 1_000, atOnce: 1) },
      Case("find 1,000, 304", .nanoseconds, against: "find 1,000", bar: .times(0.6)) {
        try await Self.find(models: 1_000, atOnce: 1, remembers: true)
      },
      Case("find 20, 16 at a time, URLSession", .nanoseconds) {
        try await Self.byHand(models: 20, atOnce: Self.atOnce)
      },
      Case(
        "find 20, 16 at a time", .nanoseconds, against: "find 20, 16 at a time, URLSession",
        bar: .times(0.91)
      ) { try await Self.find(models: 20, atOnce: Self.atOnce) },
    ]
  }

  private static func byHand(models: Int, atOnce: Int) async throws -> Double {
    let service = try LoopbackService(body: body(models))
    guard let url = URL(string: "http://127.0.0.1:\(service.port)/items") else { return .nan }
    let session = URLSession(configuration: .ephemeral)
    defer { session.invalidateAndCancel() }
    return try await time(atOnce, service) {
      var request = URLRequest(url: url)
      request.setValue("application/json", forHTTPHeaderField: "Accept")
      request.cachePolicy = .reloadIgnoringLocalCacheData
      let (data, _) = try await session.data(for: request)
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .iso8601
      try expect(decoder.decode([Item].self, from: data).count == models)
    }
  }

  private static func find(
    models: Int, atOnce: Int, remembers: Bool = false
  ) async throws -> Double {
    let service = try LoopbackService(body: body(models))
    let items = try repository(service, remembers: remembers)
    return try await time(atOnce, service) {
      try expect(await items.find(Criteria()).value.count == models)
    }
  }

  @MainActor
  private static func findOnMain() async throws -> Double {
    let service = try LoopbackService(body: body(20))
    let items = try repository(service, remembers: false)
    let time = try await ContinuousClock().measure {
      for _ in 0..<count { try expect(await items.find(Criteria()).value.count == 20) }
    }
    return time / .nanoseconds(1) / Double(count)
  }

  private static func repository(
    _ service: LoopbackService, remembers: Bool
  ) throws -> HTTPRepository<Item> {
    var configuration = HTTPService.Configuration()
    configuration.rememberedResponseSize = remembers ? 8 << 20 : 0
    guard let url = URL(string: "http://127.0.0.1:\(service.port)") else {
      throw URLError(.badURL)
    }
    return HTTPRepository(HTTPService(url, configuration: configuration), "items")
  }

  private static func time(
    _ atOnce: Int, _ service: LoopbackService, _ find: @escaping @Sendable () async throws -> Void
  ) async throws -> Double {
    try await find()
    let time = try await ContinuousClock().measure {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for part in 0..<atOnce {
          group.addTask {
            for _ in stride(from: part, to: count, by: atOnce) { try await find() }
          }
        }
        try await group.waitForAll()
      }
    }
    withExtendedLifetime(service) {}
    return time / .nanoseconds(1) / Double(count)
  }

  static func body(_ models: Int) throws -> [UInt8] {
    Array(try HTTPFormat.defaultEncoder().encode(Item.make(models)))
  }
}
