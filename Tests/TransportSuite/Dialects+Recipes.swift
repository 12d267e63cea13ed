#if os(macOS) || os(Linux)
  import Evocation
  import EvocationHTTP
  import Foundation

  // Recipes that a page shows word for word, between the function's first line and its last.
  extension Dialects {
    /// Stripe: the base URL is `https://api.stripe.com/v1`, the path as `customers`.
    static func stripe() -> Setup {
      var format = HTTPFormat()
      format.routes = .restOneByOne
      format.routes.updateOne = .init("POST", "{path}/{id}", writesNulls: true)
      format.routes.storeOrUpdateOne = nil
      format.body = .form
      format.envelope = .keys(list: "data", model: nil)
      format.filters.order = nil
      format.filters.keys = ["origin": [.equal], "year": [.greaterOrEqual, .lessOrEqual]]
      format.filters.paging = .limit("limit")
      format.filters.largestPage = 100
      format.filters.after = "starting_after"
      format.next = .last(item: "starting_after", more: "has_more")
      format.identifiers = .service
      format.readOnlyKeys = ["id"]
      format.idempotency = .key("Idempotency-Key")
      format.refusals.fields = ["error"]
      return Setup(format)
    }

    /// Airtable: the base URL is `https://api.airtable.com/v0/BASE`, the path a table's name or id.
    static func airtable() -> Setup {
      var format = HTTPFormat()
      format.routes = .restOneByOne
      format.routes.store = .init("POST")
      format.routes.store?.most = 10
      format.routes.update = .init("PATCH", writesNulls: true)
      format.routes.update?.most = 10
      format.routes.storeOrUpdateOne = nil
      format.envelope = .keys(list: "records", model: nil)
      format.requestEnvelope = .keys(list: "records", model: nil)
      format.attributes = "fields"
      format.filters = .airtable
      format.next = .token("offset", item: "offset")
      format.identifiers = .service
      format.idempotency = nil
      format.refusals.fields = []
      format.refusals.rules = [.init(422, contains: "ROW_DOES_NOT_EXIST", means: .notFound)]
      return Setup(format)
    }

    /// JSON:API: the base URL is the service's, the path the type, such as `cars`.
    static func jsonAPI() -> Setup {
      var format = HTTPFormat.jsonAPI
      let paging = format.filters.paging
      format.filters = .brackets
      format.filters.filter = .brackets(in: "filter")
      format.filters.paging = paging
      format.filters.largestPage = 100
      format.filters.after = nil
      return Setup(format)
    }

    /// Firebase Realtime Database: the base URL is `https://….firebaseio.com`, the path as `cars`.
    static func firebase(_ token: String = "public") -> Setup {
      var format = HTTPFormat()
      format.routes = .firebase
      format.omitsNulls = true
      format.listsByID = true
      format.filters = .firebase
      format.next = .never
      format.idempotency = nil
      var setup = Setup(format)
      setup.prepare = { request in
        request.url.append(queryItems: [URLQueryItem(name: "auth", value: token)])
      }
      return setup
    }

    /// Directus: the base URL is `https://….example.com/items`, the path a collection's name.
    static func directus() -> Setup {
      var format = HTTPFormat()
      format.routes.find.path = "{path}?meta=filter_count"
      format.routes.update = .init("PATCH", writesNulls: true)
      format.routes.storeOrUpdate = nil
      format.routes.storeOrUpdateOne = nil
      format.routes.remove = .init("DELETE")
      format.routes.remove?.sendsIDs = true
      format.envelope = .key("data")
      format.filters = .directus
      format.filters.largestPage = 100
      format.total = .key("meta.filter_count")
      format.next = .offset
      format.idempotency = nil
      format.refusals.message = ["errors.0.message"]
      format.refusals.rules = [
        .init(400, key: "errors", contains: "RECORD_NOT_UNIQUE", means: .alreadyExists),
        .init(403, key: "errors", contains: "FORBIDDEN", means: .notFound),
      ]
      return Setup(format)
    }
  }
#endif
