#if os(macOS) || os(Linux)
  package import Foundation

  /// A port that nobody listens at, and that nobody else is given while it is held.
  package final class HeldPort: Sendable {
    /// The address of the port, `http://127.0.0.1:` and its number.
    package let url: URL
    /// The number.
    package let port: Int
    private let socket: Int32

    /// Takes a port that is free.
    package init() throws {
      #if canImport(Glibc)
        let stream = Int32(SOCK_STREAM.rawValue)
      #else
        let stream = SOCK_STREAM
      #endif
      socket = Foundation.socket(AF_INET, stream, 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      let isBound = withUnsafeMutablePointer(to: &address) { [socket] pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
          var size = socklen_t(MemoryLayout<sockaddr_in>.size)
          return bind(socket, pointer, size) == 0 && getsockname(socket, pointer, &size) == 0
        }
      }
      port = Int(UInt16(bigEndian: address.sin_port))
      guard isBound, let url = URL(string: "http://127.0.0.1:\(port)") else {
        close(socket)
        throw URLError(.cannotConnectToHost)
      }
      self.url = url
    }

    deinit {
      close(socket)
    }
  }
#endif
