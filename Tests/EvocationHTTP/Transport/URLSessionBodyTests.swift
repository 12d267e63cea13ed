import Evocation
import EvocationHTTP
import Foundation
import TestSupport
import TestTraits
import Testing
import TransportSuite

#if os(macOS) || os(Linux)
  /// Answers that are passed on as they arrive, by the system's session.
  @Suite(.patient) struct URLSessionBodyTests {
    private func request(_ server: RawServer, limit: Int = .max) -> HTTPTransportRequest {
      var request = HTTPTransportRequest(
        url: server.url, timeout: .seconds(1), isRepeatable: true, maximumBodySize: limit)
      request.isStreamed = true
      return request
    }

    @Test func `Each piece arrives while the answer goes on`() async throws {
      let turns = (0..<3).map { _ in DispatchSemaphore(value: 0) }
      let server = try RawServer { line in
        line.begin()
        for (number, turn) in turns.enumerated() {
          turn.wait()
          line.write("data: \(number)\n\n")
        }
      }
      let answer = try await URLSessionTransport().send(request(server))
      #expect(answer.status == 200)
      #expect(answer.headers["content-type"] == "text/event-stream")
      let text = Record<UInt8>()
      let reader = Task {
        for try await piece in answer.body { piece.forEach(text.append) }
      }
      for (number, turn) in turns.enumerated() {
        turn.signal()
        try await eventually("piece \(number)") { text.elements.count == 9 * (number + 1) }
      }
      try await reader.value
      #expect(
        String(decoding: text.elements, as: UTF8.self) == "data: 0\n\ndata: 1\n\ndata: 2\n\n")
    }

    #if os(Linux)
      @Test func `A stream has a connection that was used before, which costs no processor`()
        async throws
      {
        let server = try RawServer { $0.begin() }
        _ = try await URLSessionTransport().send(request(server))
        #expect(try await server.line().hadFirst)
      }
    #endif

    @Test func `Canceling the task that reads ends the connection`() async throws {
      let server = try RawServer { line in
        line.begin()
        line.write("data: a\n\n")
        line.waitForEnd()
      }
      let read = Record<Int>()
      let task = Task {
        for try await piece in try await URLSessionTransport().send(request(server)).body {
          read.append(piece.count)
        }
      }
      try await eventually("the first piece") { !read.elements.isEmpty }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      await (try await server.line()).end
    }

    @Test func `A body that is let go ends the connection, read or not`() async throws {
      let server = try RawServer { line in
        line.begin()
        line.write("data: a\n\n")
        line.waitForEnd()
      }
      let transport = URLSessionTransport()
      _ = try await transport.send(request(server))
      await (try await server.line(0)).end
      for try await _ in try await transport.send(request(server)).body { break }
      await (try await server.line(1)).end
    }

    @Test func `A request that is not answered ends with its task`() async throws {
      let server = try RawServer { $0.waitForEnd() }
      let task = Task { try await URLSessionTransport().send(request(server)) }
      let line = try await server.line()
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      await line.end
      let late = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await URLSessionTransport().send(request(server))
      }
      await #expect(throws: CancellationError.self) { try await late.value }
    }

    @Test func `A connection that is lost ends the body with an error`() async throws {
      let server = try RawServer { line in
        line.begin("200 OK", "Content-Length: 100")
        line.write("data: a\n\n")
      }
      let answer = try await URLSessionTransport().send(request(server))
      var size = 0
      await #expect(throws: (any Error).self) {
        for try await piece in answer.body { size += piece.count }
      }
      #expect(size == 9)
    }

    @Test func `A service that sends without end fills no more memory than allowed`() async throws {
      let server = try RawServer { line in
        line.begin()
        let text = String(repeating: "data: x\n\n", count: 1000)
        while line.write(text) {}
        line.waitForEnd()
      }
      let answer = try await URLSessionTransport().send(request(server, limit: 1_000_000))
      #if canImport(FoundationNetworking)
        // Nothing holds the service back there, so the connection ends.
        let line = try await server.line()
        await line.end
        var size = 0
        let error = await failure {
          for try await piece in answer.body { size += piece.count }
        }
        let named = error as? HTTPError
        #expect(named?.code == .connectionLost)
        #expect(named?.reason == "1000000 bytes")
        #expect(
          named?.description
            == "The request / sends faster than the app reads, and 1000000 bytes waited; "
            + "send fewer changes, or raise maximumResponseSize.")
        #expect((1...1_000_000).contains(size))
      #else
        var size = 0
        for try await piece in answer.body where size < 10_000_000 { size += piece.count }
      #endif
    }

    @Test func `A redirect and a refusal are answers`() async throws {
      let server = try RawServer { line in
        if line.head.hasPrefix("GET /moved") {
          line.begin("307 Temporary Redirect", "Location: /events", "Content-Length: 0")
        } else {
          line.begin("401 Unauthorized", "WWW-Authenticate: Bearer", "Content-Length: 2")
          line.write("no")
        }
      }
      for (path, status) in [("moved", 307), ("other", 401)] {
        var request = request(server)
        request.url.append(path: path)
        #expect(try await URLSessionTransport().send(request).status == status)
      }
    }
  }
#endif
