import Evocation
import Foundation

extension HTTPClient {
  /// Whether an answer can be the service's own: JSON, or a type that the request accepts.
  ///
  /// A network portal in front of a service answers 200 too, mostly with HTML, to any request. JSON
  /// never begins with the `<` of HTML. An empty body has no type.
  func isSpoken(_ answer: HTTPAnswer, to request: HTTPRequest) -> Bool {
    guard !answer.body.isEmpty else { return true }
    guard answer.body.firstSign != UInt8(ascii: "<") else { return false }
    guard let type = ContentType(answer.headers["content-type"]), !type.isJSON else { return true }
    return ContentType.all(in: fields(of: request)["Accept"]).contains { $0.includes(type) }
  }
}

extension HTTPError {
  /// Creates the error of an answer to a write that is not the service's.
  init(foreign answer: HTTPAnswer, of request: HTTPRequest) {
    let type = ContentType(answer.headers["content-type"]).map { $0.isJSON ? "markup" : "\($0)" }
    let reason = "\(type ?? "markup"), which is not the service's answer"
    self.init(undecodable: answer, of: request, reason: reason, scope: .service)
  }
}
