import AsyncHTTPClient
import Evocation
import EvocationHTTP
import Fixtures
import Foundation

/// An app's server that reads cars from a service by AsyncHTTPClient, not by URLSession.
///
/// The service is the fixture service, which misbehaves on request. Some of its last answers would end
/// a process that uses URLSession on Linux.
@main
enum Server {
  static func main() async throws {
    let client = HTTPClient(configuration: AsyncHTTPClientTransport.configuration)
    let service = try await Service.start()
    do {
      try await tour(of: service, by: client)
    } catch {
      print("The tour ended early: \(error)")
    }
    service.stop()
    try await client.shutdown()
  }

  /// The settings that all models of the service share.
  static func configuration(_ client: HTTPClient) -> HTTPService.Configuration {
    var configuration = HTTPService.Configuration()
    configuration.transport = AsyncHTTPClientTransport(client: client)
    configuration.timeout = .seconds(5)
    configuration.limits.requestsAtOnce = 16
    configuration.limits.backoff = [.retryAfter]
    configuration.limits.breaker = .init(failures: 5, pause: .seconds(10))
    return configuration
  }

  private static func tour(of service: Service, by client: HTTPClient) async throws {
    let cars = HTTPRepository<Car>(
      HTTPService(service.url, configuration: configuration(client)), "cars")

    let strong = try await cars.find(Criteria.Key("horsepower") >= 200).value
    print("\(strong.count) cars have 200 horsepower or more, such as the \(strong[0].name).")

    let found = await withTaskGroup(of: Car?.self) { group in
      for id in 1...400 { group.addTask { try? await cars.findOne(["id": id]).value } }
      return await group.reduce(into: 0) { count, car in count += car == nil ? 0 : 1 }
    }
    let load = try await service.load()
    print("\(found) of 400 cars were found, by at most \(load.atOnce) requests at once.")

    try await service.control(.hangUp(.afterActing, times: 1))
    var car = strong[0]
    car.name += " (sold)"
    let sold = try await cars.updateOne(car).value
    print("The connection was lost, and the change was made once: \(sold?.name ?? "gone").")

    let failures: [(String, Service.Switch)] = [
      ("ends the connection within the head", .hangUp(.midHead, times: 1)),
      ("tells a length of 2^63-1", .broken(.hugeLength, times: 1)),
      ("speaks another protocol", .broken(.noHTTP, times: 1)),
      ("sends a small body that unpacks to 300 MB", .bomb(.gzip, megabytes: 300, times: 1)),
      ("asks to wait for an hour", .status(503, times: 1, headers: ["Retry-After": "3600"])),
    ]
    for (what, failure) in failures {
      try await service.control(failure)
      do {
        _ = try await cars.find(Criteria())
        print("The service \(what), and nothing is wrong.")
      } catch {
        print("The service \(what): \(error)")
      }
    }
    do {
      _ = try await cars.find(Criteria())
    } catch {
      print("And then: \(error)")
    }
  }
}
