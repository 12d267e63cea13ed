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
    // Without it the answers have no models.
    format.body = HTTPBody(contentType: "application/json") { json in
      json.dropLast() + Data(#","return":true}"#.utf8)
    }
    format.filters = .suffixes
    format.filters.operators[.hasPrefix] = nil
    format.filters.operators[.contains] = nil
    format.filters.operators[.isNotNull] = "notnull"
    // A list with commas between its values would lose blanks, and have no value with a comma.
    format.filters.write(.isIn) { condition in
      let values = try JSONEncoder().encode(condition.texts)
      let text = String(decoding: values, as: UTF8.self)
      return [URLQueryItem(name: "\(condition.name)__in", value: text)]
    }
    format.filters.hasEmptyTexts = true
    format.filters.repeatsItems = true
    format.filters.paging = .limit("_size")
    format.filters.largestPage = 1000
    format.filters.order = .init { orders in
      guard let order = orders.first, orders.count == 1 else {
        throw HTTPError(.unsupportedCriteria, reason: "it sorts by one column alone")
      }
      return [URLQueryItem(name: order.descending ? "_sort_desc" : "_sort", value: order.name)]
    }
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
    format.routes.storeOne.answersModels = false
    format.routes.updateOne.answersModels = false
    format.routes.updateOne.onlyIfPresent = true
    format.routes.removeOne.onlyIfPresent = true
    format.routes.storeOrUpdateOne = nil
    format.identifierKey = "_id"
    format.envelope = .keys(list: "_items", model: nil)
    format.filters = .mongoDB
    format.filters.ordersByIdentifier = true
    format.filters.paging = .page(number: "page", size: "max_results")
    format.filters.largestPage = 50
    format.total = .key("_meta.total")
    format.next = .offset
    format.version = .property("_etag")
    format.idempotency = nil
    format.refusals.message = ["_error.message"]
    format.refusals.fields = ["_issues"]
    return format
  }()
}

extension HTTPFilters {
  /// MongoDB's query language: `where={"$and":[{"year":{"$gte":1980}}]}`, without its texts by pattern.
  static let mongoDB = HTTPFilters(
    [
      .equal: "$eq", .notEqual: "$ne", .less: "$lt", .lessOrEqual: "$lte", .greater: "$gt",
      .greaterOrEqual: "$gte", .isIn: "$in", .isNotIn: "$nin", .isNull: "$eq", .isNotNull: "$ne",
    ],
    filter: .expression("where") { condition in
      let values = zip(condition.values, condition.texts).map { value, text in
        let isPlain =
          switch value {
          case .bool, .integer, .unsigned, .real, .decimal: true
          default: false
          }
        return isPlain
          ? text : #""\#(text.replacing("\\", with: #"\\"#).replacing("\"", with: #"\""#))""#
      }
      let isList = condition.operation == .isIn || condition.operation == .isNotIn
      let value = isList ? "[\(values.joined(separator: ","))]" : values.first ?? "null"
      return #"{"\#(condition.name)":{"\#(condition.word)":\#(value)}}"#
    } joining: { join, parts in
      let word = [.all: "$and", .any: "$or", .not: "$nor"][join, default: ""]
      return #"{"\#(word)":[\#(parts.joined(separator: ","))]}"#
    }, order: .item("sort"))
}
