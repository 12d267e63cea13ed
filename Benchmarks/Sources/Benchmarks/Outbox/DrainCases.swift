import Evocation
import EvocationHTTP
import EvocationSQLite
import Foundation
import Harness

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The speed of sending a queue over loopback, compared with a loop by hand with the same bodies.
struct DrainCases {
  private static let count = 1_000
  private static let atOnce = 4

  var all: [Case] {
    [
      Case("send, URLSession", .nanoseconds) { try await Self.sendByHand() },
      Case("send, HTTPRepository", .nanoseconds, against: "send, URLSession") {
        try await Self.sendByRepository()
      },
      Case("send, outbox", .nanoseconds, against: "send, URLSession", bar: .times(1.25)) {
        try await Self.drain()
      },
    ]
  }

  private static func sendByHand() async throws -> Double {
    let service = try LoopbackService()
    guard let url = URL(string: "http://127.0.0.1:\(service.port)/items") else { return .nan }
    let session = URLSession(configuration: .ephemeral)
    defer { session.invalidateAndCancel() }
    let encoder = JSONEncoder()
    let bodies = try (0..<count).map { try encoder.encode(Item($0)) }
    let time = try await ContinuousClock().measure {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for part in 0..<atOnce {
          group.addTask {
            for index in stride(from: part, to: count, by: atOnce) {
              var request = URLRequest(url: url)
              request.httpMethod = "POST"
              request.httpBody = bodies[index]
              request.setValue("application/json", forHTTPHeaderField: "Content-Type")
              request.setValue(UUID().uuidString, forHTTPHeaderField: "Idempotency-Key")
              let (data, _) = try await session.data(for: request)
              _ = try JSONDecoder().decode(Item.self, from: data)
            }
          }
        }
        try await group.waitForAll()
      }
    }
    withExtendedLifetime(service) {}
    return time / .nanoseconds(1) / Double(count)
  }

  /// Measures the part of the outbox's time that its remote repository needs.
  private static func sendByRepository() async throws -> Double {
    let service = try LoopbackService()
    guard let url = URL(string: "http://127.0.0.1:\(service.port)") else { return .nan }
    let remote = HTTPRepository<Item>(HTTPService(url), "items")
    let time = try await ContinuousClock().measure {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for part in 0..<atOnce {
          group.addTask {
            for index in stride(from: part, to: count, by: atOnce) {
              try expect(try await remote.storeOne(Item(index)).value != nil)
            }
          }
        }
        try await group.waitForAll()
      }
    }
    withExtendedLifetime(service) {}
    return time / .nanoseconds(1) / Double(count)
  }

  private static func drain() async throws -> Double {
    let service = try LoopbackService()
    guard let url = URL(string: "http://127.0.0.1:\(service.port)") else { return .nan }
    let scratch = try Scratch()
    let evocation = Evocation(
      configuration: .init(outbox: .init(concurrency: atOnce, sendsAutomatically: false)))
    evocation.register(for: Item.self)
      .repository(remote: HTTPRepository<Item>(HTTPService(url), "items"))
      .repository(local: try SQLiteRepository<Item>(SQLiteDatabase(path: scratch.path())))
      .strategy(.offlineFirst)
    for number in 0..<count { _ = await evocation.storeOne(Item(number)) }
    let time = try await ContinuousClock().measure {
      let result = await evocation.outbox.flush()
      try expect(result.sent == count && result.left == 0)
    }
    withExtendedLifetime(service) {}
    return time / .nanoseconds(1) / Double(count)
  }
}
