/// The credential of a repository's requests.
extension HTTPClient {
  /// Asks the app for another credential than the one that the service has refused.
  ///
  /// - Returns: Nil if there is no closure to ask, or if the closure itself sends the request.
  func renew(_ refused: String?) async throws -> String?? {
    guard let hook = configuration.authorization else { return nil }
    service.credentials.recordRefused(refused)
    guard !service.credentials.isRenewing else { return nil }
    return .some(try await service.credentials.renewed(refused) { try await hook(.refusal) })
  }

  /// Forgets all answers, and ends the streams, because the user has signed out.
  func forgetAnswers() {
    service.cache.forgetAll()
    service.streams.forgetAll()
    service.credentials.recordSignedOut()
  }

  /// Returns the credential that a request would have now.
  func credential(of request: HTTPRequest) async throws -> String? {
    var fields = fields(of: request)
    if let credential = try await configuration.authorization?(.request) {
      fields["Authorization"] = credential
    }
    let message = try await message(
      HTTPRedirects(request, fields, trust: service.trust, key: format.idempotency?.field))
    return message.authorization
  }
}

extension HTTPTransportRequest {
  /// The field `Authorization`, however the app writes its name.
  var authorization: String? {
    headers["Authorization"]
      ?? headers.first { $0.key.lowercased() == "authorization" }?.value
  }
}
