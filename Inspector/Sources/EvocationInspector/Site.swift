import FlyingFox
import Foundation

/// The files of the page and its feed, behind the token of the address.
struct Site: HTTPHandler {
  let token: String
  let feed: Feed

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    // Another site's page may know the port and not the token; a name of its own leads here too.
    guard isOfThisDevice(request), let file = file(of: request.target.path()) else {
      return response(.notFound, "There is no such page; open the address that your app printed.")
    }
    if file == "feed" {
      return try await WebSocketHTTPHandler(handler: MessageFrameWSHandler(handler: feed))
        .handleRequest(request)
    }
    guard request.method == .GET, let type = Self.types[file], let data = Self.page(file) else {
      return response(.notFound, "There is no such file.")
    }
    return HTTPResponse(statusCode: .ok, headers: Self.headers(type), body: data)
  }

  /// The file that a path names after the token; nil for another token.
  private func file(of path: String) -> String? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    guard parts.count == 2, let given = parts.first, let file = parts.last,
      given.utf8.count == token.utf8.count,
      zip(given.utf8, token.utf8).reduce(0, { $0 | ($1.0 ^ $1.1) }) == 0
    else { return nil }
    return file.isEmpty ? "index.html" : String(file)
  }

  private func isOfThisDevice(_ request: HTTPRequest) -> Bool {
    func isOwn(_ host: String?) -> Bool { host == "127.0.0.1" || host == "localhost" }
    guard let host = request.headers[.host], isOwn(URL(string: "http://\(host)")?.host()) else {
      return false
    }
    guard let origin = request.headers[HTTPHeader("Origin")] else { return true }
    return isOwn(URL(string: origin)?.host())
  }

  private func response(_ status: HTTPStatusCode, _ text: String) -> HTTPResponse {
    HTTPResponse(
      statusCode: status, headers: Self.headers("text/plain; charset=utf-8"), body: Data(text.utf8))
  }

  private static let types = [
    "index.html": "text/html; charset=utf-8", "page.css": "text/css; charset=utf-8",
    "page.js": "text/javascript; charset=utf-8",
  ]

  private static func page(_ file: String) -> Data? {
    let folder = Bundle.module.resourceURL?.appending(path: "Page")
    return folder.flatMap { try? Data(contentsOf: $0.appending(path: file)) }
  }

  private static func headers(_ type: String) -> HTTPHeaders {
    [
      .contentType: type,
      HTTPHeader("Cache-Control"): "no-store",
      HTTPHeader("Referrer-Policy"): "no-referrer",
      HTTPHeader("X-Content-Type-Options"): "nosniff",
      HTTPHeader("Content-Security-Policy"):
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        + "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ]
  }
}
