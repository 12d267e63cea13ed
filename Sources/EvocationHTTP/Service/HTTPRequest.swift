import Evocation
import Foundation

/// One request, before the client adds the configured header fields and the credential.
struct HTTPRequest: Sendable {
  var method: String
  var url: URL
  var body: Data?
  /// The header fields of the route, and those that the query needs.
  var headers: [String: String] = [:]
  var idempotencyKey: String?
  /// The field that names the version on which the request is based, and that version.
  var condition: Condition?
  /// Statuses outside 200 to 299 that count as success.
  var done: Set<Int> = []
  /// The path of the route, with `{id}` in place of an id.
  var path = ""
  /// Whether an answer without models means that there are none.
  var mayBeEmpty = false
  /// Whether the answer may have a separate answer for each of several models.
  var hasParts = false
  /// The longest silence of an answer that is read as it arrives; nil for an answer that is read whole.
  var streamedSilence: Duration?
  /// The longest time for it; nil for that of the service.
  var timeout: Duration?
  /// The header field of its key; nil for none.
  var keyField: String?
  /// Whether the service performs only one of several writes with one key.
  var isKnownByKey = false
  /// The type of the body; nil for that of the format.
  var contentType: String?
  /// Whether it reads, although its method is that of a write.
  var readsByBody = false
  /// The session in which the app asked for it; nil for a request of a stream.
  var session: Session?

  var isRead: Bool { readsByBody || ["GET", "HEAD"].contains(method) }

  /// Returns the lowercase names of the fields that belong to the request itself, and not to the app.
  ///
  /// These fields name the version or the part of a list that the request is about. Without them it
  /// would be another request. `key` is the name of the field with the idempotency key.
  func ownFields(_ key: String?) -> Set<String> {
    var names: Set<String> = ["accept", "content-type", "if-none-match"]
    names.formUnion((headers.keys + [key].compactMap(\.self)).map { $0.lowercased() })
    if let condition { names.insert(condition.field.lowercased()) }
    return names.subtracting(["authorization", "cookie", "proxy-authorization"])
  }

  struct Condition: Sendable, Hashable {
    var field: String
    var value: String

    /// The model must not exist in any version.
    static let absent = Condition(field: "If-None-Match", value: "*")
  }
}

/// An answer of a service, with any status.
struct HTTPAnswer: Sendable {
  var status: Int
  /// The header fields by their names in lowercase.
  var headers: [String: String]
  var body: Data
  /// The address that answered, after all redirects.
  var url: URL?
  /// The key for storing the decoded value; nil if the value must not be stored.
  var key: ETagCache.Key?
  /// The value of an earlier answer that a 304 has confirmed.
  var remembered: (any Sendable)?
  /// Statuses outside 200 to 299 that count as success.
  var done: Set<Int> = []
  /// The credential that was sent with the request.
  var credential: String?
  /// The field `Authorization` that was sent, as the app has completed the message.
  var authorization: String?
  /// Whether the answer came from another host than the service's, after a redirect.
  var isForeign = false
  /// Query items that the app adds to each request.
  var hidden: Set<String> = []
  /// The body that is read as it arrives; nil if it is in ``body``.
  var stream: (any AsyncSequence<Data, any Error> & Sendable)?

  /// Whether the write was performed, and this is the answer of the address that has its result (303).
  var isOfResult = false

  /// What a rule of the format says that the answer means; nil if its status says it.
  var meaning: HTTPError.Code?

  var isSuccess: Bool {
    meaning == nil && ((200...299).contains(status) || remembered != nil || done.contains(status))
  }

  /// Whether the status is a success only by the route, so that the answer has no models.
  var isOtherwiseDone: Bool {
    done.contains(status) && !(200...299).contains(status) && remembered == nil
  }

  /// The metadata that a repository returns beside the models.
  var metadata: [String: any Sendable] {
    var metadata: [String: any Sendable] = ["status": status, "headers": headers]
    metadata["etag"] = headers["etag"]
    metadata["totalCount"] = headers["x-total-count"].flatMap { Int($0) }
    return metadata
  }
}

/// Header fields by their names, compared without regard to case.
struct HTTPFields: Sendable {
  private(set) var named: [String: String] = [:]

  /// The value of a field.
  ///
  /// Setting a value removes its control characters. A line break, such as one at the end of a token
  /// that was read from a file, would begin another field.
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

  /// Returns the fields that may be sent to any host: those that the library sets, without credentials.
  func keeping(_ own: Set<String>) -> HTTPFields {
    var fields = self
    fields.named = named.filter { own.contains($0.key.lowercased()) }
    return fields
  }
}
