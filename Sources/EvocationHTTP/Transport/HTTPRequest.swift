import Foundation

/// One request, before the configuration's fields and the credential are added.
struct HTTPRequest: Sendable {
  var method: String
  var url: URL
  var body: Data?
  var idempotencyKey: String?
  /// The tag of the version that the request is based on.
  var ifMatch: String?
}

/// What a service answered, whatever its status.
struct HTTPAnswer: Sendable {
  var status: Int
  /// The fields by their names in lower case.
  var headers: [String: String]
  var body: Data
  /// The address that answered, after all redirects.
  var url: URL?
  /// The key to remember the decoded value by; nil when it is not to be remembered.
  var key: ETagCache.Key?
  /// The value of an earlier answer that is still valid, after a 304.
  var remembered: (any Sendable)?

  var isSuccess: Bool { (200...299).contains(status) || remembered != nil }

  /// What a repository gives beside the models.
  var metadata: [String: any Sendable] {
    var metadata: [String: any Sendable] = ["status": status, "headers": headers]
    metadata["etag"] = headers["etag"]
    metadata["totalCount"] = headers["x-total-count"].flatMap { Int($0) }
    if let links = headers["link"] {
      metadata["next"] = LinkHeader.url("next", in: links, relativeTo: url)
      metadata["previous"] = LinkHeader.url("prev", in: links, relativeTo: url)
    }
    return metadata
  }
}

/// Header fields by their names, in which upper and lower case are the same.
struct HTTPFields: Sendable {
  private(set) var named: [String: String] = [:]

  /// A field's value.
  ///
  /// Control characters are left out of a value, because a line break, such as one at the end of a
  /// token that was read from a file, would begin another field.
  subscript(name: String) -> String? {
    get { named.first { $0.key.lowercased() == name.lowercased() }?.value }
    set {
      named = named.filter { $0.key.lowercased() != name.lowercased() }
      named[name] = newValue.map { value in
        String(value.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F })
      }
    }
  }

  /// The fields that may be sent to any host, because they hold no credential.
  var withoutCredentials: HTTPFields {
    let harmless = ["accept", "content-type", "if-none-match", "idempotency-key"]
    var fields = self
    fields.named = named.filter { harmless.contains($0.key.lowercased()) }
    return fields
  }
}
