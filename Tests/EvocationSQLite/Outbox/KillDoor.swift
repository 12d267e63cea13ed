#if os(Linux)
  @testable import SQLiteSupport
  import Foundation
  import Glibc
  import TestSupport

  /// A port of a service's, for one client.
  ///
  /// It has a thread for each connection, and can be closed when the client is dead.
  final class KillDoor: Sendable {
    let port: UInt16
    private let socket: Int32
    /// The threads.
    private let all = DispatchGroup()

    init(_ service: KillService, _ client: String) throws {
      socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      let isBound = withUnsafeMutablePointer(to: &address) { [socket] pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          var size = socklen_t(MemoryLayout<sockaddr_in>.size)
          return bind(socket, address, size) == 0 && listen(socket, 64) == 0
            && getsockname(socket, address, &size) == 0
        }
      }
      guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
      port = UInt16(bigEndian: address.sin_port)
      begin { [socket, all] in
        while true {
          let connection = accept(socket, nil, nil)
          if connection < 0 { return }
          Self.begin(all) { Self.serve(connection, service, client) }
        }
      }
    }

    deinit {
      shutdown(socket, Int32(SHUT_RDWR))
      close(socket)
    }

    /// Lets nobody in any more, and waits until all that has come in is done.
    func closed() async {
      shutdown(socket, Int32(SHUT_RDWR))
      await withCheckedContinuation { continuation in
        all.notify(queue: .global()) { continuation.resume() }
      }
    }

    private func begin(_ body: @escaping @Sendable () -> Void) { Self.begin(all, body) }

    private static func begin(_ all: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
      all.enter()
      Thread.detachNewThread {
        body()
        all.leave()
      }
    }

    /// Answers the requests of one connection until either side closes it.
    private static func serve(_ connection: Int32, _ service: KillService, _ client: String) {
      defer { close(connection) }
      var on: Int32 = 1
      setsockopt(
        connection, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
      var received: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 16_384)
      while true {
        while let request = next(in: &received) {
          switch service.reply(to: request, of: client) {
          case .nothing: return
          case .half(let answer, let then):
            let bytes = bytes(answer)
            _ = send(connection, bytes, bytes.count / 2, Int32(MSG_NOSIGNAL))
            return then()
          case .whole(let answer):
            let bytes = bytes(answer)
            let sent = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            guard sent == bytes.count else { return }
          }
        }
        let count = recv(connection, &buffer, buffer.count, 0)
        if count <= 0 { return }
        // What has come of the request is forgotten, as when the rest of it does not come.
        if received.isEmpty, service.stops(at: .inRequest, client) { return }
        received += buffer[..<count]
      }
    }

    /// Takes the first request away; nil while it is not there whole.
    private static func next(in received: inout [UInt8]) -> KillService.Request? {
      guard let head = received.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
      let lines = String(decoding: received[..<head.lowerBound], as: UTF8.self)
        .split(separator: "\r\n")
      func value(_ name: String) -> String? {
        lines.first { $0.lowercased().hasPrefix(name + ":") }
          .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
      }
      let end = head.upperBound + (value("content-length").flatMap { Int($0) } ?? 0)
      guard received.count >= end else { return nil }
      let note = try? JSONDecoder().decode(
        NumberedNote.self, from: Data(received[head.upperBound..<end]))
      received.removeSubrange(..<end)
      let words = lines.first?.split(separator: " ") ?? []
      let last = words.dropFirst().first?.split(separator: "/").last
      // Where it is asked for, the id stands in the query.
      let asked = last?.split(whereSeparator: "?&".contains).first { $0.hasPrefix("id=") }
      let id = last.flatMap { Int($0) } ?? asked.flatMap { Int($0.dropFirst(3)) }
      return KillService.Request(
        method: words.first.map(String.init) ?? "", id: id ?? note?.id,
        key: value("idempotency-key") ?? "", note: note)
    }

    private static func bytes(_ answer: KillService.Answer) -> [UInt8] {
      let note = answer.note.flatMap { try? JSONEncoder().encode($0) } ?? Data()
      let body = answer.isList ? Data("[".utf8) + note + Data("]".utf8) : note
      // No body and no length of one: 204.
      let length = answer.status == 204 ? "" : "Content-Length: \(body.count)\r\n"
      let head =
        "HTTP/1.1 \(answer.status) Answer\r\nContent-Type: application/json\r\n\(length)\r\n"
      return Array(head.utf8) + body
    }
  }
#endif
