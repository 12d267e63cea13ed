// Formats of known services. The article "Connecting your service" has a word-for-word copy of each block.
extension HTTPFormat {
  /// Plain REST: a list of models at `/cars`, one model at `/cars/1`, conditions in the query.
  ///
  /// It was run against FastAPI 0.165 with SQLModel.
  ///
  /// A list without a `Link` to a next page is complete. A service may cut lists without saying so:
  /// Evocation therefore sends one more request, behind the first list of ten models or more, and
  /// again behind a longer one, until the service has sent a `Link` or a total.
  public static let rest: HTTPFormat = {
    var format = HTTPFormat()
    format.next = .link
    return format
  }()

  /// PostgREST: a filter addresses each row, and the id is the column `id`.
  ///
  /// It was run against this package's imitation of PostgREST alone, and so was that of Supabase.
  /// The base URL is the service's, and the path is a table's name. Evocation asks for lists in parts
  /// of a thousand rows.
  public static let postgREST: HTTPFormat = {
    var format = HTTPFormat()
    format.routes = .postgREST
    format.filters = .postgREST
    format.filters.largestPage = 1000
    format.trustsFilters = true
    format.next = .offset
    format.total = .contentRange
    format.idempotency = nil
    return format
  }()

  /// Returns the format of Supabase, which is PostgREST with a project's key.
  ///
  /// The base URL is `https://….supabase.co/rest/v1`, and the path is a table's name. Return a user's
  /// token from the service's `authorization` closure.
  ///
  /// - Parameter key: The project's public key.
  /// - Returns: The format.
  public static func supabase(key: String) -> HTTPFormat {
    var format = HTTPFormat.postgREST
    format.headers["apikey"] = key
    return format
  }

  /// Returns the format of Django REST framework with `PageNumberPagination` and django-filter.
  ///
  /// The path is that of a view, without the slash at its end. The service assigns the ids of new
  /// models. It was run against Django REST framework 3.18 with Django 5.2 and django-filter 26.2.
  ///
  /// - Parameter pageSize: The number of models on a page, the view's `PAGE_SIZE`.
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

  /// GitHub and similar services: bare arrays, page numbers, and the field `Link`.
  ///
  /// GitHub passes over a condition that it does not have, so the format has equality alone, and no order.
  /// It was run against this package's imitation of GitHub alone.
  public static let gitHub: HTTPFormat = {
    var format = HTTPFormat()
    format.routes = .restOneByOne
    format.routes.storeOrUpdateOne = nil
    format.filters.operators = [.equal: ""]
    format.filters.order = nil
    format.filters.paging = .page(number: "page", size: "per_page")
    format.filters.largestPage = 100
    format.filters.after = nil
    format.next = .link
    format.sendsIfMatch = false
    format.idempotency = nil
    format.refusals.rules = [.init(422, contains: "already_exists", means: .alreadyExists)]
    return format
  }()

  /// Kinto: records whose ids the app assigns, with timestamps as versions.
  ///
  /// The base URL ends with `/v1`, and a path looks like `buckets/main/collections/cars/records`. It was
  /// run against Kinto 26 on PostgreSQL and in memory.
  public static let kinto: HTTPFormat = {
    var format = HTTPFormat()
    format.routes = .restOneByOne
    format.routes.storeOne = .init("PUT", "{path}/{id}", onlyIfAbsent: true)
    format.routes.change { $0.writesNulls = true }
    format.omitsNulls = true
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

  /// PocketBase: records, with all conditions in one expression.
  ///
  /// The base URL ends with `/api`, and a path looks like `collections/cars/records`. An id has fifteen
  /// lowercase letters and digits. PocketBase assigns one to a record whose id is empty. It was run
  /// against PocketBase 0.40.
  public static let pocketBase: HTTPFormat = {
    var format = HTTPFormat()
    format.routes = .restOneByOne
    format.routes.storeOrUpdateOne = nil
    format.routes.change { $0.writesNulls = true }
    format.envelope = .keys(list: "items", model: nil)
    format.filters = .pocketBase
    format.trustsFilters = true
    format.total = .key("totalItems")
    format.next = .offset
    format.identifiers = .placeholder { $0.isEmpty }
    format.live = .pocketBase
    format.idempotency = nil
    format.refusals.fields = ["data"]
    format.refusals.rules = [
      .init(400, key: "data.id.code", contains: "validation_not_unique", means: .alreadyExists)
    ]
    return format
  }()

  /// JSON:API 1.1: resources with a `type` and `attributes`, and links from page to page.
  ///
  /// JSON:API does not define the names of conditions, orders and pages; the format has those of
  /// djangorestframework-jsonapi 8.1, which it was run against. Ids are texts, and numbers there. The
  /// resource type is the repository's path.
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
    format.routes.find.done = [404]
    format.filters = .suffixes
    format.filters.filter = .named { "filter[\($0.name)\($0.word.isEmpty ? "" : ".")\($0.word)]" }
    format.filters.separator = "."
    format.filters.order = .item("sort")
    format.filters.paging = .page(number: "page[number]", size: "page[size]")
    format.filters.largestPage = 100
    format.filters.identifiersAreNumbers = true
    format.next = .key("links.next")
    format.idempotency = nil
    format.refusals.message = ["errors.0.detail", "errors.0.title"]
    return format
  }()

  /// Returns the format of a GraphQL service, with the text of a query for each route.
  ///
  /// The texts name what they ask for by aliases: a list is `list`, and a model is `model`. Variables are
  /// those of ``HTTPBody/graphQL(_:)``. The path is that of the service, such as `graphql`.
  ///
  /// ```swift
  /// var format = HTTPFormat.graphQL(
  ///   find: """
  ///     query($limit: Int, $offset: Int) {
  ///       list: cars(limit: $limit, offset: $offset) { id name year }
  ///     }
  ///     """,
  ///   findOne: "query($id: ID!) { model: car(id: $id) { id name year } }",
  ///   store: "mutation($model: NewCar!) { model: addCar(car: $model) { id name year } }",
  ///   update: """
  ///     mutation($id: ID!, $model: CarChange!) {
  ///       model: changeCar(id: $id, car: $model) { id name year }
  ///     }
  ///     """,
  ///   remove: "mutation($id: ID!) { model: removeCar(id: $id) { id } }")
  /// format.filters.largestPage = 100
  /// format.next = .offset
  /// ```
  ///
  /// An answer with `errors` is a refusal, whatever its status. Null in place of a model says that the
  /// service does not have it. A condition is the variable `where`, if the query has it, in the form of
  /// Strawberry 0.341, which the format was run against: `{"year": {"gte": 1980}}`. Set ``filters`` for
  /// another form, and for the order; without conditions and orders set ``filtersHere``.
  ///
  /// - Parameters:
  ///   - find: The query of a list.
  ///   - findOne: The query of a model by its id; nil to ask for a list of one.
  ///   - store: The mutation that adds a model.
  ///   - update: The mutation that changes a model.
  ///   - remove: The mutation that removes a model.
  ///   - items: The key of the models in `list`; nil if it is an array of them.
  ///   - total: The key of their number in `list`; nil if it has none.
  /// - Returns: The format.
  public static func graphQL(
    find: String, findOne: String? = nil, store: String, update: String, remove: String,
    items: String? = nil, total: String? = nil
  ) -> HTTPFormat {
    func route(_ text: String) -> Route {
      var route = Route("POST", sendsChanges: true, body: .graphQL(text))
      route.mayBeEmpty = true
      return route
    }
    var format = rest
    format.next = nil
    format.routes = .restOneByOne
    format.routes.find = route(find)
    format.routes.find.mayBeEmpty = false
    format.routes.findOne = findOne.map(route)
    format.routes.storeOne = route(store)
    format.routes.storeOne.mayBeEmpty = false
    format.routes.updateOne = route(update)
    format.routes.updateOne.writesNulls = true
    format.routes.storeOrUpdateOne = nil
    format.routes.removeOne = route(remove)
    let list = ["data.list", items].compactMap(\.self).joined(separator: ".")
    format.envelope = .keys(list: list, model: "data.model")
    format.total = total.map { .key("data.list.\($0)") }
    format.filters = HTTPFilters(
      find.names(variable: "where")
        ? [
          .equal: "eq", .notEqual: "ne", .less: "lt", .lessOrEqual: "lte", .greater: "gt",
          .greaterOrEqual: "gte", .isIn: "in", .isNull: "eq", .isNotNull: "ne",
        ] : [:],
      filter: .json("where", all: "and", any: "or", not: "not", isNested: true), order: nil)
    format.filters.nulls = .unknown
    format.sendsIfMatch = false
    format.idempotency = nil
    format.refusals.message = ["errors.0.message"]
    format.refusals.rules = [200, 400, 422].map { .init($0, key: "errors", means: .client) }
    return format
  }
}
