import Evocation
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A `URLSession` that ends with its owner, and its exchanges.
final class HTTPSession: Sendable {
  private let session: URLSession
  private let exchanges: HTTPExchanges
  private let limits: HTTPExchange.Limits
  private let clock: any Clock<Duration>

  init(_ configuration: HTTPConfiguration) {
    exchanges = HTTPExchanges()
    limits = HTTPExchange.Limits(
      timeout: configuration.timeout,
      size: configuration.maximumResponseSize,
      insecureHosts: configuration.insecureHosts
    )
    clock = configuration.clock
    session = URLSession(
      configuration: configuration.session(), delegate: exchanges, delegateQueue: nil
    )
  }

  deinit {
    session.finishTasksAndInvalidate()  // the session keeps itself and its delegate until then
  }

  /// Sends a request, follows its redirects, and gives the whole answer, whatever its status.
  func answer(to request: HTTPRequest, fields: HTTPFields) async throws -> HTTPAnswer {
    guard limits.allows(request.url) else { throw HTTPError(.insecure, of: request) }
    var redirects = HTTPRedirects(request, fields, limits)
    while true {
      let answer = try await exchange(redirects.request, redirects.fields)
      guard try redirects.follow(answer) else { return answer }
    }
  }

  private func exchange(
    _ request: HTTPRequest, _ fields: HTTPFields
  ) async throws -> HTTPAnswer {
    var message = URLRequest(url: request.url)
    message.httpMethod = request.method
    message.httpBody = request.body
    message.cachePolicy = .reloadIgnoringLocalCacheData
    message.timeoutInterval = limits.systemTimeout
    for (name, value) in fields.named { message.setValue(value, forHTTPHeaderField: name) }
    let task = session.dataTask(with: message)
    let exchange = HTTPExchange(request, task, limits)
    exchanges.add(exchange, for: task)
    defer { exchanges.remove(task) }
    let deadline = Task { [clock, limits] in
      try await clock.sleepWithinBounds(for: limits.timeout)
      exchange.finish(throwing: HTTPError(.timedOut, of: request, reason: "\(limits.timeout)"))
    }
    defer { deadline.cancel() }
    return try await exchange.run()
  }
}
