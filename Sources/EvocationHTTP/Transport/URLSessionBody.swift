import Foundation

/// The body of a streamed answer, which ends its exchange when nobody holds it any more.
struct URLSessionBody: AsyncSequence, Sendable {
  fileprivate final class Owner: Sendable {
    let exchange: URLSessionExchange

    init(_ exchange: URLSessionExchange) {
      self.exchange = exchange
    }

    deinit { exchange.letGo() }
  }

  private let owner: Owner

  init(exchange: URLSessionExchange) {
    owner = Owner(exchange)
  }

  func makeAsyncIterator() -> Iterator { Iterator(owner: owner) }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate let owner: Owner

    mutating func next() async throws -> Data? {
      try await owner.exchange.piece()
    }
  }
}
