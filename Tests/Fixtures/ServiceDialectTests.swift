import Fixtures
import Foundation
import TestTraits
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

#if os(macOS) || os(Linux)
  @Suite(.patient) struct ServiceDialectTests {
    @Test(arguments: Service.Dialect.allCases)
    func `The service speaks each dialect of the same data`(_ dialect: Service.Dialect) async throws
    {
      let service = try await Service.start(dialect: dialect)
      let (start, path) =
        switch dialect {
        case .plain, .links, .postgrest: ("[{\"id\": 1,", "cars")
        case .envelope: ("{\"count\": 406, \"next\": \"http://127.0.0.1", "cars/")
        case .records: ("{\"data\": [{\"id\": \"406\",", "cars")
        case .stripe: ("{\"object\": \"list\", \"data\": [{\"id\": \"car_999593\",", "cars")
        case .airtable: ("{\"records\": [{\"id\": \"rec00000000000001\",", "cars")
        case .jsonapi: ("{\"data\": [{\"type\": \"cars\", \"id\": \"1\",", "cars")
        case .firebase: ("[null, {\"name\":", "cars.json")
        case .directus, .company: ("{\"data\": [{\"id\": 1,", "cars")
        }
      let url = try #require(URL(string: "\(service.url)/\(path)"))
      let (data, _) = try await URLSession.shared.data(for: URLRequest(url: url))
      #expect(String(decoding: data, as: UTF8.self).hasPrefix(start))
    }

    @Test func `The service takes each switch that there is`() async throws {
      let service = try await Service.start()
      let places: [Service.Switch.HangUp] = [
        .beforeActing, .afterActing, .beforeAnswer, .midHead, .midAnswer, .afterAnswer,
      ]
      for place in places {
        try await service.control(.hangUp(place), .reset(place))
      }
      for form in Service.Switch.Broken.allCases {
        try await service.control(.broken(form))
      }
      try await service.control(
        .endsNext(by: .close), .endsNext(by: .reset), .slow(.head, over: .milliseconds(500)),
        .slow(.body, over: .seconds(1)), .endless(.untilClosed), .endless(.chunked), .truncated(),
        .contentType("text/html"), .compressed(.gzip), .compressed(.deflate), .bomb(.gzip),
        .bomb(.deflate, megabytes: 2), .chunked(), .chunked(.unending), .garbage(), .silent(),
        .delay(.seconds(1)), .redirect(to: "http://localhost/"),
        .redirect(to: "http://localhost/", status: 303), .status(503), .lines("Backoff: 10"))
      #expect(try await service.requests().isEmpty)
    }

    @Test func `A field may come several times, and lines are added to an answer`() async throws {
      let service = try await Service.start()
      try await service.control(
        .status(429, times: 1, fields: ["X-Said": ["one", "two"]]),
        .lines("Backoff: 10", "X-Said: three", times: 1))
      #expect(try await fields(service, "X-Said") == "one, two")
      #expect(try await fields(service, "X-Said") == "three")
      let connections = try await service.requests().map(\.connection)
      #expect(try await service.load().connections == Set(connections).count)
      #expect(try await service.load().atOnce == 1)
    }

    private func fields(_ service: Service, _ name: String) async throws -> String? {
      let request = URLRequest(url: service.url.appending(path: "cars/1"))
      let (_, response) = try await URLSession.shared.data(for: request)
      let fields = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: name)
      // FoundationNetworking leaves the space out between the values that it joins.
      return fields?.replacing(/, */, with: ", ")
    }
  }
#endif
