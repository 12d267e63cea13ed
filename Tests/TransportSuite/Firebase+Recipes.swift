import EvocationHTTP
import Foundation

// The routes and the stream of Firebase, as a page shows them word for word.

extension HTTPFormat.Routes {
  /// Firebase Realtime Database: every path ends with `.json`.
  static let firebase: HTTPFormat.Routes = {
    let one = "{path}/{id}.json"
    var routes = restOneByOne
    routes.find = .init("GET", "{path}.json")
    routes.find.mayBeEmpty = true
    routes.findOne = .init("GET", one, headers: ["X-Firebase-ETag": "true"])
    routes.findOne?.mayBeEmpty = true
    routes.storeOne = .init("PUT", one, headers: ["If-Match": "null_etag"])
    routes.updateOne = .init("PUT", one)
    routes.updateOne.onlyIfPresent = true
    routes.storeOrUpdateOne = .init("PUT", one)
    routes.removeOne = .init("DELETE", one)
    routes.removeOne.onlyIfPresent = true
    return routes
  }()
}

extension HTTPFormat.Live {
  /// Firebase Realtime Database: a stream for each list of models.
  static let firebase: HTTPFormat.Live = {
    var live = HTTPFormat.Live(.init("GET", "{path}.json")) { try message(of: $0) }
    // It begins with the whole list, which Evocation fetches by then.
    live.greeting = "put"
    live.greetingTimeout = .seconds(30)
    live.maximumEventSize = .max
    return live
  }()

  private static func message(of event: ServerSentEvent) throws -> Message? {
    switch event.name {
    case "cancel": return .init([.ended(status: 403)])
    case "auth_revoked": return .init([.ended(status: 401)])
    case "put", "patch": break
    default: return nil
    }
    let json = try JSONSerialization.jsonObject(with: event.data) as? [String: Any]
    guard let path = json?["path"] as? String, let data = json?["data"] else {
      return .init([.missed])
    }
    let keys = path.split(separator: "/").map(String.init)
    // The whole model, or null for a removed one.
    if event.name == "put", keys.count == 1 {
      return .init([data is NSNull ? .removed(keys[0]) : .stored(at: "data", id: keys[0])])
    }
    // Whole models, or parts of some if a key contains a slash. What else there is changes parts.
    guard event.name == "patch", keys.isEmpty, let models = data as? [String: Any] else {
      return .init([.missed])
    }
    return .init(
      models.sorted { $0.key < $1.key }.map { key, model in
        if key.contains("/") { return .missed }
        return model is NSNull ? .removed(key) : .stored(at: "data.\(key)", id: key)
      })
  }
}
