import Foundation

/// What a service answered, whatever its status.
struct HTTPAnswer: Sendable {
  var status: Int
  /// The fields by their names in lower case.
  var headers: [String: String]
  var body: Data
  /// Where the answer came from in the end.
  var url: URL?
  /// Where to remember what the body decodes to, if that is wanted.
  var key: ETagCache.Key?
  /// What an earlier body decoded to, when the service says that it still holds.
  var remembered: (any Sendable)?

  var isSuccess: Bool { (200...299).contains(status) || remembered != nil }

  /// What a repository tells beside the models.
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
