#if os(macOS) || os(Linux)
  import Evocation
  import Foundation
  import TestSupport

  /// A server of a few lines, which writes what a test wants, byte by byte, on a free port of loopback.
  final class RawServer: Sendable {
    /// A connection with its request, which one thread serves.
    final class Line: Sendable {
      /// The head of the request.
      let head: String
      /// Whether a `HEAD` came before, on the same connection.
      let hadFirst: Bool
      private let socket: Int32
      /// Whether the socket is open: a closed one has a number that soon is another's.
      private let isOpen = Lock(true)
      private let begun = Lock(false)
      private let over = Promise<Void>()

      fileprivate init?(_ socket: Int32) {
        self.socket = socket
        var (text, hadFirst) = ("HEAD", false)
        // What comes before a stream on Linux, for which the connection stays.
        while text.hasPrefix("HEAD") {
          guard let next = Self.head(from: socket) else { return nil }
          text = next
          hadFirst = hadFirst || text.hasPrefix("HEAD")
          guard text.hasPrefix("HEAD") else { break }
          let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)
          _ = answer.withUnsafeBytes {
            Foundation.send(socket, $0.baseAddress, $0.count, RawServer.quietly)
          }
        }
        (head, self.hadFirst) = (text, hadFirst)
      }

      private static func head(from socket: Int32) -> String? {
        var bytes: [UInt8] = []
        while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
          var byte: UInt8 = 0
          guard recv(socket, &byte, 1, 0) == 1 else { return nil }
          bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
      }

      /// Writes bytes; false if the client has gone.
      @discardableResult func write(_ text: String) -> Bool { write(Array(text.utf8)) }

      @discardableResult func write(_ bytes: [UInt8]) -> Bool {
        isOpen.withLock { $0 && send(bytes) }
      }

      private func send(_ bytes: [UInt8]) -> Bool {
        var start = 0
        while start < bytes.count {
          let count = bytes[start...].withUnsafeBytes { bytes in
            Foundation.send(socket, bytes.baseAddress, bytes.count, RawServer.quietly)
          }
          guard count > 0 else { return false }
          start += count
        }
        return true
      }

      /// Writes a head, after which a stream begins.
      func begin(_ status: String = "200 OK", _ fields: String...) {
        let all = ["Content-Type: text/event-stream", "Connection: close"] + fields
        write("HTTP/1.1 \(status)\r\n" + all.map { "\($0)\r\n" }.joined() + "\r\n")
        begun.withLock { $0 = true }
      }

      /// Whether the head was written, which nothing may come before.
      var hasBegun: Bool { begun.withLock(\.self) }

      /// Waits until the client has gone.
      func waitForEnd() {
        var byte: UInt8 = 0
        while recv(socket, &byte, 1, 0) > 0 {}
        over.fulfil()
      }

      fileprivate func shut() {
        isOpen.withLock { isOpen in
          isOpen = false
          shutdown(socket, Int32(SHUT_RDWR))
          close(socket)
        }
      }

      /// Is reached when the client has gone, and the server has seen it.
      var end: Void { get async { await over.value } }
    }

    #if canImport(Glibc)
      private static let (stream, quietly) = (Int32(SOCK_STREAM.rawValue), Int32(MSG_NOSIGNAL))
    #else
      private static let (stream, quietly) = (SOCK_STREAM, Int32(0))
    #endif

    let url: URL
    let lines = Record<Line>()
    private let socket: Int32

    /// Starts one, which serves each connection by the closure, in a thread, and then closes it.
    init(_ serve: @escaping @Sendable (Line) -> Void) throws {
      socket = Foundation.socket(AF_INET, Self.stream, 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      let isBound = withUnsafeMutablePointer(to: &address) { [socket] pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
          var size = socklen_t(MemoryLayout<sockaddr_in>.size)
          return bind(socket, pointer, size) == 0 && listen(socket, 64) == 0
            && getsockname(socket, pointer, &size) == 0
        }
      }
      let port = Int(UInt16(bigEndian: address.sin_port))
      guard isBound, let url = URL(string: "http://127.0.0.1:\(port)") else {
        throw URLError(.cannotConnectToHost)
      }
      self.url = url
      Thread.detachNewThread { [socket, lines] in
        while true {
          let client = accept(socket, nil, nil)
          guard client >= 0 else { return }
          Thread.detachNewThread {
            guard let line = Line(client) else { return _ = close(client) }
            lines.append(line)
            serve(line)
            line.shut()
          }
        }
      }
    }

    deinit {
      shutdown(socket, Int32(SHUT_RDWR))
      close(socket)
    }

    /// A connection, by its number from 0 on.
    func line(_ number: Int = 0) async throws -> Line {
      try await eventually("line \(number)") { lines.elements.count > number }
      return lines.elements[number]
    }
  }
#endif
