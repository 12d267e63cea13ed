import Evocation
import EvocationHTTP
import Fixtures
import Foundation

/// URLSession, and the WebSockets of a client in Python, because URLSession has none on Linux.
struct BridgedTransport: HTTPTransport {
  private let base = URLSessionTransport()

  func send(_ request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
    try await base.send(request)
  }

  func webSocket(_ request: HTTPTransportRequest) async throws -> any HTTPWebSocket {
    let socket = try BridgedSocket(request)
    try await socket.open()
    return socket
  }
}

/// A WebSocket of `Fixtures/real/websocket_client.py`.
final class BridgedSocket: HTTPWebSocket {
  private struct Line: Codable {
    var open, refused: Bool?
    var status, pong, ping, end: Int?
    var text: String?
  }

  private let child: ChildProcess
  /// Where its output is waited for.
  private let reading = DispatchQueue(label: "reading")
  private let pings = Lock<(last: Int, waiting: [Int: Promise<Void>])>((0, [:]))

  init(_ request: HTTPTransportRequest) throws {
    let python = ProcessInfo.processInfo.environment["EVOCATION_PYTHON", default: "python3"]
    let fields = String(decoding: try JSONEncoder().encode(request.headers), as: UTF8.self)
    child = try ChildProcess(
      URL(filePath: python),
      ["Fixtures/real/websocket_client.py", request.url.absoluteString, fields])
  }

  deinit { close() }

  func open() async throws {
    let first = try await line()
    if let status = first?.status {
      throw HTTPError(status == 401 ? .unauthorized : .client, status: status)
    }
    guard first?.open == true else { throw HTTPError(.refused) }
  }

  func send(_ text: String) async throws { try write(Line(text: text)) }

  func receive() async throws -> Data? {
    while let line = try await line() {
      if let text = line.text { return Data(text.utf8) }
      if let number = line.pong {
        pings.withLock { $0.waiting.removeValue(forKey: number) }?.fulfil()
      }
      if let code = line.end, code == 1000 || code == 1001 { return nil }
    }
    throw HTTPError(.connectionLost)
  }

  func ping() async throws {
    let pong = Promise<Void>()
    let number = pings.withLock { pings in
      pings.last += 1
      pings.waiting[pings.last] = pong
      return pings.last
    }
    try write(Line(ping: number))
    await pong.value(ifCancelled: ())
    try Task.checkCancellation()
  }

  func close() {
    DispatchQueue.global().async { [child] in child.end() }
  }

  private func write(_ line: Line) throws {
    guard child.isRunning else { throw HTTPError(.connectionLost) }
    try child.write(String(decoding: try JSONEncoder().encode(line), as: UTF8.self) + "\n")
  }

  private func line() async throws -> Line? {
    let text = await withCheckedContinuation { continuation in
      reading.async { [child] in continuation.resume(returning: child.line(within: .seconds(600))) }
    }
    return text.hasSuffix("\n") ? try JSONDecoder().decode(Line.self, from: Data(text.utf8)) : nil
  }
}
