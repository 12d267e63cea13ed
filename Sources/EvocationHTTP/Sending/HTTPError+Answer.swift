import Evocation
import Foundation

extension HTTPError {
  /// Creates the error of an answer whose status is not a success.
  init(
    _ answer: HTTPAnswer, of request: HTTPRequest, by refusals: HTTPFormat.Refusals,
    current: (any Sendable)? = nil, currentVersion: String? = nil, code: Code? = nil
  ) {
    let refusal = HTTPRefusal(answer, refusals)
    self.init(
      code ?? refusal.meaning ?? Self.code(of: answer.status),
      method: request.method,
      url: request.url,
      status: answer.status,
      body: Self.text(of: answer.body),
      headers: answer.headers,
      retryAfter: RetryAfter.duration(of: answer.headers),
      current: current,
      message: refusal.message,
      fields: refusal.fields,
      currentVersion: currentVersion
    )
    isOfRead = request.readsByBody
  }

  /// Creates the error of an answer that does not decode.
  init(
    undecodable answer: HTTPAnswer, of request: HTTPRequest, because error: any Error,
    scope: FailureScope? = nil
  ) {
    let reason = Undecodable.reason(error, body: answer.body)
    self.init(undecodable: answer, of: request, reason: reason, underlying: error, scope: scope)
  }

  /// Creates the error of an answer that is not the expected one.
  init(
    undecodable answer: HTTPAnswer, of request: HTTPRequest, reason: String?,
    underlying: (any Error)? = nil, scope: FailureScope?
  ) {
    self.init(
      .undecodable,
      method: request.method,
      url: request.url,
      status: answer.status,
      body: Self.text(of: answer.body),
      headers: answer.headers,
      reason: reason,
      underlying: underlying,
      failureScope: scope
    )
    isOfRead = request.readsByBody
  }

  /// Creates the error of a request without an answer.
  init(_ code: Code, of request: HTTPRequest, reason: String? = nil, underlying: (any Error)? = nil)
  {
    self.init(
      code, method: request.method, url: request.url, reason: reason, underlying: underlying
    )
    isOfRead = request.readsByBody
  }

  /// Creates the error of a write that would replace what the app has not read.
  init(inPart model: some Any, of request: HTTPRequest, keys: Set<String>) {
    let names = keys.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
    self.init(.incompleteModel, of: request, reason: "\(names) of \(type(of: model))")
  }

  static func text(of body: Data) -> String? {
    body.isEmpty ? nil : String(decoding: body.prefix(4096), as: UTF8.self)
  }
}

extension HTTPFormat.Refusals {
  /// Returns the error of an answer that a rule refuses as a whole; nil if no rule does.
  func refusal(_ answer: HTTPAnswer, of request: HTTPRequest) -> HTTPError? {
    meaning(of: answer).map { _ in HTTPError(answer, of: request, by: self) }
  }
}
