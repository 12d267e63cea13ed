import Evocation
import Foundation
import TestSupport
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
    try await eventually("the end of the task") { task.hasEnded }
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
    try await eventually("the end of the task") { task.hasEnded }
  }

  #if os(macOS) || os(Linux)
    /// Ends an exchange from another thread while the session delivers the head of its answer.
    private final class Canceler: NSObject, URLSessionDataDelegate, Sendable {
      let exchange = Promise<URLSessionExchange>()
      /// Whether that returned while the session waited.
      let hasReturned = Promise<Bool>()

      func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
      ) {
        let end = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [exchange] in
          exchange.present?.cancel()
          end.signal()
        }
        hasReturned.fulfil(end.wait(timeout: .now() + 10) == .success)
        completionHandler(.allow)
      }
    }

    /// The session may be resuming the caller's task, which has to wait for the handler of its
    /// cancellation: all sessions would stand still if that waited for the session.
    @Test func `A request can be cancelled while its answer arrives`() async throws {
      let server = try RawServer { line in
        line.begin()
        line.waitForEnd()
      }
      let canceler = Canceler()
      let session = URLSession(
        configuration: .ephemeral, delegate: canceler, delegateQueue: URLSessionExchanges.queue())
      defer { session.finishTasksAndInvalidate() }
      let exchange = URLSessionExchange(session.dataTask(with: server.url), isStreamed: true)
      canceler.exchange.fulfil(exchange)
      await #expect(throws: CancellationError.self) { try await exchange.head() }
      #expect(await canceler.hasReturned.value)
    }
  #endif
}

extension URLSessionTask {
  fileprivate var hasEnded: Bool { state == .canceling || state == .completed }
}
