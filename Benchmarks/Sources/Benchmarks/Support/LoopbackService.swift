import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A service on loopback that answers every request with its body, or with a fixed one.
///
/// It has a thread for each connection, and does no more than HTTP requires, so that the measurement is
/// about the client.
final class LoopbackService: Sendable {
  let port: UInt16
  private let socket: Int32

  /// Starts a service.
  ///
  /// - Parameters:
  ///   - body: The body of every answer. It has an entity tag, and a client with the tag receives a
  ///     304. If nil, an answer has the body of its request.
  ///   - pages: Bodies that replace it: the query's `offset` selects one, and the page behind the last
  ///     is empty.
  /// - Throws: `POSIXError` if there is no port.
  init(body: [UInt8]? = nil, pages: (length: Int, bodies: [[UInt8]])? = nil) throws {
    let listener = Self.open()
    socket = listener
    var address = Self.address
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        var size = size
        return bind(listener, address, size) == 0 && listen(listener, 64) == 0
          && getsockname(listener, address, &size) == 0
      }
    }
    guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread {
      while true {
        let connection = accept(listener, nil, nil)
        if connection < 0 { return }
        var on: Int32 = 1
        setsockopt(
          connection, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        Thread.detachNewThread { Self.serve(connection, body, pages) }
      }
    }
  }

  deinit {
    shutdown(socket, Int32(SHUT_RDWR))
    close(socket)
  }

  private static func open() -> Int32 {
    #if canImport(Glibc)
      Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      Darwin.socket(AF_INET, SOCK_STREAM, 0)
    #endif
  }

  private static var address: sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return address
  }

  private static let unchanged = Array("HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\n\r\n".utf8)

  private static func head(_ length: Int, isTagged: Bool) -> [UInt8] {
    let tag = isTagged ? "ETag: \"1\"\r\n" : ""
    return Array(
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\(tag)Content-Length: \(length)\r\n\r\n"
        .utf8)
  }

  /// Returns the page at the offset in a request.
  private static func page(
    in head: String, _ pages: (length: Int, bodies: [[UInt8]])
  ) -> [UInt8] {
    let offset = head.split(separator: "offset=", maxSplits: 1).dropFirst().first?
      .prefix { $0.isNumber }
    let index = (offset.flatMap { Int($0) } ?? 0) / pages.length
    return index < pages.bodies.count ? pages.bodies[index] : Array("[]".utf8)
  }

  /// Answers the requests of one connection until it is closed.
  private static func serve(
    _ connection: Int32, _ body: [UInt8]?, _ pages: (length: Int, bodies: [[UInt8]])?
  ) {
    defer { close(connection) }
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    let end = Array("\r\n\r\n".utf8)
    while true {
      while let head = received.firstRange(of: end) {
        let text = String(decoding: received[..<head.lowerBound], as: UTF8.self).lowercased()
        let length =
          text.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
          .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
        guard received.count >= head.upperBound + length else { break }
        let own = pages.map { Self.page(in: text, $0) } ?? body
        let body = own ?? Array(received[head.upperBound..<head.upperBound + length])
        let isKnown = text.contains("\r\nif-none-match:")
        let answer = isKnown ? Self.unchanged : Self.head(body.count, isTagged: own != nil) + body
        guard send(connection, answer, answer.count, 0) == answer.count else { return }
        received.removeSubrange(..<(head.upperBound + length))
      }
      let count = recv(connection, &buffer, buffer.count, 0)
      if count <= 0 { return }
      received += buffer[..<count]
    }
  }
}
