import Foundation

/// A real service that `scripts/test-services` has started, and how its collection of cars is set up.
///
/// `EVOCATION_SERVICES` says where they are: `kinto=http://127.0.0.1:8888 pocketbase=http://…`.
enum RealService: String, CaseIterable, CustomStringConvertible, Sendable {
  /// Kinto on PostgreSQL, which gives pages of 100 at most.
  case kinto
  /// Django REST framework with `PageNumberPagination`, whose pages have 100 rows whatever is asked.
  case djangoFixed = "django-fixed"
  /// The same with `page_size_query_param`, to 100 rows.
  case djangoSized = "django-sized"
  /// Django REST framework with `LimitOffsetPagination`, to 100 rows.
  case djangoOffsets = "django-offsets"
  /// PocketBase, which gives pages of 1,000 at most.
  case pocketBase = "pocketbase"

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
    case .kinto: RecordCar.self
    case .djangoFixed, .djangoSized, .djangoOffsets: RowCar.self
    case .pocketBase: BaseCar.self
    }
  }

  /// Whether it is Django REST framework, which gives models their ids.
  var isDjango: Bool { [.djangoFixed, .djangoSized, .djangoOffsets].contains(self) }

  /// The most that it gives in one answer.
  var largestPage: Int { self == .pocketBase ? 1000 : 100 }

  /// The name of the query item that says how long a page is; nil where none does.
  var sizeItem: String? {
    switch self {
    case .kinto: "_limit"
    case .djangoFixed: nil
    case .djangoSized: "page_size"
    case .djangoOffsets: "limit"
    case .pocketBase: "perPage"
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
