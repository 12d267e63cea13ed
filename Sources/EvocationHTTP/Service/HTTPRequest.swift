import Foundation

/// One request, before the configuration's fields and the credential are added.
struct HTTPRequest: Sendable {
  var method: String
  var url: URL
  var body: Data?
  /// Fields of its route, and those that its query needs.
  var headers: [String: String] = [:]
  var idempotencyKey: String?
  /// The field that says which version the request is based on, and the version.
  var condition: Condition?
  /// Statuses beside 200 to 299 that say that it was done.
  var done: Set<Int> = []
  /// The path of its route, with `{id}` for an id.
  var path = ""
  /// Whether an answer without models says that there are none.
  var mayBeEmpty = false

  /// The names of the fields that it has by what it is, and by none of the app's, in lower case.
  ///
  /// They say on what it depends, and which part of a list it asks for; a request without them would be
  /// another. `key` is the field of its idempotency key.
  func ownFields(_ key: String?) -> Set<String> {
    var names: Set<String> = ["accept", "content-type", "if-none-match"]
    names.formUnion((headers.keys + [key].compactMap(\.self)).map { $0.lowercased() })
    if let condition { names.insert(condition.field.lowercased()) }
    return names.subtracting(["authorization", "cookie", "proxy-authorization"])
  }

  struct Condition: Sendable, Hashable {
    var field: String
    var value: String

    /// No version at all: the model must not be there.
    static let absent = Condition(field: "If-None-Match", value: "*")
  }
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
  /// Statuses beside 200 to 299 that say that it was done.
  var done: Set<Int> = []
  /// The credential that the request had.
  var credential: String?
  /// Whether another host than the service's has answered, after a redirect.
  var isForeign = false
  /// Items that the app adds to the query of each request.
  var hidden: Set<String> = []

  var isSuccess: Bool {
    (200...299).contains(status) || remembered != nil || done.contains(status)
  }

  /// Whether only its route says that it is a success, so that it has no models.
  var isOtherwiseDone: Bool {
    done.contains(status) && !(200...299).contains(status) && remembered == nil
  }

  /// What a repository gives beside the models.
  var metadata: [String: any Sendable] {
    var metadata: [String: any Sendable] = ["status": status, "headers": headers]
    metadata["etag"] = headers["etag"]
    metadata["totalCount"] = headers["x-total-count"].flatMap { Int($0) }
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
    get { named[name] ?? named.first { $0.key.lowercased() == name.lowercased() }?.value }
    set {
      if let present = named.keys.first(where: { $0.lowercased() == name.lowercased() }) {
        named[present] = nil
      }
      named[name] = newValue.map { value in
        guard value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return value }
        return String(value.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F })
      }
    }
  }

  /// The fields that may be sent to any host: those that the library sets, which hold no credential.
  func keeping(_ own: Set<String>) -> HTTPFields {
    var fields = self
    fields.named = named.filter { own.contains($0.key.lowercased()) }
    return fields
  }
}
