import Evocation
import Foundation

/// A real service that `scripts/test-services` has started, and how its collection of cars is set up.
///
/// `EVOCATION_SERVICES` says where they are: `kinto=http://127.0.0.1:8888 pocketbase=http://…`.
enum RealService: String, CaseIterable, CustomStringConvertible, Sendable {
  /// Kinto on PostgreSQL, which gives pages of 100 at most.
  case kinto
  /// The same in memory, as its own quick start runs it.
  case kintoInMemory = "kinto-memory"
  /// Django REST framework with `PageNumberPagination`, whose pages have 100 rows whatever is asked.
  case djangoFixed = "django-fixed"
  /// The same with `page_size_query_param`, to 100 rows.
  case djangoSized = "django-sized"
  /// Django REST framework with `LimitOffsetPagination`, to 100 rows.
  case djangoOffsets = "django-offsets"
  /// PocketBase, which gives pages of 1,000 at most.
  case pocketBase = "pocketbase"
  /// Django REST framework JSON:API, which gives pages of 100 at most.
  case jsonAPI = "jsonapi"
  /// Datasette, which gives pages of 1,000 at most.
  case datasette
  /// The app of FastAPI's tutorial, which gives pages of 100 at most, and says nothing of the others.
  case fastAPI = "fastapi"
  /// Eve, which gives pages of 50 at most.
  case eve
  /// A GraphQL service by Strawberry, which gives 100 at most.
  case graphQL = "graphql"

  /// Those that run.
  static let running = allCases.filter { addresses[$0] != nil }

  /// One for each service, for what does not depend on its pages.
  static let runningOnce = running.filter { $0 != .djangoFixed && $0 != .djangoOffsets }

  private static let addresses: [RealService: URL] = {
    let said = ProcessInfo.processInfo.environment["EVOCATION_SERVICES", default: ""]
    let pairs = said.split(separator: " ").compactMap { word -> (RealService, URL)? in
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, let service = RealService(rawValue: parts[0]) else { return nil }
      return URL(string: parts[1]).map { (service, $0) }
    }
    return Dictionary(pairs) { $1 }
  }()

  var description: String { rawValue }

  /// Where it listens.
  var address: URL { Self.addresses[self] ?? URL(filePath: "/") }

  /// The model type that its cars are, since ids and nulls differ.
  var model: any ServiceCar.Type {
    switch self {
    case .kinto, .kintoInMemory: RecordCar.self
    case .djangoFixed, .djangoSized, .djangoOffsets, .datasette, .fastAPI, .graphQL:
      RowCar.self
    case .pocketBase: BaseCar.self
    case .jsonAPI: ResourceCar.self
    case .eve: DocumentCar.self
    }
  }

  /// Whether it is Kinto.
  var isKinto: Bool { self == .kinto || self == .kintoInMemory }

  /// Whether it gives new models their ids, and knows no keys of writes.
  ///
  /// A model whose answer is lost is there twice then, as the page "Offline" says.
  var givesIdentifiers: Bool {
    [.djangoFixed, .djangoSized, .djangoOffsets, .jsonAPI, .fastAPI, .graphQL].contains(self)
  }

  /// The key of ids in criteria.
  var identifierKey: Criteria.Key { self == .eve ? "_id" : "id" }

  /// Whether a list goes on after the last model of a page, whatever is removed meanwhile.
  var hasTokens: Bool { isKinto || self == .datasette }

  /// Whether a number below zero can be an id, also where the service gives another in its place.
  var takesNegativeIdentifiers: Bool { self != .pocketBase && self != .eve }

  /// The most that it gives in one answer.
  var largestPage: Int {
    switch self {
    case .pocketBase, .datasette: 1000
    case .eve: 50
    case .kinto, .kintoInMemory, .djangoFixed, .djangoSized, .djangoOffsets, .jsonAPI, .fastAPI,
      .graphQL:
      100
    }
  }

  /// The name of the query item that says how long a page is; nil where none does.
  var sizeItem: String? {
    switch self {
    case .kinto, .kintoInMemory: "_limit"
    // Of GraphQL it is a variable in the body.
    case .djangoFixed, .graphQL: nil
    case .djangoSized: "page_size"
    case .djangoOffsets, .fastAPI: "limit"
    case .pocketBase: "perPage"
    case .jsonAPI: "page[size]"
    case .datasette: "_size"
    case .eve: "max_results"
    }
  }

  /// Has one test at a time use the service, whose collection is empty then.
  func alone<Value>(_ body: () async throws -> Value) async throws -> Value {
    await Turns.shared.take(self)
    do {
      try await empty()
      let value = try await body()
      await Turns.shared.give(self)
      return value
    } catch {
      await Turns.shared.give(self)
      throw error
    }
  }
}

/// Whose turn it is at each service.
private actor Turns {
  static let shared = Turns()

  private var taken: Set<RealService> = []
  private var waiting: [RealService: [CheckedContinuation<Void, Never>]] = [:]

  func take(_ service: RealService) async {
    if taken.insert(service).inserted { return }
    await withCheckedContinuation { waiting[service, default: []].append($0) }
  }

  func give(_ service: RealService) {
    guard let next = waiting[service]?.first else {
      taken.remove(service)
      return
    }
    waiting[service]?.removeFirst()
    next.resume()
  }
}
