import Foundation
import TestTraits
import Testing

@testable import EvocationHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite(.patient) struct URLSessionExchangeTests {
  @Test func `A request that ended before its answer was there goes on nowhere`() async throws {
    let url = try #require(URL(string: "http://127.0.0.1/cars"))
    let task = URLSession.shared.dataTask(with: url)
    let exchange = URLSessionExchange(task)
    exchange.cancel()
    #expect(task.state == .canceling || task.state == .completed)
    await #expect(throws: CancellationError.self) { try await exchange.response() }
  }

  @Test func `A request whose caller was cancelled before is kept by nobody`() async throws {
    let url = try #require(URL(string: "http://127.0.0.1/cars"))
    let task = URLSession.shared.dataTask(with: url)
    let exchange = URLSessionExchange(task)
    let call = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try await exchange.response()
    }
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(task.state == .canceling || task.state == .completed)
  }
}
