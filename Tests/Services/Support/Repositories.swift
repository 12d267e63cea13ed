import Evocation
import EvocationHTTP
import Foundation

/// What a test wants of a repository, whatever the service is.
struct Wishes: Sendable {
  var transport: any HTTPTransport = URLSessionTransport()
  var clock: any Clock<Duration> = ContinuousClock()
  var timeout: Duration = .seconds(60)
  var authorization: (@Sendable (HTTPService.Occasion) async throws -> String?)?
  /// How many are asked for at once, where the service is asked for all.
  var pageSize: Int?
  /// Whether what the service cannot say is done here.
  var filtersHere = false
  /// Whether changes replace models by `PUT`.
  var replaces = false
}

/// A repository of a service's cars, as the page "Connect your service" says to make one.
func repository<Model: Codable & Identifiable & Sendable>(
  of service: RealService, _ type: Model.Type = Model.self, _ wishes: Wishes = Wishes()
) -> HTTPRepository<Model> {
  var configuration = HTTPService.Configuration()
  configuration.transport = wishes.transport
  configuration.clock = wishes.clock
  configuration.timeout = wishes.timeout
  configuration.authorization = wishes.authorization
  var format = format(of: service)
  if let size = wishes.pageSize { format.filters.largestPage = size }
  if wishes.filtersHere { format.filtersHere = true }
  if wishes.replaces {
    format.routes.updateOne.method = "PUT"
    format.routes.updateOne.sendsChanges = false
  }
  return HTTPRepository(
    HTTPService(base(of: service), configuration: configuration), path(of: service),
    format: format)
}

private func format(of service: RealService) -> HTTPFormat {
  switch service {
  case .kinto, .kintoInMemory: return .kinto
  case .pocketBase: return .pocketBase
  case .jsonAPI: return .djangoJSONAPI
  case .datasette: return .datasette
  case .fastAPI: return .fastAPITutorial
  case .eve: return .eve
  case .graphQL: return .strawberry
  case .djangoFixed, .djangoSized, .djangoOffsets:
    var format = HTTPFormat.djangoREST(pageSize: 100)
    // Over SQLite, where they pass over case.
    format.filters.operators[.hasPrefix] = nil
    format.filters.operators[.contains] = nil
    if service == .djangoSized { format.filters.paging = .page(number: "page", size: "page_size") }
    if service == .djangoOffsets { format.filters.paging = .offset() }
    return format
  }
}

private func base(of service: RealService) -> URL {
  switch service {
  case .kinto, .kintoInMemory: service.address.appending(path: "v1")
  case .pocketBase: service.address.appending(path: "api")
  case .datasette: service.address.appending(path: "main")
  case .djangoFixed, .djangoSized, .djangoOffsets, .jsonAPI, .fastAPI, .eve, .graphQL:
    service.address
  }
}

private func path(of service: RealService) -> String {
  switch service {
  case .kinto, .kintoInMemory: "buckets/main/collections/cars/records"
  case .pocketBase: "collections/cars/records"
  case .djangoFixed, .djangoSized, .djangoOffsets, .jsonAPI, .datasette, .fastAPI, .eve: "cars"
  case .graphQL: "graphql"
  }
}
