import Foundation
import Testing

@testable import EvocationHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(20))) struct HTTPExchangeEndTests {
  @Test func `A request that ended before its answer was there goes on nowhere`() async throws {
    let url = try #require(URL(string: "http://127.0.0.1/cars"))
    let task = URLSession.shared.dataTask(with: url)
    let exchange = HTTPExchange(
      HTTPRequest(method: "GET", url: url), task,
      HTTPExchange.Limits(timeout: .seconds(1), size: 1, insecureHosts: []))
    exchange.finish(throwing: CancellationError())
    #expect(task.state == .canceling || task.state == .completed)
    await #expect(throws: CancellationError.self) { try await exchange.run() }
  }
}
