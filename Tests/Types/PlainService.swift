import EvocationHTTP
import Foundation

/// A service in this process, which keeps each model as the JSON that it received.
///
/// It changes no value: a number stays as it was written. Its models are keyed by the bytes of the
/// id in their address, and it notes where the id in a body is another one.
actor PlainService: HTTPTransport {
  private let idPath: [String]
  private var models: [Data: [JSONMember]] = [:]
  private(set) var problems: [String] = []

  init(idPath: [String]) {
    self.idPath = idPath
  }

  func send(_ request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
    let parts = request.url.path(percentEncoded: true).split(separator: "/")
    let id = parts.count > 1 ? parts[1].removingPercentEncoding.map { Data($0.utf8) } : nil
    guard let id else { return try answerAll(request) }
    if let body = request.body { try check(body, Data(id)) }
    switch (request.method, models[id]) {
    case ("PUT", let there?) where request.headers["If-None-Match"] == "*":
      return answer(412, there)
    case ("PUT", let there):
      models[id] = try JSONMember.all(of: request.body ?? Data())
      return answer(there == nil ? 201 : 200, models[id])
    case ("PATCH", let there?):
      models[id] = JSONMember.merged(there, try JSONMember.all(of: request.body ?? Data()))
      return answer(200, models[id])
    case ("DELETE", _?):
      models[id] = nil
      return answer(204, nil)
    case ("GET", let there?): return answer(200, there)
    default: return answer(404, nil)
    }
  }

  /// A list of all models, or a new one.
  private func answerAll(_ request: HTTPTransportRequest) throws -> HTTPTransportResponse {
    guard request.method == "POST", let body = request.body else {
      let all = models.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map {
        JSONMember.object($0.value)
      }
      return One.answer(
        200, Data("[".utf8) + Data(all.joined(separator: Data(",".utf8))) + Data("]".utf8))
    }
    let id = try JSONMember.id(in: body, idPath)
    if let there = models[id] { return answer(409, there) }
    models[id] = try JSONMember.all(of: body)
    return answer(201, models[id])
  }

  private func answer(_ status: Int, _ members: [JSONMember]?) -> HTTPTransportResponse {
    One.answer(status, members.map { JSONMember.object($0) } ?? Data())
  }

  private func check(_ body: Data, _ id: Data) throws {
    guard !idPath.isEmpty, let own = try? JSONMember.id(in: body, idPath), own != id else { return }
    problems.append(
      "The address has the id \(String(decoding: id, as: UTF8.self)), and the body \(String(decoding: own, as: UTF8.self))"
    )
  }

  private struct One: AsyncSequence, Sendable {
    let data: Data

    static func answer(_ status: Int, _ data: Data) -> HTTPTransportResponse {
      HTTPTransportResponse(
        status: status, headers: ["Content-Type": "application/json"], body: One(data: data))
    }

    func makeAsyncIterator() -> Iterator { Iterator(data: data) }

    struct Iterator: AsyncIteratorProtocol {
      fileprivate var data: Data?

      mutating func next() async throws -> Data? {
        defer { data = nil }
        return data
      }
    }
  }
}
