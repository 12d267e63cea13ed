import Evocation
import Foundation

/// How a request becomes the message that is sent: its header fields, and what the app adds.
extension HTTPClient {
  /// Returns the fields of a request, without the credential.
  func fields(of request: HTTPRequest) -> HTTPFields {
    var fields = HTTPFields()
    fields["Accept"] = "application/json"
    if request.body != nil {
      fields["Content-Type"] = request.contentType ?? format.body.contentType
    }
    for named in [service.configuration.headers, format.headers, request.headers] {
      for (name, value) in named { fields[name] = value }
    }
    if let field = request.keyField, let key = request.idempotencyKey {
      fields[field] = key
    }
    if let condition = request.condition { fields[condition.field] = condition.value }
    return fields
  }

  func redirects(of request: HTTPRequest, _ fields: HTTPFields) -> HTTPRedirects {
    HTTPRedirects(
      request, fields, trust: service.trust, key: request.keyField
    )
  }

  /// Returns the message of a request, as the app completes it.
  func message(_ redirects: HTTPRedirects) async throws -> HTTPTransportRequest {
    let (request, configuration) = (redirects.request, service.configuration)
    var message = HTTPTransportRequest(
      method: request.method, url: request.url, headers: redirects.fields.named,
      body: request.body, timeout: request.timeout ?? configuration.timeout,
      isRepeatable: isRepeatable(request, redirects.fields),
      maximumBodySize: configuration.maximumResponseSize
    )
    if let silence = request.streamedSilence {
      (message.isStreamed, message.timeout) = (true, silence)
    }
    guard let prepare = configuration.prepare, !redirects.isForeign else { return message }
    try await prepare(&message)
    guard service.trust.allows(message.url) else { throw HTTPError(.insecure, of: request) }
    return message
  }

  /// Whether a request may reach the service twice: a read, or a write that it recognizes by its key.
  private func isRepeatable(_ request: HTTPRequest, _ fields: HTTPFields) -> Bool {
    guard !request.isRead else { return true }
    guard request.isKnownByKey, let field = request.keyField else { return false }
    return fields[field] != nil
  }

  /// Returns the message of a request with a credential.
  func message(
    of request: HTTPRequest, _ credential: String?
  ) async throws -> HTTPTransportRequest {
    var fields = fields(of: request)
    if let credential { fields["Authorization"] = credential }
    return try await message(redirects(of: request, fields))
  }

  /// Returns the credential that a request would have now.
  func credential(of request: HTTPRequest) async throws -> String? {
    try await message(of: request, asked(.request)).authorization
  }
}

extension HTTPTransportRequest {
  /// The field `Authorization`, however the app writes its name.
  var authorization: String? {
    headers["Authorization"]
      ?? headers.first { $0.key.lowercased() == "authorization" }?.value
  }
}
