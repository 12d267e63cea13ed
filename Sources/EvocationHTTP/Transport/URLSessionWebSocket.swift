import Evocation
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A WebSocket of a session.
///
/// A session on Linux has none, unless its libcurl was built with them, and says so when it is opened.
final class URLSessionWebSocket: HTTPWebSocket {
  private let task: URLSessionWebSocketTask
  private let opened = Promise<Result<Void, any Error>>()

  init(_ task: URLSessionWebSocketTask) {
    self.task = task
  }

  deinit { close() }

  /// Begins, and waits until the service has accepted it.
  func open() async throws {
    task.resume()
    do {
      try await opened.value(ifCancelled: .failure(CancellationError())).get()
    } catch {
      close()
      throw named(error)
    }
  }

  /// Takes how opening it went from the session, which also reports its end.
  func receive(_ outcome: Result<Void, any Error>) {
    opened.fulfil(outcome)
  }

  func send(_ text: String) async throws {
    do { try await task.send(.string(text)) } catch { throw named(error) }
  }

  func receive() async throws -> Data? {
    do {
      return switch try await task.receive() {
      case .string(let text): Data(text.utf8)
      case .data(let data): data
      @unknown default: Data()
      }
    } catch {
      if isEnded { return nil }
      throw named(error)
    }
  }

  func ping() async throws {
    // The session may call the handler twice.
    let pong = Promise<(any Error)?>()
    task.sendPing { pong.fulfil($0) }
    if let error = await pong.value(ifCancelled: CancellationError()) { throw named(error) }
  }

  func close() {
    task.cancel(with: .goingAway, reason: nil)
  }

  /// Whether the service has ended it in order.
  private var isEnded: Bool { [.normalClosure, .goingAway].contains(task.closeCode) }

  /// Returns an error with the status by which the service refused or closed it, if there is one.
  private func named(_ error: any Error) -> any Error {
    if error is CancellationError { return error }
    if let status = (task.response as? HTTPURLResponse)?.statusCode, status >= 300 {
      return HTTPError(HTTPError.code(of: status), status: status, underlying: error)
    }
    if let status = Self.status(ofClosure: task.closeCode.rawValue) {
      return HTTPError(HTTPError.code(of: status), status: status, underlying: error)
    }
    return (error as? URLError)?.code == .unsupportedURL
      ? HTTPError(noWebSocketsBy: "URLSession on this system") : error
  }

  /// Returns the status that says the same as the code of a closure; nil if none does.
  ///
  /// Services whose codes are 4400 to 4599 mean the statuses 400 to 599.
  static func status(ofClosure code: Int) -> Int? {
    switch code {
    case 1008: 403
    case 1009: 413
    case 1011...1014: 503
    case 4400...4599: code - 4000
    default: nil
    }
  }
}
