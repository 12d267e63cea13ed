// Formats of known services. `Documentation/Connecting.md` shows each block as it stands here.
extension HTTPFormat {
  /// Plain REST: arrays of models at `/cars`, one at `/cars/1`, conditions in the query.
  ///
  /// A list without a `Link` to a next page is whole. Where it is just as long as another one was, which
  /// may be the length of a page, one more request looks for models behind it.
  public static let rest: HTTPFormat = {
    var format = HTTPFormat()
    format.next = .link
    return format
  }()

  /// PostgREST: rows that a filter addresses, whose id is the column `id`.
  ///
  /// The base URL is the service's, the path a table's name. A list is asked for in parts of a thousand rows.
  public static let postgREST: HTTPFormat = {
    var format = HTTPFormat()
    format.routes = .postgREST
    format.filters = .postgREST
    format.filters.largestPage = 1000
    format.next = .offset
    format.total = .contentRange
    format.idempotency = nil
    return format
  }()

  /// Supabase: PostgREST behind a key of the project's.
  ///
  /// The base URL is `https://….supabase.co/rest/v1`, the path a table's name. A user's token goes into the
  /// service's `authorization`.
  ///
  /// - Parameter key: The project's public key.
  /// - Returns: The format.
  public static func supabase(key: String) -> HTTPFormat {
    var format = HTTPFormat.postgREST
    format.headers["apikey"] = key
    return format
  }

  /// Django REST framework with `PageNumberPagination`, and django-filter's names of conditions.
  ///
  /// The path is a view's, without the slash at its end. The service gives new models their ids.
  ///
  /// - Parameter pageSize: How many models a page has; its `PAGE_SIZE`.
  /// - Returns: The format.
  public static func djangoREST(pageSize: Int) -> HTTPFormat {
    var format = HTTPFormat()
    format.routes = .restOneByOne.withTrailingSlashes
    format.routes.storeOrUpdateOne = nil
    format.routes.find.done = [404]
    format.envelope = .keys(list: "results", model: nil)
    format.filters = .suffixes
    format.filters.paging = .page(number: "page", size: nil)
    format.filters.largestPage = pageSize
    format.total = .key("count")
    format.next = .key("next")
    format.identifiers = .service
    format.idempotency = nil
    format.refusals.rules = [.init(400, contains: "already exists", means: .alreadyExists)]
    return format
  }

  /// GitHub, and services like it: bare arrays, page numbers, and the field `Link`.
  public static let gitHub: HTTPFormat = {
    var format = HTTPFormat()
    format.routes = .restOneByOne
    format.routes.storeOrUpdateOne = nil
    format.filters.paging = .page(number: "page", size: "per_page")
    format.filters.largestPage = 100
    format.filters.after = nil
    format.next = .link
    format.sendsIfMatch = false
    format.idempotency = nil
    format.refusals.rules = [.init(422, contains: "already_exists", means: .alreadyExists)]
    return format
  }()

  /// Kinto: records under the ids of their clients, with timestamps as versions.
  ///
  /// The base URL ends with `/v1`, the path is as `buckets/main/collections/cars/records`.
  public static let kinto: HTTPFormat = {
    var format = HTTPFormat()
    format.routes = .restOneByOne
    format.routes.storeOne = .init("PUT", "{path}/{id}", onlyIfAbsent: true)
    format.routes.change { $0.writesNulls = true }
    format.envelope = .key("data")
    format.requestEnvelope = .key("data")
    format.filters = .prefixes
    format.total = .header("Total-Records")
    format.next = .header("Next-Page")
    format.version = .property("last_modified")
    format.batch = .init("batch", size: 25)
    format.idempotency = nil
    format.refusals.rules = [.init(409, key: "errno", contains: "122", means: .server)]
    return format
  }()

  /// PocketBase: records whose conditions are one expression.
  ///
  /// The base URL ends with `/api`, the path is as `collections/cars/records`. An id is a text of fifteen
  /// small letters and digits; a record with an empty one gets its id from the service.
  public static let pocketBase: HTTPFormat = {
    var format = HTTPFormat()
    format.routes = .restOneByOne
    format.routes.storeOrUpdateOne = nil
    format.routes.change { $0.writesNulls = true }
    format.envelope = .keys(list: "items", model: nil)
    format.filters = .pocketBase
    format.total = .key("totalItems")
    format.next = .offset
    format.identifiers = .placeholder { $0.isEmpty }
    format.idempotency = nil
    format.refusals.fields = ["data"]
    format.refusals.rules = [
      .init(400, key: "data.id.code", contains: "validation_not_unique", means: .alreadyExists)
    ]
    return format
  }()

  /// JSON:API 1.1: resources with a `type` and their `attributes`, and links from page to page.
  ///
  /// What a condition, an order and a page are called is open there; these are the names that most services
  /// have. The type is the repository's path.
  public static let jsonAPI: HTTPFormat = {
    var format = HTTPFormat()
    format.routes = .restOneByOne
    format.routes.storeOrUpdateOne = nil
    format.envelope = .key("data")
    format.requestEnvelope = .key("data")
    format.attributes = "attributes"
    format.type = "{path}"
    format.body = HTTPBody(contentType: "application/vnd.api+json") { $0 }
    format.headers["Accept"] = "application/vnd.api+json"
    format.filters.filter = .brackets(in: "filter")
    format.filters.paging = .page(number: "page[number]", size: "page[size]")
    format.filters.largestPage = 100
    format.filters.after = nil
    format.next = .key("links.next")
    format.idempotency = nil
    format.refusals.message = ["errors.0.detail", "errors.0.title"]
    return format
  }()
}
