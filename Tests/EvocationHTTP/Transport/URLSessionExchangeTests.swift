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
  /// How many session's tasks an exchange has made, once its queue has done what it had to do.
  private final class Count: Sendable {
    private let count = Lock(0)

    func exchange() throws -> URLSessionExchange {
      let url = try #require(URL(string: "http://127.0.0.1/cars"))
      return URLSessionExchange { [count] _ in
        count.withLock { $0 += 1 }
        return URLSession.shared.dataTask(with: url)
      }
    }

    var value: Int {
      get async {
        let last = Promise<Void>()
        URLSessionExchange.queue.async { last.fulfil() }
        await last.value
        return count.withLock(\.self)
      }
    }
  }

  @Test func `A request that ended before its answer was awaited is never made`() async throws {
    let count = Count()
    let exchange = try count.exchange()
    exchange.cancel()
    await #expect(throws: CancellationError.self) { try await exchange.response() }
    #expect(await count.value == 0)
  }

  @Test func `A request whose caller was cancelled before is never made`() async throws {
    let count = Count()
    let exchange = try count.exchange()
    let call = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try await exchange.response()
    }
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(await count.value == 0)
  }

  #if os(macOS) || os(Linux)
    /// Runs a closure while the session delivers the head of an answer, and so does nothing else.
    private final class HeadObserver: NSObject, URLSessionDataDelegate, Sendable {
      private let onHead: @Sendable () -> Void

      init(_ onHead: @escaping @Sendable () -> Void) {
        self.onHead = onHead
      }

      /// A session that calls it, which the test ends.
      func session() -> URLSession {
        URLSession(
          configuration: .ephemeral, delegate: self, delegateQueue: URLSessionExchanges.queue())
      }

      func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
      ) {
        onHead()
        completionHandler(.allow)
      }
    }

    private func server() throws -> RawServer {
      try RawServer { line in
        line.begin()
        line.waitForEnd()
      }
    }

    /// The session may be resuming the caller's task, which has to wait for the handler of its
    /// cancellation: all sessions would stand still if that waited for the session.
    @Test func `A request can be cancelled while its answer arrives`() async throws {
      let server = try server()
      let exchange = Promise<URLSessionExchange>()
      let hasReturned = Promise<Bool>()
      let observer = HeadObserver {
        let end = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          exchange.present?.cancel()
          end.signal()
        }
        hasReturned.fulfil(end.wait(timeout: .now() + 10) == .success)
      }
      let session = observer.session()
      defer { session.finishTasksAndInvalidate() }
      let made = URLSessionExchange(isStreamed: true) { _ in session.dataTask(with: server.url) }
      exchange.fulfil(made)
      await #expect(throws: CancellationError.self) { try await made.head() }
      #expect(await hasReturned.value)
    }

    @Test func `A request is sent, and answered, though nobody holds its transport`() async throws {
      let server = try RawServer { $0.write("HTTP/1.1 204 Done\r\nConnection: close\r\n\r\n") }
      let request = HTTPTransportRequest(url: server.url, isRepeatable: true)
      let exchange = URLSessionTransport().exchange(request)
      #expect(try await exchange.response().status == 204)
    }

    /// On Linux all sessions share a queue, which does nothing else while an answer arrives too fast.
    ///
    /// Requests that waited for it in the threads of Swift's tasks, of which there are as many as
    /// processors, would hold up the whole app. It runs in a process of its own, because here other
    /// tests' sessions wait in these threads.
    @Test func `Requests that wait for a busy session hold up nothing else`() async {
      await #expect(processExitsWith: .success) {
        let server = try URLSessionExchangeTests().server()
        let count = 4 * ProcessInfo.processInfo.activeProcessorCount
        let transport = URLSessionTransport()
        let request = HTTPTransportRequest(url: server.url, isRepeatable: true)
        let running = (0..<count).map { _ in Task { try await transport.send(request) } }
        try await eventually("the requests") { server.lines.elements.count == count }
        let haveAllBegun = Promise<Bool>()
        let observer = HeadObserver {
          for call in running { call.cancel() }
          let begun = DispatchSemaphore(value: 0)
          for _ in 0..<count {
            Task.detached {
              begun.signal()
              _ = try await transport.send(request)
            }
          }
          haveAllBegun.fulfil(
            (0..<count).allSatisfy { _ in begun.wait(timeout: .now() + 10) == .success })
        }
        let session = observer.session()
        let busy = URLSessionExchange(ownSession: session) { _ in
          session.dataTask(with: server.url)
        }
        let call = Task { try await busy.response() }
        #expect(await haveAllBegun.value)
        call.cancel()
      }
    }
  #endif
}
