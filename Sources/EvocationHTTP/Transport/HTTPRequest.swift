import Foundation

/// One request, before the configuration's fields and the credential are added.
struct HTTPRequest: Sendable {
  var method: String
  var url: URL
  var body: Data?
  var idempotencyKey: String?
  /// The tag of the only version that the request is meant for.
  var ifMatch: String?
}
