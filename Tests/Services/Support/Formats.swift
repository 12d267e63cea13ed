import Evocation
import EvocationHTTP
import Foundation

// The formats of services for which the library has none, as the page "Connecting your service" says to write them.
extension HTTPFormat {
  /// Django REST framework JSON:API over SQLite, whose texts pass over case.
  static let djangoJSONAPI: HTTPFormat = {
    var format = HTTPFormat.jsonAPI
    format.identifiers = .service
    format.total = .key("meta.pagination.count")
    format.filters.operators[.hasPrefix] = nil
    format.filters.operators[.contains] = nil
    format.filters.textOperators = [:]
    return format
  }()

  /// Datasette's JSON API, whose lists go on after a token of the service.
  static let datasette: HTTPFormat = {
    var format = HTTPFormat()
    format.routes.find.path = "{path}.json?_extra=count"
    format.routes.findOne?.path = "{path}/{id}.json"
    format.routes.store = .init("POST", "{path}/-/insert")
    format.routes.storeOne = .init("POST", "{path}/-/insert", sendsArray: true)
    format.routes.updateOne = .init("POST", "{path}/{id}/-/update", writesNulls: true)
    format.routes.storeOrUpdate = .init("POST", "{path}/-/upsert", writesNulls: true)
    format.routes.storeOrUpdateOne = nil
    format.routes.removeOne = .init("POST", "{path}/{id}/-/delete", answersModels: false)
    format.envelope = .key("rows")
    format.requestEnvelope = .keys(list: "rows", model: "update")
    format.body = .json(adding: ["return": true])  // without it, no answer has a model
    format.filters = HTTPFilters(
      [
        .equal: "exact", .less: "lt", .lessOrEqual: "lte", .greater: "gt", .greaterOrEqual: "gte",
        .isIn: "in", .isNull: "isnull", .isNotNull: "notnull",
      ],
      filter: .named(list: { "[\($0.json.joined(separator: ","))]" }) { "\($0.name)__\($0.word)" },
      order: .single(ascending: "_sort", descending: "_sort_desc"), paging: .limit("_size"),
      largestPage: 1000)
    format.total = .key("count")
    format.next = .key("next_url")
    format.idempotency = nil
    format.refusals.rules = [.init(400, contains: "UNIQUE constraint", means: .alreadyExists)]
    return format
  }()

  /// The app of FastAPI's tutorial: a list of at most a hundred from an offset, without conditions.
  static let fastAPITutorial: HTTPFormat = {
    var format = HTTPFormat()
    format.routes = .restOneByOne
    format.routes.find.path = "{path}/"
    format.routes.storeOne.path = "{path}/"
    format.routes.storeOrUpdateOne = nil
    format.routes.removeOne.answersModels = false
    // It passes over items that it does not know.
    format.filters.keys = [:]
    format.filters.order = nil
    format.filters.after = nil
    format.filtersHere = true
    format.filters.largestPage = 100
    format.next = .offset
    format.identifiers = .service
    format.idempotency = nil
    return format
  }()

  /// Eve over MongoDB, which takes no change without a version, and answers a write without the model.
  static let eve: HTTPFormat = {
    var format = HTTPFormat()
    format.routes = .restOneByOne
    format.routes.change { $0.writesNulls = true }
    format.routes.updateOne.onlyIfPresent = true
    format.routes.removeOne.onlyIfPresent = true
    format.routes.storeOrUpdateOne = nil
    format.envelope = .keys(list: "_items", model: nil)
    format.filters = HTTPFilters(
      [
        .equal: "$eq", .notEqual: "$ne", .less: "$lt", .lessOrEqual: "$lte", .greater: "$gt",
        .greaterOrEqual: "$gte", .isIn: "$in", .isNotIn: "$nin", .isNull: "$eq", .isNotNull: "$ne",
      ], filter: .json("where", all: "$and", any: "$or"),
      paging: .page(number: "page", size: "max_results"), largestPage: 50)
    format.filters.ordersByIdentifier = true
    format.filters.nulls = .unknown
    format.total = .key("_meta.total")
    format.next = .offset
    format.version = .property("_etag")
    format.idempotency = nil
    format.refusals.message = ["_error.message"]
    format.refusals.fields = ["_issues"]
    return format
  }()

  /// A GraphQL service by Strawberry, which gives at most a hundred in one answer.
  static let strawberry: HTTPFormat = {
    let car = """
      { id name milesPerGallon cylinders displacement horsepower weight acceleration year origin }
      """
    var format = HTTPFormat.graphQL(
      find: """
        query($where: CarWhere, $order: [Order!], $limit: Int = 100, $offset: Int = 0) {
          list: cars(where: $where, order: $order, limit: $limit, offset: $offset) {
            items \(car) total
          }
        }
        """,
      findOne: "query($id: Int!) { model: car(id: $id) \(car) }",
      store: "mutation($model: NewCar!) { model: createCar(input: $model) \(car) }",
      update: """
        mutation($id: Int!, $model: CarChanges!) { model: updateCar(id: $id, input: $model) \(car) }
        """,
      remove: "mutation($id: Int!) { model: removeCar(id: $id) { id } }",
      items: "items", total: "total")
    format.identifiers = .service
    format.filters.order = .json("order") {
      #"{"by":"\#($0.name)","descending":\#($0.descending)}"#
    }
    format.filters.largestPage = 100
    format.next = .offset
    return format
  }()
}
